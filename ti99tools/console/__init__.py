"""The wired console: composition root, command mode and the public session.

`session.Console` is what users, tests and hosts see; `profiling` and `whereabouts` tell where its
program spends its time and where it is. Statement semantics are in interp/.
Imports interp, machine, render, source, program, disk, numbers, base.
"""
