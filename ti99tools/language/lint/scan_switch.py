"""What RUN's pre-scan has not seen because of `!@P-`: it fails when it runs.

Source: the recorded foreign cases (names, DATA, DEF and CALLs that occur only after `!@P-`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.lint.reached import ends_scan, missed_switch
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.failures import names_set, names_used, scoped, subs_of
from ti99tools.language.listing.hints import failing
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement, parts

Parsed = Mapping[int, tuple[st.Statement, ...]]


@dataclass(eq=False, repr=False, slots=True)
class _Unseen:
    """Things that the pre-scan missed, each with the first line and statement that need it."""

    scan: Scan
    subs: Collection[str]
    restores: bool
    """Set when a RESTORE is reached: it finds DATA without the pre-scan's help."""
    found: dict[tuple[str, str], tuple[int, st.Statement, int]] = field(default_factory=dict)

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
        self.found.setdefault((scope, what), (number, at, code))


def missed(lines: Mapping[int, bytes], where: Callable[[int, int], Place]) -> Iterator[Finding]:
    """Remarks that look as if they switched the pre-scan."""
    for number, tokens in lines.items():
        switch = missed_switch(tokens)
        if switch is not None:
            offset, blank = switch
            how = "with a blank" if blank else "after a statement"
            message = f"{how} this is a remark, and switches no pre-scan"
            place = where(number, offset)
            remedy = "remove the blank" if blank else "write :: before it"
            yield found(Severity.WARNING, "scan-switch", place, message, remedy, number)


def unscanned(
    lines: Mapping[int, bytes],
    parsed: Parsed,
    reached: Collection[int],
    where: Callable[[int, int], Place],
    scan: Scan,
) -> Iterator[Finding]:
    """Errors at run of a program that switches the pre-scan off: what its `scan` has not seen."""
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
    for (_, what), (number, statement, code) in unseen.found.items():
        yield found(
            Severity.ERROR,
            "unscanned",
            where(number, statement.at),
            failing(code, f"the pre-scan, which !@P- has switched off, sees no {what}"),
            "write it before !@P-, or switch the pre-scan on with !@P+",
            number,
        )
