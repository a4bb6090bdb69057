"""Programs: files read whatever they are, PROGRAM image, long form, MERGE, memory report, advice.

The files and records that hold programs are those of media/disk. `reading` reads a file,
`judgement` says all that can be said about it without running it.
"""
