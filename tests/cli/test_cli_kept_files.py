"""What commands never overwrite without --replace: sources, and files of another kind."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage
from ti99tools.fronts.cli.main import cli

PICTURE = b"\x89PNG\r\n\x1a\nmine"


def run(line: str) -> Result:
    return CliRunner().invoke(cli, line.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.xb").write_text('PRINT "HI"\n')
    (tmp_path / "stars.xb").write_text("PRINT 1\n")
    (tmp_path / "old.txt").write_text("100 PRINT 1\n110 END\n")
    (tmp_path / "notes.txt").write_text("my notes\n")
    (tmp_path / "model.py").write_text("A = 1\n")
    (tmp_path / "game.toml").write_text('title = "G"\n')
    (tmp_path / "keep.png").write_bytes(PICTURE)
    DiskImage.new(name="D").save(tmp_path / "d.dsk")
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
]


@pytest.mark.parametrize(("line", "name"), LOST)
def test_what_is_lost_is_lost_only_with_replace(folder: Path, line: str, name: str) -> None:
    before = (folder / name).read_bytes()
    result = run(line)
    told = f"error: {name}: the file already exists; choose another name or use --replace\n"
    assert (result.exit_code, result.stderr, result.stdout) == (2, told, "")
    assert (folder / name).read_bytes() == before
    assert run(f"{line} --replace").exit_code == 0
    assert (folder / name).read_bytes() != before


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


@pytest.mark.parametrize("line", ["play p.xb --record stars.xb", "compile p.xb -o stars.xb"])
def test_commands_without_the_option_ask_for_another_name(folder: Path, line: str) -> None:
    result = run(line)
    assert result.exit_code == 2
    assert (folder / "stars.xb").read_text() == "PRINT 1\n"


def test_replace_without_anything_to_replace(folder: Path) -> None:
    told = "error: no cassette or file that could be replaced; name one\n"
    assert run("run p.xb --replace").stderr == told
