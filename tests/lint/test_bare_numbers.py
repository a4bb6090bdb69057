"""Comparisons that AND or OR join to a bare number: `IF A=1 OR 2`."""

from pathlib import Path

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.lint.bare_numbers import CHAINED, CODE
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program


def found(condition: str) -> list[str]:
    """Message and remedy of each finding in `100 IF condition THEN 100`."""
    lines = Program.from_listing(f"100 IF {condition} THEN 100\n").lines
    return [f"{each.message}; {each.remedy}" for each in lint(lines) if each.code == CODE]


@pytest.mark.parametrize(
    ("condition", "number", "meant"),
    [
        ("A=1 OR 2", "2", "A=1 OR A=2"),
        ("2 OR A=1", "2", "A=2 OR A=1"),
        ("X=4 OR -4", "-4", "X=4 OR X=-4"),
        ("-4 OR X=4", "-4", "X=-4 OR X=4"),
        ("A=1 AND 2", "2", "A=1 OR A=2"),
        ("A<>1 OR 2", "2", "A<>1 AND A<>2"),
        ("A<=1 OR 2", "2", "A<=1 OR A<=2"),
        ("(A=1)OR 2", "2", "A=1 OR A=2"),
        ("NOT (A=1 OR 2)", "2", "A=1 OR A=2"),
        ("(A=1 OR 2)=0", "2", "A=1 OR A=2"),
        ("K AND A=1 OR B(I,J)=3 OR 7", "7", "B(I,J)=3 OR B(I,J)=7"),
        ("MAX(B,A=1 OR 2)", "2", "A=1 OR A=2"),
        ("LEN(A$)=1 OR 2", "2", "LEN(A$)=1 OR LEN(A$)=2"),
        ('A$="1" OR 2', "2", 'A$="1" OR A$="2"'),
        ('SEG$(A$,1,1)="1" OR 2', "2", 'SEG$(A$,1,1)="1" OR SEG$(A$,1,1)="2"'),
    ],
)
def test_a_bare_number_is_told_with_what_was_meant(condition: str, number: str, meant: str) -> None:
    assert found(condition) == [f"{number} is always true here; did you mean {meant}?"]


@pytest.mark.parametrize("line", ["IF A=1 OR 2", "IF A)(1 OR 2 THEN 100", "IF A=1 OR 2( THEN 100"])
def test_a_condition_that_goes_wrong_is_left_to_other_rules(line: str) -> None:
    codes = [each.code for each in lint([tokenize_line(f"100 {line}")])]
    assert "syntax" in codes
    assert CODE not in codes


def test_each_number_of_a_row_is_told() -> None:
    assert [each.split(";")[1] for each in found("A=1 OR 2 OR 3")] == [
        " did you mean A=1 OR A=2?",
        " did you mean A=1 OR A=3?",
    ]


@pytest.mark.parametrize("number", ["0", ".3"])
def test_what_the_console_rounds_to_0_is_false(number: str) -> None:
    assert found(f"A=1 OR {number}") == [
        f"{number} is always false here; did you mean A=1 OR A={number}?"
    ]


@pytest.mark.parametrize(
    "condition",
    [
        "A=1 OR A=2",
        "A=1 OR B",
        "A=1 OR 2+B",
        "A=1 OR 2=B",
        "A=1 OR 2-B",
        "A=1 OR 40000",
        "A=1 OR -(B)",
        "K AND 4",
        "(K AND 4)=4 OR A=1",
        "A=1 AND K AND 4",
        "A=1 AND 4 AND K",
        "A=1 OR 4 AND K",
        "A=1 OR MAX(2,B)",
        "A=1 XOR 2",
        "B XOR 2 OR A=1",
        "NOT 2 OR A=1",
        "0 OR NOT A=2",
        "A=B(1 OR 2)",
        "1 OR 2",
    ],
)
def test_other_conditions_are_not_told(condition: str) -> None:
    assert found(condition) == []


def test_the_place_is_that_of_the_number_in_blocks_and_loops(tmp_path: Path) -> None:
    path = tmp_path / "x.xb"
    path.write_text(
        "REPEAT\n  INPUT A\nUNTIL A=1 OR 2\nIF A THEN\n  PRINT 1\nELSE IF A=3 OR 4 THEN\n"
        "  PRINT 2\nEND IF\n"
    )
    findings, _ = advise_file(path)
    assert [(each.code, each.place.line, each.place.column) for each in findings] == [
        (CODE, 3, 14),
        (CODE, 6, 16),
    ]


def test_a_constant_may_be_a_switch(tmp_path: Path) -> None:
    path = tmp_path / "x.xb"
    path.write_text("CONST DEBUG=0,TOP=5\nINPUT A\nIF A=1 AND DEBUG THEN PRINT 1\n")
    assert advise_file(path)[0] == []
    path.write_text("CONST DEBUG=0,TOP=5\nINPUT A\nIF A=1 OR TOP THEN PRINT 1\n")
    assert [each.code for each in advise_file(path)[0]] == [CODE]


@pytest.mark.parametrize(("condition", "printed"), [("A=1 OR 2", "YES"), ("A=1 OR 0", "NO")])
def test_the_console_takes_the_number_as_true_or_false(condition: str, printed: str) -> None:
    console = Console()
    console.load(Program.from_listing(f'100 A=7\n110 IF {condition} THEN A$="YES" ELSE A$="NO"\n'))
    console.run()
    assert console.variables["A$"] == printed


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("1<A<5", 1),
        ("A<>B<>C AND D", 1),
        ("X OR A=B=C", 1),
        ("A=B=-1", 1),
        ("A<B=-1", 0),
        ("A<>B<>0", 0),
        ("1<A AND A<5", 0),
        ("(A=1)=(B=2)", 0),
        ("A+1<5*B", 0),
        ("A$&B$=C$", 0),
    ],
)
def test_three_values_that_are_compared(condition: str, found: int) -> None:
    program = Program.from_listing(f"100 IF {condition} THEN PRINT 1\n")
    codes = [each.code for each in lint(program.lines)]
    assert codes.count(CHAINED) == found
