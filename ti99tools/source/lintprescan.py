"""The error that RUN would stop with before the first statement, as a finding of lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.base.xberrors import XBError
from ti99tools.source.findings import Finding, Severity
from ti99tools.source.prescan import Prescan


class Scanned:
    """What RUN finds before it begins: `scan`, and the error that it stops with, if any.

    With an error `scan` is a survey of all lines.
    """

    def __init__(self, lines: Mapping[int, bytes]) -> None:
        self.lines = lines
        self.error: XBError | None = None
        self._scanner = Prescan(lines.items())
        try:
            self.scan = self._scanner.program()
        except XBError as error:
            self.error = error
            self.scan = Prescan(lines.items()).survey()

    def tells(self, finding: Finding) -> bool:
        """Tell whether a finding is the error that RUN stops with."""
        error = self.error
        if error is None or finding.line != (error.line or 0):
            return False
        if error.code == xb.NAME_TOO_LONG:
            return finding.code == "name-length"
        return finding.message.endswith(error.text)

    def finding(
        self, where: Callable[[int, int], Place], found: Sequence[Finding]
    ) -> Iterator[Finding]:
        """The error, unless there is none or it is among those `found` already."""
        error = self.error
        if error is None:
            return
        from ti99tools.source.prescan.remedies import advice

        if any(map(self.tells, found)):
            return
        number = error.line or 0
        before = [tokens for line, tokens in self.lines.items() if line < number]
        symbols = self._scanner.scope.symbols
        names = {name: symbol.dimensions for name, symbol in symbols.items()}
        offset, remedy = advice(error.code, self.lines.get(number, b""), before, names)
        message = f"RUN will stop with {error.text}"
        place = where(number, offset)
        yield Finding(Severity.ERROR, "prescan", place, message, remedy, number)
