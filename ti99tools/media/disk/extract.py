r"""Choose files of a disk and write them to a host folder: safe names, nothing overwritten.

TI file names ↔ names of host files: reversible, and safe on every file system. TI names may hold
`/`, `\`, `:`, `*`, be `CON` or differ only in case. A `/` within a name becomes a dot, as TIPI and
xdm99 have it, for no TI name has a dot: `DM/2` becomes `DM.2`. Whatever else could trip a host is
written %XX (the code in hexadecimal): `con` becomes `%63%6F%6E`, `CON` becomes `%43ON`, and
`DOC/TXT` becomes `DOC%2FTXT`, since `.txt` is an extension. No name can leave its folder, none is
hidden, and no two names become one, even where the host ignores case.

Files are chosen by name or pattern, as users type them. They are written all or none, and existing
ones are overwritten only on request. The folder of a single file must exist; a folder for several
files is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from os.path import lexists
from pathlib import Path, PurePath

from ti99tools.base.errors import DiskError, Place, Remedy, near
from ti99tools.base.hostio import write_atomically, write_together
from ti99tools.media.disk.tifile import NAME_RULE, is_legal_name

# No small letters: they are written %XX, for hosts that ignore case. No dot: none is hidden.
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'()+,-;=@[]^_`{}")
# Windows reserves these names in every folder, with any extension.
_DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
_DEVICES |= {f"{device}{n}" for device in ("COM", "LPT") for n in range(10)}
_SLASH = "%2F"
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")

EXTENSIONS = set(
    """
    .tfi .tifile .tifiles .v9t9 .fiad .txt .text .log .xb .bas .lst .b99 .bin .prg .pgm .mrg
    .merge .long .dat .md
    """.split()
)
"""Extensions of host files that are not part of a TI name."""


def to_host(name: str) -> str:
    """The host's name, without extension, of the TI file `name`.

    Any text is accepted, even the illegal names of damaged disks; the empty one becomes `%`.
    """
    text = "".join(c if c in _PLAIN else f"%{ord(c):02X}" for c in name)
    parts = text.split(_SLASH)
    # An empty part would hide the file, or end its name in a dot.
    if all(parts) and f".{parts[-1]}".lower() not in EXTENSIONS:
        text = ".".join(parts)
    if text.partition(".")[0] in _DEVICES:
        text = f"%{ord(text[0]):02X}{text[1:]}"
    return text or "%"


def from_host(path: str, dotted: bool = False) -> str:
    """The TI name for the host file `path`: `to_host` reversed.

    Letters become capitals, and a known extension is dropped. Dots within the rest become `/` if
    `dotted`; if not, they are not part of a TI name. Raises `DiskError` when it is not a legal one.
    """
    pure = PurePath(path)
    stem = pure.stem if pure.suffix.lower() in EXTENSIONS else pure.name
    name = _unescaped(stem)
    slashed = _unescaped(stem.replace(".", "/")) if all(stem.split(".")) else ""
    if dotted and is_legal_name(slashed):
        return slashed
    if is_legal_name(name):
        return name
    problem = f"{pure.name!r} gives no TI file name"
    if is_legal_name(slashed):
        raise DiskError(problem, remedy=Remedy.NAME_WITH_SLASH.of(name=slashed))
    raise DiskError(problem, remedy=Remedy.NAME_FILE.of(rule=NAME_RULE))


def _unescaped(stem: str) -> str:
    """A name in capitals, with %XX as the characters that they stand for."""
    parts = _ESCAPE.split(stem)
    # Splitting by the pattern leaves the codes at the odd places.
    return "".join(chr(int(p, 16)) if n % 2 else p.upper() for n, p in enumerate(parts))


def select(names: Sequence[str], patterns: Iterable[str], where: str = "on the disk") -> list[str]:
    """The `names` that `patterns` mean, each once, in the order of the disk.

    A pattern that is a name means that file, so `A*B` can be a name. Then the pattern is tried in
    capitals, then as a pattern with `*`, `?` and `[…]`. Raises `DiskError` for a pattern without a
    file; `where` says where it was looked for.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        found = _matches(names, pattern)
        if not found:
            raise no_file(pattern, names, where)
        chosen.update(found)
    return [name for name in names if name in chosen]


def no_file(name: str, names: Iterable[str], where: str = "on the disk") -> DiskError:
    """The error for a name or pattern that matches no file on a disk."""
    meant = near(name, names)
    remedy = f"did you mean {meant}?" if meant else Remedy.LIST_FILES
    return DiskError(f"no file {name!r} {where}", remedy=remedy)


def the_one(names: Sequence[str], pattern: str) -> str:
    """The single name that `pattern` means. Raises `DiskError` for none or several."""
    matches = select(names, [pattern])
    if len(matches) > 1:
        raise DiskError(f"{pattern!r} means {len(matches)} files", remedy="say which one")
    return matches[0]


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    for text in (pattern, pattern.upper()):
        if text in names:
            return [text]
    for text in (pattern, pattern.upper()):
        found = [name for name in names if fnmatchcase(name, text)]
        if found:
            return found
    return []


def host_path(folder: Path, name: str, extension: str = "") -> Path:
    """Where the TI file `name` (`DIRECTORY.NAME` or `NAME`) goes under `folder`."""
    directory, _, plain = name.rpartition(".")
    base = folder / to_host(directory) if directory else folder
    return base / (to_host(plain) + extension)


def write_new(path: Path, data: bytes, replace: bool = False) -> None:
    """Write `path`; an existing file is an error unless `replace` is given."""
    if not replace:
        _refuse_existing([path])
    write_atomically(path, data)


def write_all(folder: Path, files: Mapping[Path, bytes], replace: bool = False) -> None:
    """Write files under `folder`, which is made; nothing is written when one of them already
    exists, or the disk is full.

    With `replace` files are overwritten, but a folder in the place of a file remains an error. So
    does a link, to a file or to a folder, since the names come from the disk and not from the user.
    Raises TIError for these, and for a folder that cannot be made.
    """
    # Checked before the first write, so that a clash leaves the folder as it was.
    _refuse_links(folder, files)
    _refuse_existing([path for path in files if not replace or path.is_dir()])
    write_together(files, dict.fromkeys([folder, *(path.parent for path in files)]))


def _refuse_links(folder: Path, paths: Iterable[Path]) -> None:
    """Raise DiskError for a path under `folder` that is a link, or goes through one."""
    for path in paths:
        for each in (path, *path.parents):
            if each == folder:
                break
            if each.is_symlink():
                remedy = "remove it or choose another folder"
                raise DiskError("a link is there already", remedy=remedy, place=Place(str(each)))


def _refuse_existing(paths: list[Path]) -> None:
    # A link counts even if it leads nowhere: a file would be written to where it points.
    there = [path for path in paths if lexists(path)]
    if not there:
        return
    place = Place(str(there[0]))
    if there[0].is_dir():
        raise DiskError("a folder is there already", remedy="choose another name", place=place)
    if len(there) == 1:
        raise DiskError("the file already exists", remedy=Remedy.REPLACE, place=place)
    raise DiskError(
        f"this file and {len(there) - 1} more already exist, nothing was written",
        remedy=Remedy.REPLACE,
        place=place,
    )
