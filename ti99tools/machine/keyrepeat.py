"""How a key held down comes again in a line editor. Source: recorded, 98 to 120 frames held."""

from __future__ import annotations

from ti99tools.machine.clock import FRAME, NEVER
from ti99tools.machine.keymap import Key

DELAY, GAP = 79 * FRAME // 2, 99 * FRAME // 20
"""Cycles from a character's coming to its coming again, and then from time to time."""
FUNCTION_DELAY, FUNCTION_GAP = 43 * FRAME, 52 * FRAME // 10
"""The same for LEFT and the other keys that type no character."""
TAKEN = 80_000
"""Cycles that a key takes the editor before it waits for the next: they are in the times above."""
_BLANK = 32


class Repeat:
    """Counts the time of the key that is held down."""

    def __init__(self) -> None:
        self._key: Key | None = None
        self._rested: int | None = None
        self.at = NEVER
        """The cycle at which the key comes again."""

    def start(self, key: Key, now: int) -> None:
        """A key has come, or is found down."""
        self._key = key
        self.at = now + (DELAY if key.basic >= _BLANK else FUNCTION_DELAY)

    def rest(self, now: int) -> None:
        """A key has been taken: the waits are counted while the line editor waits for the next."""
        self._rested = now

    def go_on(self, now: int) -> None:
        """The editor waits again: what the last key has taken beyond the usual is added."""
        if self._rested is not None:
            self.at += max(0, now - self._rested - TAKEN)
            self._rested = None

    def stop(self) -> None:
        """No key is down."""
        self._key = None
        self.at = NEVER

    def comes(self, key: Key, now: int) -> bool:
        """Tell whether a key that is still down comes again now."""
        if key is not self._key:
            self.start(key, now)
        if now < self.at:
            return False
        self.at = now + (GAP if key.basic >= _BLANK else FUNCTION_GAP)
        return True
