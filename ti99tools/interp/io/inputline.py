"""A line typed for INPUT: its items and their values.

Source: the recorded input cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ti99tools.base import xberrors as xb
from ti99tools.numbers.parse import parse_number
from ti99tools.numbers.radix import Number, Radix

Value = Number | str

_ITEM = re.compile(r' *(?:"((?:[^"]|"")*)" *(?=,|$)|(?!")([^,]*))')


class BadLine(Exception):
    """A line that gives no values: the warning for it.

    `early`: the machine notices while it takes the line apart, before it goes to a new row.
    """

    def __init__(self, code: int, *, early: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.early = early


def split_items(text: str) -> list[tuple[str, bool]]:
    """The items of an INPUT line, without blanks around them, and whether each was quoted.

    Raises BadLine (early) for an open quote or something after a closing one.
    """
    items = []
    at = 0
    while True:
        match = _ITEM.match(text, at)
        if match is None:
            raise BadLine(xb.INPUT_ERROR, early=True)
        quoted, plain = match.groups()
        items.append((plain.strip(" "), False) if quoted is None else (unquote(quoted), True))
        at = match.end() + 1
        if at > len(text):
            return items


def unquote(text: str) -> str:
    """The inside of a quoted item: two quotes stand for one."""
    return text.replace('""', '"')


def input_values(text: str, strings: Sequence[bool]) -> list[Value]:
    """The values of an INPUT line for variables that are strings or not; raises BadLine."""
    items = split_items(text)
    if len(items) != len(strings):
        raise BadLine(xb.INPUT_ERROR)
    values: list[Value] = []
    for (item, quoted), string in zip(items, strings, strict=True):
        if string:
            values.append(item)
            continue
        if quoted:
            raise BadLine(xb.INPUT_ERROR)
        value = number_item(item, xb.INPUT_ERROR)
        if isinstance(value, Radix) and value.overflow:
            raise BadLine(xb.NUMERIC_OVERFLOW)
        values.append(value)
    return values


def number_item(text: str, wrong: int) -> Number:
    """A typed number; BadLine with INPUT ERROR for none at all, `wrong` for anything else."""
    if not text.strip(" "):
        raise BadLine(xb.INPUT_ERROR)
    try:
        return parse_number(text)
    except ValueError:
        raise BadLine(wrong) from None
