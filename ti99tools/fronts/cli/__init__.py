"""One module a command.

No logic: parse, call `app`, word and print. Nothing imports it.
"""
