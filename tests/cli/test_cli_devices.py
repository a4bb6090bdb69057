"""Cassettes, printers and serial lines on the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import Program
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.tifile import NAME_FORM
from ti99tools.media.tape.cassette import Cassette

WRITE = 'OPEN #1:"CS1",OUTPUT,FIXED\nPRINT #1:"SCORE",120\nCLOSE #1\n'
READ = 'OPEN #1:"CS1",INPUT,FIXED\nLINPUT #1:A$\nPRINT A$\nCLOSE #1\n'
PRINTED = 'OPEN #1:"PIO"\nPRINT #1:"HELLO"\n'
THREE = r"\n\n\n"


def run(folder: Path, text: str, *words: str) -> Result:
    source = folder / "game.xb"
    source.write_text(text, encoding="utf-8")
    return CliRunner().invoke(cli, ["run", str(source), *words])


def test_a_cassette_is_written_added_to_and_replaced(tmp_path: Path) -> None:
    tape = tmp_path / "tape.wav"
    words = ("--cs1", str(tape), "--keys", THREE)
    assert run(tmp_path, WRITE, *words).exit_code == 0
    first = tape.read_bytes()
    assert len(Cassette(first).units) == 1
    result = run(tmp_path, READ, *words, "--screen")
    assert result.exit_code == 0
    assert "SCORE" in result.stdout
    assert tape.read_bytes() == first
    assert "wrote" not in result.stderr
    result = run(tmp_path, WRITE, *words)
    assert f"wrote {tape}: WAV sound" in result.stderr
    assert len(Cassette.open(tape).units) == 2
    assert run(tmp_path, WRITE, *words, "--replace").exit_code == 0
    assert len(Cassette.open(tape).units) == 1


def test_a_tape_of_the_tape_command_loads(tmp_path: Path) -> None:
    source, tape = tmp_path / "hello.xb", tmp_path / "hello.wav"
    source.write_text('PRINT "FROM TAPE"\n', encoding="utf-8")
    assert CliRunner().invoke(cli, ["tape", "write", str(source), "-o", str(tape)]).exit_code == 0
    result = run(tmp_path, 'RUN "CS1"\n', "--cs1", str(tape), "--keys", THREE, "--screen")
    assert result.exit_code == 0
    assert "FROM TAPE" in result.stdout


def test_what_is_saved_at_the_prompt_is_a_tape(tmp_path: Path) -> None:
    tape = tmp_path / "saved.wav"
    keys = r"SAVE CS1\n" + THREE + "N"
    result = run(tmp_path, 'PRINT "ME"\n', "--cs1", str(tape), "--keys", keys)
    assert result.exit_code == 0, result.output
    (data,) = Cassette.open(tape).units
    assert data is not None
    assert Program.from_bytes(data).listing() == '100 PRINT "ME"\n'


def test_a_program_that_waits_for_the_recorder_says_where(tmp_path: Path) -> None:
    result = run(tmp_path, WRITE, "--cs1", str(tmp_path / "tape.wav"))
    assert result.exit_code == 1
    assert "game.xb:1:1: the program waits for a key in line 100" in result.stderr
    assert "(* REWIND CASSETTE TAPE CS1; ENTER answers)" in result.stderr


def test_an_error_of_the_tape_has_other_answers(tmp_path: Path) -> None:
    tape = str(tmp_path / "blank.wav")
    result = run(tmp_path, 'RUN "CS1"\n', "--cs1", tape, "--keys", r"\n\n")
    assert "(* ERROR - NO DATA FOUND; R, C or E answers)" in result.stderr


def test_a_fourth_drive_has_to_be_filled(tmp_path: Path) -> None:
    result = run(tmp_path, 'OPEN #1:"DSK4.X",OUTPUT\n')
    assert result.exit_code == 1
    assert "DSK4 is there when a disk is in it" in result.stderr
    folder = tmp_path / "four"
    folder.mkdir()
    text = 'OPEN #1:"DSK4.X",OUTPUT\nPRINT #1:"HI"\n'
    assert run(tmp_path, text, "--disk", f"DSK4={folder}").exit_code == 0
    assert (folder / "X").is_file()


def test_profile_counts_the_tapes_time_for_the_line_that_writes(tmp_path: Path) -> None:
    source, tape = tmp_path / "game.xb", tmp_path / "tape.wav"
    source.write_text("#pack off\n" + WRITE, encoding="utf-8")
    words = ["profile", str(source), "--cs1", str(tape), "--keys", THREE, "--json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["lines"]
    seconds = {line["line"]: line["seconds"] for line in found}
    assert 6 < seconds[110] < 7
    assert seconds[100] > 6
    assert tape.exists()


def test_wrong_attributes_of_a_cassette_file_are_explained(tmp_path: Path) -> None:
    result = run(tmp_path, 'OPEN #1:"CS1",OUTPUT\n')
    assert "CS1 takes FIXED records, for INPUT or for OUTPUT" in result.stderr
    result = run(tmp_path, 'OPEN #1:"CS2",INPUT,FIXED\n')
    assert "CS2 takes FIXED records for OUTPUT" in result.stderr


def test_print_and_list_go_to_a_file(tmp_path: Path) -> None:
    paper = tmp_path / "paper.txt"
    assert run(tmp_path, PRINTED, "--pio", str(paper)).exit_code == 0
    assert paper.read_bytes() == b"HELLO\r\n"
    result = run(tmp_path, PRINTED)
    assert result.exit_code == 1
    assert "nothing is connected to PIO" in result.stderr


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ('OPEN #1:"DSK1.AVERYLONGNAME",OUTPUT', f"; a file's name has {NAME_FORM})"),
        ('OPEN #1:"DSK1.A B",OUTPUT', f"; a file's name has {NAME_FORM})"),
        ('DELETE "DSK1.A B"', f"; a file's name has {NAME_FORM})"),
        ('RUN "DSK1.A B"', f"; a file's name has {NAME_FORM})"),
        ('OPEN #1:"DSK1.NONE",INPUT', "or it has another type or record length)"),
        ('OPEN #1:"dsk1.x",OUTPUT', "; write DSK1, in capitals)"),
        ('OPEN #1:"Pio",OUTPUT', "; write PIO, in capitals)"),
        ('OPEN #1:"PRINTER",OUTPUT', "; devices are DSK1 to DSK3, PIO, RS232, CS1 and CS2)"),
        (
            'OPEN #1:"PIO",OUTPUT',
            "connected to PIO)\n  --pio FILE connects a file to it\n",
        ),
        (
            'OPEN #1:"RS232.BA=300"',
            "connected to RS232)\n  --rs232 FILE connects a file to it\n",
        ),
        ('OPEN #1:"RS232/2"', "; nothing is connected to RS232/2)"),
        ('A$="X"::OPEN #1:A$', "(OPEN: there is no such device)"),
    ],
)
def test_a_name_that_no_device_takes_is_explained(tmp_path: Path, statement: str, why: str) -> None:
    result = run(tmp_path, f"{statement}\n")
    assert result.exit_code == 1
    assert why in result.stderr, result.stderr


def test_a_host_file_that_is_not_on_the_folders_disk_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    (folder / "wide.txt").write_text("-" * 81 + "\n")
    (folder / "LATIN").write_bytes(b"caf\xe9\n")
    (folder / "HUGE").write_text("LINE\n" * 90_000)
    for name, why in (
        ("WIDE", f"{folder / 'wide.txt'}:1: the line has 81 characters, a record takes 80)"),
        ("LATIN", f"{folder / 'LATIN'}: cannot tell what kind of TI file this is)"),
        ("HUGE", f"{folder / 'HUGE'}: the disk has no room for it)"),
    ):
        result = run(tmp_path, f'OPEN #1:"DSK2.{name}",INPUT\n', "--disk", f"DSK2={folder}")
        assert f"; {why}" in result.stderr, result.stderr


def test_a_serial_line_has_two_directions(tmp_path: Path) -> None:
    incoming, outgoing = tmp_path / "in.txt", tmp_path / "out.txt"
    incoming.write_bytes(b"WORLD\r\n")
    text = 'OPEN #1:"RS232.BA=9600.EC"\nLINPUT #1:A$\nPRINT #1:"HELLO "&A$\n'
    result = run(tmp_path, text, "--rs232", str(outgoing), "--rs232-in", str(incoming))
    assert result.exit_code == 0
    assert outgoing.read_bytes() == b"HELLO WORLD\r\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--cs1", "game.xb"), "game.xb is the source itself"),
        (("--cs1", "tape.mp3"), "error: tape.mp3: a cassette is a WAV file; name it cs1.wav"),
        (("--cs1", "bad.wav"), "bad.wav: no sound that can be read"),
        (("--cs1", "a.wav", "--cs2", "a.wav"), "a.wav is named twice; use two files"),
        (("--pio", "a.txt", "--rs232", "./a.txt"), "a.txt is named twice; use two files"),
        (("--rs232-in", "a.txt", "--rs232", "a.txt"), "a.txt is named twice; use two files"),
        (("--cs1", "a.wav", "--wav", "a.wav"), "a.wav is named twice; use two files"),
        (("--coverage", "lcov=a", "--coverage", "html=a"), "a is named twice; use two files"),
        (("--coverage", "lcov=a.txt", "--pio", "a.txt"), "a.txt is named twice; use two files"),
        (
            ("--disk", "DSK2=.", "--save-disk", "a.dsk", "--save-disk", "DSK2=a.dsk"),
            "a.dsk is named twice; use two files",
        ),
        (("--cs1", "no/tape.wav"), "no: no such folder; make it first"),
        (("--debug", "--pio", "p.txt"), "--debug goes back in time"),
        (("--replace",), "no cassette or file that could be replaced"),
        (("--pio", "game.xb"), "game.xb is the source itself"),
        (("--rs232-in", "nothing.txt"), "nothing.txt"),
    ],
)
def test_mistakes_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.wav").write_bytes(b"RIFF")
    (tmp_path / "game.xb").write_text(WRITE, encoding="utf-8")
    result = CliRunner().invoke(cli, ["run", "game.xb", *words])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
