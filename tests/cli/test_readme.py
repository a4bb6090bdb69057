"""What README says can be typed is what the command line takes."""

import re
import shlex
from pathlib import Path

import click
import pytest

from ti99tools.cli.main import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def shell_lines() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    parts = [part for block in blocks for line in block.splitlines() for part in line.split("&&")]
    return [part.split("  #")[0].strip() for part in parts if "ti99tools " in part]


def test_readme_has_exactly_two_set_up_commands() -> None:
    assert README.count("python3 -m venv .venv ||") == 2
    assert len(re.findall(r"<!-- (main|tests) -->\n```sh\n.*\n```", README)) == 2


@pytest.mark.parametrize("line", shell_lines())
def test_each_command_of_readme_exists(line: str) -> None:
    words = shlex.split(line)
    context = click.Context(cli)
    command: click.Command | None = cli
    for word in words[1:]:
        if isinstance(command, click.Group):
            command = command.get_command(context, word)
            assert command is not None, f"{line}: no command {word}"
        elif word.startswith("-"):
            assert command is not None
            options = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
            assert word in options, f"{line}: no option {word}"


def test_every_command_is_in_readme() -> None:
    for name in cli.list_commands(click.Context(cli)):
        assert f"`{name}`" in README or f"ti99tools {name}" in README, name


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert source
    exec(compile(source[1], "README.md", "exec"), {})
