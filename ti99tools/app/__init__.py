"""What the commands do, without a command line: for every front end, and for users of Python.

`target` resolves a word to a file or game, `run` runs it, `debug/` and `play/` are a debugger and
a window; each other module is named after the command whose work it does. Nothing is presented
here: errors and outcomes carry meanings, which the front ends word.
"""
