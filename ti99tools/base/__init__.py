"""Facts shared by every room: errors, character set, XB error texts, tokens, colours, key codes.

No behaviour and no I/O. Imports nothing of ours.
"""
