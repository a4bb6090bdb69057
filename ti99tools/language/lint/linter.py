"""Find mistakes in a program without running it.

Works on tokens, so that listings, structured sources and program files are checked alike.
`program/judgement`, which knows the file, adds findings about refused and duplicate lines and
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place, Where
from ti99tools.language.analysis import analysis_of
from ti99tools.language.analysis.names import open_loop
from ti99tools.language.findings import Failing, Finding, Noted, Severity, edit_of, failing
from ti99tools.language.lint.call_arguments import calls
from ti99tools.language.lint.prescan_findings import Scanned, missed, unscanned
from ti99tools.language.lint.proc_values import MISSING_OUT, missing_out
from ti99tools.language.lint.reached import scanned_only, unreachable
from ti99tools.language.lint.value_limits import statements, values
from ti99tools.language.listing.listing import Element, scan
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.listing.tokenize import EDITOR_LINE_BYTES, MAX_NAME
from ti99tools.language.remedies.misread_words import misread
from ti99tools.language.remedies.worked_out import in_text, next_of
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import failures

MERGE_LINE_BYTES = 160
"""Most token bytes of a line in a MERGE file."""

_ERRORS_AT_RUN = frozenset(
    {
        "syntax",
        "missing-line",
        "no-image",
        "range",
        "value",
        "next",
        "arguments",
        "subscript",
        "recursion",
        "open",
        "not-open",
        "no-data",
    }
)
"""Findings about what a statement does when it runs."""
_HARMLESS_REFERENCES = frozenset({t.RESTORE, t.BREAK, t.UNBREAK})
"""RESTORE goes to the next DATA after the number, BREAK only warns."""


class Linter:
    """Checks one program: `lines` maps ascending line numbers to tokens.

    `beginnings` are words that statements of its source may begin with besides the console's,
    `refused` the numbers of lines that the editor refuses (None: not known), `given` names of
    parameters of uncalled PROCs, to which a call would give values; `basic` is the profile of a
    later Extended BASIC, `constants` and `routines` are those of the source.
    """

    def __init__(
        self,
        lines: Mapping[int, bytes],
        where: Where,
        beginnings: Sequence[str] = (),
        refused: Collection[int | None] = (),
        given: Collection[str] = (),
        basic: str = "",
        constants: Collection[str] = (),
        routines: Sequence[Routine] = (),
    ) -> None:
        self.lines = lines
        self.program = program = analysis_of(lines.items(), basic)
        self.routines = routines
        self.constants = constants
        self.later = program.later
        self.refused = refused
        self.given = given
        self.where = where
        self.beginnings = beginnings
        self.parsed = program.parsed
        self.subs = program.subs
        """The program's own subprograms."""
        self.reached = program.reached
        self.scanned_only = scanned_only(self.parsed, lines, self.reached)
        self.scanned = Scanned(program)
        idle = self.scanned_only - self.reached
        self.running = {at: row for at, row in self.parsed.items() if at not in idle}
        """The lines without those that only the pre-scan sees."""

    def findings(self) -> list[Finding]:
        """Everything found, in the order of the lines."""
        # Imported here, because code that only tokenizes uses `mistakes`, which needs neither.
        from ti99tools.language.lint.bare_numbers import bare_numbers, chained
        from ti99tools.language.lint.data_read import data_items, failing_reads, no_data
        from ti99tools.language.lint.key_status import key_status
        from ti99tools.language.lint.lost_returns import (
            crossed_loops,
            ended_loops,
            lost_nexts,
            lost_returns,
            other_ways,
            uncalled_returns,
        )
        from ti99tools.language.lint.proc_values import proc_values
        from ti99tools.language.lint.proven import proven
        from ti99tools.language.lint.undrawn import drawn_late, undrawn
        from ti99tools.language.lint.unset_names import names, silent

        program, running = self.program, self.running
        named = self._meant(names)
        advice = (
            *self.characters(),
            *self.flow(),
            *missed(self.lines),
            *key_status(program, running),
            *proven(program, running),
            *lost_nexts(program, running),
            *ended_loops(program, running),
            *crossed_loops(program, running),
            *uncalled_returns(program, running, self._constants is None),
            *bare_numbers(self.lines, running, self.constants),
            *lost_returns(self.lines, running),
            *(other_ways(self.lines) if self._constants is not None else ()),
            *chained(running),
            *failing_reads(program, self.where),
            *no_data(self.lines, running),
            *data_items(self.parsed, self.constants),
            *proc_values(self.lines, running, self.where, self.routines, named),
            *undrawn(running),
            *drawn_late(running, program.reach),
            *silent(running),
        )
        return self._judged([*self._mistakes(), *advice], named)

    def surprises(self) -> list[Finding]:
        """The findings for a person who runs the program; see `advice.surprises`."""
        from ti99tools.language.lint.proc_values import proc_values
        from ti99tools.language.lint.undrawn import undrawn
        from ti99tools.language.lint.unset_names import names, silent, surprises

        running = self.running
        # All names are gone through again only where a PROC may lack an OUT.
        lacking = self._meant(names) if self.routines else ()
        found = (
            *proc_values(self.lines, running, self.where, self.routines, lacking),
            *undrawn(running),
            *silent(running),
        )
        named = [each for each in self._meant(surprises) if each.code != MISSING_OUT]
        named += (each for each in lacking if each.code == MISSING_OUT)
        return sorted([*named, *self._placed(found)], key=_order)

    def _placed(self, found: Iterable[Noted]) -> Iterator[Finding]:
        """What checks have found, in the source."""
        return (each.placed(self.where) for each in found)

    def _meant(self, check: Callable[..., Iterator[Noted]]) -> list[Finding]:
        """The findings about names of a check of `unset_names`."""
        found = self._placed(check(self.lines, self.running, self.given, self._constants))
        return missing_out(found, self.running, self.where, self.routines)

    @property
    def _constants(self) -> Collection[str] | None:
        """The constants of the source; None for a listing, which has none."""
        return self.constants if "CONST" in self.beginnings else None

    def mistakes(self) -> list[Finding]:
        """As `findings`, without mere advice: names, texts, unreachable lines."""
        return self._judged(self._mistakes())

    def _mistakes(self) -> Iterator[Noted]:
        """The results of the checks that can find an error."""
        yield from self.lengths()
        yield from self.syntax()
        yield from self.references()
        yield from self.words()
        structured = self._constants is not None
        yield from calls(self.lines, self.parsed, self.subs, self.later, structured)
        yield from statements(self.lines, self.parsed)
        scan = self.scanned.scan
        yield from values(self.running, scan, listing=not self.beginnings)
        if self.scanned.code is None:
            yield from unscanned(self.lines, self.parsed, self.reached, scan)

    def _judged(self, found: Iterable[Noted], named: Iterable[Finding] = ()) -> list[Finding]:
        """Findings in the order of the lines, with the error that stops RUN before it begins.

        `named` are those about names.
        """
        in_source = (*self._placed(found), *named)
        findings = [each for finding in in_source if (each := self._at_run(finding)) is not None]
        findings += self._placed(self.scanned.finding(findings))
        return sorted(findings, key=_order)

    def _at_run(self, finding: Finding) -> Finding | None:
        """A finding about the run is weaker, or None, where its line never runs."""
        number = finding.line
        if finding.code not in _ERRORS_AT_RUN or number is None or number in self.reached:
            return finding
        if self.scanned.tells(finding):
            return finding
        if number in self.scanned_only:
            return None
        return replace(finding, severity=min(finding.severity, Severity.WARNING))

    def lengths(self) -> Iterator[Noted]:
        """Lines longer than the editor takes."""
        for number, tokens in self.lines.items():
            size = len(tokens)
            if size <= EDITOR_LINE_BYTES:
                continue
            message = f"{size} bytes of tokens, the editor takes {EDITOR_LINE_BYTES}"
            if size > MERGE_LINE_BYTES:
                message += f" and a MERGE file {MERGE_LINE_BYTES}"
            remedy = "it runs, but cannot be edited on the console: split it"
            yield Noted("line-length", number, 0, message, remedy)

    def syntax(self) -> Iterator[Noted]:
        """Statements that always fail when they run."""
        for number, tokens in self.lines.items():
            for statement, code in failures(tokens)[:1]:
                yield self._fault(number, statement, code)

    def _fault(self, number: int, statement: st.Statement, code: int) -> Noted:
        """A statement that fails with the error `code`; a DEF fails where its function is used."""
        from ti99tools.language.remedies.statements import advice, closes_block, fails_at

        tokens = self.lines[number]
        offset = fails_at(statement, tokens)
        if isinstance(statement, st.End):
            message = f"{t.KEYWORDS[tokens[statement.at]]} ends the program before this"
            remedy = closes_block(tokens, statement) or "remove it"
            return Noted("syntax", number, offset, message, remedy)
        if isinstance(statement, st.EmptyStatement) and statement.hangs:
            message, remedy = "the machine stands still here for good", "write one :: here"
            return Noted("syntax", number, offset, message, remedy, Severity.ERROR)
        used = f"where {statement.name} is used, " if isinstance(statement, st.Def) else ""
        message = Failing(f"{used}{failing(code)}", code)
        own = 0 if self.beginnings else number
        remedy = advice(tokens, statement, code, self.beginnings, self.subs, own)
        if edit_of(remedy) == next_of("I").edit:
            loop = open_loop(self.lines, self.parsed, number, statement.at)
            remedy = next_of(loop) if loop else remedy
        return Noted("syntax", number, offset, message, remedy, Severity.ERROR)

    def references(self) -> Iterator[Noted]:
        """References to missing lines, and USING of lines that are not an IMAGE."""
        for number, tokens in self.lines.items():
            keyword = 0
            for element in scan(tokens):
                if element.token == t.LINE_NUMBER:
                    yield from self._reference(number, element, keyword)
                elif element.token != t.COMMA:
                    keyword = element.token

    def _reference(self, number: int, element: Element, keyword: int) -> Iterator[Noted]:
        target = element.line_number
        if target in self.refused:
            return
        if target not in self.lines:
            severity = Severity.WARNING if keyword in _HARMLESS_REFERENCES else Severity.ERROR
            message = f"there is no line {target}"
            remedy = misread(scan(self.lines[number])) or "correct the number or write the line"
            yield Noted("missing-line", number, element.start, message, remedy, severity)
        elif keyword == t.USING and not self.lines[target].startswith(bytes([t.IMAGE])):
            message = f"line {target} is not an IMAGE"
            remedy = "USING requires the line of an IMAGE or a string"
            yield Noted("no-image", number, element.start, message, remedy, Severity.ERROR)

    def words(self) -> Iterator[Noted]:
        """Names too long to be typed, tokens without a keyword, strings cut off."""
        for number, tokens in self.lines.items():
            for element in scan(tokens):
                yield from self._word(number, element, tokens)

    def characters(self) -> Iterator[Noted]:
        """Strings with characters that have no pattern, or with codes that magazines print."""
        for number, tokens in self.lines.items():
            for element in scan(tokens):
                if (
                    element.token == t.QUOTED
                    and (message_and_remedy := in_text(element.text)) is not None
                ):
                    yield Noted("character", number, element.start, *message_and_remedy)

    def _word(self, number: int, element: Element, tokens: bytes) -> Iterator[Noted]:
        if element.token == 0 and len(element.data) > MAX_NAME:
            message = f"the name {element.text} has {len(element.data)} characters"
            remedy = f"use at most {MAX_NAME}"
            yield Noted("name-length", number, element.start, message, remedy, Severity.ERROR)
        carries = element.token in (t.QUOTED, t.UNQUOTED, t.LINE_NUMBER)
        if element.token and not carries and element.token not in t.KEYWORDS:
            message = f"the byte {element.token:02X} is not a keyword"
            remedy = "the program file is damaged or not of Extended BASIC"
            yield Noted("token", number, element.start, message, remedy, Severity.ERROR)
        if carries and element.end - element.start != _wanted(element, tokens):
            message = "a text or number runs over the end of its line"
            remedy = "the program file is damaged"
            yield Noted("token", number, element.start, message, remedy, Severity.ERROR)

    def flow(self) -> Iterator[Noted]:
        """Unreachable lines, statements after a jump."""
        for number in unreachable(self.parsed, self.reached):
            if number in self.scanned_only:
                continue
            first = self.parsed[number][0]
            if isinstance(first, st.Sub):
                message, remedy = f"SUB {first.name} is never called", "remove it or call it"
                code = "unused-sub"
            else:
                message, remedy = "no way leads to this line", "remove it or jump to it"
                code = "unreachable"
            yield Noted(code, number, 0, message, remedy)
        for number, row in self.parsed.items():
            if number in self.scanned_only:
                continue
            last = row[-1]
            rest = self.lines[number][last.end :]
            jumps = isinstance(last, st.Goto) and last.fault is None
            if jumps and rest[:1] == bytes([t.STATEMENT_SEP]) and not _comment(rest[1:]):
                message = "nothing after the GOTO is reached"
                remedy = "remove it"
                yield Noted("unreachable", number, last.end + 1, message, remedy)


