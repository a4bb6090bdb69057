"""Where the user's emulators and ROM dumps are: environment first, then the config file.

TI99_ROMS, TI99_MAME                         folder of ROM dumps, the MAME program
~/.config/ti99tools/config.toml              roms = "DIR", mame = "PROGRAM"
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from ti99tools.base.errors import HostError


def config_file() -> Path:
    """The config file's path, whether it exists or not."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "ti99tools" / "config.toml"


def setting(name: str) -> str | None:
    """A setting, `roms` or `mame`; None when it is nowhere. HostError for a damaged file."""
    value = os.environ.get(f"TI99_{name.upper()}")
    if value:
        return value
    path = config_file()
    if not path.is_file():
        return None
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get(name)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HostError(f"{path}: {error}", remedy=f'write {name} = "…"') from error
    return str(Path(found).expanduser()) if isinstance(found, str) else None
