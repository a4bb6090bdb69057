"""A warning honks when its operation is done: not after the rest of the line has been charged."""

from __future__ import annotations

import pytest

from tests.interp.programs import console
from ti99tools.base.cycles.language import COSTS, VAL_WARNED
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.soundchip import SoundChip


@pytest.fixture
def honked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The cycles at which the console honks."""
    found: list[int] = []
    honk = SoundChip.honk

    def noted(chip: SoundChip) -> None:
        found.append(chip._clock.cycles)
        honk(chip)

    monkeypatch.setattr(SoundChip, "honk", noted)
    return found


def at(honked: list[int], statement: str) -> int:
    """When a statement honks, counted from the honk of the line before."""
    del honked[:]
    console(f"100 A=1/0\n110 {statement}").run()
    return honked[1] - honked[0]


@pytest.mark.parametrize(
    ("statement", "longer"),
    [
        ("A=1/0", "A=1/0 :: A=SQR(2)+LOG(2)"),
        ("A=1/0", "A=1/0+SQR(2)"),
        ("A=1/0", "A=1/0^SQR(4)*0+1/0"),
        ("PRINT 1/0", "PRINT 1/0;SQR(2)"),
        ("PRINT VAL(RPT$(CHR$(57),200))", "PRINT VAL(RPT$(CHR$(57),200))+SQR(2)"),
    ],
)
def test_what_comes_later_makes_no_difference(
    honked: list[int], statement: str, longer: str
) -> None:
    if "^" in longer:
        assert at(honked, longer) > at(honked, statement) + COSTS["SQR"]
    else:
        assert at(honked, longer) == at(honked, statement)


def test_what_comes_before_takes_its_time(honked: list[int]) -> None:
    later = at(honked, "A=SQR(2)+1/0") - at(honked, "A=1/0")
    assert later >= COSTS["SQR"]
    assert at(honked, "PRINT SQR(2)+1/0") - at(honked, "PRINT 1/0") == later


def test_rounds_of_a_loop_are_apart_by_what_they_take(honked: list[int]) -> None:
    computer = console("100 FOR I=1 TO 3 :: B=SQR(2) :: A=1/0 :: NEXT I")
    computer.run()
    first, second, third = honked
    assert second - first == third - second
    assert second - first > COSTS["SQR"] + 13 * FRAME


def test_exp_gives_up_early_when_its_argument_is_too_large(honked: list[int]) -> None:
    assert at(honked, "A=EXP(1E5)") < at(honked, "A=EXP(1)/0") - COSTS["EXP"] // 2


def test_val_takes_longer_after_its_warning(honked: list[int]) -> None:
    gaps = []
    for value in ('VAL("1E200")', "1/0"):
        del honked[:]
        console(f"100 B={value}\n110 A=1/0").run()
        gaps.append(honked[1] - honked[0])
    assert gaps[0] - gaps[1] == VAL_WARNED
