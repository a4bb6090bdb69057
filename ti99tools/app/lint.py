"""Several sources checked at once, and mistakes corrected where only one correction is possible.

A correction is the edit of a finding, made only if the source then has fewer errors, no new one,
and none left in front of the edit: a row that begins with an unknown sign is not understood.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ti99tools.app.compiled_subs import compiled_findings
from ti99tools.app.source import Written, written
from ti99tools.base.basic import SOURCES
from ti99tools.base.decoding import decode, is_text
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import MANIFEST, STDIN, read_bytes, write_atomically
from ti99tools.language.dialect.reader import included
from ti99tools.language.findings import Edit, EditKind, Finding, Severity
from ti99tools.language.lint import proven
from ti99tools.language.lint.proc_values import MISSING_OUT
from ti99tools.language.program.memory_report import MemoryReport


@dataclass(frozen=True)
class LintResult:
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
) -> LintResult:
    """The findings of lint for a source; see `Written.advise`."""
    own = written(source)
    findings, memory = own.advise(join, basic=basic)
    if memory is not None and source != STDIN:
        more, program = compiled_findings(own)
        findings += [finding for finding in more if finding not in findings]
        memory = program.memory if program is not None else memory
    if errors_only:
        findings = [finding for finding in findings if finding.severity is Severity.ERROR]
    return LintResult(source, findings, memory)


def sources_of(names: Sequence[str]) -> list[str]:
    """The sources that these words mean; a folder means the sources in it and below.

    A folder with a game.toml is a game. A file that another in its folder includes is left out: it
    is checked with that one. Raises TIError for a folder without a source, and when standard input
    is named twice.
    """
    found = [source for name in names for source in _of(name)]
    if found.count(STDIN) > 1:
        raise TIError("standard input can be read once", remedy="name - once")
    return list(dict.fromkeys(found))


def _of(name: str) -> Iterator[str]:
    folder = Path(name)
    if not folder.is_dir() or (folder / MANIFEST).exists():
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
            yield from [path] if (path / MANIFEST).exists() else _below(path)
        elif path.suffix.lower() in SOURCES:
            yield path


def _included(source: Path) -> Iterator[Path]:
    """The files that a source includes."""
    if source.is_dir():
        return
    data = read_bytes(source)
    if is_text(data):
        yield from included(decode(data), source.parent)


class SourceRows:
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


MOST = 200
"""The most corrections made in a file at a time."""
_DEEPEST = 3
"""The most mistakes of one row that may come to light after the first."""
_TRIALS = 32
"""The most changed texts that are checked for one mistake and those that it hides.

