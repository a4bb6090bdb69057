"""Screen, keyboard and files as statements use them.

`printer` lays out PRINT and DISPLAY and formats by IMAGE, `lineeditor` takes a line from the
keyboard and reads the values in it; `screenio` joins them for the running program, `codeline` uses
the editor for machine code. `openfiles` are the file numbers, `openfile` is one file with OPEN's
attributes and its records. Nothing here knows the other rooms of interp.
"""
