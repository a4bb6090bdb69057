"""The recorded lang-numfmt and lang-rnd cases, as far as they are about numbers alone.

Lines that only print expressions of constants, operators and functions are evaluated here by a
small parser of their own and compared with what the original ROMs wrote into the file, INTERNAL
ones byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import forms, functions
from ti99tools.computer.numbers.forms import parse_number, print_form, to_str, val
from ti99tools.computer.numbers.radix import Number, Radix, magnitude

CASES = Path(__file__).parents[1] / "conformance"
TOKEN = re.compile(r'\s*(\d*\.?\d+(?:\.?E[+-]?\d+)?\.?|"[^"]*"|<>|<=|>=|[A-Z]+\$?|.)')


def warned(n: Number) -> Number:
    return n.value_after_warning if isinstance(n, Radix) else n


def one(function: Callable[[Number], Number]) -> Callable[[list[Any]], Number]:
    return lambda arguments: function(arguments[0])


def truth(flag: bool) -> int:
    return -1 if flag else 0


FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "ABS": one(magnitude),
    "INT": one(functions.floor),
    "SGN": one(functions.sgn),
    "SQR": one(functions.sqr),
    "EXP": one(functions.exp),
    "LOG": one(functions.log),
    "SIN": one(functions.sin),
    "COS": one(functions.cos),
    "TAN": one(functions.tan),
    "ATN": one(functions.atn),
    "MAX": max,
    "MIN": min,
    "VAL": lambda arguments: val(arguments[0]),
    "STR$": lambda arguments: to_str(arguments[0]),
}


class Expression:
    """Evaluates one expression list; raises KeyError on what it does not know."""

    def __init__(self, text: str, names: dict[str, Any] | None = None) -> None:
        self.tokens: list[str] = [*TOKEN.findall(text.rstrip()), ""]
        self.at = 0
        self.names = {"PI": functions.PI, **(names or {})}

    def take(self, *wanted: str) -> str:
        token = self.tokens[self.at]
        if token and token in wanted:
            self.at += 1
            return token
        return ""

    def values(self, separators: str) -> list[Any]:
        result = [self.relation()]
        while self.take(*separators):
            if not self.tokens[self.at]:
                break
            result.append(self.relation())
        if self.tokens[self.at]:
            raise KeyError(self.tokens[self.at])
        return result

    def relation(self) -> Any:
        left = self.sum()
        while operator := self.take("=", "<>", "<", ">", "<=", ">="):
            right = self.sum()
            order = functions.compare(left, right)
            chosen = {"=": order == 0, "<>": order != 0, "<": order < 0}
            chosen |= {">": order > 0, "<=": order <= 0, ">=": order >= 0}
            left = truth(chosen[operator])
        return left

    def sum(self) -> Any:
        sign = self.take("-", "+")
        left = self.product()
        if sign == "-":
            left = -left
        while operator := self.take("+", "-"):
            right = self.product()
            left = warned((functions.add if operator == "+" else functions.sub)(left, right))
        return left

    def product(self) -> Any:
        left = self.power()
        while operator := self.take("*", "/"):
            right = self.signed(self.power)
            left = warned((functions.mul if operator == "*" else functions.div)(left, right))
        return left

    def power(self) -> Any:
        left = self.primary()
        while self.take("^"):
            left = warned(functions.power(left, self.signed(self.primary)))
        return left

    def signed(self, below: Callable[[], Any]) -> Any:
        """A sign within an expression takes a whole product: 2^-1*4 is 2^-(1*4)."""
        sign = self.take("-", "+")
        below = self.product if sign else below
        return -below() if sign == "-" else below()

    def primary(self) -> Any:
        token = self.tokens[self.at]
        self.at += 1
        if token == "(":
            value = self.relation()
            if not self.take(")"):
                raise KeyError("(")
            return value
        if token[:1] == '"':
            return token[1:-1]
        if token[:1].isdigit() or token[:1] == ".":
            return warned(parse_number(token))
        if token in self.names:
            return self.names[token]
        function = FUNCTIONS[token]
        if not self.take("("):
            raise KeyError(token)
        arguments = [self.relation()]
        while self.take(","):
            arguments.append(self.relation())
        self.take(")")
        return warned(function(arguments))


def printed() -> Iterator[tuple[str, str, str, list[bytes]]]:
    """(case, line, expressions, records of its file from this line on) of straight programs."""
    for line in (CASES / "lang-numfmt.jsonl").read_text().splitlines():
        case = json.loads(line)
        written = case["expect"].get("files", {}).get("OUT")
        source = "\n".join(case["source"])
        if not written or "FOR " in source or "ON ERROR" in source:
            continue
        records = [bytes.fromhex(record) for record in written["records"]]
        number = 0
        for text in case["source"]:
            match = re.fullmatch(r"(\d+) PRINT #1:(.*)", text)
            if match:
                kind = written["type"][:3]
                yield case["id"], kind, match[2], records[number : number + 1]
                number += 1


def internal(record: bytes) -> list[Number | str]:
    items: list[Number | str] = []
    while record:
        size, record = record[0], record[1:]
        body, record = record[:size], record[size:]
        items.append(forms.from_bytes(body) if size == 8 else body.decode("latin1"))
    return items


def test_every_straight_program_of_numbers() -> None:
    """Unknown operators (AND, &, …) are not about numbers: only those lines may be left out."""
    seen, left_out = 0, 0
    wrong: list[tuple[Any, ...]] = []
    for case, kind, text, records in printed():
        try:
            values = Expression(text).values(",;")
        except (KeyError, AttributeError, TypeError):
            left_out += 1
            continue
        seen += 1
        if kind == "INT":
            if values != internal(records[0]):
                wrong.append((case, text, values, internal(records[0])))
        elif len(values) == 1 or ";" in text:
            output = "".join(v if isinstance(v, str) else print_form(v) + " " for v in values)
            if output.encode("latin1") != records[0]:
                wrong.append((case, text, output, records[0]))
    assert not wrong
    assert seen > 550 and left_out < 100, (seen, left_out)


def test_domain_errors_and_values_under_on_error() -> None:
    """`X=-99:: X=… :: PRINT #1:X` with a handler that writes ERR and the code."""
    seen, wrong = 0, []
    for line in (CASES / "lang-numfmt.jsonl").read_text().splitlines():
        case = json.loads(line)
        if "ON ERROR" not in "".join(case["source"]):
            continue
        records = [
            bytes.fromhex(r).decode("latin1") for r in case["expect"]["files"]["OUT"]["records"]
        ]
        at = 0
        for text in case["source"]:
            match = re.fullmatch(r"\d+ X=-99:: X=(.*) :: PRINT #1:X", text)
            if not match:
                continue
            record = records[at]
            at += 2 if record.startswith("ERR") else 1
            try:
                output = print_form(Expression(match[1]).values("")[0]) + " "
            except XBError as error:
                output = f"ERR {error.code} "
                record = record[: len(output)]
            except (KeyError, AttributeError, TypeError, ValueError):
                continue
            seen += 1
            if output != record:
                wrong.append((case["id"], text, output, record))
    assert not wrong
    assert seen > 110, seen


def test_sums_over_loops() -> None:
    """lang-numfmt-arith-accum and -sin-table: long chains, the last bits tell."""
    sum_: Number = 0
    step = parse_number(".1")
    for _ in range(10):
        sum_ = functions.add(sum_, step)
    assert sum_ == 1
    harmonic: Number = 0
    for i in range(1, 101):
        harmonic = functions.add(harmonic, functions.div(1, i))
    assert forms.to_bytes(harmonic).hex() == "400512494d334c29"
    chaos = parse_number(".5")
    for _ in range(30):
        chaos = functions.mul(functions.mul(parse_number("3.9"), chaos), functions.sub(1, chaos))
    assert forms.to_bytes(chaos).hex() == "3f611c2b2b5c2102"


def recorded(case_id: str) -> list[list[Number | str]]:
    for line in (CASES / "lang-numfmt.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["id"] == case_id:
            return [internal(bytes.fromhex(r)) for r in case["expect"]["files"]["OUT"]["records"]]
    raise LookupError(case_id)


@pytest.mark.parametrize("i", range(1, 41))
def test_function_table(i: int) -> None:
    step = functions.mul(i, parse_number(".37"))
    x = functions.sub(step, 7)
    expected = recorded("lang-numfmt-sin-table")[i - 1]
    assert [
        functions.sin(x),
        functions.cos(x),
        functions.tan(x),
        functions.atn(x),
        functions.exp(x),
        functions.log(step),
        functions.sqr(step),
    ] == expected
