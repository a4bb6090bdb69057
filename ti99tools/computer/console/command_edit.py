"""Operands of commands, and lines offered for editing.

Names, options and line numbers after a command word are read as the console reads them. What is
refused raises XBError, or EntryError for a line number, with the console's message.
Source: the recorded files-cmd and tokens-editor cases; the Extended BASIC manual for NUMBER and
LIST.

NUMBER, and UP and DOWN after a line number, offer lines for editing. A row that offers a line of
the program has no prompt `>`. Source: the recorded answers on NUM, UP, DOWN and REDO.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.record import Record
from ti99tools.base.xberrors import XBError
from ti99tools.language.listing.listing import Line, list_line
from ti99tools.language.listing.tokenize import MAX_LINE_NUMBER, refuse

FIRST, STEP = 100, 10
"""The defaults of NUMBER and RESEQUENCE."""

_OPERAND = 3
"""The earliest position of operands, counted from 0."""

_RANGE = re.compile(r" *(\d+)? *(-)? *(\d+)? *$")
_PAIR = re.compile(r" *(\d+)? *(?:, *(\d+)? *)?$")
_QUOTED = re.compile(r' *"([^"]*)" *(.*)$')


class Range(Record):
    """Line numbers from `low` to `high`; `single` for one number alone."""

    low: int = 1
    high: int = MAX_LINE_NUMBER
    single: bool = False

    def of(self, lines: Sequence[Line]) -> list[Line]:
        """The lines in the range; the next one (or the last) if there is none."""
        if self.single:
            return self._nearest(lines)
        return [n for n in lines if self.low <= n.number <= self.high] or self._nearest(lines)

    def _nearest(self, lines: Sequence[Line]) -> list[Line]:
        return next(([n] for n in lines if n.number >= self.low), list(lines[-1:]))


class ListOperands(Record):
    """LIST's operands: a device name, if any, and a range."""

    device: str | None
    range: Range


def parse_list(text: str) -> ListOperands:
    """LIST [n[-[m]] | -m], or LIST "device"[:range]."""
    quoted = _QUOTED.match(text)
    if quoted is None:
        return ListOperands(None, parse_range(text))
    device, rest = quoted.groups()
    if rest and rest[0] != ":":
        raise XBError(xb.SYNTAX_ERROR)
    return ListOperands(device, parse_range(rest[1:]))


def parse_range(text: str) -> Range:
    """`` (all), `100`, `100-`, `-200`, `100-200`."""
    match = _RANGE.match(text)
    if match is None:
        raise XBError(xb.SYNTAX_ERROR)
    first, dash, last = match.groups()
    if first is None and dash is None and last is None:
        return Range()
    low = 1 if first is None else line_number(first)
    if dash is None:
        if last is not None:
            raise XBError(xb.SYNTAX_ERROR)
        return Range(low, low, True)
    return Range(low, MAX_LINE_NUMBER if last is None else line_number(last))


def parse_pair(text: str) -> tuple[int, int]:
    """NUMBER's start and step: ``, `100`, `100,5`, `,5`."""
    match = _PAIR.match(text)
    if match is None:
        raise XBError(xb.SYNTAX_ERROR)
    start, step = match.groups()
    return (
        FIRST if start is None else line_number(start),
        STEP if step is None else line_number(step),
    )


def parse_name(text: str) -> str:
    """A device and file name, in quotes or not."""
    text = text.strip(" ")
    quoted = _QUOTED.match(text)
    if quoted is not None:
        text, rest = quoted.groups()
        if rest:
            raise XBError(xb.SYNTAX_ERROR)
    if not text:
        raise XBError(xb.SYNTAX_ERROR)
    return text


def parse_save(text: str) -> tuple[str, str]:
    """SAVE's name and option: ``, `PROTECTED` or `MERGE`."""
    name, comma, option = text.partition(",")
    option = option.strip(" ").upper()
    if comma and option not in ("PROTECTED", "MERGE"):
        raise XBError(xb.SYNTAX_ERROR)
    return parse_name(name), option


