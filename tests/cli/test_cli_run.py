"""`run` and `profile`: targets of every kind, keys, scripts, exit codes, pictures, disks."""

import json
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from ti99tools import DiskImage, Program
from ti99tools.computer.console.keyscript import KEYS, Step, parse
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.artefacts import program_file

GREETER = """100 INPUT "NAME? ":N$
110 PRINT "HI ";N$
120 IF N$="X" THEN CALL HCHAR(0,0,1)
130 OPEN #1:"DSK1.OUT",OUTPUT
140 PRINT #1:N$
150 CLOSE #1
"""


@pytest.fixture
def greeter(tmp_path: Path) -> str:
    path = tmp_path / "greeter.bas"
    path.write_text(GREETER)
    return str(path)


def run(*args: str, command: str = "run") -> Result:
    return CliRunner().invoke(cli, [command, *args])


def test_a_program_to_its_end(greeter: str) -> None:
    result = run(greeter, "--keys", r"BOB\n", "--screen")
    assert result.exit_code == 0, result.stderr
    assert "\n  HI BOB\n" in result.stdout
    assert "* READY *" in result.stdout
    assert result.stderr.startswith("ended after ")
    rows = ["  NAME? BOB", "  HI BOB", "", "  * READY *", "", " >"]
    assert result.stdout.splitlines() == rows


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("CALL MOVES(1,2,3)", "(MOVES is a subprogram of RXB, and of the profile rxb)"),
        ("CALL NOSUCH", "(there is no NOSUCH; correct the name or write the SUB)"),
        (
            'CALL INIT::CALL LINK("FREEZE")',
            "(no machine code with that name has been loaded: FREEZE is of XB256)",
        ),
    ],
)
def test_programs_for_another_basic_are_told_so(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "p.bas"
    path.write_text(f"100 PRINT 1\n110 {line}\n")
    result = run(str(path), "--screen")
    assert result.exit_code == 1
    assert result.stderr.endswith(f"SUBPROGRAM NOT FOUND IN 110 {reason}\n")
    rows = [row.strip() for row in result.stdout.splitlines() if row.strip()]
    assert rows[-3:] == ["* SUBPROGRAM NOT FOUND", "IN 110", ">"]
    noted = run(str(path), "-o", str(tmp_path / "P"), command="tokenize")
    assert "p.bas:2:" in noted.stderr
    assert "warning" in noted.stderr


def test_what_the_console_does_not_model_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "p.bas"
    path.write_text("100 CALL INIT::CALL PEEK(-31952,A,B)::CALL LOAD(A*256+B-65536,0,200)\n")
    result = run(str(path))
    assert result.exit_code == 0
    assert "note: the program was changed in memory while it ran" in result.stderr


def test_more_keys_are_needed(greeter: str) -> None:
    result = run(greeter)
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"{greeter}:1:5: the program waits for a key in line 100, after "
    )
    assert result.stderr.endswith(" of machine time; --keys or --script gives it some\n")


@pytest.mark.parametrize(
    ("keys", "steps", "until", "code"),
    [
        (r"BOB\n", r"type BOB\n", None, 0),
        ("BOB", "type BOB", None, 1),
        ("BOB", "press B\npress O\npress B", None, 1),
        ("BOB", "type BOB", "BOB", 0),
        ("BOB", "type BOB\nuntil BOB", "BOB", 0),
        ("", "wait 1", "NAME?", 0),
        (None, "", None, 1),
        ("BOB", "type BOB", "NEVER", 1),
    ],
)
def test_keys_and_scripts_end_alike(
    greeter: str, tmp_path: Path, keys: str | None, steps: str, until: str | None, code: int
) -> None:
    script = tmp_path / "keys.txt"
    script.write_text(steps)
    ending = [] if until is None else ["--until", until]
    typed = run(greeter, *([] if keys is None else ["--keys", keys]), *ending)
    followed = run(greeter, "--script", str(script), *ending)
    assert (typed.exit_code, followed.exit_code) == (code, code)


