"""Facts shared by every room: errors, character set, XB error texts, tokens, colours, key codes.

No behaviour; no I/O but safe reading and writing of host files (`files`). Imports nothing of ours.
"""
