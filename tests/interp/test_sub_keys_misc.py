"""KEY, JOYST, VERSION, PEEK, INIT, LOAD and LINK as recorded."""

import pytest

from tests.interp.programs import run
from tests.interp.subcalls import Console, Sprite, Var
from ti99tools.base.xberrors import (
    BAD_VALUE,
    IMPROPERLY_USED_NAME,
    IO_ERROR,
    NUMERIC_OVERFLOW,
    STRING_NUMBER_MISMATCH,
    SUBPROGRAM_NOT_FOUND,
    SYNTAX_ERROR,
    UNRECOGNIZED_CHARACTER,
)
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.hardware.machine.machine import Machine
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


@pytest.fixture
def console() -> Console:
    return Console()


def test_key_without_a_key(console: Console) -> None:
    for unit in range(6):
        k, s = Var("K", 7), Var("S", 7)
        assert console.call("KEY", unit, k, s) is None
        assert (k.value, s.value) == (-1, 0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((6, Var("K"), Var("S")), BAD_VALUE),
        ((-1, Var("K"), Var("S")), BAD_VALUE),
        (("A", Var("K"), Var("S")), STRING_NUMBER_MISMATCH),
        ((0, Var("K")), SYNTAX_ERROR),
        ((0, Var("K$", ""), Var("S")), IMPROPERLY_USED_NAME),
        ((0, 5, Var("S")), SYNTAX_ERROR),
    ],
)
def test_key_errors(console: Console, arguments: tuple[object, ...], code: int) -> None:
    assert console.call("KEY", *arguments) == code


def test_joyst(console: Console) -> None:
    x, y = Var("X"), Var("Y")
    console.machine.keyboard.set_joystick(2, -4, 4)
    assert console.call("JOYST", 2, x, y) is None
    assert (x.value, y.value) == (-4, 4)
    assert console.call("JOYST", 1, x, y) is None
    assert (x.value, y.value) == (0, 0)
    assert console.call("JOYST", 4, x, y) is None
    for unit in (0, 5, -1):
        assert console.call("JOYST", unit, x, y) == BAD_VALUE
    assert console.call("JOYST", 1, Var("X$", ""), y) == IMPROPERLY_USED_NAME


def test_version(console: Console) -> None:
    v = Var("V")
    assert console.call("VERSION", v) is None
    assert v.value == 110
    assert console.call("VERSION", Var("V$", "")) == STRING_NUMBER_MISMATCH
    assert console.call("VERSION", 5) == SYNTAX_ERROR
    assert console.call("VERSION") == SYNTAX_ERROR


def test_load_and_peek(console: Console) -> None:
    a, b, c = Var("A"), Var("B"), Var("C")
    assert console.call("LOAD", 16000, 1) == SYNTAX_ERROR
    assert console.call("INIT") is None
    assert console.call("LOAD", 16000, 1, 258, -1) is None
    assert console.call("PEEK", 16000, a, b, c) is None
    assert (a.value, b.value, c.value) == (1, 2, 255)
    assert console.call("LOAD", 16003, 9, "", 16005, 8) is None
    assert console.call("PEEK", 16003.4, a, b, c) is None
    assert (a.value, b.value, c.value) == (9, 0, 8)


def test_peek_errors(console: Console) -> None:
    x = Var()
    assert console.call("PEEK", 8192) == SYNTAX_ERROR
    assert console.call("PEEK", 40000, x) == NUMERIC_OVERFLOW
    assert console.call("PEEK", -40000, x) == NUMERIC_OVERFLOW
    assert console.call("PEEK", "A", x) == STRING_NUMBER_MISMATCH
    assert console.call("PEEK", 8192, Var("X$", "")) == STRING_NUMBER_MISMATCH
    assert console.call("PEEK", 1, "", 2, x) == SYNTAX_ERROR


def test_peek_of_the_highest_moving_sprite(console: Console) -> None:
    x = Var()

    def highest() -> object:
        assert console.call("PEEK", -31878, x) is None
        return x.value

    assert highest() == 0
    assert console.call("SPRITE", Sprite(1), 65, 2, 50, 50, 1, 1) is None
    assert console.call("SPRITE", Sprite(5), 65, 2, 50, 50) is None
    assert highest() == 1
    assert console.call("MOTION", Sprite(7), 0, 0) is None
    assert highest() == 7


def test_files_of_object_code(console: Console) -> None:
    image = DiskImage.new()
    image.add(DiskFile.display_fix("OBJ", [b"92800B1234F", b":"]))
    image.add(DiskFile.display_fix("BAD", [b"00000"]))
    console.machine = Machine({"DSK1": image})
    console.code = MachineCode(console.machine)
    assert console.call("LOAD", "DSK1.OBJ") == SYNTAX_ERROR
    assert console.call("INIT") is None
    assert console.call("LOAD", "DSK1.NOPE") == IO_ERROR
    assert console.call("LINK", "NOPE") == SUBPROGRAM_NOT_FOUND
    assert console.call("LOAD", "DSK1.OBJ") is None
    high, low = Var("H"), Var("L")
    assert console.call("PEEK", 0x2800, high, low) is None
    assert (high.value, low.value) == (0x12, 0x34)
    assert console.call("LOAD", "DSK1.BAD") == UNRECOGNIZED_CHARACTER


def test_key_fills_the_variable_of_the_key_last() -> None:
    console = run("100 CALL KEY(0,A,A)\n")
    assert console.variables["A"] == -1, "the key, and not the status 0"
