"""Where CALL KEY's status is trusted though another look at the keyboard has taken it away."""

import pytest

from tests.shipped import shipped
from ti99tools.games.making.finding import game_names
from ti99tools.language.dialect import generate
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.findings import Finding
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.program.program import Program

LOOP = "100 CALL KEY(3,K,S)::IF {0} THEN 200\n110 {1}\n120 GOTO 100\n200 PRINT K\n"


def findings_in(text: str) -> list[Finding]:
    entries, _, *_ = read_text(text, "x.bas", strict=False)
    all_found = lint(sorted((entry.number, entry.tokens) for entry in entries))
    return [finding for finding in all_found if finding.code == "key-status"]


@pytest.mark.parametrize(
    "look",
    [
        "CALL JOYST(1,X,Y)",
        "CALL JOYST(2,X,Y)",
        "CALL KEY(1,L,T)",
        "CALL SOUND(150,440,2)",
        "CALL HCHAR(1,1,42)::CALL JOYST(1,X,Y)::A=A+1",
    ],
)
@pytest.mark.parametrize("test", ["S=1", "S>0", "S>=1", "K=13 AND S=1", "(S=1)*(K>64)"])
def test_the_status_is_not_to_be_trusted_after_another_look(look: str, test: str) -> None:
    (finding,) = findings_in(LOOP.format(test, look))
    assert finding.line == 100
    assert "IF K<>LAST THEN LAST=K" in finding.remedy


@pytest.mark.parametrize(
    "look",
    [
        "CALL SOUND(-150,440,2)",
        "CALL KEY(0,K,S)::IF S=1 THEN 200",
        "CALL HCHAR(1,1,42)",
        "A=A+1",
        "CALL SOUND(D,440,2)",
    ],
)
def test_looks_that_take_nothing_away_are_none(look: str) -> None:
    assert findings_in(LOOP.format("S=1", look)) == []


@pytest.mark.parametrize("test", ["S", "S<>0", "S=0", "K<>L", "K=13"])
def test_a_key_that_is_held_may_count_again(test: str) -> None:
    assert findings_in(LOOP.format(test, "CALL JOYST(1,X,Y)")) == []


def test_what_is_heard_after_a_key_does_not_matter() -> None:
    text = "100 CALL KEY(0,K,S)::IF S<>1 THEN 100\n110 CALL SOUND(99,440,2)::CALL JOYST(1,X,Y)\n"
    assert findings_in(text + "120 GOTO 100\n") == []
    text = "100 CALL KEY(0,K,S)::IF S<1 THEN 110 ELSE PRINT K\n110 CALL JOYST(1,X,Y)::GOTO 100\n"
    assert len(findings_in(text)) == 1


def test_the_halves_of_the_keyboard_are_apart() -> None:
    text = "100 CALL KEY({},K,S)::IF S=1 THEN 200\n110 CALL {}\n120 GOTO 100\n200 END\n"
    assert (
        findings_in(text.format(1, "KEY(2,L,T)"))
        == []
        == findings_in(text.format(2, "JOYST(1,X,Y)"))
    )
    assert (
        len(findings_in(text.format(1, "JOYST(1,X,Y)")))
        == 1
        == len(findings_in(text.format(2, "KEY(0,L,T)")))
    )


def test_looks_of_subroutines_and_subprograms_count() -> None:
    loop = "100 CALL KEY(3,K,S)::IF S=1 THEN END\n110 {}\n120 GOTO 100\n"
    sub = "300 SUB STEER\n310 CALL JOYST(1,X,Y)\n320 SUBEND\n"
    assert len(findings_in(loop.format("CALL STEER") + sub)) == 1
    routine = "130 END\n200 FOR I=1 TO 2\n210 CALL JOYST(I,X,Y)\n220 NEXT I\n230 {}\n240 RETURN\n"
    assert findings_in(loop.format("GOSUB 200") + routine.format("A=1")) == []
    assert len(findings_in(loop.format("GOSUB 200") + routine.format("CALL JOYST(1,X,Y)"))) == 1


def test_a_status_that_is_set_anew_is_another() -> None:
    text = "100 CALL KEY(3,K,S)\n110 CALL JOYST(1,X,S)\n120 IF S=1 THEN END ELSE 100\n"
    assert findings_in(text) == []


def test_loops_of_for_and_next_are_loops() -> None:
    text = "100 FOR I=1 TO 99\n110 CALL KEY(0,K,S)::IF S=1 THEN PRINT K\n120 CALL {}\n130 NEXT I\n"
    assert len(findings_in(text.format("JOYST(1,X,Y)"))) == 1
    assert findings_in(text.format("SOUND(-99,440,2)")) == []


def test_no_game_and_no_example_trusts_it() -> None:
    texts = [shipped(name).generated.text for name in game_names()]
    for path in (library_folder() / "examples").glob("*.xb"):
        texts.append(generate(path.read_text("utf-8"), str(path)).text)
    stick = "CONST MENUSTICK=1\n#include <menu.xb>\nRESTORE c\nCALL MENU(1,1,X)\nc: DATA 1,A\n"
    for text in (*texts, generate(stick).text):
        lines = Program.from_listing(text).lines
        codes = [each.code for each in lint((line.number, line.tokens) for line in lines)]
        assert "key-status" not in codes
