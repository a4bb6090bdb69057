"""Extended BASIC executed: compiled programs, statements, functions, subprograms, file I/O, errors.

No command mode and no wiring (console/). Imports base, numbers, source, machine.
"""
