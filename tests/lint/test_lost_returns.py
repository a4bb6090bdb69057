"""GOSUBs before an ELSE, after which RETURN would come into the part of ELSE."""

from pathlib import Path

import pytest

from ti99tools.app.lint import judge
from ti99tools.computer.console.session import Console
from ti99tools.language.lint.linter import lint
from ti99tools.language.lint.lost_returns import CODE, UNCALLED
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program

ROUTINES = "110 PRINT 2::END\n200 PRINT 1::RETURN\n300 RETURN\n"


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('IF X=0 THEN GOSUB 200 ELSE PRINT 3::PRINT "LOST"', 17),
        ('IF X=0 THEN X=1::GO SUB 200 ELSE IF X=2 THEN 110 ELSE PRINT 3::PRINT "LOST"', 22),
        ('IF X=0 THEN ON X+1 GOSUB 200,300 ELSE PRINT 3::PRINT "LOST"', 17),
        ('IF X=0 THEN IF X<1 THEN GOSUB 200 ELSE PRINT 3::PRINT "LOST"', 29),
        ('IF X=1 THEN PRINT 3 ELSE IF X=0 THEN GOSUB 200 ELSE PRINT 4::PRINT "LOST"', 42),
    ],
)
def test_a_return_that_comes_into_the_part_of_else_is_reported(
    line: str, column: int, tmp_path: Path
) -> None:
    path = tmp_path / "x.bas"
    path.write_text(f"100 {line}\n{ROUTINES}")
    found = [each for each in advise_file(path)[0] if each.code == CODE]
    assert [(each.place.line, each.place.column) for each in found] == [(1, column)]
    program = Program.from_listing(path.read_text())
    assert found[0].message == "RETURN goes on after the next ::, in the part of ELSE"
    console = Console()
    console.load(program)
    console.run()
    assert console.screen.shows("LOST"), "it does go on there"


@pytest.mark.parametrize(
    "line",
    [
        "IF X=0 THEN GOSUB 200 ELSE PRINT 3",
        "IF X=0 THEN GOSUB 200::GOTO 110 ELSE PRINT 3::PRINT 4",
        "IF X=0 THEN 200 ELSE PRINT 3::PRINT 4",
        "IF X=0 THEN GOSUB 200::PRINT 3",
        "IF X=0 THEN PRINT 3 ELSE GOSUB 200::PRINT 4",
        "ON X+1 GOSUB 200,300::PRINT 3",
    ],
)
def test_other_gosubs_are_right(line: str) -> None:
    program = Program.from_listing(f"100 {line}\n{ROUTINES}")
    assert CODE not in [each.code for each in lint(program.lines)]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("IF A=0 THEN skip::PRINT 1\nskip: END\n", [17]),
        ("IF A=0 THEN PRINT 2 ELSE IF A=1 THEN skip::PRINT 1\nskip: END\n", [42]),
        ("IF A=0 THEN GOTO skip::PRINT 1\nskip: END\n", []),
        ("FOR I=1 TO 3\nIF I=2 THEN EXIT::PRINT 1\nNEXT I\n", []),
        ("100 IF A=0 THEN 110::PRINT 1\n110 END\n", []),
    ],
)
def test_statements_after_then_and_a_line(tmp_path: Path, text: str, columns: list[int]) -> None:
    path = tmp_path / "game.xb"
    path.write_text(text)
    found = [each for each in judge(str(path)).findings if each.code == "other-way"]
    assert [each.place.column for each in found] == columns


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("GOSUB 30 / PRINT 2 / PRINT 1 / RETURN", [30]),
        ("GOSUB 40 / FOR I=1 TO 2 / NEXT I / IF A THEN 50 / RETURN", [40]),
        ("PRINT 1 / RETURN", [20]),
        ("GOSUB 30 / END / PRINT 1 / RETURN", []),
        ("GOSUB 30 / GOTO 10 / GOSUB 40 / RETURN", []),
        # One that jumps out of a subroutine does not run into another.
        ("GOSUB 30 / END / GOTO 40 / RETURN", []),
        ("ON ERROR 40 / PRINT 1 / END / RETURN", []),
        # What is called does not come back.
        ("GOSUB 40 / PRINT 1 / RETURN / GOSUB 20 / END", []),
        ("GOSUB 30 / CALL S / PRINT 1 / RETURN / SUB S / STOP / SUBEND", []),
        # It may know that it was jumped to.
        ("GOSUB 40 / INPUT V / ON V GOTO 20,40 / IF V THEN 20 / RETURN", []),
        ("GOSUB 30 / I=2 / IF I=2 THEN END / RETURN", []),
        # The line with the mistake may hide an END.
        ("GOSUB 40 / A=) :: END / PRINT 1 / RETURN", []),
    ],
)
def test_a_return_that_no_gosub_leads_to(text: str, lines: list[int]) -> None:
    rows = [f"{10 * at} {row}\n" for at, row in enumerate(text.split(" / "), 1)]
    found = lint(Program.from_listing("".join(rows)).lines)
    assert [each.line for each in found if each.code == UNCALLED] == lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("add: S=S+1\nIF S>9 THEN GOSUB clear\nRETURN\nclear: S=0\nRETURN\n", False),
        ("getkey: CALL KEY(0,K,S)\nIF S=0 THEN getkey\nRETURN\n", False),
        ("PROC ONE(A)\nREAD B\nCALL TWO(A+B)\nEND PROC\nPROC TWO(C)\nPRINT C\nEND PROC\n", False),
        ("GOSUB show\nshow: PRINT 1\nRETURN\n", True),
    ],
)
def test_a_file_for_others_has_its_gosub_elsewhere(tmp_path: Path, text: str, found: bool) -> None:
    path = tmp_path / "part.xb"
    path.write_text(text)
    assert any(each.code in (UNCALLED, "no-data") for each in judge(str(path)).findings) == found


@pytest.mark.parametrize("hidden", ['END "', 'DATA 1,"2', 'GOSUB 20 "'])
def test_a_refused_line_may_be_what_is_missing(tmp_path: Path, hidden: str) -> None:
    path = tmp_path / "x.bas"
    path.write_text(f"10 READ A::GOSUB 30\n20 {hidden}\n30 PRINT A::RETURN\n")
    codes = {each.code for each in judge(str(path)).findings}
    assert codes & {UNCALLED, "no-data", "data"} == set()
