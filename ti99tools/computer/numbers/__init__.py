"""Radix-100 numbers of the TI-99/4A: values, arithmetic, functions, forms and RND.

No BASIC statements and no screen.
"""
