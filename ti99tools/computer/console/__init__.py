"""The wired console: a computer with Extended BASIC, key scripts, and the public session.

`session.Console` is what users, tests and hosts see. Below it, its `Computer` joins
`workspace.Workspace` (the run of the program in memory; `forgetting` has the table of what each way
of starting and ending keeps and forgets) and `command.Commands` (the prompt). Above it,
`player.ScriptPlayer` carries out the steps of key scripts (`keyscript`). `profiling` tells where a
program spends its time, `waiting` where it is and whether it waits. Statements are in interp/.
"""
