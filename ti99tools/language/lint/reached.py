"""Lines that nothing reaches, and those that are there for the pre-scan alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import Element, scan
from ti99tools.language.prescan.scanner import SWITCHES
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

_ACTS_UNREACHED = (st.Data, st.Image, st.Dim, st.Def, st.OptionBase, st.Sub, st.Subend, st.End)
"""Statements that take effect before the run, or that only close something."""


def unreachable(lines: st.Parsed, seen: Collection[int]) -> list[int]:
    """Numbers of unreachable lines, ascending; `seen` are those that are `reached`.

    Of consecutive lines only the first is given. Lines that only declare (REM, DATA, IMAGE, DIM,
    DEF, …) do not count; a SUB that is never called is given by its own line alone.
    """
    subs = _subs(lines)
    found = []
    unused = {number for number in subs.values() if number not in seen}
    reported = inside_unused = False
    for number, statements in lines.items():
        if isinstance(statements[0], st.Sub):
            inside_unused = number in unused
            if inside_unused:
                found.append(number)
        if number in seen:
            reported = False
        elif not (reported or inside_unused or all(map(_declares, statements))):
            reported = True
            found.append(number)
        if any(isinstance(s, st.Subend) for s in every_statement(statements)):
            inside_unused = reported = False
    return found


def scanned_only(
    lines: st.Parsed,
    tokens: Mapping[int, bytes],
    seen: Collection[int],
) -> set[int]:
    """Lines whose unreached statements are there for the pre-scan alone.

    `GOTO 200 :: A,B$ :: CALL KEY` and the lines after it, up to one that ends in `!@P-`: RUN learns
    the names from them, and none of them ever runs.
    """
    numbers: set[int] = set()
    block: list[int] = []
    for number, statements in lines.items():
        if number in seen:
            block = [number] if _leaves(statements) else []
        else:
            block.append(number)
        if block and (ends_scan(tokens[number]) or missed_switch(tokens[number]) is not None):
            numbers.update(block)
            block = []
    return numbers


def ends_scan(tokens: bytes) -> bool:
    """Tell whether the line ends with a remark that turns the pre-scan off."""
    return any(
        SWITCHES.get(remark.data[:3]) is False for remark, begins in _remarks(tokens) if begins
    )


def missed_switch(tokens: bytes) -> tuple[int, bool] | None:
    """The offset of a remark that is `!@P-` or `!@P+` but has no effect; None if there is none.

    The flag tells whether a space is the reason; if not, the remark begins no statement.
    """
    for remark, begins in _remarks(tokens):
        blank = remark.data[:1] == b" "
        if remark.data.lstrip()[:3] in SWITCHES and (blank or not begins):
            return remark.start, blank
    return None


def _remarks(tokens: bytes) -> Iterator[tuple[Element, bool]]:
    """The line's remark after `!`, and whether it begins a statement."""
    before = t.STATEMENT_SEP
    for element in scan(tokens):
        if element.token == t.BANG:
            yield element, before in (t.STATEMENT_SEP, t.THEN, t.ELSE)
        before = element.token


def _leaves(statements: tuple[st.Statement, ...]) -> bool:
    """Tell whether the line ends with a jump, after which more may follow."""
    return isinstance(statements[-1], st.Goto) and statements[-1].fault is None


def _declares(statement: st.Statement) -> bool:
    return isinstance(statement, _ACTS_UNREACHED) or (
        isinstance(statement, st.EmptyStatement) and statement.fault is None
    )


def _subs(lines: st.Parsed) -> dict[str, int]:
    line_of: dict[str, int] = {}
    for number, statements in lines.items():
        if isinstance(statements[0], st.Sub):
            line_of[statements[0].name] = number
    return line_of
