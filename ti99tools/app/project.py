"""A project's file of defaults: ti99tools.toml, or [tool.ti99tools] in pyproject.toml.

The file is looked for in a folder and those above it; the nearest one counts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ti99tools.base.errors import Place, TIError

NAMES = ("ti99tools.toml", "pyproject.toml")
VARIABLE = "TI99TOOLS_CONFIG"
"""The environment variable that names another file; empty: there are no defaults."""


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
        return path.read_bytes()
    except OSError as error:
        problem = (error.strerror or "cannot be read").lower()
        named = os.environ.get(VARIABLE)
        searched = f"make it readable, or set {VARIABLE}= for a run without defaults"
        remedy = f"correct {VARIABLE}" if named else searched
        raise TIError(problem, remedy=remedy, place=Place(str(path))) from error


def defaults_in(path: Path) -> dict[str, Any]:
    """The table of defaults in a file. Raises TIError for a file that cannot be read."""
    import tomllib

    data = _read(path)
    try:
        found = tomllib.loads(data.decode().replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TIError(f"not TOML: {error}", remedy="correct it", place=Place(str(path))) from error
    if path.name == NAMES[1]:
        tool = found.get("tool")
        found = tool.get("ti99tools", {}) if isinstance(tool, dict) else {}
    return found if isinstance(found, dict) else {}


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
