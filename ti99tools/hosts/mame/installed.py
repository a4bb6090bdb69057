"""Where MAME and its list of cartridges are installed on this computer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ti99tools.hosts.config import setting

LIST = "ti99_cart.xml"
"""MAME's list of cartridges: `-cart exbasic` is looked up in it."""
PROGRAMS = ("/usr/games/mame", "/opt/homebrew/bin/mame", "/usr/local/bin/mame")
INI_FILES = ("/etc/mame/mame.ini", "/usr/local/etc/mame/mame.ini", "~/.mame/mame.ini")
HASH_FOLDERS = (
    "/usr/share/games/mame/hash",
    "/usr/share/mame/hash",
    "/usr/lib/mame/hash",
    "/usr/local/share/mame/hash",
    "/usr/local/share/games/mame/hash",
    "/opt/homebrew/share/mame/hash",
    "/snap/mame/current/usr/share/games/mame/hash",
    "~/.mame/hash",
)
"""Where distributions put MAME's software lists."""


def mame_program() -> str | None:
    """MAME's program: TI99_MAME, the config file, the path, or a usual place; None: not found."""
    usual = (path for path in PROGRAMS if Path(path).is_file())
    return setting("mame") or shutil.which("mame") or next(usual, None)


def hash_folder(program: str | None) -> Path | None:
    """The folder with MAME's software lists; None: not found.

    TI99_HASH or `hash` in the config file comes first, then the places named in mame.ini, beside
    the program, and where distributions put them.
    """
    return next((folder for folder in _folders(program) if (folder / LIST).is_file()), None)


def _folders(program: str | None) -> Iterator[Path]:
    named = setting("hash")
    if named:
        yield Path(named)
    for ini in INI_FILES:
        yield from _in_ini(Path(ini).expanduser())
    if program:
        home = Path(program).resolve().parent
        yield from (home / "hash", home.parent / "share" / "mame" / "hash")
    yield from (Path(folder).expanduser() for folder in HASH_FOLDERS)


def _in_ini(path: Path) -> Iterator[Path]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        words = line.split(maxsplit=1)
        if len(words) == 2 and words[0] == "hashpath":
            for folder in words[1].strip().strip('"').split(";"):
                yield Path(folder.strip().replace("$HOME", "~")).expanduser()
