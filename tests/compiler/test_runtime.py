"""The runtime's routines by themselves, against the numbers of Extended BASIC."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from tests.compiler.runtimeparts import Part
from tests.compiler.test_compiled_vectors import VECTORS
from ti99tools.compiler.emit.sections import cell_bytes
from ti99tools.compiler.runtimefiles import needed, parts
from ti99tools.computer.machinecode.addresses import FAC
from ti99tools.computer.numbers.forms import from_bytes, to_bytes, to_str, val
from ti99tools.computer.numbers.rnd import RandomNumbers

CELL = 0x3F00


@pytest.mark.parametrize("word", [0, 7, 10, 99, 1000, 32767, -1, -12345, -32768])
def test_digits(word: int) -> None:
    part = Part("DIGITS")
    registers = part.call("DIGITS", r1=word, r9=0x3000)
    assert part.bus.bytes_at(0x3000, registers[9] - 0x3000) == str(word).encode()


@pytest.mark.parametrize("word", [0, 1, 99, 100, 9999, 10000, 32767, -1, -100, -32768])
def test_integers_become_radix_100_and_come_back(word: int) -> None:
    part = Part("INTRAD")
    part.call("INTRAD", r0=word, r4=FAC)
    assert from_bytes(part.bus.bytes_at(FAC, 8)) == word
    part.call("STFAC", r3=CELL)
    expected = to_bytes(word) if word == -32768 else cell_bytes(word)
    assert part.bus.bytes_at(CELL, 8)[:4] == expected[:4]


@pytest.mark.parametrize("text", ["1.5", ".001", "40000", "-99.99", "1E20", "327.67"])
def test_numbers_that_are_not_small_stay_as_they_are(text: str) -> None:
    part = Part("STFAC")
    part.bus.load(FAC, to_bytes(val(text)))
    part.call("STFAC", r3=CELL)
    assert part.bus.bytes_at(CELL, 8) == to_bytes(val(text))


def numbers_in_bytes() -> Iterator[bytes]:
    """Recorded numbers, those at edges of the form, and random ones with many digits 0, 4, 5, 9."""
    for row in (VECTORS / "format.jsonl").read_text().splitlines():
        yield from map(bytes.fromhex, json.loads(row)[:2])
    for text in (
        "9.99999499E127",
        "9.999995E127",
        "9999999999.4",
        "9999999999.5",
        "1E99",
        "1E-100",
    ):
        yield to_bytes(val(text))
    random = Random(14)
    usual = (0, 0, 99, 99, 50, 49, 4, 5, 9)
    for _ in range(3000):
        power = random.choice((random.randint(-64, 63), random.randint(-7, 6)))
        length = random.randint(1, 7)
        digits = [random.choice((*usual, random.randint(0, 99))) for _ in range(length)]
        first = (0x40 + power) << 8 | (digits[0] or random.choice((1, 9, 10, 99)))
        first = random.choice((first, 0x10000 - first))
        yield first.to_bytes(2, "big") + bytes(digits[1:]).ljust(6, b"\0")


def test_numbers_are_shown_as_basic_shows_them() -> None:
    part = Part("NUMTXT")
    for data in numbers_in_bytes():
        if from_bytes(data):
            part.bus.load(CELL, data)
            registers = part.call("NUMTXT", r2=CELL, r9=0x3000)
            text = part.bus.bytes_at(0x3000, registers[9] - 0x3000).decode()
            assert text == to_str(from_bytes(data)), data.hex()


def test_the_random_numbers_are_those_of_basic() -> None:
    part, rnd = Part("RNDNXT"), RandomNumbers()
    at = part.address("RNDX")
    for _ in range(50):
        rnd.next()
        part.call("RNDNXT")
        low, second, third, high = part.bus.words_at(at, 4)
        assert ((high * 10_000 + third) * 10_000 + second) * 10_000 + low == rnd.state


def test_every_part_of_the_runtime_is_found_by_what_it_defines() -> None:
    for part in parts():
        assert part in needed(set(part.defines))


def test_rows_that_not_all_programs_need_name_a_label_that_a_part_defines() -> None:
    conditions = {label.removeprefix("-") for part in parts() for label, _ in part.code} - {""}
    assert conditions
    assert conditions <= {label for part in parts() for label in part.defines}


def test_no_two_parts_define_the_same() -> None:
    seen: set[str] = set()
    for part in parts():
        assert not seen & part.defines, part.name
        seen |= part.defines


def test_no_label_marks_the_end_of_data() -> None:
    """What follows may be put elsewhere, and the label with it."""
    for part in parts():
        of, ended = "", False
        for _, row in part.code:
            operation, _, operands = row[7:].strip().partition(" ")
            if operation in ("DATA", "BYTE", "TEXT", "EVEN"):
                # Those of a call, or of an entry, go on with what follows.
                ended = of not in ("BL", "BLWP") and not operands.strip().startswith("RWS,")
            elif operation:
                of, ended = operation, False
            assert operation or not ended, f"{part.name}: {row}"
