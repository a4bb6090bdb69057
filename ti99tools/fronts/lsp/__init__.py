"""The language server: editors show lint while you type, and know the names of a program.

`documents` are the texts as the editor has them, with the sources they belong to and the help about
a word, `server` is the protocol.
"""
