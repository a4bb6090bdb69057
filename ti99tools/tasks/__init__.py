"""What the commands do, without a command line: for every front end, and for users of Python.

What a word means: `finding` (file or game), `sources`, `targets`. Runs: `drives`, `headless`,
`pictures`, `profiling`, `playing`. Made: `building`, `tokenizing`, `listing`, `disks`,
`disk_programs`, `disk_values`, `transfer`. Proven: `verifying`, `recorded`, `hosting`.
No presentation: errors and outcomes carry meanings. Imports every room but report and cli.
"""
