"""The repeat of a key that is held down in a line editor; CALL KEY only gives the status -1.

The times are recorded, with keys held 98 to 120 frames.
"""

from __future__ import annotations

from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.hardware.machine.clock import FRAME, NEVER
from ti99tools.hardware.machine.keycodes import Key
from ti99tools.hardware.machine.screen import BLANK

REPEAT_DELAY, REPEAT_GAP = 79 * FRAME // 2, 99 * FRAME // 20
"""Cycles until a character first repeats, and between its further repeats."""
FUNCTION_DELAY, FUNCTION_GAP = 43 * FRAME, 52 * FRAME // 10
"""The same for LEFT and the other keys that type no character."""
FOUND_SOONER = 7 * FRAME // 2
"""Cycles by which a key that is down when a line begins repeats sooner (recorded: random4-held)."""


class Repeat:
    """When the key that is held down repeats."""

    def __init__(self) -> None:
        self._key: Key | None = None
        self._rested: int | None = None
        self._sooner = 0
        self.at = NEVER
        """The cycle at which the key repeats."""

    def begin(self) -> None:
        """Note that a line begins: a key that is down at once has been down before."""
        self._sooner = FOUND_SOONER

    def start(self, key: Key, now: int) -> None:
        """Start with a key that was pressed, or found down."""
        self._key = key
        self.at = now + (REPEAT_DELAY if key.basic >= BLANK else FUNCTION_DELAY) - self._sooner
        self._sooner = 0

    def rest(self, now: int) -> None:
        """Note that the line editor has taken a key; see `go_on`."""
        self._rested = now

    def go_on(self, now: int) -> None:
        """Wait for the next key: delay the repeat if the last key took longer than usual."""
        if self._rested is not None:
            self.at += max(0, now - self._rested - EDITOR_TAKEN)
            self._rested = None

    def stop(self) -> None:
        """Note that no key is down."""
        self._key = None
        self._sooner = 0
        self.at = NEVER

    def comes(self, key: Key, now: int) -> bool:
        """Tell whether a key that is still down repeats now."""
        if key is not self._key:
            self._sooner = 0  # for a key that is new alone
            self.start(key, now)
        if now < self.at:
            return False
        self.at = now + (REPEAT_GAP if key.basic >= BLANK else FUNCTION_GAP)
        return True
