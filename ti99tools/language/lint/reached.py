"""Which lines can be reached: from the first line, along jumps and into SUBs that are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.base import tokens as t
from ti99tools.language.lint.call_arguments import called
from ti99tools.language.listing.listing import Element, scan
from ti99tools.language.prescan.scanner import SWITCHES
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import faults
from ti99tools.language.syntax.statements import every_statement

_ACTS_UNREACHED = (st.Data, st.Image, st.Dim, st.Def, st.OptionBase, st.Sub, st.Subend, st.End)
"""Statements that take effect before the run, or that only close something."""


@dataclass(eq=False, repr=False, slots=True)
class LineFlow:
    """Where control can go from a line: to the next line, to lines it names, into SUBs."""

    falls: bool = True
    lines: set[int] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def reached(
    lines: Mapping[int, tuple[st.Statement, ...]],
    tokens: Mapping[int, bytes],
    end: int | None = None,
) -> set[int]:
    """Numbers of the lines that can be reached from the first one; `lines` is ascending.

    With `end` only the lines that can be reached before that line, and it.

    A jump to a missing line is a mistake, and what follows it counts as reached; so do the lines
    that a line with wrong syntax names in its `tokens`. If the program has a RETURN NEXT, an ON …
    GOTO that fails goes on to the next statement.
    """
    every = (statement for row in lines.values() for statement in every_statement(row))
    resumes = any(isinstance(each, st.Return) and each.next for each in every)
    order = list(lines)
    position = {number: index for index, number in enumerate(order)}
    subs = _subs(lines)
    flows = {number: _flow(row, tokens[number], resumes) for number, row in lines.items()}
    seen: set[int] = set()
    waiting = order[:1]
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        if number == end:
            continue
        flow = flows[number]
        waiting += [n for n in flow.lines if n in position]
        waiting += [subs[name] for name in flow.calls if name in subs]
        falls = flow.falls or not flow.lines <= position.keys()
        if falls and position[number] + 1 < len(order):
            waiting.append(order[position[number] + 1])
    return seen


def unreachable(lines: Mapping[int, tuple[st.Statement, ...]], seen: Collection[int]) -> list[int]:
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
    lines: Mapping[int, tuple[st.Statement, ...]],
    tokens: Mapping[int, bytes],
    seen: Collection[int],
) -> set[int]:
    """Lines whose unreached statements are there for the pre-scan alone.

    `GOTO 200 :: A,B$ :: CALL KEY` and the lines after it, up to one that ends in `!@P-`: RUN learns
    the names from them, and none of them ever runs.
    """
    found: set[int] = set()
    block: list[int] = []
    for number, statements in lines.items():
        if number in seen:
            block = [number] if _leaves(statements) else []
        else:
            block.append(number)
        if block and (ends_scan(tokens[number]) or missed_switch(tokens[number]) is not None):
            found.update(block)
            block = []
    return found


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
        isinstance(statement, st.Nothing) and statement.fault is None
    )


def _subs(lines: Mapping[int, tuple[st.Statement, ...]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, statements in lines.items():
        if isinstance(statements[0], st.Sub):
            found[statements[0].name] = number
    return found


def _flow(statements: tuple[st.Statement, ...], tokens: bytes, resumes: bool) -> LineFlow:
    flow = LineFlow()
    flow.falls = _falls(statements, resumes)
    for statement in every_statement(statements):
        flow.lines.update(_targets(statement))
        if isinstance(statement, st.Call):
            flow.calls.add(statement.name)
    if any(next(faults(each), None) is not None for each in every_statement(statements)):
        flow.lines.update(e.line_number for e in scan(tokens) if e.token == t.LINE_NUMBER)
        flow.calls.update(name for name, *_ in called(tokens))
    return flow


def _targets(statement: st.Statement) -> Iterable[int]:
    match statement:
        case st.Goto() | st.Gosub():
            yield statement.line
        case st.OnGo():
            yield from statement.lines
        case st.OnError() | st.Return() | st.Run():
            if statement.line is not None:
                yield statement.line
        case st.If():
            for branch in (statement.then, statement.otherwise):
                if isinstance(branch, st.Jump):
                    yield branch.line


def _falls(branch: st.Branch | None, resumes: bool) -> bool:
    """Tell whether control can pass the end of a list of statements.

    `resumes`: the program goes on after an error that it has caught.
    """
    if isinstance(branch, st.Jump):
        return False
    if branch is None:
        return True
    for statement in branch:
        match statement:
            case st.Goto():
                return statement.fault is not None
            case st.End() | st.Run() | st.Subend() | st.Subexit() | st.Return():
                return False
            case st.OnGo(gosub=False):
                return resumes
            case st.If():
                branches = (statement.then, statement.otherwise)
                return any(_falls(each, resumes) for each in branches)
    return True
