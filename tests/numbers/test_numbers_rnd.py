"""RND against the recorded sequences: every lang-rnd program that draws numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ti99tools.computer.numbers import forms
from ti99tools.computer.numbers.forms import parse_number, print_form, to_str
from ti99tools.computer.numbers.functions import div, floor, mul, power, sub
from ti99tools.computer.numbers.radix import LIMIT, Number, settle
from ti99tools.computer.numbers.rnd import RandomNumbers

RECORDED = Path(__file__).parents[1] / "conformance" / "lang-rnd.jsonl"
CASES: dict[str, Any] = {
    case["id"]: case for case in map(json.loads, RECORDED.read_text().splitlines())
}


def seed(text: str) -> Number:
    digits = text.removeprefix("-")
    value: Number = parse_number(digits) if "/" not in text else div(*map(int, digits.split("/")))
    return value if digits == text else -value


def written(case_id: str) -> list[Number]:
    """All numbers in the INTERNAL file of a case."""
    data = b"".join(map(bytes.fromhex, CASES[case_id]["expect"]["files"]["OUT"]["records"]))
    return [forms.from_bytes(data[i + 1 : i + 9]) for i in range(0, len(data), 9)]


def records(case_id: str) -> list[str]:
    hexes = CASES[case_id]["expect"]["files"]["OUT"]["records"]
    return [bytes.fromhex(record).decode("ascii") for record in hexes]


def draws_only() -> list[str]:
    """Cases whose file holds nothing but successive values of RND."""
    return [
        case_id
        for case_id, case in CASES.items()
        if "INTERNAL" in case["source"][0] and "expression" not in case_id
    ]


@pytest.mark.parametrize("case_id", draws_only())
def test_sequences(case_id: str) -> None:
    rnd = RandomNumbers()
    expected = written(case_id)
    for line in CASES[case_id]["source"]:
        if match := re.search(r"RANDOMIZE ([-+./\dE]+)", line):
            rnd.randomize(seed(match[1]))
        rounds = int(m[1]) if (m := re.search(r"FOR I=1 TO (\d+)", line)) else 1
        for _ in range(rounds):
            for _ in range(len(re.findall(r"\bRND\b", line))):
                value = rnd.next()
                if "PRINT" in line:
                    assert value == expected.pop(0)
    assert not expected


def dice(rnd: RandomNumbers, sides: int) -> Number:
    return floor(settle(rnd.next() * sides))


@pytest.mark.parametrize("case_id", ["lang-rnd-int6", "lang-rnd-int6-default"])
def test_dice(case_id: str) -> None:
    rnd = RandomNumbers()
    if not case_id.endswith("default"):
        rnd.randomize(1)
    for record in records(case_id):
        assert "".join(to_str(dice(rnd, 6) + 1) for _ in record) == record


def test_whole_numbers_of_several_sizes() -> None:
    rnd = RandomNumbers()
    rnd.randomize(42)
    for record in records("lang-rnd-int100"):
        drawn = [dice(rnd, 100), dice(rnd, 1000), dice(rnd, 2), dice(rnd, 192) + 1]
        assert "".join(print_form(n) + " " for n in drawn) == record


def test_values_in_expressions() -> None:
    def draw(operation: Callable[[Number, Number], Number]) -> Number:
        return operation(rnd.next(), rnd.next())

    rnd = RandomNumbers()
    rnd.randomize(9)
    values = [draw(sub), draw(div), draw(mul), power(rnd.next(), 2), -rnd.next()]
    rnd.randomize(9)
    values += [rnd.next() for _ in range(8)]
    assert values == written("lang-rnd-expression")


def test_reset_is_what_run_does() -> None:
    rnd = RandomNumbers()
    first = [rnd.next() for _ in range(5)]
    rnd.reset()
    assert [rnd.next() for _ in range(5)] == first == written("lang-rnd-default")[:5]


def test_every_negative_seed_gives_a_state() -> None:
    rnd = RandomNumbers()
    for first in range(1, 100):
        for rest in ("", ".5", ".123456789012"):
            rnd.randomize(-parse_number(f"{first}{rest}"))
            assert 0 <= rnd.state < LIMIT
            assert (rnd.next() == 0) or first > 56
