"""What commands never overwrite without --replace: sources, and files of another kind."""

from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage
from ti99tools.app.disk import Output
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.main import cli

PICTURE = b"\x89PNG\r\n\x1a\nmine"


def run(line: str) -> Result:
    return CliRunner().invoke(cli, line.split())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A cartridge and a tape."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "p.xb").write_text("PRINT 1\n")
    for command, name in (("compile", "game.rpk"), ("tape write", "p.wav")):
        assert run(f"{command} {folder}/p.xb -o {folder}/{name}").exit_code == 0
    return {name: (folder / name).read_bytes() for name in ("game.rpk", "p.wav")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: dict[str, bytes]) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    for name in ("keep.dsk", "NOTES", "NOTES.png", "script.keys", "kept.wav", "kept.zip"):
        (tmp_path / name).write_text("wait 60\n")
    (tmp_path / "p.xb").write_text('PRINT "HI"\n')
    (tmp_path / "stars.xb").write_text("PRINT 1\n")
    (tmp_path / "old.txt").write_text("100 PRINT 1\n110 END\n")
    (tmp_path / "notes.txt").write_text("my notes\n")
    (tmp_path / "model.py").write_text("A = 1\n")
    (tmp_path / "game.toml").write_text('title = "G"\n')
    (tmp_path / "keep.png").write_bytes(PICTURE)
    (tmp_path / "old8.bin").write_text("100 PRINT 1\n110 END\n")
    (tmp_path / "game.txt").write_text('REPEAT\nPRINT "HI"\nUNTIL A\n')
    (tmp_path / "old.lst").write_text("    1 PRINT 1\n")
    (tmp_path / "sort.a99").write_text("A EQU 5\nS LI 0,A\n B *11\n END\n")
    (tmp_path / "lister.xb").write_text('OPEN #1:"PIO"\nPRINT #1:"100 PRINT 1"\n')
    (tmp_path / "3.xb").write_text("PRINT 1\n")
    disk = DiskImage.new(name="D")
    disk.save(tmp_path / "d.dsk")
    Output(path=tmp_path / "disk.pc99").write(disk)
    return tmp_path


LOST = [
    ("generate p.xb -o stars.xb", "stars.xb"),
    ("generate p.xb -o notes.txt", "notes.txt"),
    ("generate p.xb -o game.toml", "game.toml"),
    ("list p.xb -o old.txt", "old.txt"),
    ("tokenize p.xb -o stars.xb", "stars.xb"),
    ("tokenize p.xb -o keep.png", "keep.png"),
    ("tokenize p.xb -o d.dsk", "d.dsk"),
    ("run p.xb --pio stars.xb", "stars.xb"),
    ("run p.xb --pio old.txt", "old.txt"),
    ("run p.xb --rs232 model.py", "model.py"),
    ("run p.xb --coverage html=stars.xb", "stars.xb"),
    ("run p.xb --coverage lcov=notes.txt", "notes.txt"),
    ("run p.xb --coverage text=old.txt", "old.txt"),
    ("run p.xb --coverage text=game.txt", "game.txt"),
    ("run p.xb --save-disk keep.dsk", "keep.dsk"),
    ("run p.xb --save-disk NOTES", "NOTES"),
    ("compile 3.xb -o old8.bin", "old8.bin"),
    ("assemble sort.a99 -o stars.xb", "stars.xb"),
    ("assemble sort.a99 -o game.txt", "game.txt"),
    ("assemble sort.a99 -o disk.pc99", "disk.pc99"),
    ("assemble sort.a99 -o SORT --list old.lst", "old.lst"),
    ("tape write p.xb -o kept.wav", "kept.wav"),
    ("tape read p.wav -o stars.xb", "stars.xb"),
    ("tape read p.wav -o game.txt --form program", "game.txt"),
]
LONG = [
    ("build lambo --report --html stars.xb", "stars.xb"),
    ("verify d5000 --games 1 --coverage html=stars.xb", "stars.xb"),
    ("verify d5000 --games 1 --html stars.xb", "stars.xb"),
    ("package lambo --out kept.zip", "kept.zip"),
]


@pytest.mark.parametrize(("line", "name"), LOST)
def test_what_is_lost_is_lost_only_with_replace(folder: Path, line: str, name: str) -> None:
    before = (folder / name).read_bytes()
    result = run(line)
    message = f"error: {name}: the file already exists; choose another name or use --replace\n"
    assert (result.exit_code, result.stderr, result.stdout) == (2, message, "")
    assert (folder / name).read_bytes() == before
    assert run(f"{line} --replace").exit_code == 0
    assert (folder / name).read_bytes() != before


