"""Items of DATA that hold a comment or the name of a constant."""

from pathlib import Path

import pytest

from ti99tools.app.lint import judge
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.findings import Severity
from ti99tools.language.lint.data_read import ITEM
from ti99tools.language.program.judgement import advise_file

COMMENT = "3: DATA has no comments: this item is {}"
NAME = "3: DATA takes {} as a text, not as the constant"


@pytest.mark.parametrize(
    ("items", "messages"),
    [
        ("1,TWO ! remark", [COMMENT.format("TWO ! remark")]),
        ("WALL,2", [NAME.format("WALL")]),
        ("2, wall$", [NAME.format("WALL$")]),
        ('"WALL","A ! b"', []),
        ("HELLO !,A", []),
        ("WALLS,WOW!", []),
    ],
)
def test_items_that_are_not_what_they_seem(tmp_path: Path, items: str, messages: list[str]) -> None:
    path = tmp_path / "game.xb"
    path.write_text(f'CONST WALL=128, WALL$="X", A=5\nREAD A$,B$::PRINT A$;B$;A\nDATA {items}\n')
    findings = [each for each in judge(str(path)).findings if each.code == ITEM]
    assert [f"{each.place.line}: {each.message}" for each in findings] == messages


def test_what_a_file_of_the_library_does_not_need_is_no_finding() -> None:
    """Nobody can remove it: scores.xb includes files with lines and names for others."""
    findings, _ = advise_file(str(library_folder() / "examples" / "scores.xb"))
    assert [finding.message for finding in findings] == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("READ A\nPRINT A\nREAD A\n", [1]),
        ("READ A\nPRINT A\nSUB S\nDATA 1\nSUBEND\n", []),
        ("PRINT 1\nEND\nREAD A\n", []),
    ],
)
def test_a_program_that_reads_has_data(tmp_path: Path, text: str, lines: list[int]) -> None:
    path = tmp_path / "game.xb"
    path.write_text("#pack off\n" + text)
    found = [each for each in judge(str(path)).findings if each.code == "no-data"]
    assert [each.place.line for each in found if each.severity >= Severity.ERROR] == [
        line + 1 for line in lines
    ]
