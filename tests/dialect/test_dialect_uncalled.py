"""PROCs that are used as statements, labels or values, and CALLs of PROCs spelled wrong."""

import pytest

from tests.dialect.dialectrun import mistakes
from ti99tools.language.dialect import generate

MOVE = "PROC MOVEIT(A,B)\nPRINT A;B\nEND PROC\n"
PLAIN = "PROC PAINT\nPRINT 1\nEND PROC\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("MOVEIT 1,2\n" + MOVE, ["1:1: MOVEIT is a PROC; write CALL MOVEIT"]),
        ("MOVEIT(1,2)\n" + MOVE, ["1:1: MOVEIT is a PROC; write CALL MOVEIT"]),
        ("A=1 :: PAINT\n" + PLAIN, ["1:8: PAINT is a PROC; write CALL PAINT"]),
        (
            "IF A THEN PAINT\nGOSUB PAINT\nGOTO PAINT\n" + PLAIN,
            [f"{at}: PAINT is a PROC; write CALL PAINT" for at in ("1:11", "2:7", "3:6")],
        ),
        ("CALL MOVIT(1,2)\n" + MOVE, ["1:6: there is no subprogram MOVIT; did you mean MOVEIT?"]),
        (
            "IF MOVEIT(1,2)>3 THEN X=1\n" + MOVE,
            [
                "1:4: MOVEIT is a PROC, and gives no value; "
                "CALL MOVEIT first, with a parameter that is OUT"
            ],
        ),
        (
            "CALL HCHAR(1,1,MOVEIT(1,2))\n" + MOVE,
            [
                "1:16: MOVEIT is a PROC, and gives no value; "
                "CALL MOVEIT first, with a parameter that is OUT"
            ],
        ),
        (
            "CALL ADD(1)\nPROC ADD(A)\nRETURN A+1\nEND PROC\n",
            ["3:8: no label A; RETURN gives no value: set a variable, or a parameter with OUT"],
        ),
    ],
)
def test_what_is_meant_is_told(source: str, expected: list[str]) -> None:
    assert mistakes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "PAINT=5\nCALL PAINT\nPRINT PAINT\n" + PLAIN,
        "DIM PAINT(3)\nPAINT(1)=5\nCALL PAINT\nPRINT PAINT(1)\n" + PLAIN,
        "READ PAINT(2)\nCALL PAINT\nPRINT PAINT(2)\nDATA 1\n" + PLAIN,
        "CALL KEY(0,PAINT(1),S)\nCALL PAINT\nPRINT PAINT(1)\n" + PLAIN,
        "CALL POSITION(#1,PAINT(1),B)\nCALL PAINT\nPRINT PAINT(1)\n" + PLAIN,
        "CALL FILL(PAINT())\nCALL PAINT\nPRINT PAINT(1)\nSUB FILL(A())\nA(1)=1\nSUBEND\n" + PLAIN,
        "CALL GIVE(PAINT(1))\nCALL PAINT\nPRINT PAINT(1)\nPROC GIVE(A OUT)\nA=1\nEND PROC\n"
        + PLAIN,
        "DEF PAINT(X)=X+1\nCALL PAINT\nPRINT PAINT(2)\n" + PLAIN,
        "IF X=0 THEN PAINT(1)=2\nCALL PAINT\nPRINT PAINT(1)\n" + PLAIN,
        "PAINT: X=1\nGOTO PAINT\nCALL PAINT\n" + PLAIN,
        "CALL PAIN(1)\nSUB PAIN(A)\nPRINT A\nSUBEND\n" + PLAIN,
    ],
)
def test_variables_labels_and_subprograms_may_have_such_names(source: str) -> None:
    """The PROC is called as it is, or told to be uncalled, and the other name stays one."""
    generated = generate(source, "g.xb")
    uncalled = [each.name for each in generated.sourcemap.uncalled]
    assert uncalled == ([] if "CALL PAINT\n" in source else ["PAINT"])
    assert "CALL PAINT" not in generated.text
    assert "PRINT 1::RETURN" in generated.text


def test_a_constant_named_like_a_word_is_told() -> None:
    assert mistakes("CONST SUB=128\n")[0] == (
        "1:7: SUB cannot name a constant; choose another name: it is a word of Extended BASIC"
    )
