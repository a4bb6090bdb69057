"""Source lines: label, operation, operand field, comment; files and what they copy.

A label begins in column 1, `*` there makes the line a comment. The operand field ends at the first
blank outside quotes. Letters may be small or capital.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.hostio import read_text

MOST_LINES = 200_000
"""Lines that a source may have with everything it copies."""
DEEPEST = 8
"""COPY within COPY."""

_HEAD = re.compile(r"(?P<label>[^\s*;][^\s:]*)?:?(?:[ \t]+(?P<operation>[^\s*;]\S*))?")
_FIELD = re.compile(r"(?:[^\s'\"]|'[^']*(?:'|$)|\"[^\"]*(?:\"|$))*")
_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its place, its text, and its fields in capital letters, operands as written.

    `column` is the operand field's first column, counted from 1.
    """

    file: str
    number: int
    text: str
    label: str = ""
    operation: str = ""
    operands: str = ""
    column: int = 1
    operation_column: int = 1

    def error(self, problem: str, remedy: str, column: int | None = None) -> SourceError:
        """A mistake in this line, at a column (default: that of the operands)."""
        place = Place(self.file, self.number, self.column if column is None else column)
        return SourceError(problem, remedy=remedy, place=place)


Reader = Callable[[str], str]
"""Name of a file → its text; raises TIError."""


def parse(text: str, file: str, number: int) -> Line:
    """Split a line into its fields."""
    text = text.rstrip("\r\n\x1a")
    if not text.strip() or text.lstrip()[0] in "*;":
        return Line(file, number, text)
    head = _HEAD.match(text)
    assert head is not None
    label, operation = (head[group] or "" for group in ("label", "operation"))
    start = head.end()
    start += len(text[start:]) - len(text[start:].lstrip())
    field = _FIELD.match(text, start)
    operands = field[0] if field else ""
    column = head.start("operation") + 1 if operation else 1
    return Line(
        file, number, text, label.upper(), operation.upper(), operands, start + 1, column
    )  # fmt: skip


def check_label(line: Line) -> None:
    """Raise SourceError when the label is no name."""
    if line.label and not _NAME.fullmatch(line.label):
        remedy = (
            "use letters, digits and _, not a digit first; begin lines without label with a blank"
        )
        raise line.error(f"{line.label} is no label", remedy, 1)


class Sources:
    """The lines of a source and of what it copies, in order.

    `folder` is where COPY may read, None where nothing may be copied.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._count = 0

    def lines(self, text: str, file: str, depth: int = 0) -> Iterator[Line]:
        """Each line; a COPY is followed by the lines of its file. Ends after END.

        Raises SourceError for a file that cannot be copied, or too many lines.
        """
        for number, each in enumerate(text.splitlines(), 1):
            line = parse(each, file, number)
            self._count += 1
            if self._count > MOST_LINES:
                raise line.error(f"more than {MOST_LINES} lines", "divide the source", 1)
            yield line
            if line.operation == "END":
                return
            if line.operation == "COPY":
                yield from self._copied(line, depth + 1)

    def _copied(self, line: Line, depth: int) -> Iterator[Line]:
        if depth > DEEPEST:
            raise line.error(
                f"COPY more than {DEEPEST} deep", "a file may copy itself: remove that"
            )
        name = copied_name(line)
        path = self._path(line, name)
        try:
            text = read_text(path)
        except Exception as error:
            problem = getattr(error, "problem", str(error))
            raise line.error(f"{name}: {problem}", "check the name") from error
        shown = Path(line.file).parent / name
        for copied in self.lines(text, str(shown), depth):
            yield copied
            if copied.operation == "END":
                return

    def _path(self, line: Line, name: str) -> Path:
        """The file of this name. Raises SourceError for one outside the folder."""
        if self._folder is None:
            raise line.error("COPY without a folder", "put the copied lines into the source")
        folder = self._folder.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            remedy = "copy files from the folder of the source only"
            raise line.error(f"{name} is outside the folder of the source", remedy)
        return path


def copied_name(line: Line) -> str:
    """The file that a COPY names, in quotes of either kind. Raises SourceError."""
    text = line.operands
    if len(text) < 3 or text[0] not in "\"'" or text[-1] != text[0] or "\0" in text:
        raise line.error("COPY without a file name", 'write COPY "FILE"')
    return text[1:-1]
