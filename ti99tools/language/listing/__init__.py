"""Program text as the editor knows it: numbered listings, tokenize, LIST, source maps.

`numbered` and `wrapped` read listings, `tokenize` makes tokens of a line and `listing` text of
them. `remedies`, `habits` and `failures` say what to do about what is refused or always fails.
"""
