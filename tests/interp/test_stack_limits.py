"""How deep expressions may nest: one word of stack too many is a STACK OVERFLOW."""

from __future__ import annotations

import pytest
from programs import printed, run

LAST = [
    ("X={}", "(", "1", ")", 23),
    ("PRINT {}", "(", "1", ")", 23),
    ("IF {} THEN X=1", "(", "1", ")", 23),
    ("ON {} GOTO 120", "(", "1", ")", 23),
    ("CALL SCREEN({}+7)", "(", "1", ")", 19),
    ("CALL S({}+7)", "(", "1", ")", 23),
    ('DISPLAY AT({},1):""', "(", "1", ")", 22),
    ('DISPLAY AT(1,{}):""', "(", "1", ")", 23),
    ("X={}", "1+(", "1", ")", 11),
    ("X={}", "2*(", "1", ")", 11),
    ("X={}", "-", "1", "", 23),
    ("X={}", "NOT ", "1", "", 23),
    ("X={}", "ABS(", "1", ")", 11),
    ("X={}", "SGN(", "1", ")", 11),
    ("X={}", "INT(", "1", ")", 6),
    ("X={}", "SQR(", "1", ")", 6),
    ("X={}", "MAX(", "1", ",0)", 7),
    ("X={}", "MAX(0,", "1", ")", 11),
    ("X={}", "LEN(CHR$(", "1", "))", 3),
    ("X={}", "VAL(STR$(", "1", "))", 3),
    ("X={}", "Q(", "1", ")", 11),
    ("Q({})=1", "Q(", "1", ")", 11),
    ("X={}", "F(", "1", ")", 7),
    ("X={}", "1=(", "1", ")", 7),
]


@pytest.mark.parametrize(("statement", "opening", "inner", "closing", "last"), LAST)
def test_the_last_depth_that_works(
    statement: str, opening: str, inner: str, closing: str, last: int
) -> None:
    listing = "100 DEF F(X)=X\n105 Q(1)=1::Q(0)=0\n110 {}\n120 END\n130 SUB S(X)\n140 SUBEND\n"
    for depth in (last, last + 1):
        nested = opening * depth + inner + closing * depth
        outcome = "ready" if depth == last else "error"
        made = run(listing.format(statement.format(nested)), outcome)
        if depth > last:
            assert made.error is not None
            assert made.error.text == "STACK OVERFLOW"


@pytest.mark.parametrize(
    ("body", "last"), [("{}", 13), ("{}+1", 13), ("1+{}", 7), ("({})", 7), ("INT({})", 4)]
)
def test_functions_that_use_functions(body: str, last: int) -> None:
    chain = "\n".join(f"{100 + n} DEF F{n}={body.format(f'F{n - 1}')}" for n in range(2, 30))
    listing = f"101 DEF F1=1\n{chain}\n500 X=F{{}}\n"
    run(listing.format(last))
    assert printed(listing.format(last + 1), "error") == [
        "* STACK OVERFLOW",
        "IN 101",
        *(f"CALLED FROM {number}" for number in range(102, 102 + last)),
        "CALLED FROM 500",
    ]


def test_the_deepest_function_is_the_one_that_fails() -> None:
    chain = "\n".join(f"{100 + n} DEF F{n}=F{n - 1}" for n in range(2, 30))
    assert printed(f"101 DEF F1=1\n{chain}\n500 X=F29\n", "error")[:3] == [
        "* STACK OVERFLOW", "IN 116", "CALLED FROM 117",
    ]  # fmt: skip


def test_what_stands_before_the_overflow_happens() -> None:
    deep = "(" * 24 + "1" + ")" * 24
    listing = f'100 ON ERROR 130\n110 PRINT VAL("")+{deep}\n120 END\n'
    listing += "130 CALL ERR(A,B,C,D)::PRINT A;D\n"
    assert printed(listing) == ["74  110"]
    assert printed(listing.replace('VAL("")', "1")) == ["40  110"]


def test_powers_and_numeric_functions_want_room_to_calculate() -> None:
    for depth, outcome in ((17, "ready"), (18, "error")):
        for inner in ("2^2", "SIN(0)"):
            run(f"100 X={'(' * depth}{inner}{')' * depth}\n", outcome)
