"""The language server: editors show lint while one types, and know the names of a program.

`documents` are the texts as the editor has them with the sources they belong to, `answers` what is
said about a word, `server` the protocol.
"""
