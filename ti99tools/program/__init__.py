"""Programs in memory and on disk: PROGRAM image, long form, MERGE, detection, memory report.

The files and records that programs travel in are disk/'s, the parsing of statements is source/'s.
Imports base, source and disk.
"""
