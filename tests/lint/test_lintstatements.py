"""Statements with right syntax that always fail; the console agrees with each."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.lint.test_lint import judged
from ti99tools.computer.console.session import Console
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Severity
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


def failed(*listing: str) -> str:
    """The error that a program ends in on the console."""
    console = Console(disks={"DSK1": DiskImage.new(geometry="SSSD", name="TEST")})
    console.load(Program.from_listing("\n".join(listing) + "\n"))
    console.run()
    return "" if console.error is None else str(console.error)


@pytest.mark.parametrize(
    ("line", "message", "remedy", "error"),
    [
        (
            "LINPUT A",
            "LINPUT reads a text",
            "write A$, or INPUT instead of LINPUT",
            "IMPROPERLY USED NAME",
        ),
        ("FOR I=1 TO 3 STEP 0", "STEP 0", "give another STEP", "BAD VALUE"),
        (
            'OPEN #1:"DSK1.X",INPUT,OUTPUT',
            "OPEN takes one word of INPUT and OUTPUT",
            "leave out the other",
            "SYNTAX ERROR",
        ),
        (
            'OPEN #1:"DSK1.X",FIXED 80,VARIABLE 80',
            "OPEN takes one word of FIXED and VARIABLE",
            "leave out the other",
            "SYNTAX ERROR",
        ),
        ('OPEN #1:"DSK1.X",FIXED 256', "a record has no 256 bytes", "use 1 to 255", "SYNTAX ERROR"),
        (
            'OPEN #1:"DSK1.X",FIXED 40000',
            "a record has no 40000 bytes",
            "use 1 to 255",
            "BAD VALUE",
        ),
        (
            'OPEN #1:"DSK1.X",RELATIVE,VARIABLE',
            "a RELATIVE file has no VARIABLE records",
            "write FIXED",
            "FILE ERROR",
        ),
        ('OPEN #0:"DSK1.X"', "there is no file #0", "use 1 to 255", "FILE ERROR"),
        ('OPEN #256:"DSK1.X"', "there is no file #256", "use 1 to 255", "BAD VALUE"),
        ("PRINT #-1:5", "there is no file #-1", "use 1 to 255", "BAD VALUE"),
        ("CLOSE #-1", "there is no file #-1", "use 1 to 255", "FILE ERROR"),
        ("PRINT EOF(0)", "there is no file #0", "use 1 to 255", "BAD VALUE"),
        ("PRINT REC(256)", "there is no file #256", "use 1 to 255", "BAD VALUE"),
        (
            "PRINT #3:5",
            "nothing opens file #3",
            "OPEN it before, or correct the number",
            "FILE ERROR",
        ),
        (
            "INPUT #3:A",
            "nothing opens file #3",
            "OPEN it before, or correct the number",
            "FILE ERROR",
        ),
        (
            "PRINT EOF(3)",
            "nothing opens file #3",
            "OPEN it before, or correct the number",
            "FILE ERROR",
        ),
        ("ACCEPT AT(5,5)SIZE(0):A$", "SIZE(0)", "use 1 to 255", "BAD VALUE"),
        ("DISPLAY AT(1,40000):1", "AT takes no column 40000", "use 1 to 28", "BAD VALUE"),
        ("DISPLAY AT(5,5)SIZE(256):A$", "SIZE(256)", "use 1 to 255", "BAD VALUE"),
    ],
)
def test_what_lint_foresees_the_console_does(
    line: str, message: str, remedy: str, error: str
) -> None:
    errors = [each for each in judged(f"100 {line}") if each.severity is Severity.ERROR]
    (found,) = [each for each in errors if each.code != "prescan"]
    assert (found.message, found.remedy) == (f"{message}: this fails with {error}", remedy)
    assert failed(f"100 {line}", "110 NEXT I" if "FOR" in line else "110 END") == f"{error} IN 100"


@pytest.mark.parametrize(
    "lines",
    [
        ("100 LINPUT A$",),
        ("100 PRINT #0:5",),
        ("100 PRINT REC(3)",),
        ('100 OPEN #3:"DSK1.X",RELATIVE,INTERNAL,FIXED 254,UPDATE', "110 PRINT #3,REC 1:5"),
        ("100 F=3", '110 OPEN #F:"DSK1.X"', "120 PRINT #3:5"),
        ("100 FOR I=1 TO 3 STEP .3", "110 NEXT I"),
        ("100 DISPLAY AT(24,28)SIZE(-5):1",),
    ],
)
def test_right_statements_have_no_findings(lines: tuple[str, ...]) -> None:
    assert [each for each in judged(*lines) if each.severity is Severity.ERROR] == []
    assert failed(*lines) == ""


def test_a_place_beyond_the_screen_is_another_one() -> None:
    found = [str(each) for each in judged("100 DISPLAY AT(25,30):1", "110 ACCEPT AT(0,1):A$")]
    assert [each for each in found if "[position]" in each] == [
        "x.bas:1:5: warning: AT takes column 30 for column 2 (line 100); use 1 to 28 [position]",
        "x.bas:1:5: warning: AT takes row 25 for row 1 (line 100); use 1 to 24 [position]",
        "x.bas:2:5: warning: AT takes row 0 for row 1 (line 110); use 1 to 24 [position]",
    ]
    console = Console()
    console.load(Program.from_listing("100 DISPLAY AT(25,30):1\n"))
    console.start()
    assert console.run_until("1", seconds=5)


def test_an_open_that_lint_cannot_follow_may_open_any_file() -> None:
    findings = judged("100 IF A THEN B= ELSE OPEN #2", "110 PRINT #2:5")
    assert "not-open" not in {each.code for each in findings}


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("100 CALL CLEAR()", "leave out ( ): there is nothing in it"),
        ("100 SUB HELLO()", "leave out ( ): there is nothing in it"),
        ('100 INPUT "NAME" A$', "write : after the text that asks"),
        ('100 INPUT "NAME";A$', "write : after the text that asks"),
        ('100 PRINT SPC(3);"X"', 'TAB(column), or RPT$(" ",count)'),
    ],
)
def test_what_people_from_other_basics_write_first(line: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bas"
    path.write_text(f"{line}\n", encoding="utf-8")
    output = CliRunner().invoke(cli, ["lint", str(path)]).output
    assert remedy in output
    assert "something is missing or wrong" not in output
