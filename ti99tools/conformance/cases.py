"""Recorded cases as data: reading JSON Lines, sorting cases into kinds, choosing some of them.

The form is described in tests/conformance/README.md. A line is a JSON object (a case) or, in the
vector files, a list of hexadecimal numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ti99tools.base.errors import Place, TIError


class Kind(Enum):
    """What a case needs to be checked."""

    CONSOLE = "console"
    EDITOR = "editor"
    SIZE = "size"
    VECTOR = "vector"


@dataclass(frozen=True)
class Case:
    """One recorded case; `data` is the JSON value, `file` where it came from."""

    id: str
    area: str
    kind: Kind
    file: str
    data: Any

    def chosen(self, area: str | None, wanted: str | None) -> bool:
        """Tell whether `--area` and `--id` (names, beginnings or `*` patterns) choose the case."""
        stem = Path(self.file).stem
        by_area = area is None or any(_matches(name, area) for name in (self.area, stem))
        return by_area and (wanted is None or _matches(self.id, wanted))


def _matches(name: str, pattern: str) -> bool:
    """True for the name itself, a beginning that ends at a dash, or a `*` pattern."""
    return name == pattern or name.startswith(f"{pattern}-") or fnmatchcase(name, pattern)


def load(paths: Iterable[Path]) -> list[Case]:
    """Read all cases of files and folders (`*.jsonl`, folders searched through).

    Raises TIError for a missing path, a line that is no JSON, or a case of no known form.
    """
    cases: list[Case] = []
    for file in _files(paths):
        cases.extend(_read(file))
    return cases


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.jsonl"))
            if not found:
                raise TIError(f"{path}: no cases here", remedy="give a folder of *.jsonl files")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise TIError(f"{path}: no such file or folder")


def _read(file: Path) -> Iterator[Case]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TIError(f"{file}: not a text file", remedy="give JSON Lines files") from error
    if file.suffix == ".json":
        return  # measurements (timing, size): data for fitting, nothing to pass or fail
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            place = Place(str(file), number, error.colno)
            raise TIError(f"not JSON: {error.msg}", place=place) from error
        yield _case(data, file, number)


def _case(data: Any, file: Path, number: int) -> Case:
    if isinstance(data, list):
        return Case(f"{file.stem}-{number}", file.stem, Kind.VECTOR, str(file), data)
    if isinstance(data, dict) and isinstance(data.get("id"), str):
        for key, kind in (
            ("typed", Kind.EDITOR),
            ("commands", Kind.SIZE),
            ("expect", Kind.CONSOLE),
        ):
            if key in data:
                return Case(data["id"], str(data.get("area", "")), kind, str(file), data)
    raise TIError(
        "a case of no known form",
        remedy="see tests/conformance/README.md",
        place=Place(str(file), number),
    )
