"""The matrix of the keyboard: which keys are down, which a scan finds, and when one repeats."""

from __future__ import annotations

from ti99tools.base.codes import CLEAR, KEY_NAMES
from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.hardware.machine.clock import FRAME, NEVER
from ti99tools.hardware.machine.keycodes import NO_KEY, Key
from ti99tools.hardware.machine.screen import BLANK

SCAN_ORDER = "ZQA10P;/BTG56YHNVRF47UJMCED38IK,XWS29OL.\n ="
"""Key caps in the order in which a scan looks at them, column by column; of several keys down it
finds the first. Source: recorded, all 903 pairs.
"""

FUNCTION_CAP, SHIFT_CAP, CONTROL_CAP, NOTHING = "\x01\x02\x03\x00"
COLUMNS = (
    f"= \n{NOTHING}{FUNCTION_CAP}{SHIFT_CAP}{CONTROL_CAP}{NOTHING}",
    ".LO92SWX",
    ",KI83DEC",
    "MJU74FRV",
    "NHY65GTB",
    "/;P01AQZ",
)
"""Key caps of each column of the matrix, row by row. Source: TI's technical data of the console."""

_PLACES = {cap: place for place, cap in enumerate(SCAN_ORDER)}
REPEAT_DELAY, REPEAT_GAP = 79 * FRAME // 2, 99 * FRAME // 20
"""Cycles until a character first repeats, and between its further repeats."""
FUNCTION_DELAY, FUNCTION_GAP = 43 * FRAME, 52 * FRAME // 10
"""The same for LEFT and the other keys that type no character."""
FOUND_SOONER = 7 * FRAME // 2
"""Cycles by which a key that is down when a line begins repeats sooner (recorded: random4-held)."""


class Matrix:
    """The keys that are down."""

    def __init__(self) -> None:
        self._down: list[Key] = []

    def __bool__(self) -> bool:
        """Tell whether any key is down."""
        return bool(self._down)

    def press(self, key: Key) -> None:
        """Hold a key down; several may be down."""
        self._down.append(key)
        self._down.sort(key=lambda down: _PLACES[down.cap])

    def release(self, key: Key) -> None:
        """Release a key; one that is not down stays up."""
        if key in self._down:
            self._down.remove(key)

    def caps(self) -> set[str]:
        """The caps that are down, with FCTN, SHIFT and CTRL."""
        if not self._down:
            return set()
        down = {key.cap for key in self._down}
        return down.union(*(key.held for key in self._down))

    def clear(self) -> None:
        """Release all keys that are down."""
        self._down.clear()

    def first(self, unit: int) -> Key | None:
        """The key that a scan of a unit finds; units 1 and 2 are the halves of the keyboard."""
        if unit not in (1, 2):
            return self._down[0] if self._down else None
        return next((key for key in self._down if key.code(unit, False) != NO_KEY), None)

    @property
    def breaks(self) -> bool:
        """Tell whether CLEAR is down; it stops a program whatever else is down."""
        return any(key.basic == CLEAR for key in self._down)

    @property
    def quits(self) -> bool:
        """Tell whether QUIT is down."""
        return any(key.cap == "=" and key.basic == KEY_NAMES["QUIT"] for key in self._down)


class Repeat:
    """When the key that is held down repeats in a line editor; CALL KEY only gives the status -1.

    The times are recorded, with keys held 98 to 120 frames.
    """

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
