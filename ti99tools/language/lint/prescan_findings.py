"""What the pre-scan stops at, what it has not seen, and what to do about each.

The console names the error and a line; the tokens show which name or loop it is about.

Source: the recorded foreign cases (names, DATA, DEF and CALLs that occur only after `!@P-`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.names import names_set, names_used, scoped, subs_of
from ti99tools.language.findings import Failing, Finding, Noted, Severity, failing
from ti99tools.language.lint.reached import ends_scan, missed_switch
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.listing import NAME, Element, commas_in, scan
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.scanner import NOT_IN_IF
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts

_REMEDIES = {
    xb.ILLEGAL_AFTER_SUBPROGRAM: "after SUBEND stand only other SUBs, REM and END: move the line",
    xb.MISSING_SUBEND: "end the SUB before it with SUBEND",
    xb.MUST_BE_IN_SUBPROGRAM: "SUBEND and SUBEXIT stand in a SUB only",
    xb.OPTION_BASE_ERROR: "write OPTION BASE once, before all arrays",
    xb.BAD_VALUE: "sizes of arrays are 0 to 32767, and at least 1 with OPTION BASE 1",
    xb.MEMORY_FULL: "make arrays or program smaller",
}


def advice(
    code: int, tokens: bytes, before: Iterable[bytes], names: Mapping[str, int]
) -> tuple[int, str]:
    """The offset in the line's `tokens` that the error `code` is about, and what to do.

    `before` are the lines of its scope up to this one, `names` the subscripts of each name met so
    far.
    """
    if code == xb.IMPROPERLY_USED_NAME:
        before = list(before)
        defined = {_defined(line) for line in (*before, tokens)}
        met = {e.text for line in before for e in scan(line)}
        return _misused(tokens, met, set(_dimensioned(before)), names, defined)
    if code == xb.NEXT_WITHOUT_FOR:
        return 0, "there are more NEXT than FOR up to here: remove one, or write its FOR before it"
    if code == xb.FOR_NEXT_NESTING:
        return 0, _open_loop((*before, tokens))
    if code == xb.SYNTAX_ERROR:
        return _barred(tokens)
    return 0, _REMEDIES.get(code, "correct the line")


def _misused(
    tokens: bytes,
    met: set[str],
    dimensioned: set[str],
    names: Mapping[str, int],
    defined: Collection[str],
) -> tuple[int, str]:
    """The first name of the line used differently than before; `met` are in earlier lines.

    `dimensioned` are those of an earlier DIM, `defined` the functions of DEF.
    """
    elements = list(scan(tokens))
    declares = bool(elements) and elements[0].token in (t.DIM, t.DEF)
    statement = 0
    for at, element in enumerate(elements):
        if element.token in (t.DIM, t.DEF, t.STATEMENT_SEP):
            statement = element.token
        if element.token != NAME or element.text not in names:
            continue
        known, here = names[element.text], _subscripts(elements[at + 1 :])
        if known != here:
            if element.text in defined and not declares:
                takes, given = ("one value" if known else "no value"), here or "none"
                return element.start, f"{element.text} takes {takes} by its DEF, not {given}"
            remedy = f"{element.text} is {_kind(known)} elsewhere and {_kind(here)} here"
            return element.start, f"{remedy}: choose another name" + (
                f", or move the {t.KEYWORDS[elements[0].token]} up" if declares else ""
            )
        if statement in (t.DIM, t.DEF) and element.text in met:
            if statement == t.DIM and element.text in dimensioned:
                return element.start, f"{element.text} has a DIM already: remove one of the two"
            word = t.KEYWORDS[statement]
            return element.start, f"{element.text} stands above already: move the {word} up"
        met.add(element.text)
        if statement == t.DIM:
            dimensioned.add(element.text)
    return 0, "a name is used in two ways: choose another one"


def _dimensioned(lines: Iterable[bytes]) -> Iterator[str]:
    """The names of arrays that lines DIM."""
    for line in lines:
        statement = 0
        for element in scan(line) if t.DIM in line else ():
            if element.token in (t.DIM, t.STATEMENT_SEP):
                statement = element.token
            elif statement == t.DIM and element.token == NAME:
                yield element.text


def _barred(tokens: bytes) -> tuple[int, str]:
    """Where a statement stands in an IF that must not, and what to do."""
    inside = False
    for element in scan(tokens):
        inside = inside or element.token == t.THEN
        if inside and element.token in NOT_IN_IF:
            word = t.KEYWORDS[element.token]
            return element.start, f"{word} cannot stand in an IF: let THEN go to a line with it"
    return 0, "correct the line"


def _defined(tokens: bytes) -> str:
    """The function that a line defines; empty for any other line."""
    first = list(islice(scan(tokens), 2))
    return first[1].text if len(first) > 1 and first[0].token == t.DEF else ""


def _kind(subscripts: int) -> str:
    if not subscripts:
        return "no array"
    return f"an array of {subscripts} subscript{'s' * (subscripts > 1)}"


def _subscripts(following: list[Element]) -> int:
    """How many subscripts a name has, by the elements after it."""
    if not following or following[0].token != t.LPAREN:
        return 0
    return commas_in(following) + 1


def _open_loop(lines: Iterable[bytes]) -> str:
    """Which FOR has no NEXT, if their variables tell."""
    loops: Counter[str] = Counter()
    for tokens in lines:
        for word, name in pairwise(scan(tokens)):
            if word.token in (t.FOR, t.NEXT) and name.token == NAME:
                loops[name.text] += 1 if word.token == t.FOR else -1
    left = next((name for name, count in loops.items() if count > 0), "")
    return f"FOR {left} has no NEXT: write NEXT {left}" if left else "write a NEXT for each FOR"


class Scanned:
    """What RUN finds before it begins: `scan`, and the `code` of the error it stops with, if any.

    With an error `scan` is a survey of all lines.
    """

    def __init__(self, program: Analysis) -> None:
        self.lines = program.tokens
        self.scan = program.scan
        self.code = program.scanned.error
        self.line = program.scanned.line or 0
        self._met = program.scanned.scope.symbols
        beginning, _ = program.scanned.scope.first_statement
        self._first = [*self.lines, 0][beginning]

    def tells(self, finding: Finding) -> bool:
        """Tell whether a finding is the error that RUN stops with."""
        if self.code is None or finding.line != self.line:
            return False
        if self.code == xb.NAME_TOO_LONG:
            return finding.code == "name-length"
        return finding.error == self.code

    def finding(self, others: Sequence[Finding]) -> Iterator[Noted]:
        """The error, unless there is none or it is already among the `others`."""
        if self.code is None or any(map(self.tells, others)):
            return
        before = [tokens for line, tokens in self.lines.items() if self._first <= line < self.line]
        names = {name: symbol.dimensions for name, symbol in self._met.items()}
        offset, remedy = advice(self.code, self.lines.get(self.line, b""), before, names)
        message = Failing(f"RUN will stop with {xb.TEXTS[self.code]}", self.code)
        yield Noted("prescan", self.line, offset, message, remedy, Severity.ERROR)


@dataclass(eq=False, repr=False, slots=True)
class _Unseen:
    """Things that the pre-scan missed, each with the first line and statement that need it."""

    scan: Scan
    subs: Collection[str]
    restores: bool
    """Set when a RESTORE is reached: it finds DATA without the pre-scan's help."""
    places: dict[tuple[str, str], tuple[int, st.Statement, int]] = field(default_factory=dict)

    def look(self, scope: Scope, number: int, statement: st.Statement) -> None:
        """Note what a statement needs and the scan of its scope lacks."""
        used = {*names_set(statement, self.subs), *names_used(statement)}
        if isinstance(statement, st.Def):
            used.add(statement.name)
        for name in sorted(used - scope.symbols.keys()):
            self._note(scope.name, name, number, statement, xb.SYNTAX_ERROR)
        for part in parts(statement):
            symbol = scope.symbols.get(part.name) if isinstance(part, nodes.Element) else None
            if symbol is not None and symbol.dimensions != len(part.subscripts):
                self._note(scope.name, f"{part.name}()", number, statement, xb.SYNTAX_ERROR)
        if isinstance(statement, st.Call) and self._hidden(statement.name):
            called = (
                f"CALL {statement.name}"
                if statement.name not in self.subs
                else (f"SUB {statement.name}")
            )
            self._note("", called, number, statement, xb.SUBPROGRAM_NOT_FOUND)
        needs_first = isinstance(statement, st.Read) and not self.restores
        if needs_first and self.scan.first_data is None:
            self._note("", "DATA", number, statement, xb.DATA_ERROR)

    def _hidden(self, name: str) -> bool:
        """Tell whether CALL cannot find a subprogram that exists."""
        if name in self.scan.subs:
            return False
        built_in = name in SUBPROGRAMS or name in self.scan.later
        return name in self.subs or (built_in and name not in self.scan.called)

    def _note(self, scope: str, what: str, number: int, at: st.Statement, code: int) -> None:
        self.places.setdefault((scope, what), (number, at, code))


