"""The list of known failures: an id, a tab, the reason; `#` begins a comment line.

A case on the list may fail without making the run fail; one that passes is reported, so that the
list never outlives its reasons.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_text

NAME = "known_failures.txt"


def read(path: Path) -> dict[str, str]:
    """Read a list: id → reason. Raises TIError for a line without a reason or a repeated id."""
    known: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition("\t")
        place = Place(str(path), number)
        if not reason.strip():
            raise TIError(f"{name}: no reason", remedy="write id, tab, reason", place=place)
        if name in known:
            raise TIError(f"{name}: listed twice", remedy="keep one line", place=place)
        known[name] = reason.strip()
    return known


def beside(paths: Iterable[Path]) -> Path | None:
    """The list that lies in one of the folders of cases, or next to a file of cases."""
    for path in paths:
        for folder in (path, path.parent):
            if (folder / NAME).is_file():
                return folder / NAME
    return None
