"""Recorded cases as data: reading JSON Lines, sorting cases into kinds, choosing some of them.

The form is described in tests/conformance/README.md. A line is a JSON object (a case) or, in the
vector files, a list of hexadecimal numbers. Large files are packed: `NAME.jsonl.xz`. Of the `.json`
files only conversations with a cassette recorder are cases; others are measurements.
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
from ti99tools.base.hostio import read_bytes
from ti99tools.base.packed import ALL, unxz
from ti99tools.base.tables import json_value
from ti99tools.games.conformance import shape

REMEDY = "see tests/conformance/README.md"
PACKED = ".xz"
"""Extension of a compressed file of cases."""
ALPHA_LOCK_UP = "asked3"
"""The end of the names of files that were recorded with the alpha lock up: a letter pressed alone
is lower-case there. A case may also say so itself: `alpha_lock`.
"""


class CaseKind(Enum):
    """How a case is checked."""

    CONSOLE = "console"
    EDITOR = "editor"
    SIZE = "size"
    VECTOR = "vector"
    INSTRUCTION = "instruction"
    TIMING = "timing"
    CASSETTE = "cassette"


@dataclass(frozen=True)
class Case:
    """One recorded case; `data` is the JSON value, `file` where it came from."""

    id: str
    area: str
    kind: CaseKind
    file: str
    data: Any

    def chosen(self, area: str | None, wanted: str | None) -> bool:
        """Tell whether `--area` and `--id` (names, beginnings or `*` patterns) choose the case."""
        stem = stem_of(Path(self.file))
        by_area = area is None or any(_matches(name, area) for name in (self.area, stem))
        return by_area and (wanted is None or _matches(self.id, wanted))


def _matches(name: str, pattern: str) -> bool:
    """Tell whether `pattern` is the name itself, a prefix that ends at a dash, or a `*` pattern."""
    return name == pattern or name.startswith(f"{pattern}-") or fnmatchcase(name, pattern)


def stem_of(file: Path) -> str:
    """The name of a file of cases without extensions: `fuzz` for `fuzz.jsonl.xz`."""
    return file.name.partition(".")[0]


def case_files(folder: Path) -> list[Path]:
    """The files of cases in a folder and the folders below it, packed or not, sorted."""
    lines = [*folder.rglob("*.jsonl"), *folder.rglob(f"*.jsonl{PACKED}")]
    whole = [*folder.rglob("cassette*.json"), *folder.rglob(f"cassette*.json{PACKED}")]
    return sorted([*lines, *whole])


def load(paths: Iterable[Path], left_out: list[TIError] | None = None) -> list[Case]:
    """Read all cases of files and folders (see `case_files`).

    Raises TIError for a missing path, a line that is not JSON, and a case of unknown form. With
    `left_out` such a file is skipped instead, and the error is appended there.
    """
    cases: list[Case] = []
    for file in _files(paths):
        try:
            cases.extend(list(_read(file)))
        except TIError as error:
            if left_out is None:
                raise
            left_out.append(error)
    return cases


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            files = case_files(path)
            if not files:
                raise TIError(f"{path}: no cases here", remedy="give a folder of *.jsonl files")
            yield from files
        elif path.is_file():
            yield path
        else:
            raise TIError(f"{path}: no such file or folder")


def _text(file: Path) -> str:
    """The text of a file, packed or not. Raises TIError when it is not text, or too large."""
    data = read_bytes(file, ALL.total)
    if file.suffix == PACKED:
        try:
            data = unxz(data)
        except TIError as error:
            raise error.at(str(file)) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TIError(f"{file}: not a text file", remedy="give JSON Lines files") from error


def _read(file: Path) -> Iterator[Case]:
    text = _text(file)
    if file.name.removesuffix(PACKED).endswith(".json"):
        yield from _conversations(_json(text, file), file)
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            data = _json(line, file, number)
            if isinstance(data, dict) and stem_of(file).endswith(ALPHA_LOCK_UP):
                data.setdefault("alpha_lock", False)
            yield _case(data, file, number)


def _json(text: str, file: Path, number: int = 1) -> Any:
    """A JSON text that begins on a line of a file."""
    try:
        return json_value(text)
    except json.JSONDecodeError as error:
        place = Place(str(file), number + error.lineno - 1, error.colno)
        raise TIError(f"not JSON: {error.msg}", remedy=REMEDY, place=place) from error
    except ValueError as error:
        raise TIError(f"not JSON: {error}", remedy=REMEDY, place=Place(str(file), number)) from None


def _conversations(data: Any, file: Path) -> Iterator[Case]:
    """The cases of a `.json` file: conversations by name; measurements and tapes are not cases."""
    if isinstance(data, list) or (isinstance(data, dict) and "tapes" in data):
        return
    for name, conversation in data.items() if isinstance(data, dict) else ():
        if not (
            isinstance(conversation, dict) and "snaps" in conversation and "screen" in conversation
        ):
            raise TIError("not a file of cases", remedy=REMEDY, place=Place(str(file)))
        _check(shape.conversation(conversation, name), Place(str(file)))
        yield Case(
            f"cassette-{name}",
            "cassette",
            CaseKind.CASSETTE,
            str(file),
            {**conversation, "name": name},
        )


_FORMS = {
    CaseKind.CONSOLE: shape.console,
    CaseKind.EDITOR: shape.editor,
    CaseKind.SIZE: shape.size,
    CaseKind.INSTRUCTION: shape.instruction,
    CaseKind.TIMING: shape.timing,
}


def _case(data: Any, file: Path, number: int) -> Case:
    place = Place(str(file), number)
    if isinstance(data, list):
        _check(shape.vector(data, stem_of(file)), place)
        return Case(f"{stem_of(file)}-{number}", stem_of(file), CaseKind.VECTOR, str(file), data)
    kind = _kind_of(data) if isinstance(data, dict) else None
    if kind is None or not isinstance(data.get("id"), str):
        raise TIError("a case of no known form", remedy=REMEDY, place=place)
    recorded = kind is not CaseKind.CONSOLE or "expect" in data
    form = _FORMS[kind] if recorded else shape.unrecorded
    _check((shape.statement if "statement" in data else form)(data, ""), place)
    area = str(data.get("area", ""))
    if kind is CaseKind.INSTRUCTION:
        area = f"{stem_of(file)}-{data['op']}"
    elif kind is CaseKind.TIMING:
        area = _measured(data)
    return Case(data["id"], area, kind, str(file), data)


def _measured(data: dict[str, Any]) -> str:
    """The area of a measurement."""
    if "statement" in data:
        return "timing-statements"
    return "timing-programs" if "until" in data else "timing-loops"


def _kind_of(data: dict[str, Any]) -> CaseKind | None:
    """The kind of a case, by the keys that it has."""
    if "op" in data and "after" in data:
        return CaseKind.INSTRUCTION
    if "source" in data and ("exact" in data or ("statement" in data and "cycles" in data)):
        return CaseKind.TIMING
    kinds = {"typed": CaseKind.EDITOR, "commands": CaseKind.SIZE, "expect": CaseKind.CONSOLE}
    # A script alone is a case that is not recorded yet.
    kinds["script"] = CaseKind.CONSOLE
    return next((kind for key, kind in kinds.items() if key in data), None)


def _check(problem: str, place: Place) -> None:
    if problem:
        raise TIError(f"a damaged case: {problem}", remedy=REMEDY, place=place)
