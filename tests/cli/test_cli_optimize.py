"""Optimizing from the command line: build's options and report, generate --optimize."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage, Program
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.scaffold import new_game

SOURCE = """\
CONST TIMES=5
FOR COUNTER=1 TO TIMES
  TOTAL=TOTAL+COUNTER :: TOTAL=TOTAL*COUNTER :: LAST=TOTAL :: LAST=LAST+COUNTER
  PRINT COUNTER;TOTAL;LAST
NEXT COUNTER
PRINT TOTAL;LAST
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "sums.xb").write_text(SOURCE)
    (folder / "game.toml").write_text(
        'title = "Sums"\nversion = "1.0"\nsource = "sums.xb"\nprogram = "SUMS"\ndisk = "SUMS"\n'
    )
    return folder


def built(game: Path, *options: str) -> str:
    out = game.parent / "out"
    result = run("build", str(game), "--out", str(out), *options)
    assert result.exit_code == 0, result.output
    image = DiskImage.open(out / "sums.dsk")
    return Program.from_bytes(image.read("SUMS").data).listing()


def test_a_game_is_optimized_unless_told_otherwise(game: Path) -> None:
    assert "!@P-" in built(game)
    assert "COUNTER" not in built(game)
    assert "COUNTER" in built(game, "--no-optimize")
    names = built(game, "--passes", "names")
    assert "!@P-" not in names
    assert "COUNTER" not in names


def test_the_manifest_decides_as_well(game: Path) -> None:
    manifest = game / "game.toml"
    plain = manifest.read_text()
    manifest.write_text(plain + "optimize = false\n")
    assert "COUNTER" in built(game)
    manifest.write_text(plain + 'optimize = ["prescan"]\n')
    assert "COUNTER" in built(game)
    assert "!@P-" in built(game)
    for wrong in ('"fast"', '["magic"]'):
        manifest.write_text(plain + f"optimize = {wrong}\n")
        result = run("build", str(game), "--out", str(game.parent / "out"))
        assert result.exit_code == 2
        assert "passes are remarks, sharing" in result.stderr


def test_unknown_passes_are_told(game: Path) -> None:
    result = run("build", str(game), "--out", str(game.parent / "out"), "--passes", "magic")
    assert result.exit_code == 2
    assert "unknown pass: magic" in result.stderr


def test_the_report_tells_each_pass(game: Path) -> None:
    rows = json.loads(run("build", str(game), "--report", "--json").stdout)["sums"]
    assert [row["name"] for row in rows][:2] == ["plain", "remarks"]
    assert rows[0]["start"] is None
    assert rows[3]["size"] < rows[0]["size"]
    new_game(game.parent / "dare")
    reported(str(game.parent / "dare"), 5, -1)


@pytest.mark.slow
def test_the_report_of_a_large_game() -> None:
    reported("dimraw", 20, -10)


def reported(game: str, least: float, saved: float) -> None:
    """All passes are in the report; plain takes at least so many seconds to the title."""
    rows = run("build", game, "--report").stdout.splitlines()
    assert len(rows) == 10
    assert "to the title" in rows[0]
    plain, last = rows[1].split(), rows[-1].split()
    assert (plain[0], last[0]) == ("plain", "all")
    assert float(plain[3]) > least
    assert float(last[3].strip("()")) < saved


def test_the_hottest_names_are_told(game: Path) -> None:
    dare = game.parent / "dare"
    new_game(dare)
    text = run("build", str(dare), "--hot").stdout.strip()
    assert text.startswith('dare: hot = "')
    assert {"KY", "V"} <= set(text.split('"')[1].split())
    assert json.loads(run("build", str(dare), "--hot", "--json").stdout)["dare"][0] in text
    result = run("build", str(game), "--hot")
    assert result.exit_code == 2
    assert "sums has no model to play it by" in result.stderr


def test_generate_shows_the_optimized_listing(game: Path) -> None:
    rows = json.loads(run("generate", str(game), "--optimize", "--json").stdout)
    assert rows[0]["line"].endswith("GOTO 100")
    assert rows[0]["from"] == ""
    assert rows[-1]["from"].endswith("sums.xb:2:1")


def test_build_tells_of_the_disk_that_starts_fast(game: Path) -> None:
    out = game.parent / "out"
    assert "-fast.dsk" not in run("build", str(game), "--out", str(out)).output
    result = run("build", str(game), "--out", str(out), "--fast")
    assert "sums-fast.dsk: the same game with the fast start" in result.output
    assert (out / "sums-fast.dsk").exists()
