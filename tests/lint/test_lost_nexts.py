"""NEXTs that find no loop, although RUN counts as many FORs."""

import pytest

from ti99tools.language.lint.linter import lint
from ti99tools.language.program.program import Program


def findings_in(text: str, code: str = "next") -> list[tuple[int | None, str]]:
    """Line and remedy of each finding in lines 10, 20, … that are separated by ` / `."""
    rows = [f"{10 * at} {row}\n" for at, row in enumerate(text.split(" / "), 1)]
    findings = lint(Program.from_listing("".join(rows)).lines)
    return [(each.line, each.remedy) for each in findings if each.code == code]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FOR I=1 TO 3 / NEXT J", [(20, "did you mean NEXT I, or FOR J before it")]),
        ("GOTO 30 / FOR I=1 TO 3 / NEXT I", [(30, "write FOR I before it")]),
        ("FOR I=1 TO 3 / GOSUB 40 / END / NEXT I / RETURN", [(40, "write FOR I before it")]),
        ("FOR I=1 TO 3 / NEXT I", []),
        ("FOR I=1 TO 3 / FOR J=1 TO 3 / NEXT I / NEXT J", []),
        # The line with the mistake may hide a FOR.
        ("FOR I=1 TO 3 / A=) :: FOR J=1 TO 2 / NEXT J / NEXT I", []),
    ],
)
def test_a_next_that_finds_no_loop(text: str, expected: list[tuple[int, str]]) -> None:
    assert findings_in(text) == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("FOR I=1 TO 3 / GOSUB 50 / NEXT I / END / FOR I=1 TO 2 :: NEXT I / RETURN", 50),
        ("FOR I=1 TO 3::ON I GOSUB 40,50::NEXT I / END / REM / GOSUB 50::RETURN / FOR I=1 TO 2"
         "::NEXT I::RETURN", 50),
        ("FOR I=1 TO 3 / GOSUB 50 / NEXT I / END / FOR J=1 TO 2 :: NEXT J / RETURN", None),
        # A jump has left the loop before the call.
        ("FOR I=1 TO 3 / IF A THEN 40 / NEXT I / GOSUB 60 / END / FOR I=1 TO 2::NEXT I::RETURN",
         None),
        # A SUB has names of its own.
        ("FOR I=1 TO 3::CALL S::NEXT I / SUB S / FOR I=1 TO 3::NEXT I / SUBEND", None),
    ],
)  # fmt: skip
def test_a_loop_that_what_it_calls_ends(text: str, line: int | None) -> None:
    found = findings_in(text, "loop-ended")
    assert [number for number, _ in found] == ([] if line is None else [line])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "FOR I=1 TO 3 / FOR J=1 TO 3 / NEXT I / NEXT J",
            [(30, "write NEXT J before it")],
        ),
        ("FOR I=1 TO 3 / FOR J=1 TO 3 / NEXT J / NEXT I", []),
        ("FOR I=1 TO 3 / NEXT I / FOR J=1 TO 3 / NEXT J", []),
    ],
)
def test_loops_that_cross(text: str, expected: list[tuple[int, str]]) -> None:
    assert findings_in(text, "loop-ended") == expected
