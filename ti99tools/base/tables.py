"""JSON and TOML texts of strangers, read so that every mistake in them is a ValueError.

Python's readers raise RecursionError for a text that is nested too deeply. Also where the user's
own TOML file is.
"""

from __future__ import annotations

import os
from math import isfinite
from pathlib import Path
from typing import Any

DEEPEST = 64
"""Levels of lists and tables that our files and messages may have; they need less than ten."""
MOST_DOTS = 1000
"""The most dots in a line of TOML. Python's reader takes time by the square of a dotted key."""


def json_value(text: str | bytes) -> Any:
    """The value of a JSON text, with finite numbers only.

    Raises ValueError, JSONDecodeError where there is a place.
    """
    import json

    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _finite(text: str) -> float:
    """The number of a text. Python's readers take 1E999, NaN and Infinity, too."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def toml_table(text: str) -> dict[str, Any]:
    """The table of a TOML text, with finite numbers only.

    Raises ValueError, also for more than `MOST_DOTS` in a line.
    """
    import tomllib

    text = text.replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has more than {MOST_DOTS} dots")
    try:
        table = tomllib.loads(text, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    check_depth(table)
    return table


def check_depth(value: object) -> None:
    """Raise ValueError for a value of lists and tables nested more deeply than `DEEPEST`.

    What is less deep can be copied, written and shown without running out of stack.
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise ValueError("it is nested too deeply")


def config_file() -> Path:
    """Where the user's own TOML file is, if there is one: `~/.config/ti99tools/config.toml`."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "ti99tools" / "config.toml"
