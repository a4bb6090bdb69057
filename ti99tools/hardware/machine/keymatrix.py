"""The matrix of the keyboard: which keys are down, and which of them a scan finds."""

from __future__ import annotations

from ti99tools.base.codes import CLEAR, KEY_NAMES
from ti99tools.hardware.machine.keycodes import NO_KEY, Key

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
