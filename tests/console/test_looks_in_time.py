"""What the console shows at a moment is what the program has done by then, within long lines."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.fuzzgrammar import well_formed
from tests.interp.programs import started
from ti99tools import Console, Program
from ti99tools.hardware.machine.clock import FRAME

EVERY, LOOKS, WITHIN = 30, 30, 2
"""Frames between looks, their number, and the frames by which a look may be early or late."""


def line_by_line(listing: str) -> list[bytes]:
    """What is shown at each frame of a run that stops before every line."""
    console = started(listing)
    start = console.clock.cycles
    screens: list[bytes] = []
    with console.computer.workspace.line_by_line():
        for frame in range(EVERY * LOOKS + WITHIN + 1):
            console.advance_to(start + frame * FRAME)
            screens.append(bytes(console.screen.codes))
    return screens


def late_looks(listing: str) -> list[int]:
    """The frames at which a run shows what it does not show line by line at about that time."""
    screens = line_by_line(listing)
    console = started(listing)
    start = console.clock.cycles
    late = []
    for frame in range(EVERY, EVERY * LOOKS + 1, EVERY):
        console.advance_to(start + frame * FRAME)
        now = bytes(console.screen.codes)
        if now not in screens[max(0, frame - WITHIN) : frame + WITHIN + 1]:
            late.append(frame)
    return late


def straight(statement: str, lines: int = 60) -> str:
    """A program without a loop: one statement a line."""
    return "".join(f"{100 + n} " + statement.replace("{}", str(n)) + "\n" for n in range(lines))


@pytest.mark.parametrize(
    "statement",
    [
        "PRINT SQR({})",
        'PRINT "HELLO";{}',
        'DISPLAY AT(3,{}/4+1):"LINE";{}',
        "CALL HCHAR({}/3+1,3,65,20)",
        'CALL CHAR(96,"FF00FF00FF00FF00"):: CALL HCHAR({}/3+1,3,96)',
        'A=A+SIN({}):: B$=STR$(A):: IF A>1 THEN PRINT A ELSE DISPLAY AT(1,1):B$ :: PRINT "X"',
    ],
)
def test_a_straight_run_is_seen_step_by_step(statement: str) -> None:
    listing = straight(statement)
    assert late_looks(listing) == []
    console = started(listing)
    before = console.clock.cycles
    console.wait(1)
    assert console.clock.cycles < before + 12 * FRAME, "a wait ends with a statement"


def program(seed: int) -> str:
    return "\n".join(well_formed(Random(seed))) + "\n"


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_are_seen_step_by_step(seed: int) -> None:
    assert late_looks(program(seed)) == []


@pytest.mark.slow
def test_many_random_programs_are_seen_step_by_step() -> None:
    late = {seed: found for seed in range(500) if (found := late_looks(program(seed)))}
    assert late == {}


def test_clear_stops_a_straight_run_where_it_is() -> None:
    console = started(straight("PRINT SQR({})"))
    console.wait(240)
    console.hold("CLEAR")
    console.wait(10)
    console.release("CLEAR")
    console.wait(60)
    rows = console.screen.text.split("\n")
    (message,) = (row for row in rows if "BREAKPOINT" in row)
    line = int(message.split()[-1])
    numbers = [row for row in rows if row.strip() and not row.strip(" .0123456789")]
    assert float(numbers[-1]) ** 2 == pytest.approx(line - 101)
    assert console.stopped_at == line


def test_a_key_is_seen_by_the_statement_that_runs_while_it_is_down() -> None:
    chars = "".join(f'{100 + n} CALL CHAR({96 + n},"{"F" * 64}")\n' for n in range(12))
    listing = chars + "200 CALL KEY(0,K,S)\n210 FOR I=1 TO 9999 :: NEXT I\n"
    for frames, code in ((40, -1), (400, 65)):
        console = started(listing)
        console.wait(20)
        console.hold("A")
        console.wait(frames)
        console.release("A")
        console.wait(300)
        assert console.variables["K"] == code


BUSY = "100 FOR I=1 TO 400 :: NEXT I\n110 CALL KEY(0,K,S):: PRINT K;S\n120 IF S=0 THEN 110\n"


def test_a_tap_is_lost_where_nobody_looks_and_a_pressed_key_is_kept() -> None:
    console = started(BUSY)
    console.tap("A")
    assert not console.screen.shows(" 65")
    console.wait(120)
    assert console.screen.shows("-1  0")
    assert not console.screen.shows(" 65")
    console = started(BUSY)
    console.press("A")
    console.wait(120)
    assert console.screen.shows(" 65  1")


def test_ready_is_not_there_before_its_time() -> None:
    console = Console()
    console.load(Program.from_listing('100 PRINT "OVER"\n'))
    console.start()
    assert console.run_until("OVER")
    console.wait(10)
    assert console.running
    assert not console.screen.shows("* READY *")
    console.wait(15)
    assert not console.running
    assert console.screen.shows("* READY *")
