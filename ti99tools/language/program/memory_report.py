"""How much of the machine's memory a program needs, computed without running it.

The pre-scan enters the names; the content of strings is known only where a constant or RPT$ of
constants is assigned. Stack for FOR, GOSUB and CALL is free again at the end; how much of it a run
needs shows only when it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from ti99tools.language.prescan import Prescan, Scan
from ti99tools.language.prescan.symbols import HIGH_SPACE, MAX_STRING, STRING_OVERHEAD, VIDEO_SPACE
from ti99tools.language.program.texts import Assignments, Texts


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """Bytes; `strings` counts what is known, `strings_most` the most that the texts can grow to.

    `unknown` names the string variables whose content shows only at run (they count 0 in `strings`
    and 255 characters in `strings_most`).
    """

    program: int
    values: int
    symbols: int
    strings: int
    strings_most: int
    unknown: tuple[str, ...]

    @property
    def program_free(self) -> int:
        """With 32K: the bytes of program space that SIZE reports free; negative: MEMORY FULL."""
        return HIGH_SPACE - self.program - self.values

    @property
    def stack_free(self) -> int:
        """With 32K: the bytes of stack that SIZE reports free, with the strings that are known."""
        return VIDEO_SPACE - self.symbols - self.strings

    @property
    def stack_free_least(self) -> int:
        """With 32K: bytes of stack left when every string has grown as far as it can."""
        return VIDEO_SPACE - self.symbols - self.strings_most

    @property
    def console_free(self) -> int:
        """Console alone: bytes left in video memory, which then holds everything.

        The need is an upper bound: names may be counted twice (no console without 32K has been
        recorded).
        """
        return VIDEO_SPACE - self.program - self.values - self.symbols - self.strings


def report(size: int, lines: Iterable[tuple[int, bytes]]) -> MemoryReport:
    """The memory report of a program of `size` bytes, given its lines in ascending order.

    In a line that the pre-scan refuses, names count only up to the mistake.
    """
    numbered = list(lines)
    found = Prescan(numbered).survey()
    strings = list(_strings(found, Assignments(found, (tokens for _, tokens in numbered))))
    return MemoryReport(
        program=size,
        values=found.taken.values,
        symbols=found.taken.video,
        strings=sum(_known(texts, array) for _, texts, array, _ in strings),
        strings_most=sum(_most(texts, elements) for _, texts, _, elements in strings),
        unknown=tuple(sorted({name for name, texts, _, _ in strings if texts.unknown})),
    )


def _strings(found: Scan, texts: Assignments) -> Iterator[tuple[str, Texts, bool, int]]:
    """For each string variable: its name, its texts, whether it is an array, and its elements.

    An array that is a parameter has none: they are the caller's.
    """
    for scope in (found.main, *found.subs.values()):
        given = {parameter.name for parameter in scope.parameters}
        for symbol in scope.symbols.values():
            if symbol.is_string and symbol.function is None:
                theirs = symbol.is_array and symbol.name in given
                elements = 0 if theirs else prod(symbol.extents(found.base))
                yield symbol.name, texts.of(scope, symbol.name), symbol.is_array, elements


def _known(texts: Texts, array: bool) -> int:
    """Bytes that are certainly taken."""
    if array:
        return sum(_size(length) for length in texts.by_element.values())
    return 0 if texts.unknown else _size(texts.longest)


def _most(texts: Texts, elements: int) -> int:
    """Bytes that may be taken at most."""
    return elements * _size(MAX_STRING if texts.unknown else texts.longest)


def _size(length: int) -> int:
    return length + STRING_OVERHEAD if length else 0
