"""Program text as the editor knows it: numbered listings, tokenize, LIST, source maps.

`numbered` and `wrapped` read listings, `tokenize` turns a line into tokens and `listing` turns
tokens into text.
"""
