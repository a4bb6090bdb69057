"""Where the user's own config file is: `~/.config/ti99tools/config.toml`."""

from __future__ import annotations

import os
from pathlib import Path


def config_file() -> Path:
    """The config file's path, whether it exists or not."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "ti99tools" / "config.toml"
