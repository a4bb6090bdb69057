"""Games are found by folder and by name; installed packages may offer some, even broken ones."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.base.errors import BuildError
from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import UnknownGame, all_games, find_game, game_names, games_root
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.loading import adapter, by_log_name

Install = Callable[..., Path]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """What puts a package with a game among the installed ones; returns the package's folder."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)

    def add(game: str, package: str = "", value: str = "", init: str = "") -> Path:
        package = package or f"ti99_{game}"
        folder = site / package
        new_game(site / game)
        (site / game).rename(folder)
        (folder / "__init__.py").write_text(init)
        info = site / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        entry = f"[ti99tools.games]\n{game} = {value or package}\n"
        (info / "entry_points.txt").write_text(entry)
        monkeypatch.delitem(sys.modules, package, raising=False)
        return folder

    return add


def test_a_folder_is_a_game_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_game(tmp_path / "dare")
    monkeypatch.chdir(tmp_path / "dare")
    for name in (".", "../dare", str(tmp_path / "dare"), tmp_path / "dare"):
        assert find_game(name).game == "dare"
    monkeypatch.chdir(tmp_path)
    assert find_game("dare").folder == Path("dare")


def test_a_folder_with_a_game_comes_before_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d5000").mkdir()
    assert find_game("d5000").folder == games_root() / "d5000"
    new_game(tmp_path / "dare")
    (tmp_path / "d5000").rmdir()
    (tmp_path / "dare").rename(tmp_path / "d5000")
    assert find_game("d5000").title == "DARE"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("dicerak", "error: no game named dicerak; did you mean dicerack?"),
        ("chess", "error: no game named chess; there are d5000, "),
        ("./chess", "error: no folder chess; check the name"),
        ("empty", "error: empty: a folder without game.toml; "),
        ("./empty", "error: empty: a folder without game.toml; "),
    ],
)
@pytest.mark.parametrize("command", ["build", "verify"])
def test_what_is_no_game_is_told(
    name: str, line: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    result = run(command, name)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)


@pytest.mark.parametrize("command", ["run", "play", "profile", "lint", "generate", "list"])
def test_every_command_suggests_a_game(command: str) -> None:
    result = run(command, "dicerak")
    assert result.exit_code == 2
    wanted = "error: dicerak: no such file, and no such game; did you mean dicerack?\n"
    assert result.stderr == wanted


def test_a_package_offers_a_game(install: Install) -> None:
    folder = install("dare")
    assert find_game("Dare").folder == folder
    assert find_game("dare").game == "dare"
    manifests, problems = all_games()
    assert [manifest.game for manifest in manifests] == [*game_names(), "dare"]
    assert not problems
    assert by_log_name("DARE").name == "dare"
    assert run("lint", "dare").exit_code == 0
    assert "no game named dar; did you mean dare?" in run("build", "dar").stderr
    result = run("verify", "dare", "--games", "2", "--jobs", "1")
    assert result.exit_code == 0
    assert "dare 1.0" in result.stdout


@pytest.mark.parametrize(
    ("value", "init"),
    [
        ("pack:FOLDER", "FOLDER = __file__.removesuffix('__init__.py')"),
        ("pack:FOLDER", "from pathlib import Path\nFOLDER = Path(__file__).parent"),
        ("pack:FOLDER", "from importlib.resources import files\nFOLDER = files(__package__)"),
        ("pack.model", "NOTHING = 1"),
    ],
)
def test_an_entry_point_leads_to_the_folder(install: Install, value: str, init: str) -> None:
    folder = install("dare", "pack", value, init)
    assert find_game("dare").folder == folder


def test_a_package_names_its_classes_by_module(install: Install) -> None:
    toml = install("dare") / "game.toml"
    text = toml.read_text().replace("model.py:", "ti99_dare.model:")
    toml.write_text(text.replace("adapter.py:", "ti99_dare.adapter:"))
    for name in ("ti99_dare.model", "ti99_dare.adapter"):
        sys.modules.pop(name, None)
    result = run("verify", "dare", "--games", "2", "--jobs", "1", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)[0]["model_branches"]["reached"] > 4
    assert adapter("dare").model.__module__ == "ti99_dare.model"


