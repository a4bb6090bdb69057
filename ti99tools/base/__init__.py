"""Facts shared by every wing: errors, tokens, colours, key codes, messages of the console.

No behaviour; no I/O but safe reading and writing of host files (`hostio`).
"""
