"""The command line as a whole: lazy, documented, one line for what the user can mend."""

import re
import subprocess
import sys
from itertools import pairwise

import click
import pytest
from click.testing import CliRunner

from ti99tools import __version__
from ti99tools.base.errors import DiskError, Place
from ti99tools.fronts.cli import main
from ti99tools.fronts.cli.main import COMMANDS, cli

NAMES = [name for section in COMMANDS.values() for name in section]


def commands() -> list[tuple[str, click.Command]]:
    """Every command and subcommand, with its name on the command line."""
    context = click.Context(cli)
    found = []
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {sub}", each) for sub, each in command.commands.items()]
    return found


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: str(value))
def test_every_command_explains_itself_with_an_example(name: str, command: click.Command) -> None:
    result = CliRunner().invoke(cli, [*name.split(), "--help"], terminal_width=100)
    assert result.exit_code == 0
    examples = result.output.partition("xample")[2].split()
    assert ("ti99tools", name.split()[0]) in pairwise(examples), "no example"
    assert command.help, "no help text"
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help or parameter.show_default, f"{parameter.name}: no help"


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: str(value))
def test_help_names_what_options_take_alike(name: str, command: click.Command) -> None:
    context = click.Context(command)
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag:
            metavar = option.make_metavar(context)
            assert not re.search("PATH|DIRECTORY|INTEGER|FLOAT", metavar), (
                f"{option.name}: {metavar}"
            )
            if isinstance(option.type, click.IntRange | click.FloatRange):
                # Brackets: the number may be left out.
                assert metavar in ("N", "[N]"), option.name
            if "seconds" in option.opts[0]:
                assert "seconds" in (option.help or "").lower(), option.name


def test_help_lists_the_commands_without_loading_them() -> None:
    script = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from ti99tools.fronts.cli.main import cli\n"
        "result = CliRunner().invoke(cli, ['--help'])\n"
        "print(result.output)\n"
        "loaded = [m for m in sys.modules if m.startswith('ti99tools.fronts.cli.')]\n"
        "assert loaded == ['ti99tools.fronts.cli.group', 'ti99tools.fronts.cli.main'], loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in cli.list_commands(click.Context(cli)):
        assert f"\n  {name} " in done.stdout


def test_version_does_not_load_click() -> None:
    script = (
        "import sys; sys.argv = ['ti99tools', '--version']\n"
        "from ti99tools.__main__ import main; main()\n"
        "assert 'click' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"ti99tools {__version__}\n"), done.stderr
    assert CliRunner().invoke(cli, ["--version"]).output == f"ti99tools {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("nonsense", "no command nonsense; see `cli --help`"),
        ("rnu x", "no command rnu; did you mean run? see `cli --help`"),
        ("disk covert a b", "no command covert; did you mean convert? see `cli disk --help`"),
        ("disk frobnicate", "no command frobnicate; see `cli disk --help`"),
        ("--nonsense", "no such option '--nonsense'; see `cli --help`"),
        ("run", "missing argument 'TARGET'; see `cli run --help`"),
        ("run a --seed x", "invalid value for '--seed': 'x' is not"),
        ("disk rename x.dsk OLD", "give OLD and NEW, or --disk NAME; see `cli disk rename --help`"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(arguments: str, line: str) -> None:
    result = CliRunner().invoke(cli, arguments.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {line}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["disk"]])
def test_nothing_to_do_shows_the_help(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert "Options:" in result.output
    assert "error:" not in result.output


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            DiskError("not a disk", remedy="try another", place=Place("a.dsk", 3)),
            "error: a.dsk:3: not a disk; try another\n",
        ),
        (FileNotFoundError(2, "No such file or directory", "x.bas"), "error: x.bas: no such"),
        (
            PermissionError(13, "Permission denied", "y"),
            "error: y: permission denied; check the path and its permissions\n",
        ),
    ],
    ids=["TIError", "missing", "forbidden"],
)
def test_what_the_user_can_mend_is_one_line(
    error: Exception, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: failing)
    result = CliRunner().invoke(cli, ["run"])
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_ctrl_c_is_told_and_has_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: interrupted)
    result = CliRunner().invoke(cli, ["run"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def failing() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: failing)
    assert isinstance(CliRunner().invoke(cli, ["run"]).exception, ZeroDivisionError)


def test_a_command_that_is_not_installed_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS["Make"], "imaginary", "Does nothing.")
    assert "imaginary" not in cli.list_commands(click.Context(cli))
    assert CliRunner().invoke(cli, ["imaginary"]).exit_code == 2
