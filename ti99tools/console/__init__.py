"""The wired console: a computer with Extended BASIC, and the public session above it.

`session.Console` is what users, tests and hosts see. Below it `computer.Computer` puts together
`workspace.Workspace` (the program in memory and its run) and `command.Commands` (the prompt);
above it `player.Player` does the steps of key scripts.
`profiling` and `whereabouts` tell where a program spends its time and where it is. Statement
semantics are in interp/.
Imports interp, machine, machinecode, render, source, program, disk, numbers, trace.keyscript, base.
"""
