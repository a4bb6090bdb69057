"""Lengths of text that can be told without running: constants, RPT$ and CHR$ of constants, `&`."""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base import tokens as t
from ti99tools.source.prescan.sizes import MAX_STRING
from ti99tools.source.scan import Element


def text_length(elements: Sequence[Element]) -> int | None:
    """The length of a string expression's value, None where only running it shows."""
    total = 0
    index = 0
    while True:
        length, index = _operand(elements, index)
        if length is None:
            return None
        total += length
        if index >= len(elements) or elements[index].token == t.BANG:
            return min(total, MAX_STRING)
        if elements[index].token != t.CONCAT:
            return None
        index += 1


def _operand(elements: Sequence[Element], index: int) -> tuple[int | None, int]:
    if index >= len(elements):
        return None, index
    element = elements[index]
    if element.token == t.QUOTED:
        return len(element.data), index + 1
    shape = [e.token for e in elements[index + 1 : index + 6]]
    if element.token == t.RPT and shape == [t.LPAREN, t.QUOTED, t.COMMA, t.UNQUOTED, t.RPAREN]:
        count = elements[index + 4].data
        if count.isdigit():
            times = min(int(count[:6]), MAX_STRING)
            return min(len(elements[index + 2].data) * times, MAX_STRING), index + 6
    if element.token == t.CHR and shape[:3] == [t.LPAREN, t.UNQUOTED, t.RPAREN]:
        return 1, index + 4
    return None, index
