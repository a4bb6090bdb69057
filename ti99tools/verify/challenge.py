"""The seed of the month: the same for everybody, worked out from a game's name and the month.

The text `DICERACK 2026-12` (the game as play logs name it, a blank, year and month) goes through
SHA-256; the digest, read as one large number, modulo 100,000,000 is the seed.
"""

from __future__ import annotations

import hashlib

SEEDS = 10**8


def monthly_seed(game: str, month: str) -> int:
    """The seed of a game (as in the first line of its logs) for a month, `YYYY-MM`.

    >>> monthly_seed("DICERACK", "2026-12")
    85175935
    """
    digest = hashlib.sha256(f"{game} {month}".encode()).digest()
    return int.from_bytes(digest, "big") % SEEDS
