"""What a program needs of the machine's memory, worked out without running it.

With the 32K expansion high memory (24,488 bytes) holds the program and numeric values; video
memory (11,840 bytes with a disk controller) holds symbols, strings and the stack. Without it all
of them share video memory. The sizes below are those the console's SIZE showed after 44 recorded
programs:

    numeric variable       8 + name in video memory, 8 in high memory
    string variable        8 + name; its text, if not empty, 4 + length
    numeric array          8 + name + 2 a dimension; 8 an element in high memory
    string array           6 + name + 2 a dimension + 2 an element; texts as above
    DEF function           8 + name; a numeric parameter 8 in high memory
    CALL of a built-in     8 + name, once however often it is called; of an unknown one nothing
    SUB                    14 + name + 2 a parameter; its variables are its own

What strings will hold is known only where a constant or RPT$ of constants is assigned. Stack for
FOR, GOSUB and CALL is free again at the end; how much a run needs meanwhile shows only when it
runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ti99tools.program.symbol_table import Strings, Symbol, SymbolKind, Symbols, collect

STACK_SPACE = 11_840
"""Bytes of video memory with a disk controller attached (three files)."""
PROGRAM_SPACE = 24_488
"""Bytes of high memory in the 32K expansion."""
STRING_OVERHEAD = 4
NUMBER = 8
MAX_STRING = 255


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """Bytes; `strings` counts what is known, `strings_most` what the text can grow to at most.

    `unknown` names the string variables whose content only running shows (they count 0 in
    `strings` and 255 characters in `strings_most`).
    """

    program: int
    values: int
    symbols: int
    strings: int
    strings_most: int
    unknown: tuple[str, ...]

    @property
    def program_free(self) -> int:
        """With 32K: what SIZE calls bytes of program space free; negative: MEMORY FULL."""
        return PROGRAM_SPACE - self.program - self.values

    @property
    def stack_free(self) -> int:
        """With 32K: what SIZE calls bytes of stack free, with the strings that are known."""
        return STACK_SPACE - self.symbols - self.strings

    @property
    def stack_free_least(self) -> int:
        """With 32K: bytes of stack left when every string has grown as far as it can."""
        return STACK_SPACE - self.symbols - self.strings_most

    @property
    def console_free(self) -> int:
        """Console alone: bytes left in video memory, which then holds everything.

        An upper bound of what is needed: names may be counted twice (no console without 32K has
        been recorded).
        """
        return STACK_SPACE - self.program - self.values - self.symbols - self.strings


def report(size: int, lines: Iterable[bytes]) -> MemoryReport:
    """The memory report of a program of `size` bytes, given the tokens of its lines in order."""
    symbols = collect(lines)
    return MemoryReport(
        program=size,
        values=sum(_values(s, symbols.base) for s in symbols.all),
        symbols=sum(_entry(s, symbols.base) for s in symbols.all),
        strings=sum(_text(s, symbols, most=False) for s in symbols.all),
        strings_most=sum(_text(s, symbols, most=True) for s in symbols.all),
        unknown=tuple(
            sorted({s.name for s in symbols.all if s.is_string and symbols.strings_of(s).unknown})
        ),
    )


def _elements(symbol: Symbol, base: int) -> int:
    count = 1
    for limit in symbol.dimensions:
        count *= max(0, limit + 1 - base)
    return count


def _values(symbol: Symbol, base: int) -> int:
    if symbol.kind is SymbolKind.FUNCTION:
        return NUMBER * sum(1 for p in symbol.parameters if not p.endswith("$"))
    if symbol.kind is SymbolKind.VARIABLE and not symbol.is_string:
        return NUMBER * _elements(symbol, base)
    return 0


def _entry(symbol: Symbol, base: int) -> int:
    name = len(symbol.name)
    if symbol.kind is SymbolKind.UNKNOWN:
        return 0
    if symbol.kind is SymbolKind.SUBPROGRAM:
        return 14 + name + 2 * len(symbol.parameters)
    size = 8 + name + 2 * len(symbol.dimensions)
    if symbol.is_string and symbol.dimensions and symbol.kind is SymbolKind.VARIABLE:
        size += 2 * _elements(symbol, base) - 2
    return size


def _text(symbol: Symbol, symbols: Symbols, *, most: bool) -> int:
    """Bytes of a string variable's or array's texts."""
    if not symbol.is_string or symbol.kind is not SymbolKind.VARIABLE:
        return 0
    strings = symbols.strings_of(symbol)
    if not symbol.dimensions:
        return _scalar(strings, most=most)
    if not most:
        return sum(_size(length) for length in strings.by_element.values())
    if not strings.longest and not strings.unknown:
        return 0
    longest = MAX_STRING if strings.unknown else strings.longest
    return _size(longest) * _elements(symbol, symbols.base)


def _scalar(strings: Strings, *, most: bool) -> int:
    if strings.unknown:
        return _size(MAX_STRING) if most else 0
    return _size(strings.longest)


def _size(length: int) -> int:
    return length + STRING_OVERHEAD if length else 0
