"""Programs in memory and on disk: PROGRAM image, long form, MERGE, detection, memory report.

The files and records that hold programs are those of media/disk.
"""
