"""The TI-99/4A as programs see it: VDP tables, screen, keyboard, sound, clock, drives, ports.

Knows no BASIC. CPU memory is on the bus in `cpu`.
"""
