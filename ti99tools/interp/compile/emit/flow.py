"""Where control is in the program while a block is written, and where it can go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.blocks import Key, Place
from ti99tools.interp.compile.lines import Listing
from ti99tools.source.syntax.cursor import END_OF_STATEMENT
from ti99tools.source.syntax.statements import Statement

MAX_LOOPS = 15
"""So many Python loops are written one inside the other: Python allows 20 blocks."""


class Flow:
    """The statement being written, and how control came to it.

    `key` is the block's entry; `careful` blocks look at every line. `stopped`: control never comes
    after the line written last. `until`: where the part being written ends. `onward`: where it
    goes on after a statement that has written more than itself. `endless`: the block comes back to
    its own start.
    """

    def __init__(self, listing: Listing, key: Key, careful: bool) -> None:
        self.key = key
        self.careful = careful
        self.line = key[0]
        self.phase = 0
        self.statement: Statement | None = None
        self.stopped = False
        self.until: Place | None = None
        self.onward: Place | None = None
        self.endless = False
        self._listing = listing
        self._inline = 0
        self._branches = 0
        self._loops = 0

    @property
    def place(self) -> Place:
        """The place of the present statement."""
        assert self.statement is not None
        return self.line, self.statement.at

    @property
    def after(self) -> Place | None:
        """The place after the present statement; None when what follows is wrong syntax."""
        assert self.statement is not None
        tokens = self._listing.tokens[self.line]
        end = self.statement.end
        token = tokens[end] if end < len(tokens) else 0
        if token == tk.STATEMENT_SEP:
            return (self.line, end + 1)
        if token in END_OF_STATEMENT:
            return (self.line + 1, 0)
        return None

    @property
    def back(self) -> Place:
        """Where control comes back to after what the present statement calls or repeats."""
        assert self.statement is not None
        return self.after or (self.line, self.statement.end)

    @contextmanager
    def part(self, until: Place | None) -> Iterator[None]:
        """Inside, statements are written up to a place."""
        outer, self.until = self.until, until
        yield
        self.until = outer

    @contextmanager
    def branch(self) -> Iterator[None]:
        """Inside is a branch of an IF."""
        self._branches += 1
        yield
        self._branches -= 1

    @contextmanager
    def inline(self, loop: bool = False) -> Iterator[None]:
        """Inside is a skipped part, or the body of a `loop`: lines that others jump to go on."""
        self._inline += 1
        self._loops += loop
        yield
        self._inline -= 1
        self._loops -= loop

    def ends_before(self, place: Place, full: bool) -> bool:
        """True if the block ends before a line: another one begins there, or this one is full."""
        line, at = place
        if at or line >= len(self._listing):
            return False
        joins = line in self._listing.targets and not self._inline
        return self.careful or joins or full

    def is_start(self, place: Place) -> bool:
        """Tell whether going to a place is Python's `continue`: the block is written as a loop."""
        return (*place, 0) == self.key and not self._loops and not self.careful

    def runs_straight(self, until: Place, loop: bool = False) -> bool:
        """Tell whether all up to a place can be written here, as a skipped part or as a `loop`."""
        if self.careful or self._branches or (loop and self._loops > MAX_LOOPS):
            return False
        return self.until is None or until < self.until or (until == self.until and not loop)
