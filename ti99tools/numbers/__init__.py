"""Radix-100 numbers of the TI-99/4A: values, arithmetic, functions, formatting and RND.

No BASIC statements and no screen. Imports base.
"""
