"""Programs in memory and on disk: PROGRAM image, long form, MERGE, detection, memory report.

No disk images (disk/) and no parsing of statements (source/). Imports base and source.
"""
