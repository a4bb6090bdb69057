"""CALLs of machine language and of other BASICs: what is said of them, and of what not."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.language.lint.call_arguments import (
    NO_INIT,
    NOT_DEFINED,
    ONLY_THERE,
    found_in,
    why_failed,
)
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.listing.tokenize import tokenize_line


def lines_of(*text: str) -> dict[int, bytes]:
    entries, _, *_ = read_text("\n".join(text), "x.bas", strict=False)
    return {entry.number: entry.tokens for entry in entries}


def test_subprograms_of_other_basics_are_known_by_name() -> None:
    assert found_in("SWAPCHAR") == "RXB"
    assert found_in("QUITOFF") == "RXB, Extended BASIC II Plus"
    assert found_in("STCR") == "Extended BASIC 2.9 G.E.M."
    assert found_in("HCHAR") == found_in("NOSUCH") == ""


@pytest.mark.parametrize(
    ("code", "line", "offset", "expected"),
    [
        (
            xb.SUBPROGRAM_NOT_FOUND,
            "100 CALL MOVES(1)",
            0,
            "MOVES is a subprogram of RXB, and of the profile rxb",
        ),
        (
            xb.SUBPROGRAM_NOT_FOUND,
            "100 CALL ONKEY(1)",
            0,
            "ONKEY is a subprogram of RXB, and no profile has it",
        ),
        (
            xb.SUBPROGRAM_NOT_FOUND,
            "100 CALL NOSUCH",
            0,
            "there is no NOSUCH; correct the name or write the SUB",
        ),
        (
            xb.SUBPROGRAM_NOT_FOUND,
            "100 CALL OWN::CALL NOSUCH",
            0,
            "there is no NOSUCH; correct the name or write the SUB",
        ),
        (xb.SUBPROGRAM_NOT_FOUND, '100 CALL LINK("GO")', 0, NOT_DEFINED),
        (xb.SYNTAX_ERROR, '100 CALL LINK("FREEZE")', 0, NO_INIT),
        (
            xb.SUBPROGRAM_NOT_FOUND,
            '100 CALL LINK("FREEZE")',
            0,
            f"{NOT_DEFINED}: FREEZE is of XB256",
        ),
        (xb.SYNTAX_ERROR, '100 CALL LOAD("DSK1.OBJ")', 0, NO_INIT),
        (xb.SYNTAX_ERROR, "100 CALL LOAD(A$)", 0, NO_INIT),
        (xb.IO_ERROR, '100 CALL LOAD("DSK1.OBJ")', 0, ""),
        (xb.SYNTAX_ERROR, "100 CALL LOAD(8192,1)", 0, NO_INIT),
        (xb.SYNTAX_ERROR, "100 CALL INIT::CALL LOAD(8192)", 8, ""),
        (xb.BAD_VALUE, '100 CALL LINK("GO")', 0, ""),
        (xb.IO_ERROR, '100 OPEN #1:"DSK1.X"', 0, ""),
        (xb.SYNTAX_ERROR, "100 CALL NOSUCH", 0, ""),
        (xb.BAD_VALUE, "100 CALL COLOR(A,2,1)", 0, ONLY_THERE),
        (xb.BAD_VALUE, '100 CALL CHAR(152,"FF")', 0, ONLY_THERE),
        (xb.BAD_VALUE, '100 CALL CHAR(96,"G")', 0, ""),
        (xb.BAD_VALUE, "100 A=1::CALL COLOR(A,2,1)", 4, ""),
        (xb.BAD_VALUE, "100 CALL HCHAR(A,2,1)", 0, ""),
    ],
)
def test_why_a_line_fails_here(code: int, line: str, offset: int, expected: str) -> None:
    lines = lines_of(line, "200 SUB OWN", "210 SUBEND")
    assert why_failed(code, lines, 100, offset) == expected


def test_only_the_statement_that_failed_counts() -> None:
    lines = lines_of('100 OPEN #1:"DSK1.X"::CALL LINK("GO")')
    second = lines[100].index(b"\x82") + 1
    assert why_failed(xb.SUBPROGRAM_NOT_FOUND, lines, 100, second) == NOT_DEFINED
    lines = lines_of('100 PRINT 1::OPEN #1:"DSK1.X"::CALL LINK("GO")')
    second = lines[100].index(b"\x82") + 1
    assert why_failed(xb.SUBPROGRAM_NOT_FOUND, lines, 100, second) == ""
    assert why_failed(xb.SUBPROGRAM_NOT_FOUND, lines, 999, 0) == ""


def test_lint_names_the_basic_or_what_to_write() -> None:
    text = ("100 CALL HPUT(1,1,A)", "110 CALL CLS", "120 CALL SCREN(2)", "130 CALL ZZZZZ")
    remedies = [f.remedy for f in lint(lines_of(*text).items()) if f.code == "no-subprogram"]
    assert remedies == [
        "it is one of RXB: write a SUB HPUT, or do without it, or choose the profile rxb",
        "write CALL CLEAR",
        "did you mean SCREEN?",
        "correct the name or write the SUB",
    ]


def test_lint_tells_of_machine_code_that_cannot_be_there() -> None:
    def messages(*text: str) -> list[str]:
        found = [f for f in lint(lines_of(*text).items()) if f.code == "machine-code"]
        return sorted(f.message for f in found)

    whole = '100 CALL INIT::CALL LOAD(8192,1)::CALL LOAD("DSK1.O")::CALL LINK("GO")'
    assert messages(whole) == []
    assert messages('100 CALL INIT::CALL LINK("FREEZE")') == [
        "CALL LINK: FREEZE is a routine of XB256"
    ]
    for brings in (
        "90 CALL LOAD(16376,84,72,65,87,32,32,48,0)",
        "90 DATA 16376,84,72,65,87,48",
        '90 CALL LOAD("DSK1.MINE")',
    ):
        assert messages(brings, '100 CALL INIT::CALL LINK("THAW")') == []
    other = "90 CALL LOAD(16376,84,72,65,32,32,32,48,0)"
    assert messages(other, '100 CALL INIT::CALL LINK("THAW")') != []
    without = '100 CALL LOAD(8192,1)::CALL LINK("GO")'
    assert messages(without) == [f"CALL {name} without CALL INIT" for name in ("LINK", "LOAD")]
    own = (without, "110 SUB LOAD(A,B)", "120 SUBEND", "130 SUB LINK(B$)", "140 SUBEND")
    assert messages(*own) == []


def test_any_bytes_after_a_call() -> None:
    for tokens in (b"\x9d", b"\x9d\xc8", b"\x9d\xc8\x04LINK", tokenize_line("100 CALL LINK(")[1]):
        assert why_failed(xb.SYNTAX_ERROR, {100: tokens}, 100, 0) in ("", NO_INIT)
