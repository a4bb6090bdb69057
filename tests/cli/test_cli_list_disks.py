"""Programs on disk images, and files that are not what their names say."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.fronts.cli.main import cli

LISTING = '100 PRINT "HI"\n110 END\n'


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hi.bas").write_text(LISTING)
    (tmp_path / "hi.txt").write_text(LISTING)
    return tmp_path


@pytest.mark.parametrize("image", ["d.dsk", "d.hfe"])
def test_a_program_on_a_disk_is_listed(folder: Path, image: str) -> None:
    assert run("disk", "new", image, "hi.bas").exit_code == 0
    assert run("list", image, "HI").stdout == '100 PRINT "HI"\n110 END\n'
    assert "a disk image, no program" in run("list", image).stderr
    assert "no program NO on the disk" in run("list", image, "NO").stderr
    assert run("list", "hi.bas", "HI").stderr == "error: hi.bas: not a disk image; leave out HI\n"


@pytest.mark.parametrize("command", ["run", "list"])
@pytest.mark.parametrize("text", ["just some text\n", '100 OPEN #1:"DSK1.F"\n' + 300 * "REM\n"])
def test_a_text_of_the_name_of_a_disk_image_is_none(folder: Path, command: str, text: str) -> None:
    (folder / "text.dsk").write_text(text)
    result = run(command, "text.dsk")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: text.dsk: not a disk image in any known format; ")


def test_a_listing_on_a_disk_as_text_is_told(folder: Path) -> None:
    errors = run("disk", "new", "d.dsk", "hi.txt").stderr
    assert "hi.txt: info: a listing, stored as text (DIS/VAR 80); name it .bas or .xb" in errors
    assert run("run", "d.dsk", "HI").stderr == (
        "error: d.dsk: HI is a DIS/VAR 80 file; it is a listing: put it on the disk from a file "
        "that ends in .bas or .xb\n"
    )


@pytest.mark.parametrize("command", ["verify", "package"])
def test_a_source_is_no_game(folder: Path, command: str) -> None:
    message = run(command, "hi.bas").stderr.splitlines()[-1]
    assert message == (
        "error: hi.bas: a file, and a game is a folder; put it into one with a game.toml "
        "(docs/games.md)"
    )
