"""One module a command.

No logic: parse, call, print. Imports everything; nothing imports it.
"""
