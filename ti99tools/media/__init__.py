"""What lies on disks and tapes, byte for byte."""