def missed(lines: Mapping[int, bytes]) -> Iterator[Noted]:
    """Remarks that look as if they switched the pre-scan."""
    for number, tokens in lines.items():
        switch = missed_switch(tokens)
        if switch is not None:
            offset, blank = switch
            how = "with a space" if blank else "after a statement"
            message = f"{how} this is a remark, and switches no pre-scan"
            remedy = "remove the blank" if blank else "write :: before it"
            yield Noted("scan-switch", number, offset, message, remedy)


def unscanned(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    reached: Collection[int],
    scan: Scan,
) -> Iterator[Noted]:
    """Errors of a running program that switches the pre-scan off: what its `scan` has not seen."""
    if not any(map(ends_scan, lines.values())):
        return
    subs = subs_of(parsed)
    rows = (row for number, row in parsed.items() if number in reached)
    restores = any(isinstance(s, st.Restore) for row in rows for s in every_statement(row))
    unseen = _Unseen(scan, subs, restores)
    for sub, number, statement in scoped(parsed):
        if number in reached and not isinstance(statement, st.Sub | st.Subend):
            scope = scan.main if sub is None else scan.subs.get(sub.name, scan.main)
            unseen.look(scope, number, statement)
    for (_, what), (number, statement, code) in unseen.places.items():
        message = failing(code, f"the pre-scan, which !@P- has switched off, sees no {what}")
        remedy = "write it before !@P-, or switch the pre-scan on with !@P+"
        yield Noted("unscanned", number, statement.at, message, remedy, Severity.ERROR)