@pytest.mark.parametrize(
    ("value", "init", "message"),
    [
        ("", "1 / 0", "ti99_dare cannot be loaded: ZeroDivisionError: division by zero"),
        ("ti99_other", "", "cannot be loaded: ModuleNotFoundError: No module named 'ti99_other'"),
        ("ti99_dare:GAME", "GAME = 5", "ti99_dare:GAME is neither a folder nor a package"),
        ("ti99_dare:GAME", "GAME = '/nowhere'", "cannot read /nowhere/game.toml"),
    ],
)
def test_a_broken_plug_in_breaks_no_other_game(
    install: Install, value: str, init: str, message: str
) -> None:
    install("dare", value=value, init=init)
    with pytest.raises(BuildError) as caught:
        find_game("dare")
    assert "the game dare of ti99_dare: " in str(caught.value)
    assert message in str(caught.value)
    manifests, problems = all_games()
    assert [manifest.game for manifest in manifests] == game_names()
    assert list(problems) == ["dare of ti99_dare"]
    assert run("build", "d500").stderr == "error: no game named d500; did you mean d5000?\n"
    assert by_log_name("D5000").name == "d5000"


def test_a_second_d5000_is_named_once(install: Install) -> None:
    info = install("dare").with_name("ti99_dare-1.0.dist-info")
    (info / "entry_points.txt").write_text("[ti99tools.games]\nd5000 = ti99_dare\n")
    assert find_game("d5000").folder == games_root() / "d5000"
    with pytest.raises(UnknownGame) as caught:
        find_game("chess")
    assert str(caught.value).count("d5000") == 1


def test_verify_says_which_plug_ins_it_left_out(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours").mkdir()
    for name in ("ant", "bee"):
        new_game(tmp_path / "ours" / name)
    monkeypatch.setattr("ti99tools.games.making.finding.games_root", lambda: tmp_path / "ours")
    install("dare", init="1 / 0")
    model = install("dice") / "model.py"
    model.write_text("import ti99tools.computer.console.session\n" + model.read_text())
    result = run("verify", "--games", "1", "--jobs", "2")
    assert result.exit_code == 1, "a game that is broken is not proven"
    text = " ".join(result.stdout.split())
    assert "dare of ti99_dare" in text
    assert "ZeroDivisionError" in text
    assert "a model must not import ti99tools.computer.console.session" in text
    assert text.count("verified") == 2


def test_a_broken_game_of_ours_breaks_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(tmp_path / "dare")
    new_game(tmp_path / "dice")
    (tmp_path / "dice" / "game.toml").write_text("title = ")
    monkeypatch.setattr("ti99tools.games.making.finding.games_root", lambda: tmp_path)
    assert [manifest.game for manifest in all_games()[0]] == ["dare"]
    assert by_log_name("DARE").name == "dare"
    result = run("verify", "--games", "2", "--jobs", "1")
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "dare on virtual: 2 matches" in text
    assert "dice on virtual: broken: " in text


def test_two_plug_ins_of_one_name(install: Install) -> None:
    install("dare", "one")
    install("dare", "two")
    with pytest.raises(BuildError, match="one and two both offer a game named dare; give its"):
        find_game("dare")
    assert list(all_games()[1]) == ["dare of one", "dare of two"]


def test_a_plug_in_with_the_name_of_our_game(install: Install, tmp_path: Path) -> None:
    folder = install("dare", "one")
    entries = tmp_path / "site" / "one-1.0.dist-info" / "entry_points.txt"
    entries.write_text("[ti99tools.games]\nd5000 = one\n")
    assert find_game("d5000").folder == games_root() / "d5000"
    assert find_game(folder).game == "one"
    (problem,) = all_games()[1].values()
    assert "d5000 is a game of ti99tools; give its folder instead" in str(problem)


def test_a_folder_given_as_a_path_must_be_a_game(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="a folder without"):
        find_game(tmp_path)
