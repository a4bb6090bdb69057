"""Extended BASIC as text and tokens: listing, syntax, dialect, program, lint, optimize.

Nothing here runs a program.
"""
