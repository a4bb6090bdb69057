"""Stepping code: every statement is told once, and nothing else is different."""

from collections.abc import Callable

import pytest

from tests.shipped import shipped
from ti99tools import Console, DiskImage, Program

PROGRAMS = {
    "loops": "100 FOR I=1 TO 5\n110 FOR J=3 TO 1 STEP -1::A=A+I*J::NEXT J\n120 NEXT I\n130 PRINT A",
    "jumps": "100 A=A+1\n110 IF A<9 THEN B=B+1::GOTO 100 ELSE IF A<12 THEN 100\n120 PRINT A;B",
    "skips": "100 FOR I=1 TO 9\n110 IF I<5 THEN 130\n120 A=A+I\n130 B=B+1\n"
    "140 NEXT I\n150 PRINT A;B",
    "subs": "100 CALL S(A)\n110 GOSUB 200\n120 PRINT A\n130 END\n200 A=A+1\n210 RETURN\n"
    "220 SUB S(X)\n230 X=X+5::IF X<20 THEN 230\n240 SUBEND",
    "errors": "100 ON ERROR 200\n110 A=1::CALL HCHAR(0,0,1)::A=A+1\n120 PRINT A\n130 END\n"
    "200 B=B+1\n210 RETURN NEXT",
    "sounds": "100 CALL SOUND(300,440,2)\n110 FOR I=1 TO 400::NEXT I\n120 CALL SOUND(9,220,2)\n"
    "130 PRINT I",
    "long": "100 A=1\n" + "".join(f"{110 + 10 * n} A=A+{n}::B=B+A\n" for n in range(150)),
}


def ran(program: str, step: Callable[..., None] | None, careful: bool) -> tuple[object, ...]:
    console = Console(step=step)
    console.load(Program.from_listing(program))
    if careful:
        console.start()
        console.run_until("NEVER THERE", seconds=60)
    else:
        console.run(60)
    return console.clock.cycles, console.screen.text, dict(console.variables), console.error


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_stepping_changes_nothing(name: str, careful: bool) -> None:
    steps: list[tuple[int, int]] = []
    stepped = ran(PROGRAMS[name], lambda line, at, spent=0: steps.append((line, at)), careful)
    assert stepped == ran(PROGRAMS[name], None, careful)
    assert steps


def test_every_statement_is_told_when_it_begins() -> None:
    steps: list[tuple[int, int]] = []
    program = (
        "100 REM\n110 DIM A(3)::FOR I=1 TO 2\n120 IF I=1 THEN GOSUB 200 ELSE X=1::Y=2\n"
        "130 NEXT I\n140 END\n200 RETURN\n210 DATA 5"
    )
    ran(program, lambda line, at, spent=0: steps.append((line, at)), False)
    lines = [line for line, _ in steps]
    assert lines == [1, 2, 2, 5, 2, 3, 2, 2, 2, 3, 4], "DIM, REM and DATA do nothing"


def test_loops_tell_of_the_time_that_the_clock_has_not_got() -> None:
    cycles: list[int] = []
    console = Console()

    def step(line: int, at: int, spent: int = 0) -> None:
        cycles.append(console.clock.cycles + spent)

    console = Console(step=step)
    console.load(Program.from_listing("100 FOR I=1 TO 50::A=I::NEXT I"))
    console.run()
    assert cycles == sorted(cycles)
    assert len(set(cycles)) > 50


def test_a_game_is_the_same_when_it_is_stepped() -> None:
    image = shipped("dicerack").image.to_bytes()
    count = 0

    def step(line: int, at: int, spent: int = 0) -> None:
        nonlocal count
        count += 1

    def played(step: Callable[..., None] | None) -> tuple[object, ...]:
        console = Console({"DSK1": DiskImage.from_bytes(image)}, step=step)
        console.boot()
        console.resume(200)
        console.type("1")
        console.resume(60)
        return console.clock.cycles, console.screen.codes, dict(console.variables)

    assert played(step) == played(None)
    assert count > 500
