"""All recorded vectors: bit for bit, what the original ROMs computed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import forms, functions
from ti99tools.computer.numbers.forms import to_str
from ti99tools.computer.numbers.radix import Number, Radix, magnitude

VECTORS = Path(__file__).parents[1] / "conformance" / "vectors"
ERROR = b"ERR".hex()


@lru_cache
def rows(name: str) -> list[list[str]]:
    lines = (VECTORS / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def number(text: str) -> Number:
    return forms.from_bytes(bytes.fromhex(text))


def outcome(function: Callable[..., Number], *arguments: Number) -> Number | str:
    """The value a program goes on with, or the text the recording program wrote."""
    try:
        value = function(*arguments)
    except XBError:
        return ERROR
    return value.value_after_warning if isinstance(value, Radix) else value


def expected(text: str) -> Number | str:
    return text if text == ERROR else number(text)


ARITH: dict[str, Callable[[Number, Number], Number]] = {
    "add": functions.add,
    "sub": functions.sub,
    "mul": functions.mul,
    "div": functions.div,
    "less": lambda a, b: -int(functions.compare(a, b) < 0),
    "equal": lambda a, b: -int(functions.compare(a, b) == 0),
}


@pytest.mark.parametrize("column", range(6), ids=list(ARITH))
def test_arithmetic(column: int) -> None:
    function = list(ARITH.values())[column]
    for row in rows("arith"):
        assert outcome(function, number(row[0]), number(row[1])) == expected(row[2 + column]), row


def test_comparison_operators_agree_with_compare() -> None:
    for row in rows("arith"):
        a, b = number(row[0]), number(row[1])
        order = functions.compare(a, b)
        assert [a < b, a <= b, a > b, a >= b, a == b, a != b] == [
            order < 0,
            order <= 0,
            order > 0,
            order >= 0,
            order == 0,
            order != 0,
        ]


FUNCTIONS: dict[str, Callable[[Number, Number], Number]] = {
    "INT": lambda a, b: functions.floor(a),
    "SQR": lambda a, b: functions.sqr(magnitude(a)),
    "EXP": lambda a, b: functions.exp(b),
    "LOG": lambda a, b: functions.log(functions.add(magnitude(a), 1)),
    "SIN": lambda a, b: functions.sin(b),
    "COS": lambda a, b: functions.cos(b),
    "TAN": lambda a, b: functions.tan(b),
    "ATN": lambda a, b: functions.atn(a),
}


@pytest.mark.parametrize("column", range(8), ids=list(FUNCTIONS))
def test_functions(column: int) -> None:
    function = list(FUNCTIONS.values())[column]
    for row in rows("func"):
        assert outcome(function, number(row[0]), number(row[1])) == expected(row[2 + column]), row


def test_powers() -> None:
    for row in rows("pow"):
        base, exponent = magnitude(number(row[0])), number(row[1])
        assert outcome(functions.power, base, exponent) == expected(row[2]), row
        assert outcome(functions.power, base, functions.floor(exponent)) == expected(row[3]), row


def test_str() -> None:
    for a, b, shown_a, shown_b in rows("format"):
        assert to_str(number(a)) == shown_a
        assert to_str(number(b)) == shown_b


def test_codec_gives_the_recorded_bytes() -> None:
    """Zero apart: after its first word the machine leaves garbage."""
    seen: list[Any] = [text for row in rows("arith") for text in row[:6]]
    for text in seen:
        if not text.startswith("0000"):
            assert forms.to_bytes(number(text)).hex() == text