@pytest.mark.parametrize("step", ["until NAME?", "wait 60", "rest 60", "snap here"])
def test_a_script_may_stop_before_the_program_ends(greeter: str, tmp_path: Path, step: str) -> None:
    script = tmp_path / "keys.txt"
    script.write_text(f"type B\n{step}\n")
    result = run(greeter, "--script", str(script))
    assert result.exit_code == 0
    assert result.stderr.startswith("still running after ")


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("p.xb", 'PRINT "A"\nREPEAT\n  LINPUT "B":N$\nUNTIL N$="X"\n', "3:3"),
        ("p.xb", "CALL ASK(N$)\nSUB ASK(N$)\n  ACCEPT AT(3,3):N$\nSUBEND\n", "3:3"),
        (
            "p.bas",
            "100 A=1\n110 CALL KEY(0,K,S)\n120 GOSUB 200\n130 IF S=0 THEN 110\n140 END\n"
            "200 B=B+1\n210 RETURN\n",
            "2:5",
        ),
    ],
    ids=["LINPUT", "ACCEPT in SUB", "KEY"],
)
def test_the_line_that_waits_for_a_key_is_told(
    tmp_path: Path, name: str, text: str, place: str
) -> None:
    source = tmp_path / name
    source.write_text(text)
    result = run(str(source))
    assert result.exit_code == 1
    message = f"{source}:{place}: the program waits for a key in line "
    assert result.stderr.startswith(message)
    never = run(str(source), "--until", "NEVER")
    assert never.exit_code == 1
    assert never.stderr.startswith(message)
    assert ", and never showed NEVER, after " in never.stderr
    short = run(str(source), "--until", "NEVER", "--max-seconds", "3")
    assert short.exit_code == 1
    assert short.stderr.startswith(message)


def test_an_error_is_shown_at_its_source(greeter: str, tmp_path: Path) -> None:
    result = run(greeter, "--keys", r"X\n")
    assert result.exit_code == 1
    why = "(HCHAR takes no column 0; the console takes 1 to 32)"
    assert result.stderr == f'{greeter}:3:20: BAD VALUE IN 120 {why}\n  with N$="X"\n'
    structured = tmp_path / "structured.xb"
    structured.write_text('! a comment\n  PRINT "HELLO"\n\n  CALL VCHAR(0,0,1)\n  A=1\n')
    result = run(str(structured))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{structured}:4:")
    assert "BAD VALUE IN" in result.stderr


def test_a_time_limit(tmp_path: Path) -> None:
    loop = tmp_path / "loop.xb"
    loop.write_text('PRINT "HI"\n\nWHILE 1\n  A=A+1\nEND WHILE\n')
    result = run(str(loop), "--max-seconds", "3")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{loop}:4:3: still running in line 110 after 3.0 seconds of ")
    assert "; --max-seconds N gives it more" in result.stderr
    assert result.stderr.count("\n") == 1


def test_until_a_text(greeter: str) -> None:
    result = run(greeter, "--until", "NAME?", "--screen")
    assert result.exit_code == 0
    assert "NAME?" in result.stdout
    assert result.stderr.startswith("still running after ")
    result = run(greeter, "--keys", r"BOB\n", "--until", "NEVER")
    assert result.exit_code == 1
    assert "never showed NEVER" in result.stderr


def test_a_script_with_snaps(greeter: str, tmp_path: Path) -> None:
    script = tmp_path / "keys.txt"
    script.write_text('until NAME?\nsnap asked\ntype ANN\npress LEFT\ntype "NA\\n"\nuntil ready\n')
    result = run(greeter, "--script", str(script), "--screen")
    assert result.exit_code == 0, result.stderr
    asked, _, end = result.stdout.partition("HI ")
    assert asked.startswith("--- asked\n")
    assert end.startswith("ANNA")
    assert asked.count("NAME?") == 2, "the snap and the last screen, which differs"
    script.write_text("until NAME?\nsnap 1/2\n")
    folder = tmp_path / "new" / "pictures"
    result = run(greeter, "--script", str(script), "--screen", "--snaps", str(folder))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("NAME?") == 1, "the last screen is the snap"
    assert (folder / "1%2F2.png").read_bytes().startswith(b"\x89PNG")
    script.write_text("until NAME?\n")
    assert run(greeter, "--script", str(script)).exit_code == 0, "a script may end before"
    script.write_text("jump\n")
    result = run(greeter, "--script", str(script))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {script}:1: unknown step")


