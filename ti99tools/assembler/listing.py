"""The listing: line, address, words, source; then the symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ti99tools.assembler.passes import Row
from ti99tools.assembler.values import Value, Word

SYMBOLS_A_LINE = 4


def listing(rows: Iterable[Row], symbols: Mapping[str, Value]) -> str:
    """The listing as a text. A quote after an address or word: the start of the code is added."""
    lines = [line for row in rows for line in _row(row)]
    if symbols:
        lines += ["", "Symbols", *_symbols(symbols)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(row: Row) -> Iterator[str]:
    cells = [_word(word) for word in row.words] or [_pair(row.octets, at) for at in _pairs(row)]
    where = "" if row.shown is None else _address(row.shown)
    first = cells[0] if cells else ""
    yield f"{row.line.number:5} {where:5} {first:5} {row.line.text}"
    step = 2
    for number, cell in enumerate(cells[1:], 1):
        at = "" if row.shown is None else _address(row.shown, number * step)
        yield f"{'':5} {at:5} {cell}"


def _pairs(row: Row) -> range:
    return range(0, len(row.octets), 2)


def _pair(octets: list[int], at: int) -> str:
    return "".join(f"{octet:02X}" for octet in octets[at : at + 2])


def _address(value: Value, more: int = 0) -> str:
    return f"{(value.number + more) & 0xFFFF:04X}" + ("'" if value.bases else "")


def _word(word: Word) -> str:
    return f"{word.value:04X}" + ("'" if word.relocatable else "*" if word.external else "")


def _symbols(symbols: Mapping[str, Value]) -> Iterator[str]:
    width = max(map(len, symbols))
    cells = [
        f"{name:{width}} {'REF' if value.external else _address(value):6}"
        for name, value in sorted(symbols.items())
    ]
    for at in range(0, len(cells), SYMBOLS_A_LINE):
        yield "  ".join(cells[at : at + SYMBOLS_A_LINE])
