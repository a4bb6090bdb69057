"""Which file of the library has a name: for mistakes of those who forget its `#include`."""

from __future__ import annotations

import re
from functools import cache

from ti99tools.base.decoding import decode
from ti99tools.base.inputs import read_input
from ti99tools.language.dialect.reader import library_folder

_OPENS = re.compile(r"#(?:if\b|(?:art|text)\b[^\"]*$)", re.IGNORECASE)
_LABEL = re.compile(r"([A-Za-z]\w*):")
_PROC = re.compile(r"PROC\s+(\w+)")
_CONSTS = re.compile(r"CONST\s+(.*)")
_CONSTANT = re.compile(r"(\w+\$?)\s*=")


def or_include(name: str) -> str:
    """The end of a remedy for a missing label, PROC or constant; empty if the library has none.

    The names of parts that only some programs include (`#if`) are left out.
    """
    file = _files().get(name)
    return f", or add #include <{file}>, which has it" if file else ""


@cache
def _files() -> dict[str, str]:
    """Name, in capitals → the file that has it."""
    file_of: dict[str, str] = {}
    for path in sorted(library_folder().glob("*.xb")):
        inside = 0
        for row in decode(read_input(path)).splitlines():
            if _OPENS.match(row):
                inside += 1
            elif inside:
                inside -= row.lower().startswith("#end")
            else:
                file_of |= dict.fromkeys(_defined(row), path.name)
    return file_of


def _defined(row: str) -> list[str]:
    """The names that a row of a file defines."""
    if match := _LABEL.match(row) or _PROC.match(row):
        return [match.group(1).upper()]
    match = _CONSTS.match(row)
    return _CONSTANT.findall(match.group(1)) if match else []
