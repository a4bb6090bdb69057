"""Facts shared by every wing: errors, tokens, colours, key codes, messages of the console.

Facts only. The one I/O here is the safe reading and writing of host files (`hostio`).
"""
