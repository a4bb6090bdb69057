"""Texts of docs/ that are installed with the package: the reference that `manual` shows."""

from __future__ import annotations

import re
from pathlib import Path

import ti99tools
from ti99tools.base.errors import TIError

DOCS = ("../docs", "_docs")
"""Where docs/ is, relative to the package: in a checkout, and installed."""
REFERENCE = "reference.txt"
PARTS = ("dialect", "library", "programs", "commands", "messages")


def docs_file(name: str) -> Path:
    """The path of a text. Raises TIError when it is not installed."""
    package = Path(ti99tools.__file__).resolve().parent
    path_of_text = next((path for each in DOCS if (path := package / each / name).is_file()), None)
    if path_of_text is None:
        raise TIError(f"{name} is not installed", remedy="install ti99tools again")
    return path_of_text


def reference(part: str | None = None) -> str:
    """The reference as plain text, or one of its `PARTS`. Raises TIError as `docs_file` does."""
    text = docs_file(REFERENCE).read_text(encoding="utf-8")
    if part is None:
        return text
    pieces = re.split(r"^===== (\w+) =====\n\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))[part]
