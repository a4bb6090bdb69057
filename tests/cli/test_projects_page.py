"""What docs/projects.md says can be typed, and its file of defaults, is so."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ti99tools import DiskImage
from ti99tools.fronts.cli.defaults import SHARED
from ti99tools.fronts.cli.main import cli

PAGE = (Path(__file__).parents[2] / "docs" / "projects.md").read_text()


@pytest.mark.parametrize("line", re.findall(r"^ti99tools .*$", PAGE, re.MULTILINE))
def test_its_commands_work(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    for name in ("game.xb", "src/main.xb"):
        (tmp_path / name).write_text('PRINT "HI"\n')
    (tmp_path / "more.bas").write_text("100 PRINT 1\n")
    words = shlex.split(line.split("  #")[0])[1:]
    assert CliRunner().invoke(cli, words).exit_code == 0


def test_its_defaults_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TI99TOOLS_CONFIG", raising=False)
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    (tmp_path / "ti99tools.toml").write_text(found[1])
    assert set(tomllib.loads(found[1])) == {"drives", "seconds", "geometry", "run", "disk"}
    (tmp_path / "work").mkdir()
    (tmp_path / "p.xb").write_text('PRINT "HI"\n')
    result = CliRunner().invoke(cli, ["run", "p.xb"])
    assert (result.exit_code, "HI" in result.stdout) == (0, True)
    assert CliRunner().invoke(cli, ["disk", "new", "x.dsk"]).exit_code == 0
    assert DiskImage.open("x.dsk").name == "MYGAMES"


def test_it_names_what_the_top_level_accepts() -> None:
    listed = re.search(r"The top level accepts (.*?); a table accepts", PAGE, re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"`([\w-]+)`", listed[1])) == set(SHARED) - {"max-seconds"}


def test_every_option_at_the_top_is_one_of_some_command() -> None:
    context = click.Context(cli)
    found: set[str] = set()
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        parts = command.commands.values() if isinstance(command, click.Group) else [command]
        found |= {o for part in parts if part for param in part.params for o in param.opts}
    names = {"drives": "disk", "seconds": "max-seconds"}
    assert {f"--{names.get(name, name)}" for name in SHARED} <= found
