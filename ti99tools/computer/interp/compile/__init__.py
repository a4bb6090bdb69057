"""From tokens to Python: what is known of a program before it runs, and the compiler.

`units` has the program, with the Python names of its names, and the functions made of it; it also
defines what generated code and its runtime agree on. `timing` is the cost of names and expressions;
`outline` has everything that is known, including the ranges of loop variables. `compiler` makes
units from what `emit` writes. Nothing here runs a program; nothing here knows `run`.
"""