def line_number(digits: str) -> int:
    """A line number 1–32767, else EntryError with BAD LINE NUMBER."""
    # Nine digits already exceed every line number; more would only take time.
    number = int(digits[:9])
    if not 1 <= number <= MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, _OPERAND)
    return number


class EditorHost(Protocol):
    """What the command line offers for editing."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the program."""
        ...

    def check_open(self) -> None:
        """Raise PROTECTION VIOLATION for a protected program."""
        ...

    def store(self, text: str) -> bool:
        """Put a line into the program; False when it was refused, with the message shown."""
        ...

    def open_line(
        self, text: str, at: int | None = None, fixed: int = 0, prompt: str = ">"
    ) -> None:
        """Open a line with text in it, the cursor at cell `at`; cells before `fixed` are out of
        reach.
        """
        ...

    def show_prompt(self) -> None:
        """Show the prompt of an empty new line."""
        ...

    def show_error(self, error: XBError) -> None:
        """Show the message of an error that a line typed here led to."""
        ...


class Editing:
    """The line being offered, and what comes after it."""

    def __init__(self, desk: EditorHost) -> None:
        self._desk = desk
        self._number: int | None = None
        self._step: int | None = None

    def cancel(self) -> None:
        """Offer no more lines."""
        self._number = self._step = None

    def start_numbering(self, number: int, step: int) -> None:
        """NUMBER: offer a line, then one `step` further, until an empty one is entered."""
        self._desk.check_open()
        self._step = step
        self._offer(number)

    def entered(self, text: str) -> bool:
        """Take a line ended by ENTER; False if it had not been offered."""
        number, step = self._number, self._step
        if number is None:
            return False
        empty = not text.strip(" ")[len(str(number)) :].strip(" ")
        if step is None or empty:
            self.cancel()
            if not empty or step is None:
                self._store(number, text)
            self._desk.show_prompt()
        elif not self._store(number, text):
            self._offer(number)
        else:
            self._go_on(number + step)
        return True

    def moved(self, text: str, way: int) -> bool:
        """UP (-1) or DOWN (1): offer the line whose number was typed, or the next one in that
        direction.

        False if the text is not a line number, and while NUMBER counts: there they enter the line
        (recorded: random4-minimal-num-up).
        """
        number = self._number
        if number is not None and self._step is not None:
            return False
        if number is None:
            typed = text.strip(" ")
            if not typed.isdecimal():
                return False
            self._check_and_offer(int(typed[:9]))
            return True
        if self._store(number, text):
            beyond = [n.number for n in self._desk.lines if (n.number - number) * way > 0]
            if beyond:
                self._offer(min(beyond) if way > 0 else max(beyond))
                return True
        self.cancel()
        self._desk.show_prompt()
        return True

    def _go_on(self, number: int) -> None:
        """Offer NUMBER's next line, if that number exists."""
        if number <= MAX_LINE_NUMBER:
            self._offer(number)
        else:
            self.cancel()
            self._desk.show_prompt()

    def _check_and_offer(self, number: int) -> None:
        try:
            self._desk.check_open()
            if self._line(number) is None:
                raise XBError(xb.LINE_NOT_FOUND)
        except XBError as error:
            self._desk.show_error(error)
            self._desk.show_prompt()
        else:
            self._offer(number)

    def _offer(self, number: int) -> None:
        self._number = number
        start = len(str(number)) + 1
        prompt = ">" if self._line(number) is None else ""
        self._desk.open_line(self._shown(number), at=start, fixed=start, prompt=prompt)

    def _store(self, number: int, text: str) -> bool:
        """Put an offered line back, unless it is unchanged."""
        return text == self._shown(number) or self._desk.store(text)

    def _line(self, number: int) -> Line | None:
        return next((n for n in self._desk.lines if n.number == number), None)

    def _shown(self, number: int) -> str:
        """A line's listing, or its number and a space if it does not exist."""
        line = self._line(number)
        return f"{number} " if line is None else list_line(number, line.tokens)
