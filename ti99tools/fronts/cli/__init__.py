"""One module for each command.

No logic: parse, call `app`, word and print. No other package imports it.
"""
