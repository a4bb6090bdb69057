"""The TI-99/4A as programs see it: VDP tables, screen, keyboard, sound chip, clock, drives.

Knows no BASIC. Imports base and disk.
"""
