"""The language server: editors show lint while you type, and know the names of a program.

`documents` holds the texts as the editor has them, finds the sources they belong to, and has the
help about a word; `server` speaks the protocol.
"""
