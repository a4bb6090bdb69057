"""Names spelled like one that is not there: what to say about a misspelt one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_ALIKE = 0.8
"""How alike the names of files must be, from 0 to 1: there are many of them."""


def near(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The name of `known` that is most like `name`, in capitals or not; empty for none.

    `alike` is from 0, any name, to 1, the same letters.
    """
    from difflib import get_close_matches

    spelled = {each.casefold(): each for each in sorted(known)}
    found = get_close_matches(name.casefold(), spelled, 1, alike)
    return spelled[found[0]] if found else ""


def near_file(path: str | os.PathLike[str]) -> str:
    """The path of the file beside a missing one that has almost its name; empty for none."""
    missing = Path(path)
    try:
        names = [entry.name for entry in os.scandir(missing.parent) if entry.is_file()]
    except OSError:
        return ""
    found = near(missing.name, names, _ALIKE)
    return str(missing.with_name(found)) if found else ""
