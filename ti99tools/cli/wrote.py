"""What a command has written, told at its end: file, kind and size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from ti99tools.base.hostio import WrittenFile, watch_writing

_MARKS = (
    (0, b"\x89PNG", "PNG picture"),
    (0, b"GIF8", "GIF animation"),
    (0, b"RIFF", "WAV sound"),
    (0, b"HXCPICFE", "HFE disk image"),
    (0, b"\x07TIFILES", "TIFILES file"),
    (13, b"DSK", "disk image"),
)
"""Offset, bytes there, and what they tell."""
_ENDINGS = {
    ".keys": "key script", ".bas": "listing", ".xb": "listing", ".lst": "listing",
    ".html": "web page", ".info": "lcov",
    ".json": "JSON", ".txt": "text", ".md": "text",
}  # fmt: skip
_MANY = 12
"""Files from which on only their number is told."""


@contextmanager
def telling(command: str) -> Iterator[None]:
    """Tell at the end what was written meanwhile; commands that say it themselves do not."""
    with watch_writing() as files:
        try:
            yield
        finally:
            if command in OWN_WORDS:
                files = [file for file in files if _is_report(command, file)]
            for line in lines(files):
                click.echo(line, err=True)


OWN_WORDS = frozenset(
    {"assemble", "build", "hosts", "lint", "new", "tape", "tokenize", "verify", "web"}
)
"""Commands that say themselves what they write, reports of `build` and `verify` aside."""
_REPORTS = frozenset({".html", ".info", ".json", ".txt"})


def _is_report(command: str, file: WrittenFile) -> bool:
    """Tell whether a file is a web page or a table of coverage."""
    return command in ("build", "verify") and file.path.suffix.lower() in _REPORTS


def lines(files: Iterable[WrittenFile]) -> list[str]:
    """A line for each file, the last of those of one name."""
    last = {file.path: file for file in files}
    if len(last) > _MANY:
        folders = sorted({str(path.parent) for path in last})
        size = sum(file.size for file in last.values())
        return [f"wrote {len(last)} files in {', '.join(folders[:3])}, {size:,} bytes"]
    return [f"wrote {file.path}: {kind(file)}, {file.size:,} bytes" for file in last.values()]


def kind(file: WrittenFile) -> str:
    """What a file is, by its first bytes or its name."""
    for offset, mark, name in _MARKS:
        if file.head[offset:].startswith(mark):
            return name
    return _ENDINGS.get(file.path.suffix.lower(), "file")
