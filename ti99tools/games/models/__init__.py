"""Reference models of the games, plain Python that a player can check against the rules.

They share no code with the console: they may import only errors and records of base.
"""
