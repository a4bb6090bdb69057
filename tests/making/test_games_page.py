"""What docs/games.md shows works as it says."""

import importlib.metadata
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import GROUP
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
COOKBOOK = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text(encoding="utf-8")
[MENU] = re.findall(r'^```xb title="load.xb"\n(.*?)```', COOKBOOK, re.S | re.M)
"""The LOAD that the page leads to."""
FILES = re.findall(r"^`([a-z]+/[a-z.]+)`[^\n]*:\n\n```[a-z]+\n(.*?)```", PAGE, re.S | re.M)
COMMANDS = [
    line.split("  #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    for line in block.splitlines()
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder with the game that the page shows."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "load.xb").write_text(MENU, encoding="utf-8")
    return tmp_path


def test_the_page_shows_a_whole_game(folder: Path) -> None:
    assert len(FILES) == PAGE.count("\n`coin/") == 5
    manifest = read_manifest(folder / "coin")
    assert manifest.seed
    assert manifest.files
    assert manifest.define == {"DEBUG": 0}


def test_every_command_of_the_page_works(folder: Path) -> None:
    assert len(COMMANDS) >= 7
    for line in COMMANDS:
        result = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert result.exit_code == 0, (line, result.output, result.exception)
    assert (folder / "disks" / "coin.dsk").exists()
    assert (folder / "disks" / "dare.dsk").exists()


def test_a_bug_in_the_game_of_the_page_is_found(folder: Path) -> None:
    source = folder / "coin" / "coin.xb"
    source.write_text(source.read_text().replace("K<>84", "K<>85"))
    result = CliRunner().invoke(cli, ["verify", "./coin", "--games", "20", "--jobs", "1"])
    assert result.exit_code == 1, result.output


def test_the_python_of_the_page_works(folder: Path) -> None:
    (text,) = re.findall(r"```python\n(from ti99tools\.games\.verify\.campaign.*?)```", PAGE, re.S)
    exec(compile(text, "games.md", "exec"), {})


def test_the_page_names_every_member_of_an_adapter(folder: Path) -> None:
    members = {name for name in vars(Adapter) if not name.startswith("_")}
    on_page = set(re.findall(r"`(\w+)(?:\([a-z, ]*\))?`", PAGE))
    assert members - on_page == {"log_on", "name"}
    assert isinstance(adapter("./coin"), Adapter)


def test_the_entry_point_of_the_page(folder: Path) -> None:
    text = re.findall(r"```toml\n(\[project.*?)```", PAGE, re.S)[0]
    ((group, entries),) = tomllib.loads(text)["project"]["entry-points"].items()
    assert group == GROUP
    entry = importlib.metadata.EntryPoint("coin", entries["coin"], group)
    assert entry.module == "coin_for_ti99"
