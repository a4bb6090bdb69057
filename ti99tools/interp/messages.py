"""Messages on the screen: how errors and warnings are laid out.

A message scrolls the screen up by one row, writes its rows at the bottom, each pushed up by the
next, and leaves an empty row. Source: the recorded error, warning and print cases.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.interp.printer import BOTTOM, MARGIN, PrintRow
from ti99tools.machine.screen import Screen
from ti99tools.machine.soundchip import SoundChip

_PLACE_LIMIT = 19
"""A text longer than this, mark included, has its place (` IN 110`) in a row of its own."""

_INDENT = "  "


class Messages:
    """Writes messages to a screen; `pending` is the row that PRINT is in the middle of."""

    def __init__(self, screen: Screen, sound: SoundChip, pending: PrintRow) -> None:
        self._screen = screen
        self._sound = sound
        self._pending = pending

    def error(self, text: str, places: Sequence[str] = ()) -> None:
        """An error: `* TEXT IN 110`, and further places in rows of their own, with the error tone.

        `places` are `IN 110`, then e.g. `IN  S` and `CALLED FROM  110`; none in command mode.
        """
        self._sound.honk()
        self.show(with_places(f"* {text}", places))

    def warning(self, text: str, places: Sequence[str] = ()) -> None:
        """A warning: `* WARNING`, below it the text and its places, with the error tone."""
        self._sound.honk()
        self.show(["* WARNING", *with_places(_INDENT + text, places)])

    def show(self, rows: Sequence[str]) -> None:
        """Rows of at most 28 characters, pushed up from the bottom, and an empty row."""
        self._screen.scroll()
        for row in rows:
            self._screen.write(BOTTOM, MARGIN, row.encode("latin-1"))
            self._screen.scroll()
        self._pending.column = 0


def with_places(text: str, places: Sequence[str]) -> list[str]:
    """The rows of a message: the first place goes behind the text if there is room for it."""
    if places and len(text) <= _PLACE_LIMIT:
        text, places = f"{text} {places[0]}", places[1:]
    return [text, *(_INDENT + place for place in places)]
