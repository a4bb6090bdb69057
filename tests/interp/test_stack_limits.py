"""How deep expressions may nest: one word of stack too many is a STACK OVERFLOW."""

from __future__ import annotations

import pytest

from tests.interp.programs import console, printed, rows, run

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
        console = run(listing.format(statement.format(nested)), outcome)
        if depth > last:
            assert console.error is not None
            assert console.error.text == "STACK OVERFLOW"


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
        "* STACK OVERFLOW",
        "IN 116",
        "CALLED FROM 117",
    ]


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


NESTED = "(" * 23 + "1" + ")" * 23
HANDLER = "900 CALL ERR(A,B,C,D)::PRINT A;D::ON ERROR 900::RETURN NEXT\n"


@pytest.mark.parametrize("failing", ["X 5", "GOTO 99", "CALL SCREEN(99)", "X=F(-1)"])
def test_a_caught_error_leaves_a_word_on_the_stack(failing: str) -> None:
    listing = f"10 DEF F(X)=SQR(X)\n15 ON ERROR 900\n20 {failing}\n30 X={{}}\n40 PRINT X::END\n"
    listing += HANDLER
    assert printed(listing.format(NESTED))[1:] == ["40  30", "0"]
    assert printed(listing.format(NESTED[1:-1]))[1:] == ["1"]


def test_the_word_counts_after_a_syntax_error_in_the_same_line() -> None:
    listing = "10 ON ERROR 900\n20 X 5::X={}\n30 PRINT X::END\n" + HANDLER
    assert printed(listing.format(NESTED)) == ["14  20", "40  20", "0"]
    assert printed(listing.format(NESTED[1:-1])) == ["14  20", "1"]


def test_further_errors_leave_no_further_words() -> None:
    listing = "10 ON ERROR 900::FOR I=1 TO 30\n20 X 5\n30 NEXT I::X={}\n40 PRINT N;X::END\n"
    listing += "900 N=N+1::ON ERROR 900::RETURN NEXT\n"
    assert printed(listing.format(NESTED[1:-1])) == ["30  1"]
    assert printed(listing.format(NESTED)) == ["31  0"]


def test_the_word_goes_when_the_program_stops() -> None:
    computer = console(f"10 ON ERROR 90\n20 X 5\n30 STOP\n40 X={NESTED}::PRINT X\n90 RETURN NEXT\n")
    assert computer.run() == "ready"
    computer.command("RUN 40")
    assert "1" in rows(computer)


def test_the_word_goes_where_a_break_stops_the_program() -> None:
    computer = console(
        f"10 ON ERROR 90\n20 X 5\n30 BREAK\n40 X={NESTED}::PRINT X::END\n90 RETURN NEXT"
    )
    computer.run()
    computer.command("CON")
    assert "1" in rows(computer)


def test_functions_and_subs_know_of_the_word() -> None:
    chain = "\n".join(f"{10 + n} DEF F{n}=F{n - 1}" for n in range(2, 16))
    listing = (
        f"11 DEF F1=1\n{chain}\n30 ON ERROR 900\n40 X 5\n50 X=F{{}}\n60 PRINT X::CALL S::END\n"
    )
    sub = f'950 SUB S::ON ERROR 960::X={NESTED}::SUBEXIT\n960 PRINT "IN S"::SUBEND\n'
    assert printed(listing.format(12) + HANDLER + sub)[1:] == ["1", "IN S"]
    assert printed(listing.format(13) + HANDLER + sub)[1:] == ["40  50", "0", "IN S"]
