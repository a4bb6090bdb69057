"""The values in INTERNAL records, as far as the bytes show what PRINT #n wrote.

A value is a length and so many bytes: eight for a number, or those of a text. A text of eight
characters looks like a number to the machine too; here it is a text if it is readable as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.computer.numbers.forms import LENGTH, from_bytes, to_bytes, to_str
from ti99tools.computer.numbers.radix import Number


def values(records: Sequence[bytes]) -> list[list[str | Number]] | None:
    """The values of each record.

    The zero bytes that fill a record up are left out. None when some bytes are neither numbers nor
    text.
    """
    found = []
    for record in records:
        items = _items(record)
        if items is None:
            return None
        found.append(items)
    return found


def shown(value: str | Number) -> str:
    """A value as a program would have it: a text in quotes, a number as STR$ gives it."""
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else to_str(value)


def plain(value: str | Number) -> str | int | float:
    """A value for JSON."""
    return value if isinstance(value, str | int) else float(to_str(value))


def _items(record: bytes) -> list[str | Number] | None:
    items: list[str | Number] = []
    at = 0
    while record[at:].strip(b"\0"):
        end = at + 1 + record[at]
        item = _value(record[at + 1 : end])
        if end > len(record) or item is None:
            return None
        items.append(item)
        at = end
    return items


def _value(data: bytes) -> str | Number | None:
    if all(32 <= code < 127 for code in data):
        return data.decode("ascii")
    if len(data) != LENGTH:
        return None
    number = from_bytes(data)
    # Zero is told by its first two bytes; whatever else the machine writes in one way only.
    return number if not number or to_bytes(number) == data else None
