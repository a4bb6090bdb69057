"""Lists of differences that are known, each with its reason.

A list of known failures of our console has lines of an id, a tab and the reason; `#` begins a
comment line. A case on the list may fail without making the run fail. One that passes is reported,
so that it is taken off the list.

A list for hosts, where an emulator plays the cases, has a line for each kind of difference: ids
with `*` for any text, a tab, the most of them that may differ, a tab, and the reason. Emulators of
other hardware need not differ in all of these. If more differ, none of the kind counts as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_text

NAME, NAME_FOR_HOSTS = "known_failures.txt", "known_on_hosts.txt"
NAME_AS_CARTRIDGE = "known_as_cartridges.txt"
"""The list of cases that their compiled programs may end in another way."""


def read(path: Path) -> dict[str, str]:
    """Read a list: id → reason. Raises TIError for a line without a reason or a repeated id."""
    known: dict[str, str] = {}
    for place, line in _lines(path):
        name, _, reason = line.partition("\t")
        if not reason.strip():
            raise TIError(f"{name}: no reason", remedy="write id, tab, reason", place=place)
        if name in known:
            raise TIError(f"{name}: listed twice", remedy="keep one line", place=place)
        known[name] = reason.strip()
    return known


def _lines(path: Path) -> Iterator[tuple[Place, str]]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield Place(str(path), number), line


def beside(paths: Iterable[Path], name: str = NAME) -> Path | None:
    """The list in one of the folders of cases, or next to a file of cases; None without one."""
    for path in paths:
        for folder in (path, path.parent):
            if (folder / name).is_file():
                return folder / name
    return None


@dataclass(frozen=True)
class Kind:
    """A kind of difference: at most `most` of the values whose ids match `pattern`."""

    pattern: str
    most: int
    reason: str

    def of(self, names: Iterable[str]) -> list[str]:
        """Those of some ids that it is about."""
        return [name for name in names if fnmatchcase(name, self.pattern)]


def read_kinds(path: Path) -> list[Kind]:
    """Read a list for hosts. Raises TIError for a line of another form."""
    kinds: list[Kind] = []
    for place, line in _lines(path):
        pattern, most, reason = (*line.split("\t", 2), "", "")[:3]
        if not reason.strip() or not most.isdecimal():
            remedy = "write ids, tab, the most that may differ, tab, reason"
            raise TIError(f"{pattern}: no number or no reason", remedy=remedy, place=place)
        kinds.append(Kind(pattern, int(most), reason.strip()))
    return kinds


def explained(kinds: Sequence[Kind], names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Ids of differences → reason, for those that are known, and lines about kinds exceeded.

    The first kind that matches an id counts.
    """
    known: dict[str, str] = {}
    exceeded: list[str] = []
    left = list(names)
    for kind in kinds:
        of_kind = kind.of(left)
        left = [name for name in left if name not in set(of_kind)]
        if len(of_kind) <= kind.most:
            known |= dict.fromkeys(of_kind, kind.reason)
        else:
            counts = f"{len(of_kind)} differ, at most {kind.most} are known"
            exceeded.append(f"{kind.pattern}: {counts} ({kind.reason})")
    return known, exceeded
