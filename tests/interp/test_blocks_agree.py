"""The three ways to run the same program leave the same: in one go, stopped again and again, and
line by line as under TRACE.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from ti99tools.computer.console.session import Console
from ti99tools.games.conformance.playback import disk
from ti99tools.language.program.program import Program

RECORDED = Path(__file__).parents[1] / "conformance"
AREAS = ("control", "data", "errors", "misc", "strings", "subs", "vars")
SECONDS = 60


def left_by(console: Console) -> tuple[str, dict[str, str]]:
    return console.screen.text, {name: str(value) for name, value in console.variables.items()}


def in_one_go(console: Console) -> tuple[str, dict[str, str]] | None:
    """What is left; None if the program does not come to an end."""
    return None if console.resume(SECONDS) == "limit" else left_by(console)


def stopped_often(console: Console, cycles: int) -> tuple[str, dict[str, str]]:
    end = console.clock.cycles + SECONDS * 3_000_000
    while console.running and console.clock.cycles < end:
        console.clock.schedule(console.clock.cycles + cycles, console.clock.request_pause)
        console.resume(SECONDS)
    return left_by(console)


def line_by_line(console: Console) -> tuple[str, dict[str, str]]:
    assert console.execution is not None
    console.execution.always_careful = True
    console.execution.trace(False)
    console.execution.start()
    console.resume(SECONDS)
    return left_by(console)


def agree(start: Callable[[], Console]) -> bool:
    """Hold the three ways together; False for a program that does not come to an end."""
    expected = in_one_go(start())
    if expected is None:
        return False
    assert stopped_often(start(), 7_001) == expected
    assert stopped_often(start(), 150_000) == expected
    assert line_by_line(start()) == expected
    return True


def _cases() -> list[ParameterSet]:
    found = []
    for area in AREAS:
        lines = (RECORDED / f"lang-{area}.jsonl").read_text().splitlines()
        for case in map(json.loads, lines[::4]):
            source = "\n".join(case["source"])
            if "until" in (case.get("script") or [{"until": 1}])[0] and "GOTO 110" not in source:
                found.append(pytest.param(case, id=case["id"]))
    return found


@pytest.mark.parametrize("case", _cases())
def test_recorded_programs(case: dict[str, object]) -> None:
    def start() -> Console:
        console = Console(disks={"DSK1": disk(case)})
        console.boot()
        return console

    if start().error is None:  # else RUN refuses it
        assert agree(start), "it does not end"


@pytest.mark.parametrize(
    "line",
    [
        ':: PRINT "B"',
        'PRINT "A":: ::PRINT "B"',
        'IF 1 THEN PRINT "A":: ::X=1::PRINT "B"',
        'PRINT "A":: ::CALL CLEAR::PRINT "C"',
        'PRINT "A":: ::GOTO 90',
    ],
)
def test_what_follows_an_empty_statement(line: str) -> None:
    def start() -> Console:
        console = Console()
        console.load(Program.from_listing(f'100 PRINT "0"\n110 {line}\n', strict=False))
        console.start()
        return console

    assert agree(start)


NAMES = some.sampled_from(["A", "B", "C", "I", "J", "D(1)", "D(I)", "D(J)"])
VALUES = some.one_of(
    NAMES,
    some.sampled_from(["1", "2", "7", ".5", "A+1", "B-C", "A*B", "I+J", "INT(A/2)", "A/4", "I"]),
)


@some.composite
def programs(draw: some.DrawFn) -> str:
    """Lines of assignments, loops, jumps and subroutines; most of them end, some do not."""
    lines: list[str] = []
    loops: list[str] = []
    count = draw(some.integers(4, 14))
    for _ in range(count):
        choice = draw(some.integers(0, 11))
        goal = 100 + 10 * draw(some.integers(0, count))
        target, value = draw(NAMES), draw(VALUES)
        if choice < 3:
            lines.append(f"{target}={value}")
        elif choice < 5 and len(loops) < 3:
            name = draw(some.sampled_from([n for n in "IJK" if n not in loops]))
            step = draw(some.sampled_from(["", "", " STEP 2", " STEP -1", " STEP .5"]))
            limit = draw(some.sampled_from(["3", "B", "5", "0"]))
            lines.append(f"FOR {name}=1 TO {limit}{step}")
            loops.append(name)
        elif choice < 8 and loops:
            lines.append(f"NEXT {loops.pop()}")
        elif choice == 8:
            lines.append(f"IF {value}>2 THEN {goal}")
        elif choice == 9:
            lines.append(f"IF {value}<3 THEN {target}={value}::A=A+1 ELSE {goal}")
        elif choice == 10:
            lines.append("GOSUB 900::B=B+1")
        else:
            lines.append(f"N=N+1::IF N<9 THEN {goal} ELSE C=N")
    lines += [f"NEXT {name}" for name in reversed(loops)]
    lines += ["END"] * (max(count, len(lines)) + 1 - len(lines))
    numbered = [f"{100 + 10 * i} {text}" for i, text in enumerate(lines)]
    numbered += [
        "900 C=C+1::IF C>30 THEN END",
        "910 FOR J=1 TO 2::A=A-J::NEXT J",
        "920 IF A<-5 THEN A=9::RETURN",
        "930 RETURN",
    ]
    return "\n".join(numbered) + "\n"


@given(programs())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_made_up_programs(listing: str) -> None:
    def start() -> Console:
        console = Console()
        console.load(Program.from_listing(listing, strict=False))
        console.start()
        return console

    if start().running:
        agree(start)


FAILING = "\n".join(
    [
        "10 ON ERROR 1000",
        *(f'{n} A=VAL("X")::N=N+1' for n in range(20, 420, 10)),
        "500 END",
        "1000 ON ERROR 1000::RETURN NEXT",
    ]
)


def test_coming_back_from_errors_compiles_little_anew() -> None:
    """Each statement of the program is met by RETURN NEXT: blocks from there must be short."""
    console = Console()
    console.load(Program.from_listing(FAILING))
    assert console.run() == "ready"
    assert console.variables["N"] == 40
    assert console.execution is not None
    compiled = sum(
        len(unit.source.splitlines()) for unit in console.execution.compiler.files.values()
    )
    assert compiled < 100 * len(FAILING.splitlines())
