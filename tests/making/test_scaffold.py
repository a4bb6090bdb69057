"""A new game works at once; a changed rule stays proven; a bug put in is found and made small."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.base.errors import BuildError, TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.scaffold import TEMPLATE, new_game
from ti99tools.games.verify.campaign import verify_game

FILES = ["MANUAL.md", "adapter.py", "dare.xb", "game.toml", "instr.txt", "model.py", "test_dare.py"]

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "dare"]
ALONE = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""The environment of a pytest without the plug-ins that are installed here, which take long."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game in a folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    result = run("new", "dare")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "dare"


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert text.count(before) == 1, f"{file}: the template was changed: choose another rule"
    file.write_text(text.replace(before, after))


def test_all_parts_are_made_and_nothing_stays_open(game: Path) -> None:
    assert sorted(path.name for path in game.iterdir()) == FILES
    assert not [path for path in game.iterdir() if "@" in path.read_text()]
    assert find_game("dare").title == "DARE"


def test_every_command_takes_the_folder(game: Path) -> None:
    result = run("verify", "./dare", "--games", "6", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "dare 1.0" in result.stdout, result.output
    result = run("build", "./dare", "--out", "disks")
    assert result.exit_code == 0, result.output
    assert "DARE 1.0" in result.stdout, result.output
    assert sorted(path.name for path in Path("disks").iterdir()) == [
        "CATALOG",
        "dare-DARE.tfi",
        "dare-DAREDOC.tfi",
        "dare.dsk",
        "dare.hfe",
    ]
    assert run("build", "./dare", "--out", "disks", "--check").exit_code == 0
    result = run("lint", "./dare")
    assert result.exit_code == 0, result.stdout
    assert result.stdout.startswith("memory: "), result.stdout
    listing = run("generate", "./dare").stdout
    assert listing.startswith("100 ")
    assert "VERSION 1.0" in listing
    assert run("list", "dare").stdout.count("\n") == listing.count("\n")
    keys = ("--seed", "7", "--keys", "1HHHHHN5")
    result = run("run", "./dare", *keys, "--max-seconds", "300")
    assert result.exit_code == 0, result.stderr
    result = run("profile", "dare/", *keys, "--top", "1")
    assert result.exit_code == 0, result.output
    assert "dare/dare.xb" in result.stdout, result.output


def test_its_report_names_its_source_and_those_of_the_library(game: Path) -> None:
    result = run("verify", "./dare", "--games", "4", "--jobs", "1", "--html", "report.html")
    assert result.exit_code == 0, result.output
    report = Path("report.html").read_text(encoding="utf-8")
    assert "dare/dare.xb" in report
    assert "log.xb" in report


def test_its_own_test_passes(game: Path) -> None:
    done = subprocess.run(PYTEST, capture_output=True, text=True, env=ALONE)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout, done.stdout


def test_it_is_checked_as_our_own_code_is(game: Path) -> None:
    root = Path(__file__).parents[2]
    config = ["--config", str(root / "pyproject.toml")]
    for check in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *check, *config, "dare"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_its_types_are_strict(game: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--explicit-package-bases", "dare"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_rule_changed_on_both_sides_is_verified(game: Path) -> None:
    change(game / "dare.xb", "IF V=1 THEN P=0", "IF V=2 THEN P=0")
    change(game / "dare.xb", "IF V=1 THEN lost", "IF V=2 THEN lost")
    assert verify_game(game, matches=5).failed
    change(game / "model.py", "0 if die == 1 else", "0 if die == 2 else")
    change(game / "model.py", "if die == 1:", "if die == 2:")
    verdict = verify_game(game, matches=20)
    assert verdict.ok
    assert verdict.matches == 20


def test_a_bug_is_found_and_made_small(game: Path) -> None:
    change(game / "dare.xb", "T=T+P", "T=T+P-(P>15)")
    result = run("verify", "./dare", "--games", "20", "--jobs", "1", "--json")
    assert result.exit_code == 1
    failure = json.loads(result.stdout)[0]["failures"][0]
    assert failure["rules"].startswith("HOLD ")
    assert failure["game"].startswith("HOLD ")
    scripts = sorted(Path("verify-failures").iterdir())
    keys = json.loads(scripts[0].read_text().partition("scenario: ")[2].splitlines()[0])["keys"]
    assert keys[-1] == ord("H")
    assert set(keys[:-1]) <= set(b"RH")
    assert len(keys) <= 8
    assert run("verify", "--replay", str(scripts[0])).exit_code == 1
    change(game / "dare.xb", "T=T+P-(P>15)", "T=T+P")
    assert run("verify", "--replay", str(scripts[0])).exit_code == 0


def test_a_replay_needs_to_know_the_folder(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(game / "dare.xb", "T=T+P", "T=T+1")
    assert run("verify", "dare", "--games", "4", "--jobs", "1").exit_code == 1
    script = next(Path("verify-failures").iterdir()).resolve()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = run("verify", "--replay", str(script))
    assert result.exit_code == 2
    assert "no game of that name" in result.stderr
    assert "name the game's folder" in result.stderr
    result = run("verify", "../dare", "--replay", str(script))
    assert result.exit_code == 1
    assert f"verify ../dare --replay {script}" in result.stdout


def test_a_failure_is_told_with_its_place_and_what_replays_it(game: Path) -> None:
    change(game / "dare.xb", "GOTO playagain", "GOTO gone")
    change(game / "dare.xb", "\nturn:", '\ngone:\n  INPUT "NAME? ":A$\n  GOTO playagain\n\nturn:')
    line = 1 + (game / "dare.xb").read_text().splitlines().index('  INPUT "NAME? ":A$')
    result = run("verify", "./dare", "--games", "1", "--jobs", "1")
    assert result.exit_code == 1
    assert f"    at     dare/dare.xb:{line}:3\n" in result.stdout
    again = "    replay ti99tools verify ./dare --replay verify-failures/dare-1.keys\n"
    assert again in result.stdout
    assert "--html FILE" in result.stdout
    assert f"dare/dare.xb:{line}:3" in run(*again.split()[2:]).stdout


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        ("model.py", "holding = key == HOLD", "holding = kye == HOLD", "NameError: name 'kye'"),
        (
            "model.py",
            "Ask(0, (ROLL, HOLD), safe",
            "Ask(0, (), safe",
            "ValueError: Ask names no key",
        ),
        ("adapter.py", "row[1] for name", "row[9] for name", "IndexError: "),
    ],
)
def test_a_mistake_in_its_python_is_told_in_one_line(
    file: str, before: str, after: str, message: str, game: Path
) -> None:
    change(game / file, before, after)
    line = 1 + (game / file).read_text().partition(after)[0].count("\n")
    for jobs in ("1", "2"):
        result = run("verify", "./dare", "--games", "4", "--jobs", jobs)
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
        assert result.stderr.startswith(f"error: dare/{file}:{line}: {message}"), result.stderr
        assert result.stderr.count("\n") == 1


def test_a_mistake_that_only_a_later_match_meets_cuts_the_run_off(game: Path) -> None:
    """What was played before it keeps its verdict."""
    before, after = "total += points", "total.add(points)"
    change(game / "model.py", before, after)
    line = 1 + (game / "model.py").read_text().partition(after)[0].count("\n")
    result = run("verify", "./dare", "--games", "4", "--jobs", "1")
    assert result.exit_code == 2
    assert not result.stderr
    message = f"dare on virtual: cut off (dare/model.py:{line}: AttributeError: 'int' object"
    assert message in result.stdout
    assert ": 3 matches" in result.stdout


def test_a_match_without_an_end_is_told(game: Path) -> None:
    change(
        game / "model.py",
        "if die == 1:\n                    break",
        "if die == 7:\n                    break",
    )
    change(game / "model.py", "holding = key == HOLD", "holding = False")
    result = run("verify", "./dare", "--games", "1", "--jobs", "1")
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert "does not end; let the rules of its model come to an end" in result.stderr


def test_its_test_ends_when_the_keys_of_the_game_are_others(game: Path) -> None:
    change(game / "model.py", 'ROLL, HOLD = ord("R"), ord("H")', 'ROLL, HOLD = ord("1"), ord("2")')
    command = [*PYTEST, "-k", "test_the_rules"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=ALONE)
    assert "1 passed" in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my game", "a name has 1 to 10 letters and digits and begins with a letter"),
        ("9men", "cannot be the name of a game"),
        ("elevenchars", "cannot be the name of a game"),
        ("chess.d", "cannot be the name of a game"),
        ("d5000", "d5000 is a game of ti99tools; choose another name"),
        ("Load", "LOAD starts every disk"),
        ("games", "games is the disk of all games"),
        ("sub/chess", "no folder sub"),
        ("dare", "dare exists; choose another name"),
        ("note", "note exists"),
    ],
)
def test_names_that_are_refused(game: Path, name: str, message: str) -> None:
    Path("note").write_text("mine")
    before = sorted(Path().rglob("*"))
    result = run("new", name)
    assert result.exit_code == 2
    assert message in result.stderr
    assert sorted(Path().rglob("*")) == before


def test_a_folder_is_made_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = 0

    def full(_: int) -> None:
        nonlocal synced
        synced += 1
        if synced == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TIError, match="no space left"):
        new_game(tmp_path / "dare")
    assert not (tmp_path / "dare").exists()


def test_every_template_is_used(tmp_path: Path) -> None:
    assert len(new_game(tmp_path / "Dare")) == len(list(TEMPLATE.iterdir())) == len(FILES)
    with pytest.raises(BuildError, match="exists"):
        new_game(tmp_path / "Dare")


def test_an_empty_folder_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "chess"
    folder.mkdir()
    monkeypatch.chdir(folder)
    result = run("new", ".")
    assert result.exit_code == 0
    assert "wrote chess.xb\n" in result.stdout
    assert "next: ti99tools play ., and ti99tools verify . --games 20\n" in result.stdout
    assert len(list(folder.iterdir())) == len(FILES)
    again = run("new", ".")
    assert (again.exit_code, "the current folder is not empty" in again.stderr) == (2, True)


def test_a_folder_that_was_there_stays_when_it_cannot_be_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "chess"
    folder.mkdir()
    (folder / ".git").write_text("mine")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TIError, match="no space left"):
        new_game(folder)
    assert [path.name for path in folder.iterdir()] == [".git"]
