"""From tokens to Python: what is known of a program before it runs, and the compiler.

`lines` is the program with the Python names of its names, `timing` the cost of names and
expressions; `outline` has everything that is known, including the ranges of loop variables.
`compiler` makes units (`unit`, which also defines what generated code and its runtime agree on)
from what `emit` writes. Nothing here runs a program; nothing here knows `run`.
"""
