"""Which FOR a NEXT meets, and which loops need no stack: one rule for lint and both compilers."""

import pytest

from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.loop_matching import Loops
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import statements as st


def analysis(text: str) -> Analysis:
    """The analysis of lines 10, 20, … that are separated by `/`; `i` and `j` are FOR I and J."""
    rows = text.replace("i ", "FOR I=1 TO 2 ").replace("j ", "FOR J=1 TO 2 ").split("/")
    return Program.from_listing(
        "".join(f"{10 * at} {row.strip()}\n" for at, row in enumerate(rows, 1))
    ).analysis


def lines(found: Loops, *nodes: int) -> list[int]:
    return sorted(found.flow.nodes[at].line for at in nodes)


MET = [
    ("i / j / NEXT J / NEXT I", {30: [20], 40: [10]}),
    # FOR removes the older loop of its variable, and NEXT its own when it is over.
    ("i / i / NEXT I / NEXT I", {30: [20], 40: []}),
    ("i / j / NEXT I / NEXT J", {30: [10], 40: [20]}),
    # A loop that is left by a jump stays, for whoever comes to a NEXT of its variable.
    ("i / IF A THEN 40 / NEXT I / PRINT / NEXT I", {30: [10], 50: [10]}),
    ("IF A THEN 40 / i / GOTO 50 / i / NEXT I", {50: [20, 40]}),
    # A subroutine does not see the loops of its caller.
    ("i / GOSUB 50 / NEXT I / END / NEXT I / RETURN", {30: [10], 50: []}),
    # The variables of a SUB are its own.
    ("i / CALL S / NEXT I / SUB S / i / NEXT I / SUBEND", {30: [10], 60: [50]}),
    # After an error that is handled the loop is still there.
    ("ON ERROR 50 / i / NEXT I / END / RETURN NEXT", {30: [20]}),
]


@pytest.mark.parametrize(("text", "expected"), MET)
def test_next_meets_what_is_on_the_stack(text: str, expected: dict[int, list[int]]) -> None:
    found = analysis(text).loops
    met = {lines(found, at)[0]: lines(found, *each) for at, each in found.meets.items()}
    assert met == expected


WELL_MADE = [
    ("i / j / NEXT J / NEXT I", [10, 20]),
    ("i / IF A THEN 50 / NEXT I / END / A=0 / GOTO 30", [10]),
    ("GOTO 30 / i / PRINT / NEXT I", []),
    ("i / GOSUB 50 / NEXT I / END / i / NEXT I / RETURN", []),
    ("i / GOSUB 50 / NEXT I / END / j / NEXT J / RETURN", [10, 50]),
    # J is on the stack, and may still be there at NEXT I, which removes it.
    ("GOTO 30 / i / i / j / IF A THEN 70 / NEXT J / IF B THEN 60 / NEXT I", []),
    ("i / j / IF A THEN 50 / NEXT J / NEXT I", [10, 20]),
    ("i / j / NEXT I / NEXT J", []),
    ("ON ERROR 50 / i / NEXT I / END / RETURN", [20]),
]


@pytest.mark.parametrize(("text", "expected"), WELL_MADE)
def test_well_made_loops_need_no_stack(text: str, expected: list[int]) -> None:
    found = analysis(text).loops
    assert lines(found, *found.well_made) == expected


def test_a_loop_that_is_skipped_ends_by_counting() -> None:
    found = analysis("GOTO 40 / j / NEXT I / FOR I=3 TO 1 / NEXT J").loops
    ends = {lines(found, at)[0]: lines(found, end)[0] for at, end in found.ends.items()}
    assert ends == {20: 30, 40: 50}


def test_a_return_goes_on_after_the_next_separator_even_within_an_else() -> None:
    flow = analysis("IF A THEN GOSUB 30 ELSE B=1::C=2 / D=3 / RETURN").flow
    gosub = next(node for node in flow.nodes if node.calls)
    after = flow.nodes[gosub.back].statement
    assert isinstance(after, st.Let)
    assert after.targets[0].name == "C"
