"""What README says can be typed is what the command line takes."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def shell_lines() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    parts = [part for block in blocks for line in block.splitlines() for part in line.split("&&")]
    return [part.split("  #")[0].strip() for part in parts if re.match(r"\s*\S*ti99tools ", part)]


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
    for target in re.findall(r"\]\((?!https:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a reader has who did all that README says: the source, and the disks of the games."""
    monkeypatch.chdir(tmp_path)
    source = re.search(r"`hello.xb`:\n\n```xb\n(.*?)```", README, re.DOTALL)
    assert source
    (tmp_path / "hello.xb").write_text(source[1])
    (tmp_path / "disks").mkdir()
    shutil.copy(ROOT / "disks" / "d5000.dsk", tmp_path / "disks")
    return tmp_path


def block(first_line: str) -> str:
    """The example in Python or for the shell that begins so."""
    found: list[str] = re.findall(r"```(?:python|sh)\n(.*?)```", README, re.DOTALL)
    return next(text for text in found if text.startswith(first_line))


def test_the_commands_of_the_first_program_do_what_is_said(folder: Path) -> None:
    outputs = []
    for line in block("ti99tools lint hello.xb").splitlines():
        result = CliRunner().invoke(cli, shlex.split(line, comments=True)[1:])
        assert result.exit_code == 0, (line, result.stderr)
        outputs.append(result.stdout)
    lint, listing, screen, _, from_disk, _ = outputs
    assert "memory: " in lint
    assert listing.startswith("100 CALL CLEAR\n")
    assert "THE LAST TIME" in screen
    assert "THE LAST TIME" in from_disk
    files = sorted(path.name for path in folder.iterdir())
    assert files == ["disks", "hello.dsk", "hello.hfe", "hello.xb"]


def test_the_python_example_runs(folder: Path) -> None:
    exec(compile(block("from ti99tools import"), "README.md", "exec"), {})
    assert (folder / "now.png").read_bytes().startswith(b"\x89PNG")


def test_the_pytest_example_passes(folder: Path) -> None:
    (folder / "test_hello.py").write_text(block("def test_"))
    command = [sys.executable, "-m", "pytest", "-q", "--strict-markers", "test_hello.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout


def test_the_mistake_that_readme_shows_is_told_so(folder: Path) -> None:
    (folder / "game.xb").write_text("FOR I=1 TO 3\n" + "\n" * 5 + "  NXT I\n")
    result = CliRunner().invoke(cli, ["run", "game.xb"])
    assert f"`{result.stderr.strip().removeprefix('error: ')}`" in README
