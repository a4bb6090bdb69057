"""The words at the start of program files and the line-number table, with their order defined once.

Words have their high byte first. They are read by a construct of these names but written without
it: `tokenize` writes a head in every run, and construct takes 15 ms to load.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

PROGRAM = ("check", "end", "start", "top")
"""Head of a PROGRAM file: checksum, end and start of the line-number table, top of memory."""
LONG = ("mark", "start", "end", "check", "top")
"""First record of the long form."""
ENTRY = ("number", "address")
"""An entry of the line-number table: the line's number, and the address of its first token."""
_ENTRY = struct.Struct(f">{len(ENTRY)}H")


def size(names: tuple[str, ...]) -> int:
    """Bytes of these words."""
    return 2 * len(names)


def read(names: tuple[str, ...], data: bytes) -> Any:
    """The words at the start of `data`, which is long enough, as attributes."""
    return _declared(names).parse(data)


def read_table(data: bytes) -> list[tuple[int, int]]:
    """The entries of the line-number table that is `data`."""
    return list(_table().parse(data))


def written(names: tuple[str, ...], words: Mapping[str, int]) -> bytes:
    """These words of `words`, one after another."""
    return struct.pack(f">{len(names)}H", *(words[name] for name in names))


def written_table(entries: Iterable[tuple[int, int]]) -> bytes:
    """The line-number table of `entries`."""
    return b"".join(itertools.starmap(_ENTRY.pack, entries))


@cache
def _declared(names: tuple[str, ...]) -> Any:
    from construct import Int16ub, Struct

    return Struct(*(name / Int16ub for name in names))


@cache
def _table() -> Any:
    """Parse all entries at once: an Array of them would take 8 µs a line, this takes .1."""
    from construct import ExprAdapter, GreedyBytes

    return ExprAdapter(
        GreedyBytes,
        lambda data, _: list(_ENTRY.iter_unpack(data)),
        lambda entries, _: written_table(entries),
    )
