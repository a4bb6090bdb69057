"""What is wrong with a source, collected while it is read as far as can be."""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.numbered import as_one, rows_of

Report = Callable[[SourceError], None]
"""Takes a mistake; comes back where reading can go on after it."""


def strictly(error: SourceError) -> None:
    """A `Report` that stops at the first mistake."""
    raise error


class Mistakes:
    """The mistakes of one source, and of what it includes.

    A line that has one is not judged by later stages.
    """

    def __init__(self, text: str = "", file: str | None = None) -> None:
        self.file = file
        self.rows = rows_of(text)
        self.found: list[SourceError] = []
        self.incomplete = False
        """Tell whether parts of the source could not be had, so that labels may be missing."""
        self._lines: set[tuple[str | None, int | None]] = set()
        self._later: list[SourceError] = []

    def add(self, error: SourceError) -> None:
        """Take a mistake (and those that came with it)."""
        self._later += (error, *error.others)

    def close_stage(self) -> None:
        """From here on the lines of the mistakes found so far have been judged."""
        for error in self._later:
            if not self._marked(error.place):
                self.found.append(error)
        self._lines |= {(e.place.file, e.place.line) for e in self._later if e.place.line}
        self._later = []

    def _marked(self, place: Place) -> bool:
        """Tell whether an earlier stage found a mistake in this line of the source."""
        return (place.file, place.line) in self._lines

    def check(self) -> None:
        """Raise the first mistake, which knows the others, if there is any."""
        self.close_stage()
        if self.found:
            raise as_one(self._in_order(), self.rows, self.file)

    def _in_order(self) -> list[SourceError]:
        """As they stand in the files, the files in the order of their first mistakes."""
        files = list(dict.fromkeys(error.place.file for error in self.found))

        def position(error: SourceError) -> tuple[int, int, int]:
            place = error.place
            return files.index(place.file), place.line or 0, place.column or 0

        return sorted(self.found, key=position)
