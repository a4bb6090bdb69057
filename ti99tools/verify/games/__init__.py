"""One small adapter a game: what verification must know beside the game's model.

Imports trace, models, base.
"""
