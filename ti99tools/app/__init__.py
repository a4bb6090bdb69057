"""What the commands do, without a command line: for every front end, and for users of Python.

`target` resolves a word to a file or game, `run` runs it, `debug/` is a debugger, and `realtime`
runs a console at the machine's speed; each other module is named after the command whose work it
does. Nothing is presented here: errors and outcomes carry meanings, which the front ends word.
"""
