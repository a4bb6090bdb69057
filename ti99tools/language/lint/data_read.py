"""READ that certainly fails, and items of DATA that hold what was meant for somebody else.

The beginning of a program is followed, and its DATA are counted: loops with constant limits, GOTO
and GOSUB, up to the first statement that decides something: an IF, ON, an error's handler, a SUB of
the program, machine code, which may move the DATA. Most programs read their DATA there.

DATA takes its items as they are written, to the end of the line. So they may hold what was meant
for the generator or a reader.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Where
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.constants import integer
from ti99tools.language.analysis.flow import END
from ti99tools.language.analysis.names import stored
from ti99tools.language.findings import Noted, Severity, failing
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "data"
ITEM = "data-item"
_COMMENT = re.compile(r"\s!\s+\S")
MOST_STEPS = 4000
"""Statements that are followed; a longer beginning is not checked to its end."""
_NO_NUMBER = re.compile(r"[A-DF-Z]", re.IGNORECASE)
"""How an item begins that is certainly no number (E5 is one)."""


def failing_reads(program: Analysis, where: Where) -> Iterator[Noted]:
    """An error for the first READ that meets no DATA, or a text for a number."""
    if not program.sound:
        return
    reader = _Reader(program)
    if not reader.certain:
        return
    at = program.flow.starts[0]
    for _ in range(MOST_STEPS):
        statement, line = program.flow.nodes[at].statement, program.flow.nodes[at].line
        if wrong := reader.wrong(statement, where):
            message = failing(xb.DATA_ERROR, wrong)
            remedy = "count the items of DATA, and look for a missing comma"
            if reader.past:
                remedy = f"RESTORE {reader.past} goes past the last DATA: name the line of one"
            yield Noted(CODE, line, statement.at, message, remedy, Severity.ERROR)
            return
        onward = reader.after(at)
        if onward is None or onward == END:
            return
        at = onward


class _Reader:
    """A program at work as far as it is certain: its loops, its subroutines, its next DATA."""

    def __init__(self, program: Analysis) -> None:
        self._program = program
        self.items = [
            (line, statement.at, text.strip(), quoted)
            for line, row in program.parsed.items()
            for statement in row
            if isinstance(statement, st.Data)
            for text, quoted in statement.items
        ]
        numbers = [*program.tokens]
        first = program.scanned.scan.first_data
        # DATA that are not at the beginning of their line, or that the pre-scan has not seen.
        hidden = any(_has_data(tokens, begin=1) for tokens in program.tokens.values())
        self.certain = not hidden and first is not None and numbers[first] == self.items[0][0]
        """Whether the items are those that READ meets."""
        self._last = numbers[-1] if numbers else 0
        self._next = 0
        self.past = 0
        """The line of a RESTORE after which no DATA come."""
        self._stack: list[tuple[str, int, int]] = []
        """Variables of loops, their first nodes and remaining rounds; of a GOSUB no name, where
        RETURN goes, and 0.
        """

    def wrong(self, statement: st.Statement, where: Where) -> str:
        """What is wrong with a READ, which takes an item for each variable, or with a RESTORE."""
        if isinstance(statement, st.Restore) and (statement.line or 0) > self._last:
            self.past = statement.line or 0
            return f"there is no line {statement.line} and none after it"
        for target in statement.targets if isinstance(statement, st.Read) else ():
            if self._next >= len(self.items):
                return f"no DATA are left: the program has {len(self.items)}"
            line, offset, text, quoted = self.items[self._next]
            self._next += 1
            if not (target.is_string or quoted) and _NO_NUMBER.match(text):
                place = where(line, offset)
                item = f"in line {line}" if None in (place.file, place.line) else f"at {place}"
                return f"{target.name} is a number, and its item {item} is {text}"
        return ""

    def after(self, at: int) -> int | None:
        """The node after a node; None if that depends on values."""
        node = self._program.flow.nodes[at]
        if node.enters or self._changes_loop(node.statement):
            return None
        match node.statement:
            case st.Gosub() if node.calls:
                self._stack.append(("", node.back, 0))
                return node.calls[0]
            case st.Return(next=False, line=None):
                return self._returned()
            case st.For() as loop:
                return self._entered(loop, node.ways[0])
            case st.Next(variable=name):
                return self._round(name, node.ways[0])
            case st.Restore(line=line):
                self._restore(line or 0)
            case st.If() | st.OnGo() | st.OnError() | st.Run() | st.Return():
                return None
            case st.Call(name="LINK" | "LOAD"):
                return None
        return node.ways[0] if len(node.ways) == 1 and not node.missing else None

    def _changes_loop(self, statement: st.Statement) -> bool:
        """Tell whether a statement sets the variable of a loop that goes on."""
        names = {target.name for target in stored(statement, self._program.subs)}
        return not isinstance(statement, st.For | st.Next) and any(
            name in names for name, _, _ in self._stack
        )

    def _returned(self) -> int | None:
        while self._stack:
            name, place, _ = self._stack.pop()
            if not name:
                return place
        return None

    def _entered(self, loop: st.For, body: int) -> int | None:
        step = 1 if loop.step is None else integer(loop.step)
        start, limit = integer(loop.start), integer(loop.limit)
        if start is None or limit is None or not step or (limit - start) // step < 0:
            return None
        self._stack.append((loop.variable.name, body, (limit - start) // step))
        return body

    def _round(self, variable: str, onward: int) -> int | None:
        if not self._stack or self._stack[-1][0] != variable:
            return None
        _, body, rounds = self._stack.pop()
        if not rounds:
            return onward
        self._stack.append((variable, body, rounds - 1))
        return body

    def _restore(self, line: int) -> None:
        places = (at for at, item in enumerate(self.items) if item[0] >= line)
        self._next = next(places, len(self.items))
        self.past = line if self._next == len(self.items) else 0


def data_items(parsed: st.Parsed, constants: Collection[str]) -> Iterator[Noted]:
    """Warnings about items that are not what they seem to be.

    A name of a single letter counts as a text: CONST A=1 says little of DATA A,B,C.
    """
    for number, row in parsed.items():
        for statement in row:
            if not isinstance(statement, st.Data):
                continue
            for text, quoted in statement.items:
                name = text.strip().upper()
                if quoted:
                    continue
                if _COMMENT.search(text):
                    message = f"DATA has no comments: this item is {text.strip()}"
                    remedy = "put the comment on a line of its own"
                elif len(name) > 1 and name in constants:
                    message = f"DATA takes {name} as a text, not as the constant"
                    remedy = "write its value, or the text in quotes"
                else:
                    continue
                yield Noted(ITEM, number, statement.at, message, remedy)


def no_data(lines: Mapping[int, bytes], running: st.Parsed) -> Iterator[Noted]:
    """An error for the first READ of a program that has no DATA at all.

    READ finds DATA anywhere in a line, also where no statement of it runs.
    """
    if any(map(_has_data, lines.values())):
        return
    for number, row in running.items():
        for statement in every_statement(row):
            if isinstance(statement, st.Read) and statement.fault is None:
                message = failing(xb.DATA_ERROR, "the program has no DATA")
                remedy = "write the lines with DATA"
                yield Noted("no-data", number, statement.at, message, remedy, Severity.ERROR)
                return


def _has_data(tokens: bytes, begin: int = 0) -> bool:
    """Tell whether DATA stand in a line, from an element on."""
    return t.DATA in tokens and any(each.token == t.DATA for each in scan(tokens)[begin:])
