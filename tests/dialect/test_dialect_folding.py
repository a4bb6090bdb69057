"""Functions of constants in the dialect, and SET, the colour set of a character."""

import sys

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate


def line_of(text: str) -> str:
    return "::".join(line.split(" ", 1)[1] for line in generate(text).listing)


@pytest.mark.parametrize(
    ("text", "listing"),
    [
        ('A=LEN("AB")', "A=2"),
        ("CONST W=40\nA=INT((W-24)/8)", "A=2"),
        ("CONST W=40\nA=1+INT(W/3)+B", "A=1+13+B"),
        ("CONST W=40\nA=INT(W/3)+1", "A=14"),
        ('CONST N$="ANN"\nA=28-LEN(N$)', "A=25"),
        ("CONST W=40\nA=INT(B/W)", "A=INT(B/40)"),
        ("CONST W=40\nA=INT(B+INT(W/3))", "A=INT(B+13)"),
        ("CONST W=3\nA=INT(1/W*1E20)", "A=INT(1/3*1E20)"),
        ("A=INT(-1.5)", "A=-2"),
        ("A=B-INT(-1.5)", "A=B-(-2)"),
        ('A=LEN(RPT$("AB",3)&CHR$(65))', "A=7"),
        ("CALL COLOR(SET(30),SET(32),SET(143))", "CALL COLOR(0,1,14)"),
        ("A=SET(C)", "A=(INT((C)/8)-3)"),
        ("A=SET(C+INT(9.5))", "A=(INT((C+9)/8)-3)"),
        ("DIM SET(5)\nSET(2)=1\nA=SET(2)", "DIM SET(5)::SET(2)=1::A=SET(2)"),
        ("SET(2)=1\nA=SET(2)", "SET(2)=1::A=SET(2)"),
        ("DIM SET(5)\nA=INT(SET(2)/B)", "DIM SET(5)::A=INT(SET(2)/B)"),
        ("SET=5\nA=SET", "SET=5::A=SET"),
    ],
)
def test_what_is_worked_out(text: str, listing: str) -> None:
    assert line_of(text) == listing


@pytest.mark.parametrize("code", [0, 29, 144, 999])
def test_a_code_that_has_no_set_is_an_error(code: int) -> None:
    with pytest.raises(SourceError, match=f"SET of {code}, which is no character code; use 30 to"):
        line_of(f"A=SET({code})")


def test_a_set_is_the_one_that_colours_the_character() -> None:
    for code in (30, 31, 32, 39, 40, 95, 143):
        console = Console()
        console.load(Program.from_source(f"X={code}\nA=SET({code})\nB=SET(X)\n"))
        assert console.run() == "ready"
        expected = 0 if code < 32 else (code - 32) // 8 + 1
        assert (console.variables["A"], console.variables["B"]) == (expected, expected)


COLOR_NAMES = (
    "transparent", "black", "medium green", "light green", "dark blue", "light blue", "dark red",
    "cyan", "medium red", "light red", "dark yellow", "light yellow", "dark green", "magenta",
    "gray", "white",
)  # fmt: skip


def test_the_library_names_the_colours() -> None:
    for number, name in enumerate(COLOR_NAMES, 1):
        constant = name.upper().replace(" ", "_")
        assert line_of(f"#include <colors.xb>\nCALL SCREEN({constant})") == f"CALL SCREEN({number})"


DEEP = sys.getrecursionlimit() + 200
"""Levels that no function which calls itself for each can go through."""


@pytest.mark.parametrize("word", ["INT(", "SET(", "LEN("])
@pytest.mark.parametrize("inner", ["B", "1"])
def test_deep_nesting_is_an_error_and_no_crash(word: str, inner: str) -> None:
    with pytest.raises(SourceError):
        line_of(f"A={word * DEEP}{inner}{')' * DEEP}")
