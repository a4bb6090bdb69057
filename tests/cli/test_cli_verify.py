"""`verify` and `hosts` on the command line: table, report, logs, replays, exit codes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.shipped import shipped
from ti99tools import DiskImage
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.cli.verify_matches import _replays
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.mame import Mame
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import course_of, steps_of
from ti99tools.games.verify.result import Verdict
from ti99tools.games.verify.scenario import make, to_script
from ti99tools.media.disk.tifile import DiskFile

pytestmark = pytest.mark.long

D5000 = adapter("d5000")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


@pytest.fixture(scope="module")
def dare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a small game: a proof builds its game anew."""
    folder = tmp_path_factory.mktemp("games") / "dare"
    new_game(folder)
    return str(folder)


def test_a_campaign(dare: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = run("verify", dare, "--games", "3", "--jobs", "1", "--html", str(page))
    assert result.exit_code == 0, result.output
    assert "dare 1.0" in result.stdout
    assert "verified" in result.stdout
    assert "3 matches" in page.read_text()


def test_json_and_seeds(dare: str) -> None:
    first, again, other = (
        json.loads(
            run("verify", dare, "--games", "1", "--jobs", "1", "--seed", s, "--json").stdout
        )[0]
        for s in ("4", "4", "5")
    )
    del first["wall_seconds"], again["wall_seconds"]
    assert first == again
    assert first["events"] != other["events"]
    assert first["verified"]
    assert first["program_lines"]["total"] > 10


@pytest.fixture(scope="module")
def log_lines() -> list[bytes]:
    """The log of a match, as our console writes it: the only one of its session, with a BANK 5…."""
    matches = (make(D5000, number) for number in (25, 12, 13, *range(100)))  # short ones first
    scenario = next(
        scenario
        for scenario, log in matches
        if not scenario.setup.options
        and log.complete
        and any(str(event).startswith("BANK 5") for event in log.events)
    )
    disk = shipped("d5000").image.to_bytes()
    played = host().play(Job(disk, steps_of(D5000, course_of(D5000, scenario)), D5000.log_file))
    assert played.records is not None
    return list(played.records)


def test_logs_from_elsewhere(tmp_path: Path, log_lines: list[bytes]) -> None:
    image = DiskImage.new(name="LOGS")
    image.add(DiskFile.display_var("GOOD", log_lines))
    image.add(DiskFile.display_var("TEXT", [b"NO LOG"]))
    path = tmp_path / "logs.dsk"
    image.save(path)
    result = run("verify", "--log", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("GOOD: D5000 1.1, seed ")
    assert result.stdout.rstrip().endswith("follows the rules")

    bad = [line.replace(b"BANK 5", b"BANK 6") for line in log_lines]
    assert bad != log_lines
    image.add(DiskFile.display_var("BAD", bad))
    image.save(path)
    result = run("verify", "--log", str(path))
    assert result.exit_code == 1
    assert "does NOT follow the rules" in result.stdout
    data = json.loads(run("verify", "--log", str(path), "--json").stdout)
    assert [row["follows_the_rules"] for row in data] == [False, True]

    text = tmp_path / "log.txt"
    text.write_bytes(b"\n".join(log_lines[:-20]) + b"\n")
    result = run("verify", "--log", str(text))
    assert result.exit_code == 0
    assert "truncated: follows the rules" in result.stdout


def test_disks_without_logs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.dsk"
    DiskImage.new(name="E").save(path)
    result = run("verify", "--log", str(path))
    assert result.exit_code == 2
    assert "no play log on this disk" in result.stderr
    path.write_bytes(b"rubbish")
    result = run("verify", "--log", str(path))
    assert result.exit_code == 2
    assert "neither a disk image nor a play log" in result.stderr
    path.write_bytes(b"TI99LOG 1 CHESS 1.0\nSEED 1\n")
    result = run("verify", "--log", str(path))
    assert result.exit_code == 2
    assert "foreign: no model of CHESS; name the folder" in result.stdout


def test_a_saved_failure_is_replayed(dare: str, tmp_path: Path) -> None:
    game = adapter(dare)
    scenario, _ = make(game, 3)
    path = tmp_path / "dare-1.keys"
    path.write_text(
        to_script(scenario, steps_of(game, course_of(game, scenario)), ["it was wrong once"])
    )
    result = run("verify", dare, "--replay", str(path))
    assert result.exit_code == 0
    assert "verified" in result.stdout
    result = run("run", dare, "--script", str(path), "--max-seconds", "9000")
    assert result.exit_code == 0, result.stderr


def test_failures_are_saved_as_scripts(
    dare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter(dare).model, "version", "9.9")
    folder = tmp_path / "failures"
    result = run("verify", dare, "--games", "1", "--jobs", "1", "--save", str(folder))
    assert result.exit_code == 1
    (saved,) = folder.iterdir()
    assert saved.name == "dare-1.keys"
    assert f"wrote {saved}" in result.stderr
    assert "version 9.9" in saved.read_text()


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["chess"], "no game named chess"),
        (["d5000", "--executor", "cluster"], "write dask:tcp://HOST:PORT"),
        (["d5000", "--executor", "dask:tcp://127.0.0.1:1"], "error: "),
    ],
)
def test_bad_arguments(args: list[str], problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ti99tools.app.verify.CLUSTER_SECONDS", 0.1)
    result = run("verify", *args, "--games", "1")
    assert result.exit_code == 2
    assert problem in result.stderr


def test_a_host_that_cannot_run_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TI99_ROMS", str(tmp_path))
    monkeypatch.setenv("TI99_MAME", "/bin/true")
    from ti99tools.games.hosts.host import host_named

    host_named.cache_clear()
    result = run("verify", "d5000", "--host", "mame")
    assert result.exit_code == 2, "a green run must have proven something"
    assert "not run" in result.stdout
    assert "no console ROM" in " ".join(result.stdout.split())
    assert "verified" not in result.stdout
    host_named.cache_clear()


def test_hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("TI99_MAME", "/bin/true")
    monkeypatch.delenv("TI99_ROMS", raising=False)
    lines = run("hosts").stdout.splitlines()
    assert lines[0].split() == ["virtual", "ready"]
    assert lines[1].startswith("mame ")
    assert "--roms DIR" in lines[1]
    data = json.loads(run("hosts", "--roms", str(tmp_path), "--json").stdout)
    assert [row["ready"] for row in data] == [True, False, False]
    assert "no console ROM" in data[1]["missing"]


def test_the_stage_of_shipped_games(dare: str) -> None:
    stage = ("verify", dare, "--stage", "shipped", "--games", "1", "--jobs", "1")
    result = run(*stage)
    assert result.exit_code == 0, result.output
    assert "0 of" in result.stdout
    assert "taps lost" in result.stdout
    assert "right" in result.stdout
    (found,) = json.loads(run(*stage, "--json").stdout)
    assert found["right"]
    assert found["taps"] > 20
    assert found["failures"] == []
    assert found["situations"]["after a program that leaves a mess"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--stage", "fast"], "'fast' is not one of"),
        (["--stage", "shipped", "--budget", "5"], "leave out --budget"),
        (["--stage", "shipped", "--coverage", "text"], "leave out --coverage"),
    ],
)
def test_what_the_stage_cannot_do(options: list[str], message: str) -> None:
    result = run("verify", "lambo", *options)
    assert result.exit_code not in (0, 1) or result.exception is not None
    assert message in f"{result.output} {result.exception}"


def test_the_stage_on_an_emulator_that_is_not_there(
    dare: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mame, "missing", lambda host: "no ROMs here")
    result = run("verify", dare, "--stage", "shipped", "--host", "mame")
    assert result.exit_code == 2
    assert "no ROMs here" in result.output


def test_a_failure_elsewhere_is_replayed_there() -> None:
    verdicts = [Verdict("d5000", "1.1", "virtual"), Verdict("lambo", "1.0", "ti99sim")]
    replays = _replays(verdicts, {"d5000": ["a.keys"], "lambo": ["b c.keys"]}, ("d5000", "lambo"))
    assert replays == {
        "d5000": ["ti99tools verify --replay a.keys"],
        "lambo": ["ti99tools verify --replay 'b c.keys' --host ti99sim"],
    }
