"""The description itself: what is known of a program from its lines alone.

The statements of a line are kept by its tokens, so that of a program with a few other lines only
those are parsed. No other room parses whole lines or runs the pre-scan of a program.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ti99tools.base.record import Record
from ti99tools.base.xberrors import XBError
from ti99tools.language.analysis.flow import Flow, Reach, flow_of
from ti99tools.language.analysis.names import subs_of
from ti99tools.language.listing.laterprofiles import added_by
from ti99tools.language.prescan import Prescan, Scan
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import parse_from, parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import failures
from ti99tools.language.syntax.parser import Parser

if TYPE_CHECKING:
    from ti99tools.language.analysis.loop_matching import Loops
    from ti99tools.language.analysis.ranges import Ranges

KEPT = 32
"""Programs to keep: a build has one after each pass, a session of the console rarely has more."""
Lines = tuple[tuple[int, bytes], ...]
Statements = tuple[st.Statement, ...]


class Scanned(Record):
    """What RUN finds before the first statement: its tables, and the error it stops with, if any.

    With an error, `scan` has what came before it, `line` is the number of its line, and `scope` is
    where the pass was.
    """

    scan: Scan
    scope: Scope
    error: int | None = None
    line: int | None = None


class Analysis:
    """A program's `lines`, and what follows from them.

    The lines are in the order of the program; their numbers ascend, unless a pass of the optimizer
    has given them keys of its own. `basic` is the profile of a later Extended BASIC. Raises TIError
    for an unknown one.
    """

    def __init__(self, lines: Lines, basic: str = "") -> None:
        self.lines = lines
        self.later = added_by(basic)

    @cached_property
    def tokens(self) -> dict[int, bytes]:
        """Line number → tokens."""
        return dict(self.lines)

    @cached_property
    def parsed(self) -> dict[int, Statements]:
        """Line number → statements; those in branches are in their IF."""
        return {number: parse_line(tokens) for number, tokens in self.lines}

    @cached_property
    def scanned(self) -> Scanned:
        """The pre-scan of RUN, up to its error if it has one."""
        prescan = Prescan(self.lines, later=self.later)
        try:
            return Scanned(prescan.program(), prescan.scope)
        except XBError as error:
            return Scanned(prescan.scan, prescan.scope, error.code, error.line)

    @cached_property
    def scan(self) -> Scan:
        """The tables of the pre-scan; with an error those of all lines, as far as each goes.

        Then memory counts as endless.
        """
        if self.scanned.error is None:
            return self.scanned.scan
        return Prescan(self.lines, later=self.later).survey()

    @cached_property
    def sound(self) -> bool:
        """Tell whether RUN begins, and no statement hides by a mistake what comes after it."""
        return self.scanned.error is None and not any(map(failures, self.tokens.values()))

    @cached_property
    def flow(self) -> Flow:
        """Where control goes after each statement."""
        return flow_of(self.parsed, self.tokens)

    @cached_property
    def loops(self) -> Loops:
        """FOR and NEXT, and the ways back that they add to the flow."""
        from ti99tools.language.analysis.loop_matching import Loops

        return Loops(self.flow)

    @cached_property
    def ranges(self) -> Ranges:
        """The ranges of numeric variables before each statement."""
        from ti99tools.language.analysis.ranges import Ranges

        return Ranges(self)

    @cached_property
    def reach(self) -> Reach:
        """Which lines can be reached."""
        return Reach(self.flow, self.tokens)

    @cached_property
    def reached(self) -> set[int]:
        """Numbers of the lines that can be reached."""
        return self.reach.lines()

    @cached_property
    def subs(self) -> dict[str, st.Sub]:
        """The program's own subprograms by name."""
        return subs_of(self.parsed)


@lru_cache(maxsize=KEPT)
def _kept(lines: Lines, basic: str) -> Analysis:
    return Analysis(lines, basic)


def analysis_of(lines: Iterable[tuple[int, bytes]], basic: str = "") -> Analysis:
    """The description of a program of these numbers and tokens; the last programs are kept."""
    return _kept(tuple(lines), basic)


def statements_from(tokens: bytes, at: int, depth: int = 0) -> Statements:
    """The statements of a line from an offset on, up to an ELSE or the end of the line.

    `at` is after a `::`, a THEN, an ELSE, or anywhere else the machine may resume; `depth` is the
    number of stack words already in use, above which expressions have less room.
    """
    tail = None if depth else _tail(parse_line(tokens), at)
    return parse_from(tokens, at, depth) if tail is None else tail


def built_in_call(tokens: bytes, at: int, depth: int) -> st.Statement:
    """A CALL of a built-in subprogram, whose arguments have less stack than those of a SUB."""
    return Parser.for_built_in(tokens, at, depth).statement()


def _tail(row: Statements, at: int) -> Statements | None:
    """A line's statements from one on; None where the machine reads something else there.

    After an empty statement it looks twice at what follows, but not where it resumes there.
    """
    before: st.Statement | None = None
    for index, statement in enumerate(row):
        if statement.at == at:
            empty = isinstance(statement, st.EmptyStatement) or isinstance(
                before, st.EmptyStatement
            )
            return None if empty else row[index:]
        if isinstance(statement, st.If):
            for branch in (statement.then, statement.otherwise):
                if isinstance(branch, tuple) and (tail := _tail(branch, at)) is not None:
                    return tail
        before = statement
    return None


def scan_typed(lines: Iterable[tuple[int, bytes]], scan: Scan, scope: Scope) -> None:
    """Let the pre-scan go over a line typed without a number, its names going to `scope`.

    Raises XBError where the line cannot be run.
    """
    Prescan(lines, scan).command(scope)
