"""The time of functions that use functions, and statements that would never end."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.base.cycles.language import COSTS, DEF_COLLECTS
from ti99tools.computer.interp.run.signals import EndlessStatement


def console(listing: str, max_seconds: float = 600) -> Console:
    console = Console(max_seconds=max_seconds)
    console.load(Program.from_listing(listing))
    return console


def cycles(listing: str) -> int:
    computer = console(listing)
    computer.start()
    before = computer.clock.cycles
    assert computer.resume() == "ready"
    return computer.clock.cycles - before


def test_a_function_takes_its_time_wherever_it_is_used() -> None:
    """Fewer uses by two functions in C save their own time and that of what they use."""
    uses = {n: cycles(f"100 DEF A=1\n110 DEF B=A+A\n120 X={'+'.join(['B'] * n)}\n") for n in (2, 3)}
    once = uses[3] - uses[2]
    each = COSTS["DEF"] + 2 * DEF_COLLECTS
    assert 3 * each < once < 3.3 * each


def test_functions_of_functions_take_the_recorded_time() -> None:
    """100 rounds of X=C took 119.75 million cycles, X=1 2.40 million (recorded: asked-3-09c)."""
    rounds = "100 DEF A=1\n110 DEF B=A+A\n120 DEF C=B+B\n130 FOR I=1 TO 100::X={}::NEXT I\n"
    taken = cycles(rounds.format("C")) - cycles(rounds.format("1"))
    assert taken == pytest.approx(119_750_000 - 2_400_000, rel=0.03)


def chain(length: int) -> str:
    rows = ["100 DEF F0=1"]
    rows += [f"{100 + n} DEF F{n}=" + "+".join([f"F{n - 1}"] * 10) for n in range(1, length)]
    return "\n".join(rows) + "\n"


def test_a_statement_that_would_not_end_is_an_error_with_its_line() -> None:
    computer = console(chain(7) + "200 PRINT F3\n210 X=F6\n")
    with pytest.raises(EndlessStatement, match="into a variable") as caught:
        computer.run()
    assert caught.value.line == 210
    assert "1000" in computer.screen.text


@pytest.mark.parametrize("use", ["X=F3", "IF F3=1000 THEN Y=Y+1", "IF X=0 THEN Y=F3"])
def test_loops_around_functions_stop_in_time(use: str) -> None:
    computer = console(
        chain(4) + f"200 FOR I=1 TO 30000\n210 {use}\n220 NEXT I\n", max_seconds=2000
    )
    assert computer.run() == "limit"
    assert 2000 <= computer.clock.seconds < 2100
