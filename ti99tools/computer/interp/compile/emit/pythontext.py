"""The Python text of a block while it is written: lines, their places and times, and the flow of
control.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base import tokens as tk
from ti99tools.base.counts import RAN
from ti99tools.computer.interp.compile.units import SPENT, Counter, Key, Listing, StatementPlace
from ti99tools.language.syntax.cursor import END_OF_STATEMENT
from ti99tools.language.syntax.statements import Statement

MAX_LOOPS = 15
"""Most nested Python loops: Python allows 20 blocks."""


class StatementFlow:
    """The statement being written, and how control came to it.

    `key` is the block's entry; `careful` blocks check at every line. `stopped`: control never comes
    after the last line written. `until`: where the part being written ends. `onward`: where it goes
    on after a statement that has written more than itself. `endless`: the block returns to its own
    start.
    """

    def __init__(self, listing: Listing, key: Key, careful: bool) -> None:
        self.key = key
        self.careful = careful
        self.line = key[0]
        self.phase = 0
        self.statement: Statement | None = None
        self.stopped = False
        self.until: StatementPlace | None = None
        self.onward: StatementPlace | None = None
        self.endless = False
        self._listing = listing
        self._inline = 0
        self._branches = 0
        self._loops = 0

    @property
    def place(self) -> StatementPlace:
        """The place of the present statement."""
        assert self.statement is not None
        return self.line, self.statement.at

    @property
    def after(self) -> StatementPlace | None:
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
    def back(self) -> StatementPlace:
        """The place to which control returns after what the present statement calls or repeats."""
        assert self.statement is not None
        return self.after or (self.line, self.statement.end)

    @contextmanager
    def part(self, until: StatementPlace | None) -> Iterator[None]:
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
        """Inside is a skipped part, or the body of a `loop`: lines that others jump to do not end
        it.
        """
        self._inline += 1
        self._loops += loop
        yield
        self._inline -= 1
        self._loops -= loop

    def ends_before(self, place: StatementPlace, full: bool) -> bool:
        """Tell whether the block ends before a line: another begins there, or this one is full."""
        line, at = place
        if at or line >= len(self._listing):
            return False
        joins = line in self._listing.targets and not self._inline
        return self.careful or joins or full

    def is_start(self, place: StatementPlace) -> bool:
        """Tell whether a jump to a place is Python's `continue`: the block is written as a loop."""
        return (*place, 0) == self.key and not self._loops and not self.careful

    def runs_straight(self, until: StatementPlace, loop: bool = False) -> bool:
        """Tell whether everything up to a place can be written here, as a skipped part or as a
        `loop`.
        """
        if self.careful or self._branches or (loop and self._loops > MAX_LOOPS):
            return False
        return self.until is None or until < self.until or (until == self.until and not loop)


INDENT = "    "