A row of n like words has n to the fourth combinations of corrections.
"""
_WORK = 4_000_000
"""Characters of changed texts that are checked for a file, over all its mistakes."""
_TEXT = re.compile(r'"[^"]*"?')
_AS_ERRORS = (MISSING_OUT,)
"""Warnings that are corrected as errors are."""
_NO_STATEMENT = re.compile(r"\s*(?:[0-9]+\s*)?['~{}%^|&$,;)\]<>=]")
"""A row that begins with a sign of another language: what follows is not understood."""
_NAME = re.compile(r"[A-Za-z@_\[\]\\][A-Za-z0-9@_\[\]\\]*\$?")
_AGAIN = re.compile(
    r"([A-Za-z]\w*\$?(?:\([^()]*\))?)\s*(?:([-+*/&])=\s*([^:!]+?)|([-+])\4)"
    r"(\s*(?:(?:::|\bELSE\b).*|!.*)?)$",
    re.IGNORECASE,
)
"""A variable, the sign and the value of `A+=1`, the sign of `A++`, and the rest of the row."""
_TWO_OF_KEY = re.compile(r"\bCALL\s+KEY\s*\([^(),]*,[^(),]*\)", re.IGNORECASE)
_SIMPLE = re.compile(r"[\w.$]+|\x01+")
_LOOP = re.compile(r"\b(?:(FOR)\s+([A-Za-z]\w*)\s*=|(NEXT)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Fixed:
    """A row before and after its correction."""

    line: int
    before: str
    after: str


def fix_file(name: str) -> list[Fixed]:
    """Make the certain corrections in the source file `name`; returns them.

    Without any, nothing is written. Raises TIError for a file that is not a source.
    """
    source = written(name)
    path = source.path
    if name == STDIN or not Path(name).exists():
        raise TIError(f"{name}: no file to correct", remedy="name the file of the source")
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TIError(f"{path}: not text in UTF-8", remedy="save it as UTF-8 first") from error
    if not is_text(data):
        raise TIError(f"{path}: a program file, not text", remedy="list it into a file first")
    # Readers take CR alone for the end of a row where there is no LF, see `tidy`.
    end = "\n" if "\n" in text else "\r"
    fixed, after = _corrected(source, text.replace(end, "\n"))
    if fixed:
        write_atomically(path, after.replace("\n", end).encode("utf-8"))
    return fixed


def _corrected(source: Written, text: str) -> tuple[list[Fixed], str]:
    with TemporaryDirectory() as folder:
        trial = _Trial(source, Path(folder))
        fixed: list[Fixed] = []
        errors = trial.errors(text)
        # What could not be corrected is tried again only when all others have been tried.
        hopeless: set[tuple[str, str]] = set()
        again = False
        while errors and len(fixed) < MOST and trial.work < _WORK:
            rows = text.split("\n")
            for finding in errors:
                about = (_row_of(rows, finding), finding.message + str(finding.edit))
                if about in hopeless:
                    continue
                trial.left = _TRIALS
                step = _step(trial, text, finding, errors)
                if step is not None:
                    text, errors, correction = step
                    fixed.append(correction)
                    again = True
                    break
                hopeless.add(about)
            else:
                if not again:
                    break
                hopeless.clear()
                again = False
    return fixed, text


def _row_of(rows: list[str], finding: Finding) -> str:
    """The row that a finding is about; empty if it is about none of these."""
    line = finding.place.line
    return rows[line - 1] if line is not None and line <= len(rows) else ""


def _step(
    trial: _Trial, text: str, finding: Finding, errors: list[Finding], depth: int = 0
) -> tuple[str, list[Finding], Fixed] | None:
    """The text with a row corrected, the errors left, and the correction; None if none is certain.

    Mistakes in a row may hide each other: all of them are corrected, or none.
    """
    rows = text.split("\n")
    edit = finding.edit
    line = finding.place.line if edit is None else edit.place.line or finding.place.line
    if edit is None or line is None or line > len(rows) or finding.place.file != str(trial.path):
        return None
    if _NO_STATEMENT.match(rows[line - 1]):
        return None
    for row in _proposals(rows, line, edit):
        if row == rows[line - 1]:
            continue
        if not trial.left or trial.work >= _WORK:
            return None
        trial.left -= 1
        changed = "\n".join([*rows[: line - 1], row, *rows[line:]])
        left = trial.errors(changed)
        before = rows[line - 1].rstrip("\r")
        # A warning that an error has hidden is no reason to leave the error.
        known, now = (
            [e for e in each if e.severity >= finding.severity] for each in (errors, left)
        )
        if len(now) < len(known) and _follows(now, known, line, edit):
            return changed, left, Fixed(line, before, row.rstrip("\r"))
        following = [each for each in now if each.place.line == line]
        if depth < _DEEPEST and len(now) <= len(known) and following:
            rest = _step(trial, changed, following[0], left, depth + 1)
            if rest is not None:
                return rest[0], rest[1], Fixed(line, before, rest[2].after)
    return None


def _follows(left: list[Finding], errors: list[Finding], line: int, edit: Edit) -> bool:
    """Tell whether all errors left were there before, none of them in front of the edit."""
    known = Counter((each.place.line, each.message) for each in errors)
    now = Counter((each.place.line, each.message) for each in left)
    column = edit.place.column or 1
    here = [each.place.column or 1 for each in left if each.place.line == line]
    return now <= known and not any(at < column for at in here)


@dataclass
class _Trial:
    """Checks changed texts of a source in a temporary file; the source stays as it is."""

    source: Written
    folder: Path
    left: int = _TRIALS
    """How many more texts may be checked for the present mistake."""
    work: int = 0
    """Characters checked so far."""

    @property
    def path(self) -> Path:
        """The file that a text is tried in; its name is the source's, as findings show it."""
        return self.folder / self.source.path.name

    def errors(self, text: str) -> list[Finding]:
        """The errors of a text, without those that come to light as others are corrected."""
        self.work += len(text)
        self.path.write_bytes(text.encode("utf-8"))
        root = self.source.root or self.source.path.parent
        findings, _ = Written(self.path, root, self.source.constants).advise()
        return [
            finding
            for finding in findings
            if finding.code in _AS_ERRORS
            or (finding.severity is Severity.ERROR and finding.code != proven.CODE)
        ]


def _hidden(row: str) -> str:
    """The row with its strings in quotes masked; columns stay the same."""
    return _TEXT.sub(lambda match: "\x01" * len(match.group()), row)


