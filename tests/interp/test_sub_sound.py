"""SOUND, SAY and SPGET as recorded."""

import pytest

from tests.interp.subcalls import Console, Var
from ti99tools.base.cycles.language import SOUND_AT_ONCE, SOUND_TONE
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_VALUE, STRING_NUMBER_MISMATCH, SYNTAX_ERROR
from ti99tools.hardware.machine.clock import FRAME

END = "9fbfdfff"


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.mark.parametrize(
    ("voices", "block"),
    [
        ((440, 2), "8e0fa000c00091bfdfffff"),
        ((110, 0), "893fa000c00090bfdfffff"),
        ((44733, 30.4), "8300a000c0009fbfdfffff"),
        ((-8, 0), "8000a000c0009fbfdfe7f0"),
        ((-0.6, 5), "8000a000c0009fbfdfe0f2"),
        ((262, 2, 330, 4, 392, 6, -5, 8), "8b1aa315cd1191b2d3e4f4"),
        ((262, 2, -1, 8, 330, 5), "8b1aa315c00091b2dfe0f4"),
    ],
)
def test_bytes(console: Console, voices: tuple[object, ...], block: str) -> None:
    assert console.call("SOUND", 100, *voices) is None
    console.machine.sound.wait()
    assert console.machine.sound.written.hex() == block + END


def test_the_period_comes_from_the_exact_frequency(console: Console) -> None:
    assert console.call("SOUND", 1, 109.5, 0) is None
    assert console.machine.sound.registers.periods[0] == 1021
    assert console.call("SOUND", 1, 109.4, 0) == BAD_VALUE
    assert console.call("SOUND", 1, 44733.5, 0) == BAD_VALUE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), SYNTAX_ERROR),
        ((100,), SYNTAX_ERROR),
        ((100, 440), SYNTAX_ERROR),
        ((100, 440, 0, 550), SYNTAX_ERROR),
        (("A", 440, 0), STRING_NUMBER_MISMATCH),
        ((100, 440, "A"), STRING_NUMBER_MISMATCH),
        ((0, 440, 0), BAD_VALUE),
        ((4251, 440, 0), BAD_VALUE),
        ((-4251, 440, 0), BAD_VALUE),
        ((100, 440, 31), BAD_VALUE),
        ((100, 440, -1), BAD_VALUE),
        ((100, -9, 0), BAD_VALUE),
        ((100, -0.4, 0), BAD_VALUE),
        ((100, 262, 2, 330, 4, 392, 6, 440, 8), BAD_VALUE),
        ((100, -1, 2, -2, 2), BAD_ARGUMENT),
    ],
)
def test_errors_leave_the_chip_alone(
    console: Console, arguments: tuple[object, ...], code: int
) -> None:
    assert console.call("SOUND", *arguments) == code
    assert not console.machine.sound.written


def test_a_positive_duration_waits_and_a_negative_one_does_not(console: Console) -> None:
    clock = console.machine.clock
    assert console.call("SOUND", 1000, 440, 0) is None
    assert clock.cycles == SOUND_TONE
    assert console.call("SOUND", -100, 440, 0) is None
    assert clock.cycles == 2 * SOUND_TONE + SOUND_AT_ONCE
    assert console.call("SOUND", 100, 440, 0) is None
    assert 7 <= clock.cycles / FRAME < 9
    assert console.machine.sound.written.hex().count(END) == 1


def test_speech_without_a_synthesizer(console: Console) -> None:
    a = Var("A$", "old")
    assert console.call("SAY", "HELLO") is None
    assert console.call("SAY", 5) == STRING_NUMBER_MISMATCH
    assert console.call("SAY") == SYNTAX_ERROR
    assert console.call("SPGET", "HELLO", a) is None
    assert a.value == ""
