"""What commands write: the right extensions, what is said of it, pictures and sound."""

import json
import wave
from itertools import pairwise
from pathlib import Path

import click
import pytest
from PIL import Image

from tests.cli.invoking import command
from ti99tools import DiskImage
from ti99tools.fronts.cli.main import cli

SOUND = 'CALL SOUND(500,440,0)\nCALL SOUND(500,880,0)\nPRINT "DONE"\nCALL SOUND(1,110,30)\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.xb"
    path.write_text(SOUND)
    return path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "{game}", "--png", "{dir}/x.jpg"), "x.jpg: what is written is a PNG picture; end"),
        (("run", "{game}", "--gif", "{dir}/x.png"), "a GIF animation; end the name in .gif"),
        (("run", "{game}", "--wav", "{dir}/x.mp3"), "a WAV sound; end the name in .wav"),
        (("run", "{game}", "--fps", "5"), "--fps says how a GIF is made; add --gif FILE.gif"),
        (("run", "{game}", "--scale", "5"), "--scale says how pictures are made; add --png FILE"),
        (("disk", "new", "{dir}/x.png"), ".png is the extension of no disk image; use one of .dsk"),
        (("disk", "convert", "{disk}", "{dir}/x.gif"), "use one of .dsk (dsk), .hfe (hfe), .pc99"),
        (
            ("disk", "new", "{dir}/y.dsk", "--boot", "{disk}"),
            "game.dsk: no program of Extended BASIC",
        ),
    ],
)
def test_what_cannot_be_written_so_is_told(
    game: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    disk = tmp_path / "game.dsk"
    assert command("disk", "new", disk, game).exit_code == 0
    before = set(tmp_path.iterdir())
    places = {"game": game, "dir": tmp_path, "disk": disk}
    result = command(*(word.format(**places) for word in words))
    assert result.exit_code == 2
    assert message in result.stderr
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "file", "kind"),
    [
        (("run", "{game}", "--png", "{dir}/x.png"), "x.png", "PNG picture"),
        (("run", "{game}", "--gif", "{dir}/x.gif"), "x.gif", "GIF animation"),
        (("run", "{game}", "--wav", "{dir}/x.wav"), "x.wav", "WAV sound"),
        (("run", "{game}", "--save-disk", "{dir}/x.dsk"), "x.dsk", "disk image"),
        (("disk", "new", "{dir}/x.dsk", "{game}"), "x.dsk", "disk image"),
        (("disk", "new", "{dir}/x.hfe"), "x.hfe", "HFE disk image"),
        (("disk", "get", "{disk}", "GAME", "-o", "{dir}/x.tfi"), "x.tfi", "TIFILES file"),
        (("disk", "rename", "{disk}", "GAME", "PLAY"), "game.dsk", "disk image"),
        (("disk", "rm", "{disk}", "GAME"), "game.dsk", "disk image"),
        (("generate", "{game}", "-o", "{dir}/x.bas"), "x.bas", "listing"),
        (("list", "{game}", "-o", "{dir}/x.bas"), "x.bas", "listing"),
    ],
)
def test_what_was_written_is_said(
    game: Path, tmp_path: Path, words: tuple[str, ...], file: str, kind: str
) -> None:
    disk = tmp_path / "game.dsk"
    command("disk", "new", disk, game)
    result = command(*(w.format(game=game, dir=tmp_path, disk=disk) for w in words))
    assert result.exit_code == 0, result.output
    size = (tmp_path / file).stat().st_size
    assert f"wrote {tmp_path / file}: {kind}, {size:,} bytes\n" in result.stderr
    assert result.stderr.count("wrote ") == 1


@pytest.mark.parametrize(
    ("words", "file", "kind"),
    [
        (("build", "{game}", "--report", "--html", "{dir}/x.html"), "x.html", "web page"),
        (("verify", "{game}", "--games", "1", "--html", "{dir}/x.html"), "x.html", "web page"),
        (("verify", "{game}", "--games", "1", "--coverage", "lcov={dir}/x.info"), "x.info", "lcov"),
    ],
)
def test_reports_are_said(tmp_path: Path, words: tuple[str, ...], file: str, kind: str) -> None:
    assert command("new", tmp_path / "dare").exit_code == 0
    result = command(*(w.format(game=tmp_path / "dare", dir=tmp_path) for w in words))
    assert result.exit_code == 0, result.output
    size = (tmp_path / file).stat().st_size
    assert f"wrote {tmp_path / file}: {kind}, {size:,} bytes\n" in result.stderr


