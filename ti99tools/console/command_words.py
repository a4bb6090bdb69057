"""What follows a command word: names, options and line numbers, read as the console does.

Everything here raises XBError, or EntryError for a number, with the console's message for what it
does not take. Source: the
recorded files-cmd and tokens-editor cases; the Extended BASIC manual for NUMBER and LIST.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.program.image import Line
from ti99tools.source.tokenize import refuse

MAX_LINE_NUMBER = 32767
FIRST, STEP = 100, 10
"""NUMBER's and RESEQUENCE's defaults."""

_OPERAND = 3
"""Where operands begin at the earliest, counted from 0."""

_RANGE = re.compile(r" *(\d+)? *(-)? *(\d+)? *$")
_PAIR = re.compile(r" *(\d+)? *(?:, *(\d+)? *)?$")
_QUOTED = re.compile(r' *"([^"]*)" *(.*)$')


@dataclass(frozen=True, slots=True)
class Range:
    """Line numbers from `low` to `high`; `single` for one number named alone."""

    low: int = 1
    high: int = MAX_LINE_NUMBER
    single: bool = False

    def of(self, lines: Sequence[Line]) -> list[Line]:
        """The lines within; the next one (or the last) where there is none."""
        if self.single:
            return self._nearest(lines)
        return [n for n in lines if self.low <= n.number <= self.high] or self._nearest(lines)

    def _nearest(self, lines: Sequence[Line]) -> list[Line]:
        return next(([n] for n in lines if n.number >= self.low), list(lines[-1:]))


@dataclass(frozen=True, slots=True)
class Listing:
    """LIST's operands: a device name, if any, and a range."""

    device: str | None
    range: Range


def parse_list(text: str) -> Listing:
    """LIST [n[-[m]] | -m], or LIST "device"[:range]."""
    quoted = _QUOTED.match(text)
    if quoted is None:
        return Listing(None, parse_range(text))
    device, rest = quoted.groups()
    if rest and rest[0] != ":":
        raise XBError(xb.SYNTAX_ERROR)
    return Listing(device, parse_range(rest[1:]))


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
    number = int(digits[:9])
    if not 1 <= number <= MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, _OPERAND)
    return number
