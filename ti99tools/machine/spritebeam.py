"""Which sprites the television's beam has drawn: the video processor reports on the frame before.

Its coincidence flag, as the interrupt routine reads it at the end of a frame, tells of the sprites
as the beam met them. A sprite that was moved after the beam had passed its row is seen in its new
place a frame later. Source: the recorded answers on CALL COINC(ALL, …).
"""

from __future__ import annotations

from collections import deque

from ti99tools.machine.clock import FRAME
from ti99tools.machine.vdp import SPRITE_COUNT

HIDDEN_Y = 0xC0
"""y of a sprite that is not defined: just below the visible lines."""

_BLANK_LINES, _ALL_LINES = 70, 262
"""Lines between the interrupt and the first line of the picture; lines of a frame (NTSC)."""
_KEPT = 2 * FRAME
_MOST = 256


def line_after(cycle: int, end: int) -> int:
    """The first line of the picture, from 0, that is drawn after a cycle in the frame that ends at
    cycle `end`: 0 if the cycle lies before that frame."""
    since = cycle - (end - FRAME)
    return max(0, -(-since * _ALL_LINES // FRAME) - _BLANK_LINES)


class Beam:
    """Remembers the attribute list before each of its last changes."""

    def __init__(self) -> None:
        self._before: deque[tuple[int, bytes]] = deque(maxlen=_MOST)

    def changing(self, cycle: int, attributes: bytes) -> None:
        """The list is about to be changed, at a cycle."""
        before = self._before
        while before and before[0][0] < cycle - _KEPT:
            before.popleft()
        before.append((cycle, attributes))

    def drawn(self, attributes: bytes, end: int) -> bytes:
        """The attribute list as the beam met it in the frame that ended at cycle `end`.

        `attributes` is the list now.
        """
        if not self._before or self._before[-1][0] <= end - FRAME:
            return attributes
        start = end - FRAME
        first = self._at(start, attributes)
        met = bytearray(attributes)
        for at in range(0, 4 * SPRITE_COUNT, 4):
            line = _BLANK_LINES + (attributes if first[at] == HIDDEN_Y else first)[at]
            there = self._at(start + line * FRAME // _ALL_LINES, attributes)
            met[at : at + 4] = there[at : at + 4]
        return bytes(met)

    def _at(self, cycle: int, now: bytes) -> bytes:
        """The list at a cycle."""
        return next((before for changed, before in self._before if changed > cycle), now)
