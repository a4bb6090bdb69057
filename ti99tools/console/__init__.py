"""The wired console: composition root, command mode and the public session.

Statement semantics are in interp/ Imports interp, machine, source, program, disk, numbers, base.
"""
