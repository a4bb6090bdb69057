"""The Python text of one block while it is written, with the place and the time of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base.hits import RAN
from ti99tools.interp.compile.blocks import Counter, Place

INDENT = "    "


class PythonText:
    """Lines of a function inside `make`, and what belongs to each.

    `marks`: from which line (1 is the first) on which statement is at work. `sums`: indexes of
    lines that add the times of statements, with the place and the cycles of each; `carried`:
    indexes of lines that give the clock what such lines have added up. `counted`: time is being
    added up in the local variable `spent`, and the clock is after. `counting`: indexes of lines
    that count statements, with the number of the counter; None of `counters`: nothing is counted.
    """

    def __init__(self, counters: list[Counter] | None = None) -> None:
        self.lines: list[str] = []
        self.marks: list[tuple[int, Place]] = []
        self.sums: dict[int, list[tuple[Place, int]]] = {}
        self.carried: list[int] = []
        self.counted = False
        self.counting: dict[int, int] = {}
        self.depth = 2
        self.steps = 0
        """How many lines call `step`."""
        self._segment: int | None = None
        self._counters = counters
        self._counter: Counter | None = None

    def line(self, text: str) -> None:
        """Write one line at the present indentation."""
        self.lines.append(INDENT * self.depth + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent what is written inside; it has a time of its own."""
        self.depth += 1
        self.end_segment()
        yield
        self.depth -= 1
        self.end_segment()

    @contextmanager
    def block(self) -> Iterator[None]:
        """Like `indented`, for what may turn out to be nothing: then it is `pass`."""
        with self.indented():
            start = len(self.lines)
            yield
            if len(self.lines) == start:
                self.line("pass")

    def mark(self, place: Place) -> None:
        """The lines from here on belong to the statement at a place."""
        self.marks.append((len(self.lines) + 1, place))

    # -- time -----------------------------------------------------------------------------

    def charge(self, place: Place, cycles: int) -> None:
        """Let a statement take its time; one line adds up the times of a whole segment."""
        if self._segment is None:
            self._segment = len(self.lines)
            self.sums[self._segment] = []
            self.line("spent += {}" if self.counted else "clock.cycles += {}")
        self.sums[self._segment].append((place, cycles))
        if self._counter is None:
            self._counter = self.count(place)
        else:
            self._counter.append((place, RAN))

    def end_segment(self) -> None:
        """What is charged from here on is added in another line."""
        self._segment = None
        self._counter = None

    def count(self, place: Place, what: str = RAN) -> Counter | None:
        """Count something of a statement in a line of its own; None if nothing is counted."""
        if self._counters is None:
            return None
        counter: Counter = [(place, what)]
        self.counting[len(self.lines)] = len(self._counters)
        self.line(f"hits[{len(self._counters)}] += 1")
        self._counters.append(counter)
        return counter

    def carry(self) -> None:
        """Give the clock what has been added up in `spent`."""
        self.carried.append(len(self.lines))
        self.line("clock.cycles += spent")

    def settle(self) -> None:
        """Give the clock what has been added up so far, for a statement that looks at it."""
        self.carry()
        self.line("spent = 0")

    def count_on(self) -> None:
        """After such a statement: how long there is to the clock's next event."""
        self.line("room = clock.next_event - clock.cycles")

    @contextmanager
    def adding_up(self) -> Iterator[None]:
        """Inside, time is added up in `spent`; the clock gets it on every way out."""
        self.count_on()
        self.line("spent = 0")
        self.line("try:")
        self.counted = True
        with self.indented():
            yield
        self.counted = False
        self.line("finally:")
        with self.indented():
            self.carry()

    def close(self, endless: bool) -> None:
        """Fill in the sums; an `endless` block begins anew at its end: a loop around it."""
        for index, charges in self.sums.items():
            total = sum(cycles for _, cycles in charges)
            self.lines[index] = self.lines[index].format(total)
        if endless:
            self.lines = [INDENT * 2 + "while True:", *(INDENT + text for text in self.lines)]
            self.marks = [(line + 1, place) for line, place in self.marks]
            self.sums = {index + 1: charges for index, charges in self.sums.items()}
            self.carried = [index + 1 for index in self.carried]
            self.counting = {index + 1: number for index, number in self.counting.items()}