def _proposals(rows: list[str], line: int, edit: Edit) -> Iterator[str]:
    """The row with the edit made, the likeliest place first."""
    row, column = rows[line - 1], edit.place.column or 1
    hidden = _hidden(row)
    match edit.how:
        case EditKind.WORD:
            yield from _replaced(row, hidden, edit.wrong, edit.right, column)
        case EditKind.SIGN:
            yield _retyped(row)
            yield row.replace(edit.wrong, edit.right)
        case EditKind.CALL:
            yield from _called(row, hidden, edit.wrong)
        case EditKind.AGAIN:
            yield from _again(row, hidden)
        case EditKind.JOIN:
            yield from (row[:at] + edit.right + row[at + 1 :] for at in _plus_signs(hidden))
        case EditKind.NEXT:
            yield from _next_named(rows, line)
        case EditKind.STATUS:
            yield from _with_status(rows, row, hidden)
        case EditKind.PART:
            at, sign = column - 1, edit.wrong
            beside = hidden[max(at - 1, 0) : at] + hidden[at + 1 : at + 2]
            if hidden[at : at + 1] == sign and sign not in beside:
                yield row[:at] + edit.right + row[at + 1 :]


def _retyped(row: str) -> str:
    """The row with a word processor's quotes and minus signs replaced by the console's."""
    return row.translate(str.maketrans("“”„−–", '"""--'))


def _replaced(row: str, hidden: str, wrong: str, right: str, column: int) -> Iterator[str]:
    """The row with one `wrong` outside strings replaced; the nearest to the column first."""
    name = _NAME.fullmatch(wrong) is not None
    pattern = rf"(?<![A-Za-z_$]){re.escape(wrong)}(?![\w$])" if name else re.escape(wrong)
    places = [m.start() for m in re.finditer(pattern, hidden, re.IGNORECASE)]
    for at in sorted(places, key=lambda at: abs(at + 1 - column)):
        new = right
        if right.startswith(" "):
            new = right.strip()
            before, after = hidden[:at], hidden[at + len(wrong) :]
            new = " " * (not before.endswith(" ")) + new + " " * (not after.startswith(" "))
        yield row[:at] + new + row[at + len(wrong) :]


def _called(row: str, hidden: str, name: str) -> Iterator[str]:
    """`FOO(3)` and `FOO 3` as CALL FOO(3)."""
    match = re.search(rf"(?<![\w$])(?<!CALL ){name}\b\s*([^:!]*?)(?=\s*(?:::|!|$))", hidden, re.I)
    if match is None:
        return
    given = row[match.start(1) : match.end(1)]
    arguments = f"({given})" if given and not given.startswith("(") else given
    yield row[: match.start()] + f"CALL {name}{arguments}" + row[match.end() :]


def _again(row: str, hidden: str) -> Iterator[str]:
    """`A+=1` and `A++` as A=A+1."""
    match = _AGAIN.search(hidden)
    if match is None:
        return
    name = row[match.start(1) : match.end(1)]
    sign, value = match[2] or match[4], "1"
    if match[2]:
        value = row[match.start(3) : match.end(3)]
        if not _SIMPLE.fullmatch(match[3]) and sign not in "+&":
            value = f"({value})"
    yield f"{row[: match.start()]}{name}={name}{sign}{value}{row[match.start(5) :]}"


def _with_status(rows: list[str], row: str, hidden: str) -> Iterator[str]:
    """CALL KEY(unit,code) with a variable for the status, of a name that is free."""
    used = set(_NAME.findall("\n".join(rows).upper()))
    names = ("STATUS", *(f"STATUS{count}" for count in range(2, len(used) + 3)))
    free = next(name for name in names if name not in used)
    for match in _TWO_OF_KEY.finditer(hidden):
        yield f"{row[: match.end() - 1]},{free}{row[match.end() - 1 :]}"


def _plus_signs(hidden: str) -> Iterator[int]:
    """The offsets of each + next to a string."""
    for match in re.finditer(r"\+", hidden):
        before, after = hidden[: match.start()].rstrip(), hidden[match.end() :].lstrip()
        if before.endswith(("\x01", "$")) or after.startswith("\x01"):
            yield match.start()


def _next_named(rows: list[str], line: int) -> Iterator[str]:
    """NEXT with the variable of the loop open at that line."""
    opened: list[str] = []
    for index, row in enumerate(rows[:line], 1):
        hidden = _hidden(row)
        for match in _LOOP.finditer(hidden):
            if match[1]:
                opened.append(match[2])
                continue
            bare = re.match(r"\s*(::|!|$)", hidden[match.end() :]) is not None
            if index == line and bare and opened:
                yield f"{row[: match.end()]} {opened[-1]}{row[match.end() :]}"
                return
            if opened:
                opened.pop()
