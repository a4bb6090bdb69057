"""Files of defaults: a project's (ti99tools.toml or pyproject.toml), and those of the user's own.

A project's file is looked for in a folder and those above it; the nearest one counts. The user's
own are the file that TI99TOOLS_CONFIG names, and the table [options] in config.toml.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.base.record import Record
from ti99tools.base.tables import config_file, toml_table

NAMES = ("ti99tools.toml", "pyproject.toml")
VARIABLE = "TI99TOOLS_CONFIG"
"""The environment variable that names another file; empty: there are no defaults."""
LARGEST = 1 << 20
"""The most bytes of the file."""


def project_file(folder: Path) -> Path | None:
    """The file of defaults that counts in a folder.

    Raises TIError for a pyproject.toml that cannot be read.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    for each in (folder, *folder.parents):
        for name in NAMES:
            path = each / name
            if path.is_file() and (name == NAMES[0] or b"tool.ti99tools" in _read(path)):
                return path
    return None


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path, LARGEST)
    except TIError as error:
        named = os.environ.get(VARIABLE)
        searched = f"make it readable, or set {VARIABLE}= for a run without defaults"
        remedy = f"correct {VARIABLE}" if named else searched
        raise TIError(error.problem, remedy=remedy, place=Place(str(path))) from error


class Defaults(Record):
    """The defaults in a file: their table, where it is in the file, and whose file it is.

    `own`: it is the user's own, not one that came with a folder.
    """

    path: Path
    table: Mapping[str, Any]
    below: tuple[str, ...]
    own: bool = False

    def line(self, keys: tuple[str, ...]) -> int | None:
        """The line in which the statement that sets a value begins; None if it is not found."""
        text = _read(self.path).decode().replace("\r\n", "\n")
        return _line_of(text, (*self.below, *keys))


_OPTIONS = "options"
"""The table of defaults in the user's config.toml, which has other settings too."""


def own_defaults() -> Defaults | None:
    """The defaults in the user's config.toml; None without any, and when TI99TOOLS_CONFIG is empty.

    Raises TIError for a file that cannot be read.
    """
    path = config_file()
    if os.environ.get(VARIABLE) == "" or not path.is_file():
        return None
    table = _tables(path).get(_OPTIONS)
    return Defaults(path, table, (_OPTIONS,), True) if isinstance(table, dict) else None


def project_defaults(folder: Path) -> Defaults | None:
    """The defaults that count in a folder: of its project, or of the file in TI99TOOLS_CONFIG.

    None if there is no such file. Raises TIError for one that cannot be read.
    """
    path = project_file(folder)
    if path is None:
        return None
    below = ("tool", "ti99tools") if path.name == NAMES[1] else ()
    return Defaults(path, defaults_in(path), below, VARIABLE in os.environ)


def defaults_in(path: Path) -> dict[str, Any]:
    """The table of defaults in a file. Raises TIError for a file that cannot be read."""
    table = _tables(path)
    if path.name == NAMES[1]:
        tool = table.get("tool")
        table = tool.get("ti99tools", {}) if isinstance(tool, dict) else {}
    return table if isinstance(table, dict) else {}


def _tables(path: Path) -> dict[str, Any]:
    """All that is in a file of TOML."""
    data = _read(path)
    try:
        return toml_table(data.decode())
    except ValueError as error:
        raise TIError(f"not TOML: {error}", remedy="correct it", place=Place(str(path))) from error


_LONGEST = 200
"""The most lines of one statement that are put together to find where a value is set."""
_PATIENCE, _EACH = 4 << 20, 64
"""The most characters that are parsed to find it, and as how many each attempt counts besides."""


def _line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """The line, from 1, of the statement of valid TOML that sets the value at `keys`.

    None if it is not found, or if the file is so large that the search would be felt.
    """
    table: tuple[str, ...] = ()
    statement: list[str] = []
    size, left = 0, _PATIENCE
    for number, line in enumerate(text.split("\n"), 1):
        statement.append(line)
        size += len(line)
        left -= size + _EACH
        if left < 0:
            return None
        try:
            tables = toml_table("\n".join(statement))
        except ValueError:
            # A value of several lines, which ends in one of the next.
            if len(statement) == _LONGEST:
                return None
            continue
        first = number - len(statement) + 1
        statement, size = [], 0
        if line.lstrip().startswith("[") and first == number:
            table = _only(tables)
            if table[: len(keys)] == keys:
                return number
        elif keys[: len(table)] == table and _reaches(tables, keys[len(table) :]):
            return first
    return None


def _only(tables: Any) -> tuple[str, ...]:
    """The names in the header of a table."""
    names: list[str] = []
    while tables:
        # The header of an array of tables gives a list of one table.
        tables = tables[0] if isinstance(tables, list) else tables
        name = next(iter(tables), None)
        if name is None:
            break
        names.append(name)
        tables = tables[name]
    return tuple(names)


def _reaches(tables: Any, keys: tuple[str, ...]) -> bool:
    """Tell whether keys lead to a value in the tables of a statement."""
    for key in keys:
        if not isinstance(tables, dict) or key not in tables:
            return False
        tables = tables[key]
    return bool(keys)


def basic_in(folder: Path) -> str:
    """The profile of a later Extended BASIC that a folder's defaults name; empty without one.

    Raises TIError for an unknown profile, and for a file that cannot be read.
    """
    from ti99tools.language.listing.laterprofiles import profile_of

    path = project_file(folder)
    named = "" if path is None else defaults_in(path).get("basic", "")
    try:
        profile = profile_of(str(named))
    except TIError as error:
        raise error.at(str(path)) from None
    return "" if profile is None else profile.name
