"""Text ↔ records: a DIS/VAR 80 file is a text, one record a line.

TI characters are the codes 0–255; on the host they are the Unicode characters of the same
numbers, in UTF-8. Codes that could break lines (0–31, 127–159) are written `\\xNN`, and a backslash
that could be mistaken for that as `\\x5C`, so that text and records turn into each other exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ti99tools.base.errors import DiskError, Place
from ti99tools.base.remedy import Remedy

_SPECIAL = re.compile(r"[\x00-\x1f\x7f-\x9f]|\\(?=x[0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")


def to_text(records: Iterable[bytes]) -> str:
    """The text of `records`, a line each."""
    return "".join(f"{_escaped(record)}\n" for record in records)


def to_records(text: str, recl: int = 80) -> tuple[bytes, ...]:
    """Records of `text`, a line each (LF or CR LF; a byte order mark is dropped).

    Raises `DiskError`, with the line, for a line of more than `recl` characters or a character
    that the TI does not have.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return tuple(_record(line, number, recl) for number, line in enumerate(lines, 1))


def is_text(records: Iterable[bytes]) -> bool:
    """Tell whether `records` read as text: printable characters only."""
    return all(all(32 <= code < 127 for code in record) for record in records)


def _record(line: str, number: int, recl: int) -> bytes:
    plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), line)
    foreign = next((at for at, c in enumerate(plain) if c > "\xff"), None)
    if foreign is not None:
        raise DiskError(
            f"the TI has no character {plain[foreign]!r}",
            remedy="use codes 0 to 255",
            place=Place(line=number, column=foreign + 1),
        )
    if len(plain) > recl:
        raise DiskError(
            f"the line has {len(plain)} characters, a record takes {recl}",
            remedy=Remedy.LONGER_RECORDS,
            place=Place(line=number),
        )
    return plain.encode("latin-1")


def _escaped(record: bytes) -> str:
    return _SPECIAL.sub(lambda match: f"\\x{ord(match[0]):02X}", record.decode("latin-1"))
