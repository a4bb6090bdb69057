"""Several sources checked at once: files, folders, games, standard input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.app.source import written
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import STDIN, decode, is_text, read_bytes
from ti99tools.language.dialect.reader import included
from ti99tools.language.lint.findings import Finding, Severity
from ti99tools.language.program.memory_report import MemoryReport

SOURCES = (".xb", ".bas", ".b99", ".lst")
"""Extensions of the files in a folder that count as sources."""
_MANIFEST = "game.toml"


@dataclass(frozen=True)
class Judged:
    """The findings for a source; `memory` is None if it is not a program."""

    source: str
    findings: list[Finding]
    memory: MemoryReport | None

    @property
    def failed(self) -> bool:
        """Tell whether there is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def judge(
    source: str, join: int | None = None, errors_only: bool = False, basic: str = ""
) -> Judged:
    """What lint finds in a source; see `Written.advise`."""
    findings, memory = written(source).advise(join, basic=basic)
    if errors_only:
        findings = [finding for finding in findings if finding.severity is Severity.ERROR]
    return Judged(source, findings, memory)


def sources_of(names: Sequence[str]) -> list[str]:
    """The sources that these words mean; a folder means the sources in it and below.

    A folder with a game.toml is a game. A file that another one of its folder includes is checked
    with that one. Raises TIError for a folder without a source, and for standard input named twice.
    """
    found = [source for name in names for source in _of(name)]
    if found.count(STDIN) > 1:
        raise TIError("standard input can be read once", remedy="name - once")
    return list(dict.fromkeys(found))


def _of(name: str) -> Iterator[str]:
    folder = Path(name)
    if not folder.is_dir() or (folder / _MANIFEST).exists():
        yield name
        return
    sources = sorted(_below(folder))
    if not sources:
        known = ", ".join(SOURCES)
        raise TIError(f"{name}: no source in this folder", remedy=f"sources end in {known}")
    parts = {part for source in sources for part in _included(source)}
    yield from (str(source) for source in sources if source.resolve() not in parts)


def _below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from [path] if (path / _MANIFEST).exists() else _below(path)
        elif path.suffix.lower() in SOURCES:
            yield path


def _included(source: Path) -> Iterator[Path]:
    """The files that a source includes."""
    if source.is_dir():
        return
    data = read_bytes(source)
    if is_text(data):
        yield from included(decode(data), source.parent)


class Rows:
    """The rows of source files, to be shown with a finding."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def row(self, finding: Finding) -> str | None:
        """The row that a finding is about; None if it has no row."""
        file, line = finding.place.file, finding.place.line
        if file is None or line is None or finding.place.column is None or file == STDIN:
            return None
        if file not in self._files:
            self._files[file] = self._read(file)
        rows = self._files[file]
        return rows[line - 1] if line <= len(rows) else None

    @staticmethod
    def _read(file: str) -> list[str]:
        try:
            data = read_bytes(file)
        except TIError:
            return []
        return decode(data).splitlines() if is_text(data) else []
