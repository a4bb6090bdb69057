"""The error with which RUN would stop before the first statement, as a finding of lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.base.xberrors import XBError
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.listing.builtins import Subprogram
from ti99tools.language.listing.hints import Failing
from ti99tools.language.prescan import Prescan


class Scanned:
    """What RUN finds before it begins: `scan`, and the error it stops with, if any.

    With an error `scan` is a survey of all lines. `later` are subprograms that a profile adds.
    """

    def __init__(
        self, lines: Mapping[int, bytes], later: Mapping[str, Subprogram] | None = None
    ) -> None:
        self.lines = lines
        self.error: XBError | None = None
        self._scanner = Prescan(lines.items(), later=later)
        try:
            self.scan = self._scanner.program()
        except XBError as error:
            self.error = error
            self.scan = Prescan(lines.items(), later=later).survey()

    def tells(self, finding: Finding) -> bool:
        """Tell whether a finding is the error that RUN stops with."""
        error = self.error
        if error is None or finding.line != (error.line or 0):
            return False
        if error.code == xb.NAME_TOO_LONG:
            return finding.code == "name-length"
        return finding.error == error.code

    def finding(
        self, where: Callable[[int, int], Place], others: Sequence[Finding]
    ) -> Iterator[Finding]:
        """The error, unless there is none or it is already among the `others`."""
        error = self.error
        if error is None:
            return
        from ti99tools.language.prescan.remedies import advice

        if any(map(self.tells, others)):
            return
        number = error.line or 0
        before = [tokens for line, tokens in self.lines.items() if line < number]
        symbols = self._scanner.scope.symbols
        names = {name: symbol.dimensions for name, symbol in symbols.items()}
        offset, remedy = advice(error.code, self.lines.get(number, b""), before, names)
        message = Failing(f"RUN will stop with {error.text}", error.code)
        place = where(number, offset)
        yield found(Severity.ERROR, "prescan", place, message, remedy, number)
