"""Constants out of range: what lint says is what the console does."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.language.findings import Finding
from ti99tools.language.lint.call_arguments import ONLY_THERE
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.listing.tokenize import tokenize_line

CALLS = (
    'CHAR(33,"",65,"FF")',
    "CHARPAT(33,V$,65,V$)",
    "COINC(#1,#2,5,V)",
    "COINC(#1,9,9,5,V)",
    "COLOR(1,2,3,4,5,6)",
    "COLOR(#1,2,#3,4)",
    "DELSPRITE(#1,#2)",
    "DISTANCE(#1,#2,V)",
    "DISTANCE(#1,9,9,V)",
    "GCHAR(1,2,V)",
    "HCHAR(1,2,3,4)",
    "HCHAR(1,2,3)",
    "JOYST(1,V,W)",
    "KEY(1,V,W)",
    "LOCATE(#1,9,9,#2,9,9)",
    "MAGNIFY(1)",
    "MOTION(#1,2,3,#4,5,6)",
    "PATTERN(#1,65,#2,66)",
    "POSITION(#1,V,W,#2,V,W)",
    "SCREEN(2)",
    "SOUND(10,440,2,550,3)",
    "SPRITE(#1,65,2,9,9,#2,66,3,8,8,1,1)",
    "VCHAR(1,2,3,4)",
)
"""CALLs that the console takes, each argument that has a range being a number."""


def parts_of(call: str) -> tuple[str, list[str], str]:
    """Name, arguments, and a letter for the kind of each."""
    name, _, rest = call.rstrip(")").partition("(")
    arguments = rest.split(",")
    return name, arguments, "".join("h" if a.startswith("#") else "v" for a in arguments)


def variants(call: str) -> list[tuple[str, bool]]:
    """The CALL with one argument at the edges of its range and just beyond, and whether inside."""
    name, arguments, kinds = parts_of(call)
    calls = []
    for at, meant in enumerate(SUBPROGRAMS[name].arguments(kinds)):
        for low, high in meant.values:
            edges = (low - 0.51, low - 0.5, low, high, high + 0.49, high + 0.5)
            for value in edges:
                whole = int(value + 40000.5) - 40000
                inside = any(lo <= whole <= hi for lo, hi in meant.values)
                text = ("#" if kinds[at] == "h" else "") + f"{value:.7g}"
                changed = [*arguments[:at], f"{text}", *arguments[at + 1 :]]
                calls.append((f"{name}({','.join(changed)})", inside))
    return calls


def judged(call: str) -> list[Finding]:
    entries, errors, *_ = read_text(f"100 CALL {call}", "x.bas", strict=False)
    assert not errors
    return [f for f in lint([(e.number, e.tokens) for e in entries]) if f.code == "range"]


@pytest.mark.parametrize("call", CALLS)
def test_the_ranges_are_those_of_the_console(call: str) -> None:
    tried = variants(call)
    assert len(tried) >= 6
    for text, inside in [(call, True), *tried]:
        console = Console()
        console.load(Program.from_listing(f"100 CALL {text}\n"))
        taken = console.run() == "ready"
        assert taken == inside, f"{text}: {console.error}"
        assert bool(judged(text)) != inside, text


def test_no_subprogram_is_forgotten() -> None:
    free = {"CHARSET", "CLEAR", "ERR", "INIT", "LINK", "LOAD", "PEEK", "SAY", "SPGET", "VERSION"}
    assert {parts_of(call)[0] for call in CALLS} == SUBPROGRAMS.keys() - free


@pytest.mark.parametrize(
    ("call", "message", "remedy"),
    [
        ("HCHAR(25,1,42)", "HCHAR takes no row 25", "the console takes 1 to 24"),
        ("COLOR(17,1,1)", "COLOR takes no character set 17", "the console takes 0 to 14"),
        ("SCREEN(17)", "SCREEN takes no color 17", "the console takes 1 to 16"),
        (
            "CHAR(144,A$)",
            "CHAR takes no character code 144",
            f"the console takes 32 to 143; {ONLY_THERE}",
        ),
        (
            "COLOR(16,1,1)",
            "COLOR takes no character set 16",
            f"the console takes 0 to 14; {ONLY_THERE}",
        ),
        ("CHAR(200,A$)", "CHAR takes no character code 200", "the console takes 32 to 143"),
        (
            "SOUND(-(0),440,2)",
            "SOUND takes no duration 0",
            "the console takes -4250 to -1 or 1 to 4250",
        ),
        ("SPRITE(#29,65,2,9,9)", "SPRITE takes no sprite 29", "the console takes 1 to 28"),
        ("SCREEN(1E99999999)", "SCREEN takes no color 1E+99999999", "the console takes 1 to 16"),
        ("SCREEN(1E99)", "SCREEN takes no color 1E+99", "the console takes 1 to 16"),
    ],
)
def test_what_is_said(call: str, message: str, remedy: str) -> None:
    (finding,) = judged(call)
    assert (finding.message, finding.remedy) == (message, remedy)
    assert finding.severity.label == "error"


@pytest.mark.parametrize("call", ["HCHAR(R,C,42)", "SCREEN(8*RND+1)", "NOSUCH(99)", "COINC(ALL,V)"])
def test_what_is_not_known_is_not_judged(call: str) -> None:
    assert judged(call) == []


def test_a_sub_of_the_same_name_has_no_ranges() -> None:
    text = "100 CALL SCREEN(99)\n110 SUB SCREEN(A)\n120 PRINT A\n130 SUBEND"
    entries, _, *_ = read_text(text, "x.bas", strict=False)
    assert lint([(e.number, e.tokens) for e in entries]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('CALL VCHAR(1,1,"A",5)', ["VCHAR takes a number as code", "write 65, its code"]),
        ("CALL HCHAR(1,A$,65)", ["HCHAR takes a number as column", "give a number"]),
        ("CALL CHAR(128,5)", ["CHAR takes a text as pattern", "give a text"]),
        ('CALL CHAR(128,"FF",129,A$&"0")', []),
        ("CALL SPRITE(#1,65,2,10,10)", []),
        ("CALL KEY(0,K$,S)", []),
    ],
)
def test_texts_where_numbers_belong(text: str, expected: list[str]) -> None:
    found = [
        f
        for f in lint([tokenize_line(f"100 {text}")])
        if "STRING-NUMBER MISMATCH" in f.message and f.code == "arguments"
    ]
    if not expected:
        assert found == []
        return
    (finding,) = found
    assert finding.message.startswith(f"{expected[0]}: this fails with STRING-NUMBER MISMATCH")
    assert finding.remedy == expected[1]
