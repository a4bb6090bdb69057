"""TI file names ↔ names of host files: reversible, and safe on every file system.

TI names may hold `/`, `\\`, `:`, `*`, be `CON` or differ in case only. What a host could stumble
over is written %XX (the code in hexadecimal): `DM/2` becomes `DM%2F2`, `con` becomes `%63%6F%6E`,
`CON` becomes `%43ON`. No name can leave its folder, none can hide, and no two names become one,
even where the host does not tell case.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from ti99tools.base.errors import DiskError
from ti99tools.base.remedy import Remedy
from ti99tools.disk.tifile import NAME_RULE, is_legal_name

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'()+,-;=@[]^_`{}")
_DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
_DEVICES |= {f"{device}{n}" for device in ("COM", "LPT") for n in range(10)}
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")

EXTENSIONS = {
    ".tfi", ".tifile", ".tifiles", ".v9t9", ".fiad", ".txt", ".text", ".log", ".xb", ".bas",
    ".lst", ".b99", ".bin", ".prg", ".pgm", ".mrg", ".merge", ".long", ".dat", ".md",
}  # fmt: skip
"""Extensions of host files that are no part of a TI name."""


def to_host(name: str) -> str:
    """The host's name, without extension, of the TI file `name`.

    It takes any text, even the illegal names of damaged disks; the empty one becomes `%`.
    """
    text = "".join(c if c in _PLAIN else f"%{ord(c):02X}" for c in name)
    if text in _DEVICES:
        text = f"%{ord(text[0]):02X}{text[1:]}"
    return text or "%"


def from_host(path: str) -> str:
    """The TI name for the host file `path`: `to_host` reversed.

    Letters become capitals, a known extension goes. Raises `DiskError` when what is left is no
    legal TI name.
    """
    pure = PurePath(path)
    stem = pure.stem if pure.suffix.lower() in EXTENSIONS else pure.name
    parts = _ESCAPE.split(stem)
    name = "".join(chr(int(p, 16)) if n % 2 else p.upper() for n, p in enumerate(parts))
    if not is_legal_name(name):
        raise DiskError(
            f"{pure.name!r} gives no TI file name", remedy=Remedy.NAME_FILE.of(rule=NAME_RULE)
        )
    return name
