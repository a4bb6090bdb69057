"""One small adapter a game: what verification must know beside the game's model.

Imports trace, hosts, models, base.
"""
