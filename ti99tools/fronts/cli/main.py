"""The `ti99tools` command: a table of commands, each loaded only when it is used.

A command whose module is not installed is not listed. A `TIError` from any command, and an invalid
command line, becomes one line, `error: …`, and exit code 2.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from importlib.util import find_spec
from itertools import takewhile
from typing import Any

import click

from ti99tools import __version__
from ti99tools.base.errors import SourceError, TIError
from ti99tools.base.interrupts import EXIT_CODE
from ti99tools.fronts.cli.group import CommandGroup

_HELP = ("-h", "--help")
COMMANDS: dict[str, dict[str, str]] = {
    "Make": {
        "new": "Make the folder of a new game.",
        "build": "Generate, tokenize and package games into disk images.",
        "package": "Put a game's disks, manual, page and proof into one archive.",
        "generate": "Turn a structured source into a numbered listing.",
        "tokenize": "Turn a listing into a program file as SAVE writes it.",
        "assemble": "Turn TMS9900 assembly language into object code or memory.",
        "compile": "Turn a program into a cartridge of machine code.",
        "list": "Turn a program file of any form back into a listing.",
        "lint": "Find mistakes in a source before the console does.",
        "manual": "Show the reference as plain text, for reading offline.",
        "lsp": "Serve an editor: lint while you type, names, jumps.",
        "disk": "Create, inspect, change and convert disk images.",
        "tape": "Write and read cassette tapes as sound.",
    },
    "Run": {
        "run": "Run a program on the headless console.",
        "play": "Play in a window or a terminal.",
        "debug": "Stop a program, look at it, step forward and back.",
        "web": "Make the studio: all of this in one web page.",
        "profile": "Show where the real console would spend its time.",
    },
    "Prove": {
        "verify": "Play games and compare every move with the rules.",
        "challenge": "Show the seed of the month, to play for a certificate.",
        "board": "Show a game's board as plain text, in a logged match too.",
        "conformance": "Compare the console with recordings of the original ROMs.",
        "hosts": "Show which machines games can be verified on here.",
    },
}
"""Section → command → one line of help; the command lives in `ti99tools.fronts.cli.<command>`."""


_NAMES = [name for section in COMMANDS.values() for name in section]


def module_name(command: str) -> str:
    """The module of a command: `ti99tools.fronts.cli.disk` for `disk`."""
    return f"ti99tools.fronts.cli.{command}"


MOST_MISTAKES = 50
"""The most mistakes of one source that are shown; later ones are often consequences."""


class Interrupted(click.ClickException):
    """Ctrl-C: the command has ended with what it had."""

    exit_code = EXIT_CODE

    def __init__(self) -> None:
        super().__init__("interrupted")

    def show(self, file: Any = None) -> None:
        """Say so on standard error (or on `file`), in a line of its own after the terminal's ^C."""
        begin = "\n" if file is None and sys.stderr.isatty() else ""
        click.echo(f"{begin}{self.message}", file=file, err=file is None)


class UserError(click.ClickException):
    """Bad input: one line for each mistake on standard error, exit code 2."""

    exit_code = 2

    def __init__(self, *messages: str) -> None:
        super().__init__(messages[0])
        self.messages = messages

    def show(self, file: Any = None) -> None:
        """Print `error: …` on standard error (or on `file`)."""
        for message in self.messages:
            click.echo(f"error: {message}", file=file, err=file is None)


def _all_of(error: TIError) -> list[str]:
    """The messages of an error; for a source, those of all its mistakes, up to `MOST_MISTAKES`."""
    from ti99tools.fronts.cli.group import message_of

    # Only sources have more than one mistake to report.
    if not isinstance(error, SourceError):
        return [message_of(error)]
    lines = [message_of(each) for each in (error, *error.others)]
    more = len(lines) - MOST_MISTAKES
    return lines if more <= 0 else [*lines[:MOST_MISTAKES], f"… and {more} more mistakes"]


def _no_option(error: click.UsageError) -> str:
    """What is said of an unknown option; Click's words depend on its version. Empty for others."""
    if not isinstance(error, click.NoSuchOption):
        return ""
    name = error.option_name.lstrip("-")
    # `--seconds` is `--max-seconds` rather than what has similar letters.
    every = () if error.ctx is None else error.ctx.command.get_params(error.ctx)
    longer = [
        option
        for parameter in every
        for option in parameter.opts
        if {*name.split("-")} < {*option.lstrip("-").split("-")}
    ]
    meant = sorted(longer) or [*(error.possibilities or ())]
    return f"no such option {error.option_name!r}" + (
        f"; did you mean {meant[0]}?" if meant else ""
    )


def _one_line(error: click.UsageError) -> click.ClickException:
    """A mistake in the command line, with a hint at --help, as one line; help stays as it is."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    text = _no_option(error) or error.format_message().removesuffix(".")
    # Click's sentences begin with a capital and end with a full stop; ours do not.
    text = text[:1].lower() + text[1:]
    if error.ctx is None:
        return UserError(f"{text}; --help tells more")
    end = " see" if text.endswith("?") else "; see"
    return UserError(f"{text}{end} `{error.ctx.command_path} --help`")


class LazyGroup(CommandGroup):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Names of the commands that are installed, in the order of the table."""
        return [name for name in _NAMES if find_spec(module_name(name))]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None when it is unknown or not installed."""
        # `find_spec` looks without importing the command: help must be quick.
        if cmd_name not in _NAMES or not find_spec(module_name(cmd_name)):
            return None
        command = import_module(module_name(cmd_name)).command
        assert isinstance(command, click.Command), f"{cmd_name}: no click command"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of the table; imports no command."""
        installed = set(self.list_commands(ctx))
        for title, section in COMMANDS.items():
            rows = [(name, text) for name, text in section.items() if name in installed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the group's own options; a mistake in them becomes one line."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            raise _one_line(error) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and its defaults in the project's file."""
        from ti99tools.fronts.cli.defaults import defaults_for

        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and command is not None:
            # Help is shown whatever a file says.
            with suppress(TIError) if _asks_help(rest) else nullcontext():
                ctx.default_map = {name: defaults_for(name, command, _NAMES)}
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors that the user can correct become one line and exit code 2."""
        from ti99tools.fronts.cli.progress import telling

        try:
            with telling(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interrupted from error
        except click.UsageError as error:
            raise _one_line(error) from error
        except TIError as error:
            raise UserError(*_all_of(error)) from error
        except OSError as error:
            # A closed pipe is not a user's mistake; an error without a file name is our bug.
            if error.errno == errno.EPIPE or error.filename is None:
                raise
            reason = (error.strerror or "cannot be used").lower()
            remedy = "check the path and its permissions"
            raise UserError(f"{error.filename}: {reason}; {remedy}") from error


def _asks_help(words: Sequence[str]) -> bool:
    """Tell whether the words after a command ask for its help."""
    return any(word in _HELP for word in takewhile("--".__ne__, words))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": list(_HELP), "max_content_width": 100},
    epilog="Example: ti99tools run game.xb --screen",
)
@click.version_option(__version__, prog_name="ti99tools", message="%(prog)s %(version)s")
def cli() -> None:
    """Make, run and prove TI Extended BASIC programs for the TI-99/4A."""
