"""Reference models of the games, plain Python that a player can check against the rules.

Shares no code with the console. Imports trace only.
"""
