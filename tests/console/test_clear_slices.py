"""CLEAR stops a program wherever the console happens to pause."""

import pytest

from ti99tools import Console, Program


def stopped_at(step: int) -> str:
    """The screen after a program was stopped, the console working in slices of `step` cycles."""
    console = Console()
    console.load(Program.from_listing("100 FOR I=1 TO 900\n110 A=A+I\n120 NEXT I\n"))
    console.start()
    console.wait(7)
    for key in ("A", "CLEAR"):
        console.machine.keyboard.press(key)
    end = console.clock.cycles + 3_000_000
    while console.clock.cycles < end:
        console.advance_to(min(console.clock.cycles + step, end))
    return console.screen.text


@pytest.mark.parametrize("step", [1, 1_000, 7_777, 50_064, 100_000, 199_999])
def test_clear_is_seen_in_slices_of_any_length(step: int) -> None:
    text = stopped_at(step)
    assert "* BREAKPOINT IN 1" in text
    assert text == stopped_at(3_000_000)
