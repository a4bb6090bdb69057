"""The commands build and generate: what they print, write and answer."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.computer.machinecode.cartridges import Cartridge
from ti99tools.fronts.cli.main import cli


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_build_writes_disks_and_check_compares_them(tmp_path: Path) -> None:
    out = tmp_path / "disks"
    result = run("build", "d5000", "--out", str(out))
    assert result.exit_code == 0
    assert "d5000.dsk: D5000" in result.output
    assert (out / "d5000.dsk").stat().st_size == 92160
    assert (out / "CATALOG").exists()
    assert run("build", "D5000", "--out", str(out), "--check").exit_code == 0
    (out / "d5000.dsk").write_bytes(b"")
    result = run("build", "d5000", "--out", str(out), "--check")
    assert result.exit_code == 1
    assert "d5000.dsk is not what the sources build" in result.output
    assert (out / "d5000.dsk").read_bytes() == b""


def test_build_gives_data(tmp_path: Path) -> None:
    data = json.loads(run("build", "d5000", "--out", str(tmp_path), "--json").output)
    assert data["games"][0]["game"] == "d5000"
    assert data["differences"] == []
    assert "d5000.dsk" in data["games"][0]["files"]


def test_build_makes_the_disk_of_all_games(two_games: Path, tmp_path: Path) -> None:
    out = tmp_path / "disks"
    result = run("build", "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "games.dsk: ant, bee" in result.output
    (out / "games.dsk").unlink()
    result = run("build", "--out", str(out), "--check")
    assert result.exit_code == 1, result.output
    assert "games.dsk is missing" in result.output
    assert result.output.count(".dsk") == 1, "the others are as built"
    assert run("build", "ant", "--out", str(out), "--check").exit_code == 0
    data = json.loads(run("build", "Games", "--out", str(out), "--json").output)
    assert "ant" in data["disk of all games"]["games"]
    assert data["games"] == []
    assert run("build", "--out", str(out), "--check").exit_code == 0
    assert run("build", "games", "an").exit_code == 2


def test_build_makes_what_is_compiled(two_games: Path, tmp_path: Path) -> None:
    out = tmp_path / "disks"
    result = run("build", "ant", "--compiled", "--out", str(out))
    assert result.exit_code == 0, result.output
    names = {"ant_8.bin", "ant.rpk", "ant-xb.dsk", "ant-xb.hfe", "ant-ea5.dsk", "ant-ea5.hfe"}
    assert names <= {path.name for path in out.iterdir()}
    assert "the compiled game: ant_8.bin, ant.rpk, ant-xb.dsk" in result.output
    assert run("build", "ant", "--compiled", "--out", str(out), "--check").exit_code == 0
    result = run("build", "games", "--compiled", "--out", str(out))
    assert "all games compiled, on one cartridge: games_8.bin, games.rpk" in result.output
    menu = Cartridge((out / "games_8.bin").read_bytes()).programs
    assert [entry.name for entry in menu] == ["ANT", "BEE"]


@pytest.mark.parametrize("link", ["disks", "disks/ant.dsk", "disks/CATALOG"])
@pytest.mark.parametrize("target", ["mine", "new"])
def test_build_in_a_strangers_folder_stays_there(
    two_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str, target: str
) -> None:
    """Where links lead is the stranger's choice, unless the user names the folder."""
    mine = tmp_path / "mine"
    mine.mkdir() if link == "disks" else mine.write_bytes(b"")
    path = tmp_path / "strange" / link
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / target)
    monkeypatch.chdir(tmp_path / "strange")
    before = sorted(tmp_path.rglob("*"))
    for more in ((), ("--replace",)):
        result = run("build", "ant", *more)
        assert result.exit_code == 2, result.output
        assert f"a link leads it out of {tmp_path / 'strange'}; remove the link" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before
    if target == "mine":
        assert run("build", "ant", "--out", "disks").exit_code == 0
        assert mine.stat().st_size


def test_nor_does_a_package_leave_it(
    two_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strange").mkdir()
    monkeypatch.chdir(tmp_path / "strange")
    Path("the-ant-game-1.zip").symlink_to(tmp_path / "mine")
    for more in ((), ("--replace",)):
        errors = run("package", "ant", "--no-page", "--no-proof", *more).stderr
        assert "the-ant-game-1.zip: a link leads it out of" in errors
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["ant.dsk", "ant.hfe", "ant-ANT.tfi", "CATALOG"])
def test_build_keeps_what_it_has_not_built(two_games: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "out" / name
    path.parent.mkdir()
    path.write_text("mine\n")
    result = run("build", "ant", "--out", str(path.parent))
    assert result.exit_code == 2
    assert f"{name}: the file already exists; choose another name or use --r" in result.stderr
    assert [each.name for each in path.parent.iterdir()] == [name]
    assert path.read_text() == "mine\n"
    assert run("build", "ant", "--out", str(path.parent), "--replace").exit_code == 0
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"X")
    assert run("build", "ant", "--out", str(path.parent)).exit_code == 0, "an older build"
    assert path.read_bytes() == data


def test_build_does_not_know_every_game() -> None:
    result = run("build", "d500")
    assert result.exit_code == 2
    assert result.stderr == "error: no game named d500; did you mean d5000?\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.xb"
    path.write_text('loop: PRINT "A"\nGOTO loop\n#if DEBUG\nPRINT 2\n#end\n', encoding="utf-8")
    return path


def test_generate_prints_the_listing(source: Path) -> None:
    assert run("generate", str(source)).output == '100 PRINT"A"::GOTO 100\n'


def test_generate_has_options(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.bas"
    arguments = ("--no-pack", "-D", "DEBUG=1", "--start", "10", "--step", "5")
    assert run("generate", str(source), "-o", str(out), *arguments).exit_code == 0
    assert out.read_text() == '10 PRINT"A"\n15 GOTO 10\n20 PRINT 2\n'
    assert run("generate", str(source), "--map").output.startswith(f"{source}:1:7: 100 PRINT")
    data = json.loads(run("generate", str(source), "--json").output)
    assert data == [{"number": 100, "line": '100 PRINT"A"::GOTO 100', "from": f"{source}:1:7"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-D", "A"], "--define A has no value; write NAME=VALUE"),
        (["-D", "A=x"], "x is not a whole number; names of texts end in $"),
    ],
)
def test_wrong_definitions(source: Path, arguments: list[str], message: str) -> None:
    result = run("generate", str(source), *arguments)
    assert result.exit_code == 2
    assert result.stderr == f"error: {message}\n"


def test_an_error_in_the_source_is_one_line(source: Path) -> None:
    source.write_text("GOTO x")
    result = run("generate", str(source))
    assert result.exit_code == 2
    assert result.stderr == f"error: {source}:1:6: no label X; put X: before a line\n"
