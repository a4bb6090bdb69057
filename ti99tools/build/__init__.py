"""From xbasic/<game> manifests to listings, programs and disk images.

No command line. Imports base, source, program, disk.
"""