def test_disks_are_mounted_and_saved(greeter: str, tmp_path: Path) -> None:
    saved = tmp_path / "after.dsk"
    assert run(greeter, "--keys", r"BOB\n", "--save-disk", str(saved)).exit_code == 0
    assert DiskImage.open(saved).read("OUT").records == (b"BOB",)
    other = tmp_path / "two.bas"
    other.write_text('100 OPEN #1:"DSK2.OUT",INPUT\n110 INPUT #1:A$\n120 PRINT A$;"!"\n')
    result = run(str(other), "--disk", f"DSK2={saved}", "--screen")
    assert result.exit_code == 0
    assert "BOB!" in result.stdout
    for wrong in ("DSK0=x", "TAPE=x", f"DSK5={saved}"):
        result = run(str(other), "--disk", wrong)
        assert result.exit_code == 2
        assert "no drive; drives are DSK1, DSK2, DSK3, DSK4" in result.stderr
    result = run(greeter, "--keys", r"BOB\n", "--save-disk", f"DSK3={saved}")
    assert result.exit_code == 2
    assert "no disk in DSK3" in result.stderr


def test_a_saved_disk_has_the_form_that_its_extension_names(greeter: str, tmp_path: Path) -> None:
    saved = tmp_path / "after.hfe"
    assert run(greeter, "--keys", r"BOB\n", "--save-disk", str(saved)).exit_code == 0
    image = DiskImage.open(saved)
    assert image.form == "HFE"
    assert image.read("OUT").records == (b"BOB",)
    wrong = tmp_path / "after.zip"
    result = run(greeter, "--keys", r"BOB\n", "--save-disk", str(wrong))
    assert result.exit_code == 2
    assert not wrong.exists()
    assert ".zip is the extension of no disk image" in result.stderr
    assert ".hfe" in result.stderr


def test_pictures(greeter: str, tmp_path: Path) -> None:
    png, gif = tmp_path / "last.png", tmp_path / "all.gif"
    result = run(greeter, "--keys", r"BOB\n", "--png", str(png), "--gif", str(gif))
    assert result.exit_code == 0
    with Image.open(png) as picture, Image.open(gif) as animation:
        assert picture.format == "PNG"
        assert len(picture.getcolors() or ()) >= 2
        assert animation.format == "GIF"
        assert getattr(animation, "n_frames", 1) >= 4


def test_a_picture_of_a_program_that_never_begins(tmp_path: Path) -> None:
    source = tmp_path / "p.bas"
    source.write_text("100 FOR I=1 TO 5\n")
    gif = tmp_path / "all.gif"
    result = run(str(source), "--gif", str(gif))
    assert result.exit_code == 1
    assert "FOR-NEXT NESTING IN 100" in result.stderr
    with Image.open(gif) as animation:
        assert animation.format == "GIF"


def test_the_code_that_ran(greeter: str) -> None:
    result = run(greeter, "--keys", r"BOB\n", "--show-code")
    assert "# line100" in result.stdout
    assert "clock.cycles +=" in result.stdout


def test_a_disk_starts_its_load_program(tmp_path: Path) -> None:
    image = DiskImage.new(name="D")
    image.add(program_file(Program.from_listing('100 PRINT "BOOTED"\n'), "LOAD"))
    path = tmp_path / "boot.dsk"
    image.save(path)
    result = run(str(path), "--screen")
    assert result.exit_code == 0
    assert "BOOTED" in result.stdout
    tokens = tmp_path / "boot.bin"
    tokens.write_bytes(Program.from_listing('100 PRINT "BOOTED"\n').to_program_bytes())
    result = run(str(tokens), "--screen")
    assert result.exit_code == 0
    assert "BOOTED" in result.stdout


