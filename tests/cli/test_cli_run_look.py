"""What `run` shows of a run: the screen, the variables, the files, the step that was not done."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage, Program
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.artefacts import program_file
from ti99tools.media.disk.tifile import DiskFile

PAGE = Path(__file__).parents[2] / "docs" / "running.md"

FAILING = """DIM HP(5,2)
N$="BOB"&CHR$(200)
FOR I=1 TO 9
  HP(I,1)=100/I
NEXT I
"""


def run(*args: str, command: str = "run") -> Result:
    return CliRunner().invoke(cli, [command, *args])


def source(tmp_path: Path, text: str, name: str = "p.xb") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


@pytest.fixture
def disk(tmp_path: Path) -> str:
    image = DiskImage.new(name="D")
    text = '100 OPEN #1:"DSK1.OUT",OUTPUT\n110 PRINT #1:"X"\n120 CLOSE #1\n'
    image.add(program_file(Program.from_listing(text), "WRITER"))
    image.add(program_file(Program.from_listing("100 END"), "OTHER"))
    path = tmp_path / "two.dsk"
    image.save(path)
    return str(path)


# -- programs on a disk -------------------------------------------------------------------


def test_a_disk_without_load_names_its_programs(disk: str) -> None:
    result = run(disk)
    assert result.exit_code == 2
    assert "no LOAD on the disk" in result.stderr
    assert "OTHER, WRITER" in result.stderr
    assert result.stderr.endswith(f"name one: ti99tools run {disk} OTHER\n")
    assert run(disk, "--keys", 'RUN "DSK1.OTHER"\\n').exit_code == 0, "keys may start one"


@pytest.mark.parametrize("name", ["WRITER", "writer"])
def test_a_program_on_a_disk_is_run_by_name(disk: str, tmp_path: Path, name: str) -> None:
    saved = tmp_path / "after.dsk"
    result = run(disk, name, "--save-disk", str(saved))
    assert result.exit_code == 0, result.stderr
    assert DiskImage.open(saved).read("OUT").records == (b"X",), "the disk stays in DSK1"


def test_names_that_are_not_there(disk: str, tmp_path: Path) -> None:
    assert "did you mean WRITER?" in run(disk, "WRITR").stderr
    assert "on it are OTHER, WRITER" in run(disk, "ZZZ").stderr
    result = run(source(tmp_path, "END"), "ZZZ")
    assert result.exit_code == 2
    assert "not a disk image; leave out ZZZ" in result.stderr
    blank = tmp_path / "blank.dsk"
    DiskImage.new().save(blank)
    assert "no program of Extended BASIC is on the disk" in run(str(blank)).stderr


@pytest.mark.parametrize("command", ["run", "debug", "profile"])
def test_a_disk_that_starts_nothing_shows_no_text(disk: str, command: str, tmp_path: Path) -> None:
    script = tmp_path / "p.keys"
    for steps, more in (("until FOO\n", ""), ("wait 30\nuntil FOO\nsnap a\n", ""), ("", "FOO")):
        script.write_text(steps)
        words = [command, disk, "--script", str(script), *(["--until", more] if more else [])]
        result = CliRunner().invoke(cli, words, input="")
        assert result.exit_code == 2
        name = f"name one: ti99tools {command} {disk} OTHER"
        assert "no LOAD on the disk, which would start by itself" in result.stderr
        assert result.stderr.endswith(f"{name}\n")


def test_a_program_that_run_has_started_is_named(tmp_path: Path) -> None:
    """Its lines are not those of the source that has started it."""
    image = DiskImage.new(name="D")
    for name, text in (("NEXT", "100 INPUT A\n110 PRINT 1/A;SQR(A)\n"), ("OTHER", "100 END")):
        image.add(program_file(Program.from_listing(text), name))
    image.save(tmp_path / "d.dsk")
    first = source(tmp_path, 'PRINT "FIRST"\nINPUT A\nRUN "DSK1.NEXT"\n')
    words = (first, "--disk", str(tmp_path / "d.dsk"), "--keys")
    assert f"{first}:2:1: the program waits for a key in line 100" in run(*words, "").stderr
    assert "DSK1.NEXT: the program waits for a key in line 100" in run(*words, "1\\n").stderr
    failed = run(*words, "1\\n-1\\n", "--json")
    assert json.loads(failed.stdout)["place"] == {"file": "DSK1.NEXT", "line": None, "column": None}
    assert "DSK1.NEXT: BAD ARGUMENT IN 110" in run(*words, "1\\n-1\\n").stderr


def test_a_program_that_was_changed_by_lines_is_the_targets(tmp_path: Path) -> None:
    path = source(tmp_path, "100 END\n110 PRINT SQR(-1)\n", "p.bas")
    result = run(path, "--keys", "100 INPUT A\\nRUN\\n")
    assert f"{path}:1:5: the program waits for a key in line 100" in result.stderr


def test_a_key_may_start_what_a_disk_does_not(disk: str) -> None:
    keys = ("--keys", 'RUN "DSK1.OTHER"\\n', "--until", "OTHER")
    assert run(disk, *keys).exit_code == 0


def test_files_that_are_no_programs(disk: str) -> None:
    image = DiskImage.open(disk)
    program = image.read("OTHER").data
    image.add(DiskFile.display_var("NOTES", [b"A"]))
    image.add(DiskFile.program("CODE", bytes(program[:2][::-1] + b"\1" + program[3:])))
    image.add(DiskFile.display_var("MERGED", [b"\0\x64\x8b\0"], 163))
    image.save(disk)
    assert "NOTES is a DIS/VAR 80 file; name a program" in run(disk, "notes").stderr
    assert "CODE is no program of Extended BASIC: the checksum is wrong" in run(disk, "CODE").stderr
    assert "MERGED is no program of Extended BASIC: a MERGE file ends" in run(disk, "MERGED").stderr


# -- variables ----------------------------------------------------------------------------


def test_an_error_shows_the_variables_of_its_line(tmp_path: Path) -> None:
    result = run(source(tmp_path, FAILING))
    assert "BAD SUBSCRIPT" in result.stderr
    assert result.stderr.endswith("\n  with I=6\n")
    result = run(source(tmp_path, "DIM A(3)\nI=2\nA(I)=1\nX=5\nIF A(I) THEN CALL HCHAR(X,0,1)\n"))
    assert result.stderr.endswith("with X=5, A(2)=1, I=2\n"), "the statement's own come first"


@pytest.mark.parametrize("wrong", ["Q(A$)", "SQR(-1)+F(A$)", "SQR(-1);G$(1)"])
def test_an_error_in_what_takes_another_kind_of_value(tmp_path: Path, wrong: str) -> None:
    text = f'A$="X"\nDEF F(X)=X+1\nDEF G$(X$)=X$&"Y"\nPRINT A$;{wrong}\n'
    result = run(source(tmp_path, text))
    assert result.exit_code == 1 and result.stderr.endswith('\n  with A$="X"\n'), result.stderr


def test_variables_in_a_sub_are_the_subs(tmp_path: Path) -> None:
    text = "N=1\nCALL S(N)\nSUB S(N)\n  M=N+1\n  CALL HCHAR(0,M,1)\nSUBEND\n"
    result = run(source(tmp_path, text), "--vars")
    assert "with M=2" in result.stderr
    assert result.stdout.splitlines()[-2:] == ["M=2", "N=1"]


def test_all_variables_on_request(tmp_path: Path) -> None:
    result = run(source(tmp_path, FAILING), "--vars")
    assert result.stdout.splitlines() == [
        "HP(1,1)=100",
        "HP(2,1)=50",
        "HP(3,1)=33.33333333",
        "HP(4,1)=25",
        "HP(5,1)=20",
        "I=6",
        'N$="BOB"&CHR$(200)',
    ]


# -- the step that was not done -----------------------------------------------------------


def test_the_step_that_waits_for_ever_is_told(tmp_path: Path) -> None:
    target = source(tmp_path, "INPUT A$\nPRINT A$\n")
    script = tmp_path / "p.keys"
    script.write_text("# a script\ntype BOB\nuntil FOO\n")
    result = run(target, "--script", str(script))
    assert result.exit_code == 1
    assert result.stderr.endswith(f"\n  in {script}:3: until FOO\n")
    assert run(target, "--until", "FOO").stderr.endswith("\n  in --until FOO\n")
    script.write_text("type BOB\n")
    errors = run(target, "--script", str(script)).stderr
    assert f"all steps are done, the last was {script}:1: type BOB; --keys or --script" in errors
    script.write_text("type BOB\\n\nuntil FOO\n")
    result = run(target, "--script", str(script))
    assert "the program ended, and never showed FOO" in result.stderr
    assert f"in {script}:2: until FOO" in result.stderr


# -- the screen ---------------------------------------------------------------------------

DRAWN = 'CALL CLEAR\nCALL CHAR(65,"FFFFFFFFFFFFFFFF")\nDISPLAY AT(2,3):"ABC"\nINPUT Z\n'


def test_screens_show_what_is_drawn_or_the_codes(tmp_path: Path) -> None:
    target = source(tmp_path, DRAWN)
    assert "    █BC" in run(target, "--screen").stdout
    assert "    ABC" in run(target, "--codes").stdout
    assert run(target).stdout == "", "not on a terminal"


def test_on_a_terminal_the_screen_is_shown(tmp_path: Path) -> None:
    def screen(*options: str) -> str:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "ti99tools", "run", source(tmp_path, DRAWN), *options]
        environment = {**os.environ, "TERM": "xterm-256color"}
        ran = subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment)
        os.close(theirs)
        data = b""
        try:
            while chunk := os.read(ours, 65536):
                data += chunk
        except OSError:
            pass  # the other end is closed
        ran.communicate(timeout=60)
        os.close(ours)
        return data.decode()

    colored = screen()
    assert "\x1b[" in colored
    assert "█BC" in re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert screen("--no-screen") == ""


WHY = [
    ('N=5 :: PRINT #N:"X"', "FILE ERROR IN 100 (no file #5 is open)"),
    (
        "GOSUB 110\n110 RETURN",
        "(no GOSUB led here: put END above the subroutine, and enter it by GOSUB only)",
    ),
    ("RETURN NEXT", "(this RETURN is for ON ERROR: it leaves a handler, and none runs)"),
    ("FOR I=1 TO 2 :: FOR J=1 TO 2 :: NEXT I :: NEXT J", "(no loop of J is open here)"),
    ('OPEN #1:"DSK1.X" :: OPEN #1:"DSK1.Y"', "(#1 is open already: CLOSE it first)"),
    ('OPEN #1:"DSK1.X",OUTPUT :: INPUT #1:A', "(#1 is open for OUTPUT alone)"),
    ('OPEN #1:"DSK1.X" :: PRINT #1,REC 2:"X"', "(#1 is not RELATIVE: leave out REC)"),
    ('OPEN #1:"DSK1.X",INTERNAL,FIXED 9 :: PRINT #1:RPT$("A",20)', "has the length 20, the record"),
    ("R=25 :: CALL HCHAR(R,1,42)", "BAD VALUE IN 100 (25 is not 1 to 24)"),
    ("F=50 :: CALL SOUND(9,F,0)", "(50 is not 110 to 44733)"),
    ("F=440 :: CALL SOUND(9,F,0,F,0,F,0,F,0)", "(a sound has 3 tones)"),
    ("K=4 :: ON K GOTO 100,100", "BAD VALUE IN 100 (4 is not 1 to 2)"),
    ("A=0 :: FOR I=1 TO 2 STEP A :: NEXT I", "(STEP is 0)"),
    ("A=1E50 :: PRINT CHR$(A)", "(the value is not 0 to 32767)"),
    ("DIM A(5) :: I=6 :: A(I)=1", "BAD SUBSCRIPT IN 100 (6 is not 0 to 5)"),
    ("READ A", "DATA ERROR IN 100 (the program has no DATA; write the lines with DATA)"),
    ("READ A,B\n110 DATA 1", "DATA ERROR IN 100 (no DATA are left: the program has 1; "),
    (
        "RESTORE 120 :: READ A\n110 DATA 1\n120 END",
        "DATA ERROR IN 100 (no DATA are left: the program has 1; ",
    ),
    ("READ A\n110 DATA 1␛X", "DATA ERROR IN 100 (the item 1␛X is not a number)"),
    ("A=-1 :: PRINT SQR(A)", "(give a positive number)"),
]


@pytest.mark.parametrize(("statements", "why"), WHY)
def test_an_error_says_which_of_its_causes_it_has(
    statements: str, why: str, tmp_path: Path
) -> None:
    result = run(source(tmp_path, f"100 {statements}\n", "p.bas"))
    assert result.exit_code == 1 and why in result.stderr, result.stderr


# -- data ---------------------------------------------------------------------------------


def test_a_run_as_data(disk: str, tmp_path: Path) -> None:
    result = run(disk, "WRITER", "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    data = json.loads(result.stdout)
    assert (data["status"], data["ok"], data["line"], data["place"]) == ("ended", True, None, None)
    files = {row["name"]: row for row in data["files"]["DSK1"]}
    assert files["OUT"] == {
        "name": "OUT",
        "type": "DIS/VAR",
        "record_length": 80,
        "records": 1,
        "changed": True,
        "text": ["X"],
    }
    assert not files["OTHER"]["changed"]
    assert [len(row) for row in data["screen"]] == [32] * 24 == [len(r) for r in data["codes"]]

    data = json.loads(run(source(tmp_path, FAILING), "--json").stdout)
    assert data["status"] == "error"
    assert "BAD SUBSCRIPT" in data["message"]
    assert data["place"]["line"] == 4
    assert data["place"]["file"].endswith("p.xb")
    assert data["variables"]["HP()"][3] == [0, 33.333333333333, 0]
    assert data["variables"]["N$"] == "BOBÈ"
    assert data["failed_with"] == {"I": 6}


def test_the_form_of_the_data_is_documented(tmp_path: Path) -> None:
    data = json.loads(run(source(tmp_path, FAILING), "--json").stdout)
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text().partition("## Data of a run")[2], re.M)
    assert rows == list(data)


def test_a_break_is_shown_at_its_statement(tmp_path: Path) -> None:
    text = "FOR I=1 TO 3\n  PRINT I\n  IF I=2 THEN BREAK\nNEXT I\n"
    shown = run(source(tmp_path, text)).stderr
    assert re.match(r".*p\.xb:3:15: a break stopped the program in line 100", shown), shown


def test_a_broken_range_is_shown_at_its_statement(tmp_path: Path) -> None:
    path = source(tmp_path, "RANGE N=1 TO 3\nPRINT 5\nN=2\nIF N>1 THEN\n  N=N+7\nEND IF\n")
    shown = run(path, "--screen")
    assert shown.exit_code == 1
    assert "5" in shown.stdout
    broken = f"{path}:5:3: N gets 9, its RANGE at {path}:1:7 is 1 TO 3; "
    assert shown.stderr.strip() == broken + "correct the program, or its RANGE"
    told = json.loads(run(path, "--json").stdout)
    assert (told["status"], told["line"], told["place"]["line"]) == ("error", 100, 5)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('100 OPEN #1:"DSK2.A",INPUT\n', "; no disk is in DSK2)"),
        (
            '100 ON ERROR 120\n110 OPEN #1:"DSK1.A",INPUT\n120 RETURN 130\n130 CLOSE #1\n',
            "FILE ERROR IN 130 (no file #1 is open: its OPEN has failed)",
        ),
        (
            '100 ON ERROR 140\n110 OPEN #1:"DSK1.A",UPDATE\n120 PRINT #1:"X"::RESTORE #1\n'
            "130 INPUT #1:A$::INPUT #1:A$\n140 RETURN 150\n150 CLOSE #1\n",
            "; I/O ERROR 25 before has closed the file)",
        ),
        (
            "100 ON ERROR 120\n110 CALL S\n120 CALL ERR(A,B,C,D)\n130 RETURN NEXT\n"
            "140 SUB S\n150 X=1/LEN(SEG$(RPT$(A$,-1),1,1))\n160 SUBEND\n",
            "IN 120 (the error came in SUB S: until RETURN, a handler has no names but those of S)",
        ),
    ],
)
def test_an_error_after_an_error_says_why(tmp_path: Path, text: str, why: str) -> None:
    shown = run(source(tmp_path, text, "p.bas"))
    assert shown.exit_code == 1
    assert why in shown.stderr, shown.stderr


def test_numbers_that_come_twice_are_warned_of(tmp_path: Path) -> None:
    path = source(tmp_path, "100 PRINT 1\n100 PRINT 2\n", "p.bas")
    warned = f"{path}:2:1: warning: line 100 is also at {path}:1:1: this one counts"
    assert run(path).stderr.startswith(warned)


def test_a_loop_that_another_one_ends(tmp_path: Path) -> None:
    loop = "FOR I=1 TO 2\n  PRINT I\nNEXT I\n"
    path = source(tmp_path, f"FOR I=1 TO 3\n  CALL P\nNEXT I\nPROC P\n{loop}END PROC\n")
    ended = (
        f"(no loop of I is open here; FOR I at {path}:5:1 may have ended it: rename its variable)"
    )
    assert ended in run(path).stderr
    path = source(tmp_path, f"CALL S\nNEXT I\nSUB S\n{loop}SUBEND\n")
    assert "may have ended it" not in run(path).stderr


@pytest.mark.parametrize("index", ["0", "9"])
def test_the_table_of_a_wrong_index_is_named(tmp_path: Path, index: str) -> None:
    path = source(tmp_path, f"CONST K=5,PAY()=1,2,3\nN={index}\nPRINT K;PAY(N)\n")
    assert "; is the index of the table PAY right?)" in run(path).stderr
    plain = source(tmp_path, f"CONST K=5,PAY()=1,2,3\nN={index}*-1\nPRINT K;CHR$(N-9)\n", "q.xb")
    assert "of the table" not in run(plain).stderr