class PythonText:
    """Lines of a function inside `make`, and what belongs to each.

    `marks`: the line (from 1) at which the code of each statement begins. `sums`: indexes of lines
    that add the times of statements, with the place and the cycles of each; `carried`: indexes of
    lines that give the clock what such lines have added up. `counted`: time is being added up in
    the local variable `SPENT`, and the clock lags. `counting`: indexes of lines that count
    statements, with the number of the counter. Without `counters` nothing is counted.
    """

    def __init__(self, counters: list[Counter] | None) -> None:
        self.lines: list[str] = []
        self.marks: list[tuple[int, StatementPlace]] = []
        self.sums: dict[int, list[tuple[StatementPlace, int]]] = {}
        self.carried: list[int] = []
        self.counted = False
        self.counting: dict[int, int] = {}
        self.depth = 2
        self.steps = 0
        """Number of lines that call `step`."""
        self.gathered = 0
        """Most cycles charged since the program last checked what is due."""
        self._segment: int | None = None
        self._rooms: list[int] = []
        self._asked = False
        self._counters = counters
        self._counter: Counter | None = None
        self._spent = (-1, 0, 0)
        """The line that `spend` has written last: its index, its cycles and its indentation."""

    def line(self, text: str) -> None:
        """Write one line at the present indentation."""
        self.lines.append(INDENT * self.depth + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent what is written inside; its time is charged by itself."""
        self.depth += 1
        before = self.gathered
        self.end_segment()
        yield
        self.depth -= 1
        self.gathered = max(before, self.gathered)
        self.end_segment()

    @contextmanager
    def block(self) -> Iterator[None]:
        """As `indented`, with `pass` if nothing is written inside."""
        with self.indented():
            start = len(self.lines)
            yield
            if len(self.lines) == start:
                self.line("pass")

    def mark(self, place: StatementPlace) -> None:
        """The lines from here on belong to the statement at a place."""
        self.marks.append((len(self.lines) + 1, place))

    # -- time -----------------------------------------------------------------------------

    def add(self, place: StatementPlace, cycles: int) -> None:
        """Add to the time of a statement, or subtract from it."""
        if self._segment is None:
            self._segment = len(self.lines)
            self.sums[self._segment] = []
            self.line(f"{SPENT} += {{}}" if self.counted else "clock.cycles += {}")
        self.sums[self._segment].append((place, cycles))
        self.gathered += cycles

    def spend(self, cycles: int) -> None:
        """Take time here; what is taken twice in a row is one line."""
        last, before, depth = self._spent
        line = len(self.lines)
        marked = bool(self.marks) and self.marks[-1][0] > line
        if last == line - 1 >= 0 and depth == self.depth and not marked:
            self.lines.pop()
            cycles += before
        self._spent = (len(self.lines), cycles, self.depth)
        self.line(f"clock.cycles += {cycles}")

    def charge(self, place: StatementPlace, cycles: int) -> None:
        """Take the time of a statement; one line accumulates the times of a whole segment."""
        self.add(place, cycles)
        if self._counter is None:
            self._counter = self.count(place)
        else:
            self._counter.append((place, RAN))

    def end_segment(self) -> None:
        """Charge what follows in a new line."""
        self._segment = None
        self._counter = None

    def count(self, place: StatementPlace, what: str = RAN) -> Counter | None:
        """Count something of a statement in a line of its own; None if nothing is counted."""
        if self._counters is None:
            return None
        counter: Counter = [(place, what)]
        self.counting[len(self.lines)] = len(self._counters)
        self.line(f"hits[{len(self._counters)}] += 1")
        self._counters.append(counter)
        return counter

    def carry(self) -> None:
        """Write the line that gives the clock what has been added up in `SPENT`."""
        self.carried.append(len(self.lines))
        self.line(f"clock.cycles += {SPENT}")

    def settle(self) -> None:
        """Bring the clock up to date for a statement that looks at it."""
        self.carry()
        self.line(f"{SPENT} = 0")

    def look(self, cycles: int, block: str) -> None:
        """Write the check whether something is due, with the clock up to date: a pause ends the
        block here, and the program goes on at `block`. The statement at work has been charged
        `cycles`.
        """
        self.end_segment()
        self.gathered = 0
        self.line(f"if clock.cycles >= clock.next_event and midway({cycles}): return {block}")

    def when_watched(self, text: str) -> None:
        """Write a line that is run while it matters which interrupts are served, with the clock up
        to date.
        """
        self._asked = self._asked or self.counted
        self.line("if watched:" if self.counted else "if clock.watched:")
        self.depth += 1
        if self.counted:
            self.settle()
        self.line(text)
        if self.counted:
            self.count_on()
        self.depth -= 1

    def look_between(self, block: str) -> None:
        """The same between two statements, where time may still be added up in `SPENT`."""
        if not self.counted:
            self.look(0, block)
            return
        self.end_segment()
        self.gathered = 0
        self.line(f"if {SPENT} >= room:")
        self.depth += 1
        self.settle()
        self.line(f"if midway(0): return {block}")
        self.count_on()
        self.depth -= 1

    def count_on(self) -> None:
        """Write the line that finds how long it is to the clock's next event."""
        self._rooms.append(len(self.lines))
        self.line("room = clock.next_event - clock.cycles")

    @contextmanager
    def adding_up(self) -> Iterator[None]:
        """Inside, time is added up in `SPENT`; the clock gets it however control leaves."""
        self.count_on()
        self.line(f"{SPENT} = 0")
        self.line("try:")
        self.counted = True
        with self.indented():
            yield
        self.counted = False
        self.line("finally:")
        with self.indented():
            self.carry()

    def close(self, endless: bool) -> None:
        """Fill in the sums; an `endless` block starts again at its end, by a loop around it.

        Where time is added up, a local variable tells whether interrupts are watched: only
        statements that look at the clock can change that.
        """
        for index in self._rooms if self._asked else ():
            self.lines[index] += "; watched = clock.watched"
        for index, charges in self.sums.items():
            total = sum(cycles for _, cycles in charges)
            self.lines[index] = self.lines[index].format(total)
        if endless:
            self.lines = [INDENT * 2 + "while True:", *(INDENT + text for text in self.lines)]
            self.marks = [(line + 1, place) for line, place in self.marks]
            self.sums = {index + 1: charges for index, charges in self.sums.items()}
            self.carried = [index + 1 for index in self.carried]
            self.counting = {index + 1: number for index, number in self.counting.items()}
