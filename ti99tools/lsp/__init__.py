"""The language server: editors show lint while one types, and know the names of a program.

`documents` are the texts as the editor has them, `project` the sources they belong to, `outline`
the names that a source defines, `answers` what is said about a word, `server` the protocol. Imports
tasks, source and base.
"""