def lint(
    lines: Iterable[tuple[int, bytes]], where: Where | None = None, beginnings: Sequence[str] = ()
) -> list[Finding]:
    """Check a program given as (number, tokens), ascending; `where` maps to its source.

    `beginnings` as in `Linter`.
    """
    place = where or (lambda _number, _offset: Place())
    return Linter(dict(lines), place, beginnings).findings()


def mistakes(lines: Iterable[tuple[int, bytes]], where: Where) -> list[Finding]:
    """Check a program as `lint` does, with only the checks that can find an error."""
    return Linter(dict(lines), where).mistakes()


def _order(finding: Finding) -> tuple[object, ...]:
    """Order by line, the worst first; the error of RUN comes after its cause."""
    at_run = finding.code == "prescan"
    place = (finding.place.line or 0, finding.place.column or 0)
    worst = -finding.severity
    return (finding.line or 0, worst, at_run, *place, finding.code, finding.message)


def _wanted(element: Element, tokens: bytes) -> int:
    """Bytes that the element would have if its line did not end earlier."""
    if element.token == t.LINE_NUMBER:
        return 3
    length = tokens[element.start + 1] if element.start + 1 < len(tokens) else 0
    return 2 + length


def _comment(tokens: bytes) -> bool:
    return tokens[:1] in (bytes([t.BANG]), bytes([t.REM]))
