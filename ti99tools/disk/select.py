"""Choose files of a disk by name or pattern, as users type them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ti99tools.base.errors import DiskError
from ti99tools.base.nearby import near
from ti99tools.base.remedy import Remedy


def select(names: Sequence[str], patterns: Iterable[str], where: str = "on the disk") -> list[str]:
    """The `names` that `patterns` mean, each once, in the order of the disk.

    A pattern that is a name means that file, so `A*B` can be a name; then capitals are tried, then
    `*`, `?` and `[…]`. Raises `DiskError` for a pattern that means no file; `where` says of which.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        found = _matches(names, pattern)
        if not found:
            raise no_file(pattern, names, where)
        chosen.update(found)
    return [name for name in names if name in chosen]


def no_file(name: str, names: Iterable[str], where: str = "on the disk") -> DiskError:
    """What to say about a name or pattern that no file on a disk has."""
    meant = near(name, names)
    remedy = f"did you mean {meant}?" if meant else Remedy.LIST_FILES
    return DiskError(f"no file {name!r} {where}", remedy=remedy)


def the_one(names: Sequence[str], pattern: str) -> str:
    """The single name that `pattern` means. Raises `DiskError` for none or several."""
    found = select(names, [pattern])
    if len(found) > 1:
        raise DiskError(f"{pattern!r} means {len(found)} files", remedy="say which one")
    return found[0]


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    for text in (pattern, pattern.upper()):
        if text in names:
            return [text]
    for text in (pattern, pattern.upper()):
        found = [name for name in names if fnmatchcase(name, text)]
        if found:
            return found
    return []
