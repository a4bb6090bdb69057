"""Where time goes: each statement gets its own time, and all of it adds up."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.base.cycles.language import COSTS
from ti99tools.computer.console.profiling import Profile, profiling
from ti99tools.computer.interp.compile.compiler import EMITTERS
from ti99tools.computer.interp.compile.timing import Timing
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.language.listing.tokenize import tokenize_line

assert EMITTERS

LOOP = """
100 FOR I=1 TO 30
110 A=A+1 :: B=SIN(A)
120 IF A>10 THEN C=C+1
130 NEXT I
140 GOSUB 200
150 END
200 PRINT A
210 RETURN
"""


def profiled(text: str) -> tuple[Profile, int]:
    console = Console()
    console.load(Program.from_listing(text))
    console.start()
    before = console.clock.cycles
    with profiling(console) as profile:
        assert console.resume() == "ready"
    assert profile.left is not None
    assert profile.left < console.clock.cycles, "READY comes after the program"
    return profile, profile.left - before


@pytest.mark.parametrize("text", [LOOP, LOOP.replace("150 END", "150 GOTO 160\n160 END")])
def test_the_times_of_all_statements_make_up_the_whole(text: str) -> None:
    profile, cycles = profiled(text)
    assert profile.total == cycles


def test_each_statement_has_its_own_time_and_runs() -> None:
    profile, _ = profiled(LOOP)
    lines = dict(tokenize_line(line) for line in LOOP.strip().splitlines())
    timing = Timing(["I", "A", "B", "C"], lines)
    assign, sine = Listing([(110, lines[110])]).statements(0)
    assert profile.cycles[110, assign.at] == 30 * timing.statement(assign)
    assert profile.cycles[110, sine.at] == 30 * (timing.statement(sine) + COSTS["SIN"])
    runs = {number: count for number, _, count in profile.by_line()}
    assert runs == {100: 1, 110: 30, 120: 30, 130: 30, 140: 1, 150: 1, 200: 1, 210: 1}


def test_only_branches_that_run_cost() -> None:
    profile, _ = profiled("100 A=1\n110 IF A=2 THEN B=SIN(1) ELSE C=1\n")
    condition, *branches = sorted(at for number, at in profile.cycles if number == 110)
    assert condition == 0
    assert len(branches) == 1
