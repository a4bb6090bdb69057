"""What a function that refuses its argument takes: nothing, since it refuses before it works."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.base.cycles.language import BUILT_IN, COSTS

HARDLY = 900
"""Cycles by which variables of other names and kinds are found sooner or later."""
ARGUMENTS = 15_000
"""Cycles that two more arguments take at most."""


def cycles(statement: str) -> int:
    """Machine time of a program whose statement fails and is caught."""
    console = Console()
    console.load(
        Program.from_listing(
            f'100 X=-1::Y=1E15::N$=""::A=0::A$="A"\n110 ON ERROR 130\n120 {statement}\n130 END\n'
        )
    )
    console.start()
    before = console.clock.cycles
    assert console.resume() == "ready"
    return console.clock.cycles - before


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("LOG", "A=LOG(X)"),
        ("SIN", "A=SIN(Y)"),
        ("COS", "A=COS(Y)"),
        ("TAN", "A=TAN(Y)"),
        ("ASC", "A=ASC(N$)"),
        ("CHR$", "A$=CHR$(X)"),
    ],
)
def test_a_function_that_refuses_takes_as_long_as_any_other(name: str, statement: str) -> None:
    assert COSTS[name] > 10 * HARDLY
    assert abs(cycles(statement) - cycles("A=SQR(X)")) < HARDLY


@pytest.mark.parametrize(
    ("name", "statement"),
    [("SEG$", "A$=SEG$(A$,1,X)"), ("RPT$", "A$=RPT$(A$,X)"), ("POS", "A=POS(A$,A$,X)")],
)
def test_so_do_functions_of_more_arguments(name: str, statement: str) -> None:
    assert COSTS[name] > 2 * ARGUMENTS
    assert abs(cycles(statement) - cycles("A=SQR(X)")) < ARGUMENTS


def test_so_does_call_sound() -> None:
    assert BUILT_IN["SOUND"] > 2 * ARGUMENTS
    assert abs(cycles("CALL SOUND(X,1,0)") - cycles("CALL HCHAR(X,1,0)")) < ARGUMENTS
