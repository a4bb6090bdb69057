"""RES: give the lines new numbers and change every reference to them.

Lines stay where they are in memory. A reference to a line that does not exist becomes 32767.
Source: the recorded RES cases.
"""

from __future__ import annotations

import re

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.program.image import Image
from ti99tools.source.scan import scan
from ti99tools.source.tokenize import MAX_LINE_NUMBER, refuse

DEFAULT_START, DEFAULT_STEP = 100, 10
MISSING = 32767
"""What a reference to a missing line becomes."""

_WORD = re.compile(r" *(?:RESEQUENCE|RES)\b", re.IGNORECASE)
_COMMAND = re.compile(r" *(?:RESEQUENCE|RES)\b *(?:([0-9]+) *)?(?:, *([0-9]+) *)?$", re.IGNORECASE)


def parse_resequence(text: str) -> tuple[int, int] | None:
    """Start and step of a RES command (`RES`, `RES 500`, `RES ,5`, `RES 500,5`).

    None for another line; SYNTAX ERROR for a RES with other operands.
    """
    match = _COMMAND.match(text)
    if match is None:
        word = _WORD.match(text)
        if word is None:
            return None
        raise refuse(xb.SYNTAX_ERROR, word.end(), "RES takes a first number and a step")
    start, step = match.groups()
    return (
        _bounded(start, match.start(1), DEFAULT_START),
        _bounded(step, match.start(2), DEFAULT_STEP),
    )


def _bounded(digits: str | None, index: int, default: int) -> int:
    if digits is None:
        return default
    number = int(digits[:6])
    if not 1 <= number <= MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, index)
    return number


def resequence(image: Image, start: int = DEFAULT_START, step: int = DEFAULT_STEP) -> Image:
    """The image with lines numbered `start`, `start + step`, …; layout and dead bytes kept.

    BAD LINE NUMBER when a number would pass 32767.
    """
    if start + step * (len(image.table) - 1) > MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, 0, "use a smaller start or step")
    new = {old: start + step * i for i, (old, _) in enumerate(image.table)}
    memory = bytearray(image.memory)
    for line, (_, back) in zip(image.lines(), image.table, strict=True):
        base = len(memory) - back
        for element in scan(line.tokens):
            if element.token == t.LINE_NUMBER and len(element.data) == 2:
                at = base + element.start + 1
                memory[at : at + 2] = new.get(element.line_number, MISSING).to_bytes(2, "big")
    return Image(tuple((new[old], back) for old, back in image.table), bytes(memory))
