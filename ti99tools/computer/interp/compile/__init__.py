"""From tokens to Python: what is known of a program before it runs, and the compiler.

`lines` is the program with the Python names of its names, `timing` what names and expressions
cost; `outline` has all that is known, ranges of loop variables included. `compiler` makes units
(`unit`, which also says what generated code and its runtime agree on) from what `emit` writes.
Nothing here runs a program; nothing here knows `run`.
"""