@pytest.mark.parametrize(("line", "name"), LONG)
def test_a_long_command_says_so_before_it_begins(folder: Path, line: str, name: str) -> None:
    before = (folder / name).read_bytes()
    result = run(line)
    message = f"error: {name}: the file already exists; choose another name or use --replace\n"
    assert result.exit_code == 2
    assert result.stderr.endswith(message)
    assert not result.stdout
    assert (folder / name).read_bytes() == before


@pytest.mark.parametrize(
    "line",
    [
        "generate p.xb -o out.bas",
        "list p.xb -o out.bas",
        "tokenize p.xb -o OUT",
        "run p.xb --png out.png",
        "run p.xb --gif out.gif",
        "run p.xb --wav out.wav",
        "run p.xb --pio out.txt",
        "run p.xb --coverage html --coverage lcov --coverage json --coverage text=out.log",
        "run 3.xb --coverage text=out.txt",
        "run lister.xb --pio out.log",
        "run p.xb --save-disk out.dsk",
        "run p.xb --save-disk out.hfe",
        "compile 3.xb -o out.rpk",
        "compile 3.xb -o out.bin",
        "assemble sort.a99 -o SORT --list sort.lst",
        "assemble sort.a99 -o sort.tfi --tifiles",
        "assemble sort.a99 -o sort.img --format image",
        "tape write p.xb -o out.wav",
        "tape read p.wav -o out.bas",
        "tape read p.wav -o OUT --form program",
        "tape read p.wav -o OUT --form tifiles",
    ],
)
def test_an_earlier_output_of_the_kind_gives_way(folder: Path, line: str) -> None:
    assert run(line).exit_code == 0
    assert run(line).exit_code == 0


def test_a_picture_gives_way_to_a_picture_and_to_nothing_else(folder: Path) -> None:
    assert run("run p.xb --png keep.png").exit_code == 0
    (folder / "keep.png").write_text("no picture")
    assert run("run p.xb --png keep.png").exit_code == 2


def test_a_listing_that_was_changed_by_hand_stays(folder: Path) -> None:
    run("generate p.xb -o p.bas")
    (folder / "p.bas").write_text('100 PRINT "MINE"\n')
    assert run("generate p.xb -o p.bas").exit_code == 2
    assert (folder / "p.bas").read_text() == '100 PRINT "MINE"\n'


PLAYS = ["play p.xb", "play game.rpk", "play p.xb --debug"]


@pytest.mark.parametrize("start", PLAYS)
@pytest.mark.parametrize("name", ["stars.xb", "game.txt", "script.keys"])
def test_a_session_is_recorded_over_another_session_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, start: str, name: str
) -> None:
    def leave(*_: object) -> NoReturn:
        raise TIError("left")

    monkeypatch.setattr("ti99tools.fronts.play.playing.Terminal", leave)
    monkeypatch.setattr("ti99tools.fronts.debug.debugplay.Timeline", leave)
    line = f"{start} --terminal --record {name}"
    message = f"error: {name}: the file already exists; choose another name or use --replace\n"
    assert run(line).stderr == message
    assert run(f"{line} --replace").stderr == "error: left\n"
    (folder / "script.keys").write_text("# p.xb, recorded by ti99tools play\npress A\n")
    assert run(f"{start} --terminal --record script.keys").stderr == "error: left\n"


def test_a_picture_of_a_cartridge_replaces_nothing_else(folder: Path) -> None:
    line = "run game.rpk --max-seconds 0.1 --png"
    cartridge = (folder / "game.rpk").read_bytes()
    message = "error: game.rpk is the source itself; choose another output\n"
    renamed = "error: NOTES.png: the file already exists; choose another name or use --replace\n"
    assert run(f"{line} game.rpk --replace").stderr == message
    assert (folder / "game.rpk").read_bytes() == cartridge
    assert run(f"{line} NOTES.png").stderr == renamed
    for _ in range(2):
        assert "error" not in run(f"{line} NOTES.png --replace").stderr
    assert (folder / "NOTES.png").read_bytes().startswith(b"\x89PNG")
    assert "error" not in run(f"{line} NOTES.png").stderr


@pytest.mark.parametrize("line", ["run game.rpk", "run p.xb --debug", "play game.rpk"])
def test_replace_without_a_file_is_told_everywhere(folder: Path, line: str) -> None:
    message = "error: no cassette or file that could be replaced; name one\n"
    assert run(f"{line} --replace").stderr == message


def test_replace_without_anything_to_replace(folder: Path) -> None:
    message = "error: no cassette or file that could be replaced; name one\n"
    assert run("run p.xb --replace").stderr == message
