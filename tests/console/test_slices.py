"""Where the console pauses makes no difference to what a program does, costs and counts."""

import pytest

from ti99tools import Console, Program
from ti99tools.base.counts import FAILED, RAN
from ti99tools.hardware.machine.clock import FRAME

AT_ONCE = 10**9
STEPS = [1, 7_777, FRAME, 200_000]
LONG, COARSE = 20_000, 1000
"""Cycles in which nothing but time passes, after which slices are at least so many cycles: a
program that has ended waits a million of them for its prompt.
"""


def ended(listing: str, step: int, watched: bool = False) -> Console:
    """A console where a program has ended, which worked in slices of `step` cycles."""
    console = Console(watched=watched)
    console.load(Program.from_listing(listing))
    console.start()
    limit = console.clock.cycles + 300_000_000
    waited = 0
    while console.running and console.clock.cycles < limit:
        cycle = console.clock.cycles + (step if waited < LONG else max(step, COARSE))
        console.advance_to(cycle)
        waited = waited + step if console.clock.cycles == cycle else 0
    return console


def hits(console: Console) -> dict[tuple[int, int, str], int]:
    (found,) = console.hits.values()
    return found


MOVING = """100 CALL SPRITE(#4,65,2,99,9,5,5)
110 FOR I=1 TO 9
120 RANDOMIZE :: X=SIN(I)+SIN(I)+SIN(I)+SIN(I) :: PRINT X
130 NEXT I
"""


@pytest.mark.parametrize("step", STEPS)
def test_sprites_take_their_time_before_a_print_in_a_loop(step: int) -> None:
    whole = ended(MOVING, AT_ONCE).computer.workspace.ready_at
    assert ended(MOVING, step).computer.workspace.ready_at == whole


FAILING = """100 ON ERROR 900
110 DISPLAY AT(1,1):VAL("X")
120 DISPLAY AT(1,1):VAL("X")
130 END
900 ON ERROR 900
910 RETURN NEXT
"""


@pytest.mark.parametrize("step", STEPS)
def test_a_statement_fails_once_where_it_was_paused(step: int) -> None:
    found = hits(ended(FAILING, step, watched=True))
    assert found == hits(ended(FAILING, AT_ONCE, watched=True))
    assert found[110, 0, FAILED] == found[120, 0, FAILED] == 1


def test_a_typed_line_that_fails_is_not_counted() -> None:
    console = ended("100 PRINT 1\n", AT_ONCE, watched=True)
    console.command('DISPLAY AT(1,1):1 :: PRINT VAL("X")')
    assert console.screen.shows("* BAD ARGUMENT")
    assert hits(console) == {(100, 0, RAN): 1}


@pytest.mark.parametrize("after", range(200_000, 400_000, 40_000))
def test_a_statement_that_clear_keeps_from_running_is_counted_once(after: int) -> None:
    numbers = range(100, 120)
    console = Console(watched=True)
    listing = "".join(f"{n} DISPLAY AT(1,1):SQR({n})\n" for n in numbers)
    console.load(Program.from_listing(listing))
    console.start()
    start = console.clock.cycles
    console.clock.schedule(start + after, lambda: console.hold("CLEAR"))
    console.advance_to(start + 500_000)
    console.release("CLEAR")
    assert console.stopped_at is not None
    console.command("CON")
    assert hits(console) == {(n, 0, RAN): 1 for n in numbers}


@pytest.mark.parametrize("step", [AT_ONCE, 20_000])
def test_memory_that_fills_in_a_straight_run_is_looked_at_from_there_on(step: int) -> None:
    strings = "".join(f'{110 + n} A$({n})=RPT$("X",200)\n' for n in range(55))
    console = ended(f"100 DIM A$(99)\n{strings}220 I=I+1 :: IF I<4000 THEN GOSUB 220\n", step)
    assert str(console.error) == "MEMORY FULL IN 220"
