"""What the commands do, without a command line: forevery front end, and for users of Python.

What a word means: `meaning` (file or game), `sources`, `targets`. Runs: `mounting`, `headless`,
`pictures`, `linetimes`, `playing`, `covering`, `collecting`. Made: `building`, `tokenizing`,
`machine_code`, `listings`, `disks`, `disk_programs`, `disk_values`, `transfer`. Proven:
`verifying`, `recorded`, `hosting`.
No presentation: errors and outcomes carry meanings. Imports every room but report and cli.
"""
