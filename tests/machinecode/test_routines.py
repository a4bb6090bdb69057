"""XMLLNK's routines for numbers, on FAC and ARG."""

import pytest

from ti99tools.computer.machinecode.addresses import ARG, ERROR_BYTE, FAC, STRING_POINTER
from ti99tools.computer.machinecode.consoleroutines import ROUTINES, number_at, put_number
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.machine import Machine


def result(routine: int, first: Number, second: Number) -> tuple[Number, int]:
    machine = Machine()
    put_number(machine.memory.bus, ARG, first)
    put_number(machine.memory.bus, FAC, second)
    ROUTINES[routine](machine.memory.bus, machine.vdp)
    return number_at(machine.memory.bus, FAC), machine.memory.bus.peek(ERROR_BYTE)


@pytest.mark.parametrize(
    ("routine", "first", "second", "expected"),
    [
        (0x0D80, 2, 3, 5),
        (0x0D7C, 2, 3, -1),
        (0x0E88, -5, -8, 40),
        (0x0FF4, 6, 4, "1.5"),
        (0x0D7C, 7, -7, 14),
    ],
)
def test_arithmetic(routine: int, first: int, second: int, expected: int | str) -> None:
    wanted = parse_number(expected) if isinstance(expected, str) else expected
    assert result(routine, first, second) == (wanted, 0)


def test_errors() -> None:
    huge = parse_number("9E127")
    assert result(0x0E88, huge, huge)[1] == 1
    assert result(0x0FF4, 6, 0)[1] == 2
    assert result(0x12B8, 0, 40_000) == (40_000, 3)


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [
        ("12 ", "12", 2),
        ("-1.5E-2X", "-.015", 7),
        (".5", ".5", 2),
        ("X", "0", 0),
        ("1E5", "1E5", 3),
        ("1E", "0", 0),
        ("1E+", "0", 0),
        (" 5", "0", 0),
        (".", "0", 0),
        ("5 6", "5", 1),
        ("1E999", "9.9999999999999E127", 5),
    ],
)
def test_text_to_number(text: str, value: str, length: int) -> None:
    machine = Machine()
    machine.vdp.ram[0x1000 : 0x1000 + len(text)] = text.encode()
    machine.memory.bus.load(STRING_POINTER, (0x10, 0x00))
    ROUTINES[0x11AE](machine.memory.bus, machine.vdp)
    assert number_at(machine.memory.bus, FAC) == parse_number(value)
    assert machine.memory.word(STRING_POINTER) == 0x1000 + length
