"""A window and a terminal to play in.

No machine behaviour. Imports console, machine, trace, base.
"""
