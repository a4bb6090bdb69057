"""The runtime's own products, quotients, powers and functions, against the numbers of Extended
BASIC: random operands and those at the edges, bit for bit, with their errors and warnings.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache

import pytest

from tests.compiler.runtimeparts import RUNTIME_WORKSPACE, Part
from ti99tools.base.xberrors import XBError
from ti99tools.compiler.emit.sections import cell_bytes
from ti99tools.computer.numbers import functions
from ti99tools.computer.numbers.forms import parse_number, to_bytes
from ti99tools.computer.numbers.radix import LIMIT, Number, magnitude, normal, overflowed

ARGUMENTS, RESULT = (0x3F00, 0x3F08), 0x3F10
WORD = 2**15
SAMPLE = 150


class Numbers(Part):
    """An entry of the runtime, alone."""

    def __init__(self, entry: str) -> None:
        super().__init__(entry, "WARN10", "FAILR")
        self._entry = entry
        self.warnings = 0
        self.console.engine.cpu.traps[self.address("WARN10")] = self._warned

    def _warned(self, cpu: object) -> None:
        self.warnings += 1
        back = self.bus.word_at(RUNTIME_WORKSPACE + 22)
        self.console.engine.cpu.pc = back

    def result(self, *operands: Number) -> tuple[bytes, int] | None:
        """The cell that the entry makes, and how many warnings came; None: an error."""
        for at, operand in zip(ARGUMENTS, operands, strict=False):
            self.bus.load(at, cell(operand))
        self.warnings = 0
        if self.ends(self._entry, *ARGUMENTS[: len(operands)], RESULT):
            return None
        found = self.bus.bytes_at(RESULT, 8)
        return found if found[:2] != b"\0\0" else found[:4] + bytes(4), self.warnings


def cell(number: Number) -> bytes:
    """A number as a program keeps it."""
    if isinstance(number, int) and -WORD < number < WORD:
        return cell_bytes(number)
    return to_bytes(number)


def expected(function: Callable[..., Number], *operands: Number) -> tuple[bytes, int] | None:
    """What Extended BASIC makes of them."""
    try:
        found = function(*operands)
    except XBError:
        return None
    if overflowed(found):
        return cell(found.value_after_warning), 1
    return cell(found), 0


@lru_cache
def numbers(entry: str) -> Numbers:
    """The part of an entry, which many tests use."""
    return Numbers(entry)


def some(rng: random.Random) -> Number:
    """A number of any length, mostly near 1, at times at the ends of the range."""
    digits = rng.choice((1, 2, 3, 4, 7, 13, 14, 14, 14))
    mantissa = rng.choice((
        rng.randrange(1, 10**digits), 10**digits - rng.randrange(1, 3), 10 ** (digits - 1),
        10 ** (digits - 1) + rng.randrange(9),
    ))  # fmt: skip
    near = (digits + 1) // 2
    places = rng.choice((*range(9), near, near, near - 1, rng.choice((-57, -56, -40, 50, 66, 70))))
    return normal(rng.choice((1, -1)) * min(mantissa, LIMIT - 1), places)


def agree(entry: str, function: Callable[..., Number], operands: Sequence[Number]) -> None:
    assert numbers(entry).result(*operands) == expected(function, *operands), operands


@pytest.mark.parametrize(("entry", "function"), [("CMUL", functions.mul), ("CDIV", functions.div)])
def test_products_and_quotients(entry: str, function: Callable[..., Number]) -> None:
    rng = random.Random(4)
    for _ in range(SAMPLE):
        agree(entry, function, (some(rng), some(rng)))
    zeros_and_edges = [0, 1, -1, *map(parse_number, ("9.9999999999999E127", "-1E-128", "50.5"))]
    for a in zeros_and_edges:
        for b in zeros_and_edges:
            agree(entry, function, (a, b))


def argument(rng: random.Random) -> Number:
    """An argument of a function: any number, or one near the borders of its parts."""
    turn = parse_number("1.570796326795")
    near = rng.choice((
        some(rng), some(rng), functions.mul(rng.randrange(-999, 999), turn),
        functions.add(functions.mul(rng.randrange(999), turn), some(rng)),
        normal(rng.randrange(-300 * 10**8, 300 * 10**8), 4),
        *(functions.add(parse_number(text), normal(rng.randrange(-9, 9), 6)) for text in _BORDERS),
    ))  # fmt: skip
    return functions.mul(near, 1)


_BORDERS = (
    ".41421356237", "2.4142135624", "1", ".5", "-289.5", "294.7", "292.4", "1.5707963267949E10",
)  # fmt: skip
"""Where ATN, EXP and SIN begin to go another way."""
FUNCTIONS: tuple[tuple[str, Callable[[Number], Number]], ...] = (
    ("CSQR", functions.sqr),
    ("CEXP", functions.exp),
    ("CLOG", functions.log),
    ("CSIN", functions.sin),
    ("CCOS", functions.cos),
    ("CTAN", functions.tan),
    ("CATN", functions.atn),
)


@pytest.mark.parametrize(("entry", "function"), FUNCTIONS)
def test_functions(entry: str, function: Callable[[Number], Number]) -> None:
    rng = random.Random(5)
    for _ in range(SAMPLE // 3):
        agree(entry, function, (argument(rng),))
    for text in (*_BORDERS, "0", "-1", "100", "1E-128", "-9.9999999999999E127", "1.570796326795"):
        agree(entry, function, (parse_number(text),))


def test_powers() -> None:
    rng = random.Random(6)
    long = map(parse_number, ("1E15", "1E16", "-3E20", "10000000000001"))
    words = (2, 3, 5, 7, 10, 100, 1000, 12345, 32767, -32768, -1, -2, -3, -40)
    exponents = (*words, *long)
    edges = map(parse_number, ("0", "1", "-1", "10", "-1.5", ".99999999999999", "1.0000000000001"))
    bases = (*edges, some(rng))
    for base in bases:
        for exponent in (0, *exponents, parse_number(".5"), parse_number("-2.5")):
            agree("CPOW", functions.power, (base, exponent))
    for _ in range(SAMPLE // 3):
        agree("CPOW", functions.power, (some(rng), rng.choice((*exponents, some(rng)))))
        between = normal(rng.randrange(-(10**12), 10**12), 5)
        agree("CPOW", functions.power, (magnitude(some(rng)), between))
