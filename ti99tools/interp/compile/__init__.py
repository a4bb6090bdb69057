"""From tokens to Python: what is known of a program before it runs, and the compiler.

`lines` is the program, `names` the Python names of its names, `value_ranges` what loop variables
certainly hold, `timing` and `costs` what names and expressions cost; `outline` has it all.
`compiler` makes units (`unit`) from what `emit` writes. `blocks` is what generated code and its
runtime agree on. Nothing here runs a program; nothing here knows `run`.
"""
