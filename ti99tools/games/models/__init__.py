"""What reference models are made of, and play logs; the models: `xbasic/GAME/model.py`.

Models are plain Python that a player can check against the rules.

They share no code with the console: they may import only errors and records of base.
"""
