"""Values that are certainly out of range, though they are no constants."""

import pytest

from ti99tools.language.lint.linter import lint
from ti99tools.language.lint.proven import CODE
from ti99tools.language.program.program import Program


def findings_in(text: str) -> list[str]:
    """The errors about values in lines 10, 20, … that are separated by ` / `."""
    rows = [f"{10 * at} {row}\n" for at, row in enumerate(text.split(" / "), 1)]
    lines = Program.from_listing("".join(rows)).lines
    return [f"{each.line} {each.message}" for each in lint(lines) if each.code == CODE]


WRONG = [
    (
        "CALL SCREEN(8*2+1)",
        "10 SCREEN takes no color 17",
    ),
    (
        "A=20 / CALL SCREEN(A)",
        "20 SCREEN takes no color 20, the value of A",
    ),
    (
        "FOR I=17 TO 20 / CALL SCREEN(I) / NEXT I",
        "20 SCREEN takes no color 17 to 20, the value of I",
    ),
    (
        "DIM B(5) / I=6 / B(I)=1",
        "30 B goes from 0 to 5, not to 6, the value of I: this fails with BAD SUBSCRIPT",
    ),
    (
        "N=0 / ON N GOTO 30,30 / END",
        "20 ON has 2 lines, and none for 0, the value of N: this fails with BAD VALUE",
    ),
    (
        "INPUT A / IF A<17 THEN END / CALL SCREEN(A)",
        "30 SCREEN takes no color 17 or more, the value of A",
    ),
    (
        "GOSUB 40 / CALL SCREEN(A) / END / A=40 / RETURN",
        "20 SCREEN takes no color 40, the value of A",
    ),
    (
        "A=INT(RND*6)+1 / CALL SCREEN(A+16)",
        "20 SCREEN takes no color 17 to 23",
    ),
    (
        "A=A+1 / IF A<50 THEN 10 / CALL SCREEN(A)",
        "30 SCREEN takes no color 50, the value of A",
    ),
    (
        "A=-1 / PRINT SQR(A)",
        "20 SQR takes no -1, the value of A: this fails with BAD ARGUMENT",
    ),
    (
        "A=-5 / PRINT CHR$(A)",
        "20 the character code of CHR$ is -5, the value of A: this fails with BAD VALUE",
    ),
    (
        "A=1E12 / PRINT CHR$(A)",
        "20 the character code of CHR$ is 1E12, the value of A: this fails with BAD VALUE",
    ),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_a_value_that_is_out_of_range_is_found(text: str, expected: str) -> None:
    assert findings_in(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "INPUT A / CALL SCREEN(A)",
        "FOR I=1 TO 20 / CALL SCREEN(I) / NEXT I",
        "A=20 / IF B=0 THEN A=3 / CALL SCREEN(A)",
        # 16.4 is rounded to 16.
        "A=16.4 / CALL SCREEN(A)",
        # A handler of errors, and machine code, may change whatever they like.
        "ON ERROR 40 / A=20 / CALL SCREEN(A) / A=1 / RETURN",
        'CALL INIT / A=20 / CALL LINK("X") / CALL SCREEN(A)',
        # Both parameters may be the same variable.
        "CALL S(A,A) / END / SUB S(X,Y) / X=20 / Y=1 / CALL SCREEN(X) / SUBEND",
        "CALL S(A) / CALL SCREEN(A) / END / SUB S(X) / X=1 / SUBEND",
        "A=20 / READ A / CALL SCREEN(A) / DATA 1",
        # What an INPUT has set is what its subscripts see.
        "A=20 / INPUT A,B(A)",
        "GOTO 30 / CALL SCREEN(A) / A=3 / GOTO 20",
        "DEF A=3 / B=A / CALL SCREEN(A)",
        # The SUB keeps its variables from call to call.
        "CALL S / CALL S / SUB S / IF N=0 THEN N=1 ELSE CALL SCREEN(N) / SUBEND",
    ],
)
def test_a_value_that_may_be_right_is_none(text: str) -> None:
    assert findings_in(text) == []
