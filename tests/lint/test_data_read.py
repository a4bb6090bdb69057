"""READ that certainly fails in the beginning of a program."""

from pathlib import Path

import pytest

from ti99tools.app.lint import judge
from ti99tools.base import tokens as t
from ti99tools.language.lint.data_read import CODE
from ti99tools.language.lint.linter import lint
from ti99tools.language.program.program import Program

LOOP = "FOR I=1 TO 3 / READ A / NEXT I"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LOOP} / DATA 1,2", [(20, "no DATA are left: the program has 2")]),
        (f"{LOOP} / DATA 1,2,3", []),
        ("READ A,B$ / DATA HELLO,5", [(10, "A is a number, and its item in line 20 is HELLO")]),
        ("READ A$,B / DATA HELLO,5", []),
        ("READ A / DATA E5", []),
        ("GOSUB 40 / READ A / END / READ B / RETURN / DATA 1", [(20, "no DATA are left")]),
        ("READ A / RESTORE / READ B / DATA 1", []),
        ("READ A / RESTORE 40 / READ B / DATA 1 / DATA 2", []),
        ("READ A / GOTO 10 / DATA 1", [(10, "no DATA are left")]),
        # From here on only a run shows what is read.
        ("READ A / IF A THEN 10 / DATA 1", []),
        ("INPUT N / FOR I=1 TO N / READ A / NEXT I / DATA 1", []),
        ("FOR I=1 TO 3 / READ A / I=3 / NEXT I / DATA 1", []),
        ("ON ERROR 30 / READ A / READ B / DATA 1", []),
        ("CALL S / READ A / DATA 1 / SUB S / RESTORE / SUBEND", []),
        ('CALL LINK("RESTOR",30) / READ A,B / DATA 1', []),
        # READ begins at the first DATA that the pre-scan has seen.
        ("!@P- / DATA HELLO / !@P+ / DATA 5 / READ A", []),
        ("RESTORE 90 / READ A / DATA 1", [(10, "there is no line 90 and none after it")]),
    ],
)
def test_a_read_that_certainly_fails(text: str, expected: list[tuple[int, str]]) -> None:
    rows = [f"{10 * at} {row}\n" for at, row in enumerate(text.split(" / "), 1)]
    found = [each for each in lint(Program.from_listing("".join(rows)).lines) if each.code == CODE]
    assert [each.line for each in found] == [line for line, _ in expected]
    assert all(words in each.message for each, (_, words) in zip(found, expected, strict=True))


def test_a_restore_past_all_data_is_named() -> None:
    program = Program.from_listing("10 READ A\n20 DATA 1\n30 RESTORE 30\n40 READ A\n")
    (found,) = [each for each in lint(program.lines) if each.code == CODE]
    assert found.line == 40
    assert str(found.remedy) == "RESTORE 30 goes past the last DATA: name the line of one"


def test_data_within_a_line_are_not_followed() -> None:
    """The editor refuses them, but not the console; other tools write them."""
    lines = dict(Program.from_listing("10 READ A\n20 GOTO 10\n30 READ B\n40 DATA 1\n").lines)
    lines[20] += bytes([t.STATEMENT_SEP]) + lines.pop(40)
    assert not [each for each in lint(lines.items()) if each.code in (CODE, "no-data")]


def test_an_item_is_placed_in_its_source(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    path.write_text("READ A\nPRINT A\nDATA HELLO\n")
    (found,) = [each for each in judge(str(path)).findings if each.code == CODE]
    assert "its item at game.xb:3:1 is HELLO" in found.message.replace(f"{tmp_path}/", "")
