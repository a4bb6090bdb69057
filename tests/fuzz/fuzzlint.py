"""Fuzz area: what lint calls an error, and what RUN and the console make of the same program.

A statement that lint says fails must never get through, and what RUN stops at before the first
statement, or where the machine stands still, must be an error to lint, in the same line.
"""

from __future__ import annotations

from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzlanguage import whole_language
from tests.fuzz.fuzzlistings import corpus, mutated_listing
from tests.fuzz.fuzzprograms import is_taken
from ti99tools import Console, Program
from ti99tools.base import xberrors as xb
from ti99tools.base.counts import FAILED, RAN, Hits
from ti99tools.base.errors import Place, TIError
from ti99tools.computer.interp.run.signals import EmptyStatementHang
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.lint.linter import lint
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

MACHINE_SECONDS = 20.0
AT_RUN = (
    "syntax",
    "range",
    "value",
    "arguments",
    "subscript",
    "no-subprogram",
    "recursion",
    "unscanned",
)
"""Rules about statements that fail when they run."""
SOMETIMES = (st.If, st.OnGo, st.Next, st.Def)
"""Statements that fail on one of their ways only."""
RETURNED_TO = (st.Call, st.Gosub)
"""Statements whose end is read only when what they call is over."""


def linted_program(one: Attempt) -> str:
    """A recorded program with mutations, or one of the whole language, linted and run."""
    rng = one.rng
    grown = rng.random() < 0.3
    made = whole_language(rng) if grown else mutated_listing(rng.choice(corpus()).listing, rng)
    one.input = text = "\n".join(filter(is_taken, made)) + "\n"
    try:
        program = Program.from_listing(text, strict=False)
    except TIError:
        return "refused"
    lines = {line.number: line.tokens for line in program.lines}
    findings = lint(sorted(lines.items()), lambda number, offset: Place(None, number, offset))
    errors = [each for each in findings if each.severity is Severity.ERROR]
    console = Console(max_seconds=MACHINE_SECONDS, watched=True)
    console.load(program)
    try:
        at_work = console.run() not in ("ready", "error") or "ON WARNING" in text
    except EmptyStatementHang as still:
        if not any(each.line == still.line for each in errors):
            raise Fault(f"{still}, lint finds {[str(each) for each in findings]}") from still
        return "stands still"
    if console.execution is None:
        stop = console.error
        # RUN of a program that is not there leaves none.
        missing = stop is not None and stop.code == xb.IO_ERROR
        if not missing and (stop is None or not any(each.line == stop.line for each in errors)):
            raise Fault(f"RUN stops with {stop}, lint finds {[str(each) for each in findings]}")
        return "stopped by RUN"
    if any(each.code == "prescan" for each in errors):
        raise Fault(f"RUN begins, lint finds {[str(each) for each in errors]}")
    hits = console.hits.get(program.lines, {})
    for each in errors:
        if each.code in AT_RUN and _got_through(each, lines, hits) > at_work:
            raise Fault(f"a statement ran that lint calls wrong: {each}")
    return "with errors" if errors else "without errors"


def _got_through(error: Finding, lines: dict[int, bytes], hits: Hits) -> int:
    """How often the statement of an error has run without failing, or is still at work.

    A warning that stops the program also leaves a statement at work.
    """
    number = error.line or 0
    at = error.place.column or 0
    every = [s for s in every_statement(parse_line(lines[number])) if s.at <= at]
    here = [s for s in every if s.at == every[-1].at]
    if any(isinstance(s, SOMETIMES) or (s.fault and isinstance(s, RETURNED_TO)) for s in here):
        return 0
    spot = number, every[-1].at
    return hits.get((*spot, RAN), 0) - hits.get((*spot, FAILED), 0)
