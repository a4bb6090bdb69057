"""The program that runs: blocks called one after the other, stack, variables, errors, memory.

`execution` is a program with its state, `activation` a scope with its variables, `frames` the
stack, `heap` the memory of strings and stack, `datareader` DATA. `runtime` is the console as
statements see it, `library` the names that generated code uses. `signals` are what ends a program
besides errors; `locating` finds where something happened, `messages` how that reads on the screen.
"""
