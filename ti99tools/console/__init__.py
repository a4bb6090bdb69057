"""The wired console: composition root, command mode and the public session.

`session.Console` is what users, tests and hosts see. Statement semantics are in interp/. Imports
interp, machine, source, program, disk, numbers, base.
"""
