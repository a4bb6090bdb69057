"""One module a command.

No logic: parse, call `tasks`, word and print. Imports tasks, report and base, and what tasks give
back: disks, games, hosts, findings, verdicts. Nothing imports it.
"""