def test_many_files_are_said_in_a_line(game: Path, tmp_path: Path) -> None:
    disk = tmp_path / "many.dsk"
    names = []
    for number in range(13):
        path = tmp_path / f"F{number}.xb"
        path.write_text(SOUND)
        names.append(path)
    assert command("disk", "new", disk, *names).exit_code == 0
    result = command("disk", "get", disk, "--all", tmp_path / "all")
    assert f"wrote 13 files in {tmp_path / 'all'}, " in result.stderr


def test_a_disk_that_boots(game: Path, tmp_path: Path) -> None:
    disk = tmp_path / "boot.dsk"
    notes = tmp_path / "notes.txt"
    notes.write_text("HELLO\n")
    assert command("disk", "new", disk, notes, "--boot", game).exit_code == 0
    assert DiskImage.open(disk).names() == ["LOAD", "NOTES"]
    assert "DONE" in command("run", disk, "--screen").stdout
    result = command("disk", "new", tmp_path / "no.dsk", "--boot", notes)
    assert (result.exit_code, f"{notes}: no program of Extended BASIC" in result.stderr) == (
        2,
        True,
    )


def test_rate_and_size_of_an_animation(game: Path, tmp_path: Path) -> None:
    game.write_text("FOR I=1 TO 60\nPRINT I\nNEXT I\n")
    sizes, counts, times = [], [], []
    for fps, scale in ((5, 1), (20, 2)):
        path = tmp_path / f"{fps}.gif"
        command("run", game, "--gif", path, "--fps", fps, "--scale", scale)
        with Image.open(path) as picture:
            sizes.append(picture.size)
            counts.append(getattr(picture, "n_frames", 1))
            total = 0
            for frame in range(counts[-1]):
                picture.seek(frame)
                total += picture.info["duration"]
            times.append(total)
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])
    assert counts[1] >= 2 * counts[0]
    assert abs(times[0] - times[1]) <= 250


def test_the_sound_of_a_run(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    command("run", game, "--wav", path)
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        samples = memoryview(file.readframes(file.getnframes())).cast("h").tolist()
    assert 1.0 < len(samples) / 22050 < 2.0
    samples = samples[next(at for at, sample in enumerate(samples) if sample) :]
    first, second = _crossings(samples, 0.1, 0.4), _crossings(samples, 0.6, 0.9)
    assert first == pytest.approx(440, rel=0.02)
    assert second == pytest.approx(880, rel=0.02)


def _crossings(samples: list[int], start: float, end: float) -> float:
    """Periods a second."""
    part = samples[int(start * 22050) : int(end * 22050)]
    rises = sum(a <= 0 < b for a, b in pairwise(part))
    return rises / (end - start)


def test_data_comes_as_json_too(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "GAME"
    value = json.loads(command("tokenize", game, "-o", out, "--json").stdout)
    assert value["file"] == str(out)
    assert (value["type"], value["lines"]) == ("PROGRAM", 1)
    disk = tmp_path / "d.dsk"
    command("disk", "new", disk, game)
    command("disk", "rm", disk, "GAME")
    listed = json.loads(command("disk", "undelete", disk, "--json").stdout)
    assert [each["name"] for each in listed] == ["GAME"]
    assert json.loads(command("disk", "undelete", disk, "GAME", "--json").stdout) == {"left": []}
    data = json.loads(command("new", tmp_path / "dare", "--json").stdout)
    assert str(tmp_path / "dare" / "game.toml") in data


def test_every_command_that_prints_data_has_json() -> None:
    silent = {"lsp", "play", "debug", "new", "convert", "add", "rm", "rename", "protect", "copy"}
    silent |= {"write", "read", "manual"}
    context = click.Context(cli)
    for name in cli.list_commands(context):
        found = cli.get_command(context, name)
        parts = found.commands.values() if isinstance(found, click.Group) else [found]
        for part in parts:
            assert part is not None
            options = {option for param in part.params for option in param.opts}
            assert "--json" in options or part.name in silent or name in silent, (name, part.name)
