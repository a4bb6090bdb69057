"""The program that runs: blocks called one after the other, stack, variables, errors, memory.

`execution` is a program with its state, `stack` has its scopes and what lies on the stack, `heap`
the memory of strings and stack, `datareader` DATA. `runtime` is the console as statements see it,
with the messages on its screen, `library` the names that generated code uses. `signals` are what
ends a program besides errors; `locating` finds where something happened and where to stop.
"""
