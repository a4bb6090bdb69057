"""Statements with right syntax that fail all the same, or do something hardly intended.

Files, LINPUT, FOR, and the clauses of DISPLAY and ACCEPT. Source: the recorded files-err,
files-open-opts, fuzz-045, fuzz-046, screen-accept and lang-control cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.base.record import Record
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.listing.argument_ranges import constant, whole
from ti99tools.language.listing.hints import failing
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts

Parsed = Mapping[int, tuple[st.Statement, ...]]
Wrong = tuple[Severity, str, str, str]
"""Severity, code, message and remedy."""
_ALTERNATIVES = (
    (t.INPUT, t.OUTPUT, t.UPDATE, t.APPEND),
    (t.DISPLAY, t.INTERNAL),
    (t.SEQUENTIAL, t.RELATIVE),
    (t.FIXED, t.VARIABLE),
)
"""Words of OPEN that exclude each other."""
_LEAST_INTEGER, _MOST_INTEGER = -32768, 32767
_LONGEST_RECORD = 255
_HIGHEST_FILE = 255
_LARGEST_SIZE = 255
_SCREEN = (("row", 24), ("column", 28))


def statements(
    lines: Mapping[int, bytes], parsed: Parsed, where: Callable[[int, int], Place]
) -> Iterator[Finding]:
    """Findings about statements, each at its beginning."""
    opened = _opened(lines, parsed)
    for number, row in parsed.items():
        for statement in every_statement(row):
            for severity, code, message, remedy in (
                *_of_statement(statement),
                *_of_files(statement, opened),
            ):
                place = where(number, statement.at)
                yield found(severity, code, place, message, remedy, number)


def _of_statement(statement: st.Statement) -> Iterator[Wrong]:
    match statement:
        case st.Linput(target=target, fault=None) if target is not None and not target.is_string:
            name = target.name
            message = failing(xb.IMPROPERLY_USED_NAME, "LINPUT reads a text")
            yield Severity.ERROR, "arguments", message, f"write {name}$, or INPUT instead of LINPUT"
        case st.For(step=step) if step is not None and constant(step) == 0:
            yield Severity.ERROR, "range", failing(xb.BAD_VALUE, "STEP 0"), "give another STEP"
        case st.Open():
            yield from _open(statement)
        case st.Display(clauses=clauses) | st.Accept(clauses=clauses):
            for clause in clauses:
                yield from _clause(clause)


def _open(statement: st.Open) -> Iterator[Wrong]:
    """Words of OPEN that exclude each other, and record lengths that no file has."""
    words = [attribute.token for attribute in statement.attributes]
    for kind in _ALTERNATIVES:
        given = [t.KEYWORDS[token] for token in words if token in kind]
        if len(given) > 1:
            message = failing(xb.SYNTAX_ERROR, f"OPEN takes one word of {' and '.join(given)}")
            yield Severity.ERROR, "open", message, "leave out the other"
            return
    if t.RELATIVE in words and t.VARIABLE in words:
        message = failing(xb.FILE_ERROR, "a RELATIVE file has no VARIABLE records")
        yield Severity.ERROR, "open", message, "write FIXED"
    for attribute in statement.attributes:
        length = whole(constant(attribute.value))
        if attribute.token not in (t.FIXED, t.VARIABLE) or length is None:
            continue
        if not 1 <= length <= _LONGEST_RECORD:
            beyond = not _LEAST_INTEGER <= length <= _MOST_INTEGER
            code = xb.BAD_VALUE if beyond else xb.SYNTAX_ERROR
            message = failing(code, f"a record has no {length} bytes")
            yield Severity.ERROR, "open", message, f"use 1 to {_LONGEST_RECORD}"


def _clause(clause: st.Clause) -> Iterator[Wrong]:
    """AT that means another place on the screen, SIZE of nothing."""
    values = [None if isinstance(a, int) else whole(constant(a)) for a in clause.arguments]
    if clause.token == t.SIZE and values and values[0] is not None:
        if not 1 <= abs(values[0]) <= _LARGEST_SIZE:
            message = failing(xb.BAD_VALUE, f"SIZE({values[0]})")
            yield Severity.ERROR, "range", message, f"use 1 to {_LARGEST_SIZE}"
    elif clause.token == t.AT:
        for value, (what, most) in zip(values, _SCREEN, strict=False):
            if value is not None and value > _MOST_INTEGER:
                message = failing(xb.BAD_VALUE, f"AT takes no {what} {value}")
                yield Severity.ERROR, "range", message, f"use 1 to {most}"
            elif value is not None and not 1 <= value <= most:
                meant = (max(value, 1) - 1) % most + 1
                moved = f"AT takes {what} {value} for {what} {meant}"
                yield Severity.WARNING, "position", moved, f"use 1 to {most}"


class _Use(Record):
    """The number of a file: its lowest value, the error for one below, whether it must be open."""

    number: nodes.Expression
    least: int
    below: int
    must_be_open: bool


def _uses(statement: st.Statement) -> Iterator[_Use]:
    """The numbers of files in a statement."""
    for part in parts(statement):
        if isinstance(part, nodes.Function) and part.token in (t.EOF, t.REC):
            of_end = part.token == t.EOF
            yield _Use(part.arguments[0], int(of_end), xb.BAD_VALUE, of_end)
        elif isinstance(part, st.FileRef):
            yield _Use(part.number, 0, xb.BAD_VALUE, True)
    if isinstance(statement, st.Open | st.Close) and statement.number is not None:
        yield _Use(statement.number, 1, xb.FILE_ERROR, isinstance(statement, st.Close))


def _of_files(statement: st.Statement, opened: set[int] | None) -> Iterator[Wrong]:
    """Invalid file numbers, or numbers that nothing opens (`opened` None: unknown)."""
    for use in _uses(statement):
        number = whole(constant(use.number))
        if number is None:
            continue
        if not use.least <= number <= _HIGHEST_FILE:
            beyond = not _LEAST_INTEGER <= number <= _HIGHEST_FILE
            code = xb.BAD_VALUE if beyond else use.below
            message = failing(code, f"there is no file #{number}")
            yield Severity.ERROR, "range", message, f"use 1 to {_HIGHEST_FILE}"
        elif use.must_be_open and opened is not None and number not in {0, *opened}:
            message = failing(xb.FILE_ERROR, f"nothing opens file #{number}")
            yield Severity.ERROR, "not-open", message, "OPEN it before, or correct the number"


def _opened(lines: Mapping[int, bytes], parsed: Parsed) -> set[int] | None:
    """The numbers of the files that the program opens; None where they are unknown."""
    opens = [s for row in parsed.values() for s in every_statement(row) if isinstance(s, st.Open)]
    written = sum(e.token == t.OPEN for tokens in lines.values() for e in scan(tokens))
    numbers = [None if s.number is None else whole(constant(s.number)) for s in opens]
    if len(opens) < written or None in numbers:
        return None
    return {number for number in numbers if number is not None}
