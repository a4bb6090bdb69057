"""The sixteen colours of the TMS9918A VDP.

Extended BASIC numbers them 1–16; the VDP's own code is one less. RGB values follow the usual
reading of the data manual's luminance and colour-difference levels.
"""

from __future__ import annotations

NAMES = (
    "transparent", "black", "medium green", "light green", "dark blue", "light blue",
    "dark red", "cyan", "medium red", "light red", "dark yellow", "light yellow",
    "dark green", "magenta", "gray", "white",
)  # fmt: skip

RGB: tuple[tuple[int, int, int], ...] = (
    (0, 0, 0), (0, 0, 0), (33, 200, 66), (94, 220, 120), (84, 85, 237), (125, 118, 252),
    (212, 82, 77), (66, 235, 245), (252, 85, 84), (255, 121, 120), (212, 193, 84),
    (230, 206, 128), (33, 176, 59), (201, 91, 186), (204, 204, 204), (255, 255, 255),
)  # fmt: skip
"""Index: VDP code 0–15 (XB colour number less one); code 0 shows the backdrop."""
