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
    end = console.clock.cycles + 900_000
    while console.clock.cycles < end:
        console.advance_to(min(console.clock.cycles + step, end))
    return console.screen.text


@pytest.mark.parametrize("step", [1, 1_000, 7_777, 50_064, 100_000, 199_999])
def test_clear_is_seen_in_slices_of_any_length(step: int) -> None:
    text = stopped_at(step)
    assert "* BREAKPOINT IN 1" in text
    assert text == stopped_at(900_000)


SOURCE = """100 CALL CLEAR::DISPLAY AT(1,1):"GO"
110 DISPLAY AT(3,1):"DONE":"["&A$&"]";LEN(A$);LEN(A$)
200 ACCEPT AT(10,5)SIZE(-6):A$
900 DISPLAY AT(10,5)SIZE(6):"ABC"
910 FOR D=1 TO 300::NEXT D
"""


def test_clear_is_seen_a_second_time() -> None:
    """The first one comes and goes while line 110 is at work."""
    console = Console()
    console.load(Program.from_listing(SOURCE))
    console.start()
    for key in ("LEFT", "CLEAR", "INS", "UP", "UP", "CLEAR"):
        console.machine.keyboard.press(key)
    console.advance_to(6_000_000)
    assert "* BREAKPOINT IN 910" in console.screen.text
