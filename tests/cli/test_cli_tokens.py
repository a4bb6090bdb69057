"""tokenize, list and lint from the outside: files, exit codes, messages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage
from ti99tools.fronts.cli.main import cli
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.program import Program

GOOD = '100 PRINT "HELLO"\r\n  110 goto 100\r\n'


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "game.bas"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    return path


@pytest.mark.parametrize("form", ["auto", "program", "long", "merge"])
@pytest.mark.parametrize("tifiles", [False, True])
def test_every_form_goes_there_and_back(source: Path, form: str, tifiles: bool) -> None:
    output = source.with_name("GAME")
    options = ["--tifiles"] if tifiles else []
    result = run("tokenize", source, "-o", output, "--format", form, *options)
    assert result.exit_code == 0, result.output
    assert "2 lines" in result.output
    listed = run("list", output)
    assert listed.output == '100 PRINT "HELLO"\n110 GOTO 100\n'
    assert Program.open(output).lines == Program.from_listing(GOOD).lines


def test_protected_programs(source: Path) -> None:
    output = source.with_name("GAME")
    assert run("tokenize", source, "-o", output, "--protect").exit_code == 0
    assert Program.open(output).protected
    assert json.loads(run("list", output, "--json").output)["protected"] is True
    merged = run("tokenize", output, "-o", source.with_name("M"), "--format", "merge")
    assert merged.exit_code == 2
    assert "protected" in merged.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the source is empty"),
        ("100\n", "there is no program line in it"),
        ('100 PRINT "A\n', "game.bas:1:11: UNMATCHED QUOTES"),
        ("100 A234567890123456=1\n", "NAME TOO LONG"),
        ("0 PRINT\n", "BAD LINE NUMBER"),
        ("40000 PRINT\n", "BAD LINE NUMBER"),
        ("70000 PRINT\n", "BAD LINE NUMBER"),
        ("100 PRINT\nPRINT 2\n", "game.bas:2:1: line without a number"),
        ("100 PRINT\n you all out there\n110 PRINT\n", "line without a number; begin it"),
        ("100 PRINT ?\n", "UNRECOGNIZED CHARACTER"),
        ("100 REM " + "X" * 254 + "\n", "LINE TOO LONG"),
        ("".join(f"{n} REM {'X' * 150}\n" for n in range(1, 170)), "game.bas: the program has 2"),
        ("".join(f"{n} REM {'X' * 150}\n" for n in range(1, 170)), "memory holds 24487"),
    ],
)
def test_nothing_is_written_on_error(source: Path, text: str, message: str) -> None:
    source.write_text(text)
    output = source.with_name("GAME")
    output.write_bytes(b"before")
    result = run("tokenize", source, "-o", output)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert output.read_bytes() == b"before"
    assert sorted(p.name for p in output.parent.iterdir()) == ["GAME", "game.bas"]


def test_the_source_is_not_overwritten(source: Path) -> None:
    result = run("tokenize", source, "-o", source)
    assert result.exit_code == 2
    assert source.read_bytes().endswith(GOOD.encode())


def test_a_missing_line_is_told_but_no_obstacle(source: Path) -> None:
    source.write_text("100 GOTO 200\n")
    result = run("tokenize", source, "-o", source.with_name("GAME"))
    assert result.exit_code == 0
    assert "there is no line 200" in result.output


def test_long_lines_are_told(source: Path) -> None:
    source.write_text("100 REM " + "X" * 200 + "\n")
    result = run("tokenize", source, "-o", source.with_name("GAME"))
    assert result.exit_code == 0
    assert "the editor takes 158" in result.output


def test_round_trip_of_a_file_keeps_every_byte(source: Path) -> None:
    program = Program.from_listing("30 REM  X\n10 PRINT\n20 REM")
    data = program.image.to_program(top=0x3FFF) + b"after"
    source.write_bytes(data)
    output = source.with_name("GAME")
    assert run("tokenize", source, "-o", output, "--format", "program").exit_code == 0
    assert output.read_bytes() == data


def test_list_as_the_printer_does(source: Path) -> None:
    source.write_text("100 REM ABCDEFGHIJ\n")
    assert run("list", source, "--width", 10).output == "100 REM AB\nCDEFGHIJ\n"
    output = source.with_name("out.bas")
    assert run("list", source, "-o", output).exit_code == 0
    assert output.read_text() == "100 REM ABCDEFGHIJ\n"


def test_list_tells_what_cannot_be_read_back(source: Path) -> None:
    source.write_bytes(Program.from_lines([Line(100, b"\x9c\xe5")]).to_program_bytes())
    result = run("list", source)
    assert result.exit_code == 0
    assert "tokenizing this listing gives other bytes" in result.output


@pytest.mark.parametrize("data", [b"\x00\x01\x02", b"\xff" * 300, b"\x0a\xab\xcd\xff"])
def test_what_is_no_program(source: Path, data: bytes) -> None:
    source.write_bytes(data)
    listed = run("list", source)
    assert listed.exit_code == 2
    assert listed.output.startswith("error: ")
    judged = run("lint", source)
    assert judged.exit_code in (1, 2)
    assert "error: " in judged.output


def test_lint_exit_codes(source: Path) -> None:
    assert run("lint", source).exit_code == 0
    source.write_text("100 GOTO 200\n")
    assert run("lint", source).exit_code == 1
    source.write_text('100 PRINT "\n110 PRINT ?\n')
    result = run("lint", source)
    assert result.exit_code == 1
    assert result.output.count("[entry]") == 2
    assert run("lint", source.with_name("missing")).exit_code == 2


def test_lint_reports_memory(source: Path) -> None:
    source.write_text("100 DIM A(2000),B$(10)\n110 INPUT B$(1)\n120 PRINT A(1)\n")
    result = run("lint", source, "--json")
    data = json.loads(result.output)
    assert data["memory"]["values"] == 16008
    assert data["memory"]["unknown"] == ["B$"]
    assert "expansion" in [f["code"] for f in data["findings"]]
    source.write_text("100 DIM A(4000)\n110 PRINT A(1)\n")
    assert "high memory has 24488" in run("lint", source).output


def test_lint_finds_what_run_would(source: Path) -> None:
    source.write_text("100 FOR I=1 TO 5\n110 PRINT I\n")
    result = run("lint", source, "--quiet")
    assert result.exit_code == 1
    assert "game.bas:2:5: error: RUN will stop with FOR-NEXT NESTING (line 110)" in result.output


def test_errors_of_a_structured_source_point_into_it(source: Path) -> None:
    structured = source.with_name("game.xb")
    structured.write_text('PRINT "ONE"\nGOSUB SHOW\nEND\nSHOW:\nPRINT 1 2\nRETURN\n')
    result = run("lint", structured)
    assert result.exit_code == 1
    assert f"{structured}:5:" in result.output
    structured.write_text('PRINT "ONE"\nPRINT "TWO"\n')
    assert run("tokenize", structured, "-o", source.with_name("GAME")).exit_code == 0
    assert 'PRINT "ONE"' in run("list", source.with_name("GAME")).output


@pytest.mark.parametrize("words", [("list",), ("lint",), ("tokenize", "-o", "x")])
def test_a_disk_is_no_program(source: Path, words: tuple[str, ...]) -> None:
    disk = source.with_name("game.dsk")
    DiskImage.new().save(disk)
    result = run(words[0], disk, *words[1:])
    assert result.exit_code == 2
    assert f"{disk}: a disk image, no program; `ti99tools disk ls`" in result.stderr


def test_lint_tells_all_mistakes_of_a_structured_source(source: Path) -> None:
    structured = source.with_name("game.xb")
    structured.write_text("A=5+\nB=A 1\nPRIMT A\nCALL CLAER\nA$=B\n" + f'PRINT "{"X" * 150}"\n')
    result = run("lint", structured)
    assert result.exit_code == 1
    rows = [line.removeprefix(f"{structured}:") for line in result.output.splitlines()]
    assert sorted(int(row.split(":")[0]) for row in rows if ": error: " in row) == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert "(line " not in result.output, "lines that nobody sees"
    structured.write_text("GOTO a\nGOTO b\nGOTO a\n")
    labels = [line.split(";")[0] for line in run("lint", structured).output.splitlines()]
    assert [row.removeprefix(f"{structured}:") for row in labels] == [
        "1:6: error: no label A",
        "2:6: error: no label B",
        "3:6: error: no label A",
    ]


@pytest.mark.parametrize("command", ["tokenize", "list", "lint"])
def test_help_has_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"ti99tools {command} " in result.output


def test_all_mistakes_are_told_by_every_command(source: Path) -> None:
    structured = source.with_name("game.xb")
    structured.write_text("FOR I=1 TO 3\nPRITN I\nNXT I\nGOTO nowhere\n")
    listing = source.with_name("two.bas")
    listing.write_text("100 PRINT ?\n110 NXT I\n110 A=1\n110 B=1\n")
    output = source.with_name("out")
    for words in (("tokenize", "-o", output), ("run",), ("generate",), ("disk", "new", output)):
        result = run(*words, structured)
        assert result.exit_code == 2
        assert not output.exists()
        lines = result.stderr.splitlines()
        assert [line.split(":")[:3] for line in lines] == [
            ["error", f" {structured}", row] for row in ("2", "3", "4")
        ]
        assert lines[1].endswith("did you mean NEXT?")
    result = run("tokenize", listing, "-o", output)
    assert [line.split(":")[2] for line in result.stderr.splitlines()] == ["1", "2"]


def test_numbers_without_a_blank_after_them_are_generated_from(source: Path) -> None:
    source.write_text('100PRINT "A"\n110FOR I=1 TO 3\n120:: NEXT I\n')
    result = run("generate", source, "--map")
    assert result.exit_code == 0, result.output
    assert [line.split(":")[1] for line in result.stdout.splitlines()] == ["1", "2", "3"]


def test_of_duplicate_lines_the_last_counts_with_a_warning(source: Path) -> None:
    source.write_text("100 PRINT 1\n110 END\n100 PRINT 2\n100 PRINT 3\n")
    output = source.with_name("GAME")
    result = run("tokenize", source, "-o", output)
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["warning", "warning"]
    assert f"{source}:3:1: warning: line 100 is also at {source}:1:1: this one counts" in lines[0]
    assert f"{source}:4:1: warning: line 100 is also at {source}:3:1" in lines[1]
    assert run("list", output).stdout == "100 PRINT 3\n110 END\n"
    assert run("lint", source).exit_code == 0


def test_lines_that_will_be_errors_are_warnings_when_tokenized(source: Path) -> None:
    source.write_text("100 PRINT )\n110 GOTO 500\n120 CALL NOSUCH\n130 A=.\n140 SOUND(1)\n")
    result = run("tokenize", source, "-o", source.with_name("GAME"))
    assert result.exit_code == 0
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["warning"] * 5
    assert "this fails with SYNTAX ERROR (line 100)" in result.stderr
    assert "there is no line 500 (line 110)" in result.stderr
    assert "there is no subprogram NOSUCH" in result.stderr
    assert run("lint", source).exit_code == 1


def test_remarks_without_a_number_are_skipped_with_a_note(source: Path) -> None:
    source.write_text("REM MY GAME\n\n100 PRINT 1\n rem BY ME\n! 1983\n\n110 END\n")
    output = source.with_name("GAME")
    result = run("tokenize", source, "-o", output)
    assert result.exit_code == 0, result.output
    note = "info: a row without a line number was skipped"
    assert [line.split(";")[0] for line in result.stderr.splitlines()] == [
        f"{source}:{row}:1: {note}" for row in (1, 4, 5)
    ]
    assert run("list", output).stdout == "100 PRINT 1\n110 END\n"
    assert run("lint", source).exit_code == 0
    source.write_text("REM A\nREM B\n100 PRINT 1\n! C\n! D\n")
    errors = run("tokenize", source, "-o", output).stderr
    assert errors.startswith(f"{source}:1:1: {note}, and 3 more after it; give it a number")
    assert errors.count(note) == 1
    source.write_text("100 PRINT 1\nPRINT 2\n")
    assert run("tokenize", source, "-o", output).exit_code == 2


@pytest.mark.parametrize("options", [(), ("--join", "28")])
def test_a_listing_of_28_columns_is_joined(source: Path, options: tuple[str, ...]) -> None:
    source.write_text(
        '100 PRINT "THIS IS A LINE TH\nAT WAS WRAPPED" :: GOTO 120\n110 REM\n'
        '120 PRINT )+"A TEXT THAT IS\n LONG"\n'
    )
    output = source.with_name("GAME")
    result = run("tokenize", source, "-o", output, *options)
    assert result.exit_code == 0, result.output
    assert f"{source}: info: lines wrapped after 28 characters were joined" in result.stderr
    assert f"{source}:4:11: warning: this fails with SYNTAX ERROR" in result.stderr
    listing = run("list", output).stdout
    assert '100 PRINT "THIS IS A LINE THAT WAS WRAPPED" :: GOTO 120\n' in listing


def test_a_listing_is_generated_from_with_what_was_done_to_read_it(source: Path) -> None:
    source.write_text('100 PRINT "ABCDEFGHIJKLMNOP\nQRS"\n110 PRINT 1\n110 END\n')
    result = run("generate", source)
    assert result.exit_code == 0, result.output
    assert result.stdout == '100 PRINT "ABCDEFGHIJKLMNOP QRS"\n110 END\n'
    messages = [line.removeprefix(str(source)).split(";")[0] for line in result.stderr.splitlines()]
    assert messages[1:] == [
        ":1: info: a string goes on in the next row",
        f":4:1: warning: line 110 is also at {source}:3:1: this one counts (line 110)",
    ]
    source.write_text('100 PRINT "ABC\nDEF"\n'.replace("ABC", "ABC" * 7))
    for command in ("generate", "lint", "run"):
        result = run(command, source)
        assert "`ti99tools generate FILE --join 32 -o NEW.bas` joins" in result.output
    joined = source.with_name("new.bas")
    assert run("generate", source, "--join", "32", "-o", joined).exit_code == 0
    assert joined.read_text() == '100 PRINT "ABCABCABCABCABCABCABCDEF"\n'


def test_rows_that_go_on_are_joined_on_request(source: Path) -> None:
    source.write_text('100 IF A=B THEN\n PRINT "X" ELSE\n PRINT "Y"\n110 END\n')
    output = source.with_name("GAME")
    assert run("tokenize", source, "-o", output).exit_code == 2
    result = run("tokenize", source, "-o", output, "--join")
    assert result.exit_code == 0, result.output
    assert f"{source}: info: rows that go on in the next one were joined" in result.stderr
    assert run("list", output).stdout == '100 IF A=B THEN PRINT "X" ELSE PRINT "Y"\n110 END\n'
    errors = run("tokenize", "--join", source, "-o", output).stderr
    assert "is not a width; without one, write --join last" in errors
    assert "from 20 to 254" in run("tokenize", source, "-o", output, "--join", "0").stderr


def test_names_of_ti_basic_that_are_words_here_are_told(source: Path) -> None:
    file = source.with_name("TIBASIC")
    lines = [Line(100, b"OR\xbe\xc8\x011"), Line(110, b"\x9cSIZE\xb4OR\xb4A"), Line(120, b"\x9cA")]
    file.write_bytes(Program.from_lines(lines).to_program_bytes())
    result = run("list", file)
    assert result.stdout == "100 OR=1\n110 PRINT SIZE;OR;A\n120 PRINT A\n"
    message = "warning: line {} cannot be listed exactly: its names {} are words of Extended BASIC"
    assert result.stderr.splitlines() == [
        message.format(100, "OR"),
        message.format(110, "SIZE, OR"),
    ]


@pytest.mark.parametrize("width", ["28", "80", "40"])
def test_what_list_wraps_is_read_again_through_a_pipe(source: Path, width: str) -> None:
    first, second = source.with_name("ONE"), source.with_name("TWO")
    rows = (f'{n} PRINT {n} :: A$="{"X" * (n % 60)} 7 " :: GOTO 20' for n in range(20, 900, 7))
    source.write_text("\n".join(rows) + "\n")
    assert run("tokenize", source, "-o", first).exit_code == 0
    listing = run("list", first, "--width", width).stdout
    assert max(map(len, listing.splitlines())) == int(width)
    join = ("--join", width) if width == "40" else ()
    result = CliRunner().invoke(cli, ["tokenize", "-", "-o", str(second), *join], input=listing)
    assert result.exit_code == 0, result.output
    assert second.read_bytes() == first.read_bytes()


def test_very_many_mistakes_are_counted(source: Path) -> None:
    wrong = "".join(f"{n} PRINT ?\n" for n in range(1, 71))
    source.write_text(wrong + "".join(f"{n} PRINT\n" for n in range(100, 200)))
    lines = run("tokenize", source, "-o", source.with_name("out")).stderr.splitlines()
    assert len(lines) == 51
    assert lines[-1] == "error: … and 20 more mistakes"


@pytest.mark.parametrize("name", ["README.md", "LICENSE", "xbasic/d5000/MANUAL.md"])
def test_a_text_that_is_no_source_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / name
    for words in (("tokenize", "-o", tmp_path / "out"), ("run",), ("generate",), ("list",)):
        result = run(*words, path)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: {path}: no source of Extended BASIC: ")
        assert result.stderr.endswith(" lines are wrong; choose another file\n")
        assert result.stderr.count("\n") == 1


def test_bytes_are_no_source(tmp_path: Path) -> None:
    path = tmp_path / "noise.xb"
    path.write_bytes(bytes(range(256)))
    result = run("generate", path)
    assert result.stderr.startswith(f"error: {path}: no text; `ti99tools list` shows")
    result = run("disk", "new", tmp_path / "x.dsk", path)
    assert (
        result.stderr
        == f"error: {path}: not text, so not a source; name it without the extension\n"
    )
    result = run("generate", tmp_path / "missing.xb")
    assert result.stderr.startswith(f"error: {tmp_path}/missing.xb: no such file or directory; ")
