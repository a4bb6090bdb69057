"""Reference models of the games, plain Python that a player can check against the rules.

Shares no code with the console: only errors and records of base may be imported.
"""
