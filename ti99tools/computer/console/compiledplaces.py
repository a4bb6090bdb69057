"""The table of places of a program with byte code: its lines by address, in few bytes.

Two words: the unit of lines, and the address where the first entry begins. Then for each entry a
byte: `SPAN` times its kind, and the bytes to where the next entry begins: 1 to 20; or 0, then they
follow: a byte, or 0 and a word. `NO_MORE` ends the table.

A kind is four times that of the line: 0 the line before, 1 a unit more, 2: a byte says how many
units more, with 128 added, or 0 and a word: the line itself. To this is added what is known of a
statement that can fail: 0 none begins here; 1: the next statement is the next entry; 2: a byte says
how far away it is; 3: two words, from the beginning of the code on: where RETURN goes on, and >8000
if its line is another one; where RETURN NEXT goes on; and that line.

All that follows an entry comes in this order: bytes to the next entry, line, statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SPAN, NO_MORE = 21, 0xFF
SAME, STEP, GIVEN = range(3)
NONE, NEXT, OFF, WORDS = range(4)
BIAS = 128
"""Added to the units of a line's byte."""
OTHER_LINE = 0x8000


def lines_of(table: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The address where code of each line begins, and its number; the end, and 0."""
    rest = iter(table)

    def word() -> int:
        return next(rest) << 8 | next(rest)

    unit, at = word(), word()
    line = shown = 0
    for first in rest:
        if first == NO_MORE:
            break
        kind, distance = divmod(first, SPAN)
        distance = distance or next(rest) or word()
        by_line, failing = divmod(kind, 4)
        if by_line == STEP:
            line += unit
        elif by_line == GIVEN:
            given = next(rest)
            line = line + (given - BIAS) * unit if given else word()
        if failing == OFF:
            next(rest)
        elif failing == WORDS:
            other = word() & OTHER_LINE
            word()
            if other:
                word()
        if line != shown:
            yield at, line
            shown = line
        at += distance
    yield at, 0