def test_a_game_by_name_with_its_seed() -> None:
    keys = r"12HBOB\nHANN\n\n"
    first = run("d5000", "--seed", "7", "--keys", keys, "--until", " 200", "--screen")
    assert first.exit_code == 0, first.stderr
    again = run("d5000", "--seed", "7", "--keys", keys, "--until", " 200", "--screen")
    assert first.stdout == again.stdout


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["chess"], "error: chess: no such file, and no such game"),
        (["/"], "error: /: a folder"),
        (["GREETER", "--seed", "1"], "asks for no seed"),
        (["GREETER", "--keys", r"\x"], r"unknown: \x; write \n for ENTER"),
        (["NOISE"], "neither a program nor a disk image"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_bad_targets(args: list[str], problem: str, greeter: str, tmp_path: Path) -> None:
    noise = tmp_path / "noise.bin"
    noise.write_bytes(bytes(range(7, 200, 3)))
    named = [{"GREETER": greeter, "NOISE": str(noise)}.get(arg, arg) for arg in args]
    result = run(*named)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


def test_profile_adds_up(tmp_path: Path) -> None:
    program = tmp_path / "p.bas"
    program.write_text(
        "100 FOR I=1 TO 200\n110 IF I>100 THEN A=A+1 ELSE B=SQR(I)\n120 NEXT I\n"
        "130 CALL SOUND(1000,440,2)\n140 CALL SOUND(10,440,2)\n"
    )
    result = run(str(program), "--json", command="profile")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    lines = {row["line"]: row for row in data["lines"]}
    assert sum(row["share"] for row in lines.values()) == pytest.approx(1, abs=0.01)
    assert sum(row["seconds"] for row in lines.values()) == pytest.approx(data["seconds"], abs=0.01)
    whole = float(result.stderr.split()[2])
    in_all = data["startup"]["in all"]
    assert in_all + 0.5 == pytest.approx(whole, abs=0.15), "nothing is lost but READY after the end"
    assert lines[110]["times"] == 200
    assert lines[110]["from"].endswith("p.bas:2:5")
    assert lines[140]["seconds"] > 0.9, "the second tone waits for the first"
    assert lines[110]["seconds"] > lines[120]["seconds"]
    rows = run(str(program), "--top", "2", command="profile").stdout.splitlines()
    start = [row for row in rows if " start-up: " in row]
    assert rows[: len(start)] == start
    assert start[-1].endswith(" in all")
    text = rows[len(start) :]
    assert len(text) == 4
    assert text[0].split() == ["share", "seconds", "times", "line"]
    assert text[3].strip().startswith(f"{data['seconds']:.3f} ")
    assert text[3].endswith(" seconds of machine time in all")


def test_profile_with_real_drives(tmp_path: Path) -> None:
    program = tmp_path / "p.bas"
    program.write_text('100 OPEN #1:"DSK1.A",OUTPUT\n110 PRINT #1:"X"\n120 CLOSE #1\n')

    def seconds(*options: str) -> dict[int, float]:
        result = run(str(program), "--json", *options, command="profile")
        assert result.exit_code == 0, result.stderr
        return {row["line"]: row["seconds"] for row in json.loads(result.stdout)["lines"]}

    at_once, turning = seconds(), seconds("--real-drives")
    assert turning[100] > at_once[100] + 1
    assert turning[120] > at_once[120] + 0.5
    assert turning[110] == pytest.approx(at_once[110], abs=0.01), "nothing reaches the disk yet"


def test_the_help_lists_the_steps_of_a_script() -> None:
    block = run("--help").stdout.partition("A key script has")[2].partition("\n\n")[0]
    rows = [row[4:28].strip() for row in block.splitlines()[1:]]
    steps = parse("\n".join(row for row in rows if row))
    assert {type(step) for step in steps} == set(get_args(Step)), "one of each kind"
    assert parse("type BOB\\n")[0] in steps
    for key in KEYS:
        assert f" {key}" in block.replace(",", " "), key


def test_io_errors_are_explained(tmp_path: Path) -> None:
    source = tmp_path / "io.bas"
    for text, message in (
        ('OPEN #1:"DSK1.X",INPUT', "I/O ERROR 02 IN 100 (OPEN: there is no such file, or "),
        ('OPEN #1:"DSK2.X"', "I/O ERROR 06 IN 100 (OPEN: the device does not work, or no disk is"),
        (
            'OPEN #1:"DSK1.X",OUTPUT,VARIABLE 254::FOR I=1 TO 999::PRINT #1:RPT$("X",250)::NEXT I',
            "I/O ERROR 34 IN 100 (PRINT: there is no room left)\n  with I=",
        ),
    ):
        source.write_text(f"100 {text}\n")
        result = run(str(source))
        assert result.exit_code == 1
        assert message in result.stderr
    source.write_text("100 PRINT SQR(-1)\n")
    assert run(str(source)).stderr.endswith(": BAD ARGUMENT IN 100 (give a positive number)\n")
    source.write_text("100 A=-1\n110 PRINT SQR(A)\n")
    assert run(str(source)).stderr.endswith(
        ": BAD ARGUMENT IN 110 (give a positive number)\n  with A=-1\n"
    )


def test_a_file_that_is_no_program_may_be_the_reason_of_an_io_error(tmp_path: Path) -> None:
    disk, data, source = tmp_path / "a.dsk", tmp_path / "X", tmp_path / "io.bas"
    data.write_bytes(b"abc")
    run("new", str(disk), command="disk")
    run("add", str(disk), str(data), "--type", "PROGRAM", command="disk")
    source.write_text('100 RUN "DSK1.X"\n')
    message = run(str(source), "--disk", str(disk)).stderr
    assert "I/O ERROR 50 IN 100 (OLD: there is no such device, or what it has" in message


def test_a_statement_that_would_never_end_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "endless.bas"
    rows = ["100 DEF F0=1"]
    rows += [f"{100 + n} DEF F{n}=" + "+".join([f"F{n - 1}"] * 10) for n in range(1, 9)]
    path.write_text("\n".join([*rows, "200 PRINT F8"]) + "\n")
    result = run(str(path))
    assert result.exit_code == 1
    assert "endless.bas:10:5: one statement would practically never end" in result.stderr


def test_a_program_that_a_break_stops_is_not_told_to_have_ended(tmp_path: Path) -> None:
    path = tmp_path / "p.bas"
    path.write_text("100 PRINT 1\n110 A=1::BREAK\n120 PRINT 2\n130 END\n")
    stopped = run(str(path))
    assert stopped.exit_code == 0
    expected = f"{path}:2:10: a break stopped the program in line 110, after "
    assert stopped.stderr.startswith(expected)
    never = run(str(path), "--until", "FOO")
    assert never.exit_code == 1
    assert never.stderr.startswith("a break stopped the program, and never showed FOO; after ")
    assert run(str(path), "--keys", r"CON\n").stderr.startswith("ended after ")


def test_a_warning_that_stops_the_program_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "p.bas"
    path.write_text("100 ON WARNING STOP\n110 PRINT 1::A=1E99*1E99\n120 PRINT 2\n")
    stopped = run(str(path))
    assert stopped.exit_code == 0
    told = (
        "the warning NUMERIC OVERFLOW in line 110 stopped the program, as ON WARNING STOP demands"
    )
    assert stopped.stderr.startswith(f"{path}:2:14: {told}, after ")
    assert json.loads(run(str(path), "--json").stdout)["status"] == "stopped"
    assert run(str(path), "--keys", r"100\nRUN\n").stderr.startswith("ended after ")


def test_randomize_gives_each_number_its_own_series(tmp_path: Path) -> None:
    program = tmp_path / "x.bas"
    program.write_text("100 RANDOMIZE\n110 PRINT RND;RND\n")

    def screen(*options: str) -> str:
        result = CliRunner().invoke(cli, ["run", str(program), "--screen", *options])
        assert result.exit_code == 0
        return result.stdout

    series = [screen("--randomize", str(number)) for number in range(20)]
    assert len(set(series)) == 20
    assert series[0] == screen()
    assert series[7] == screen("--randomize", "7")


def test_randomize_leaves_a_program_with_its_own_seed_alone(tmp_path: Path) -> None:
    program = tmp_path / "x.bas"
    program.write_text("100 RANDOMIZE 5\n110 PRINT RND\n")
    runs = [
        CliRunner().invoke(cli, ["run", str(program), "--screen", *more]).stdout
        for more in ([], ["--randomize", "9"])
    ]
    assert runs[0] == runs[1]


def test_a_screen_in_a_pipe_has_no_blank_rows_around_it(tmp_path: Path) -> None:
    program = tmp_path / "x.xb"
    program.write_text('CALL CLEAR\nDISPLAY AT(5,3):"A"\nDISPLAY AT(7,1):"B"\n')
    result = CliRunner().invoke(cli, ["run", str(program), "--screen"])
    assert result.stdout.startswith("    A\n\n  B\n")
    assert result.stdout.endswith("\n >\n")


def test_a_blank_screen_prints_nothing(tmp_path: Path) -> None:
    program = tmp_path / "x.bas"
    program.write_text('100 PRINT "X"\n110 CALL CLEAR\n120 CALL KEY(0,K,S)\n130 IF S=0 THEN 120\n')
    script = tmp_path / "x.keys"
    script.write_text("until X\nrest 30\n")
    result = CliRunner().invoke(cli, ["run", str(program), "--script", str(script), "--screen"])
    assert (result.exit_code, result.stdout) == (0, "")
