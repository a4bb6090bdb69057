"""What docs/projects.md says can be typed, its file of defaults, and what a file may set, is so.

`python -m tests.cli.test_projects_page` prints the table of what a project may set.
"""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ti99tools import DiskImage
from ti99tools.fronts.cli.defaults import SHARED, may_set, options_of
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
    match = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert match is not None
    (tmp_path / "ti99tools.toml").write_text(match[1])
    assert set(tomllib.loads(match[1])) == {"drives", "seconds", "geometry", "run", "disk"}
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


def commands() -> dict[str, click.Command]:
    """All commands by name; of a group, its subcommands."""
    context = click.Context(cli)
    found: dict[str, click.Command] = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            found |= {f"{name} {sub}": each for sub, each in command.commands.items()}
        else:
            found[name] = command
    return found


def test_every_option_at_the_top_is_one_of_some_command() -> None:
    found = {key for command in commands().values() for key in options_of(command)}
    names = {"drives": "disk", "seconds": "max-seconds"}
    assert {names.get(name, name) for name in SHARED} <= found


def table() -> str:
    """The options of all commands: what a project's file may set, and what it may not."""
    rows = ["| command | a project may set | you alone may set |", "|---|---|---|"]
    for name, command in commands().items():
        options = sorted(options_of(command))
        may = " ".join(f"`{each}`" for each in options if may_set(name, each))
        not_ = " ".join(f"`{each}`" for each in options if not may_set(name, each))
        rows.append(f"| `{name}` | {may} | {not_} |")
    return "\n".join(rows)


def test_it_tells_for_every_option_whether_a_project_may_set_it() -> None:
    _, _, after = PAGE.partition("<!-- opened -->\n")
    assert after.partition("\n\n")[0] == table()


if __name__ == "__main__":
    print(table())
