"""Options and output that several commands share, so that they look alike everywhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ti99tools.base.files import check_output

Command = TypeVar("Command", bound=Callable[..., Any])
STDOUT = Path("-")
"""What an output file is called that is standard output."""


def examples(*lines: str) -> str:
    """An epilog that shows each example on its own line."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {line}" for line in lines)])


class OutputFile(click.Path):
    """A file to be written; told before any work when its folder is missing.

    With `dash` a `-` is allowed, for standard output.
    """

    def __init__(self, dash: bool = False) -> None:
        super().__init__(path_type=Path, allow_dash=dash)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Raises TIError."""
        path = Path(value)
        if not (self.allow_dash and path == STDOUT):
            check_output(path)
        return path


def json_option(function: Command) -> Command:
    """Add `--json`; the command receives `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")(function)


def jobs_option(function: Command) -> Command:
    """Add `--jobs N`: worker processes, by default one a processor."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=os.cpu_count() or 1,
        metavar="N",
        help="Worker processes (default: one a processor).",
    )(function)


def disks_option(function: Command) -> Command:
    """Add `--disk`; the command receives `disks`, for `target.mounted`."""
    return click.option(
        "--disk", "disks", multiple=True, metavar="DSKn=FILE", help="An image for a drive."
    )(function)


def saves_option(function: Command) -> Command:
    """Add `--save-disk`; the command receives `saves`, for `target.save_disks`."""
    return click.option(
        "--save-disk",
        "saves",
        multiple=True,
        metavar="[DSKn=]FILE",
        help="Write the image of a drive (default DSK1) at the end.",
    )(function)


def session_options(function: Command) -> Command:
    """Add TARGET and what is pressed, mounted and waited for: shared by run and profile."""
    options: tuple[Callable[[Command], Command], ...] = (
        click.option("--seed", type=click.IntRange(min=0), metavar="N",
                     help="Answer a game's question for its seed; keys then wait to be asked for."),
        disks_option,
        click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), default=600.0,
                     show_default=True, metavar="N",
                     help="Seconds of machine time after which it ends."),
        click.option("--until", "until_text", metavar="TEXT",
                     help="Stop when TEXT is on the screen."),
        click.option("--script", type=click.Path(path_type=Path), metavar="FILE",
                     help="A key script; `ti99tools run --help` lists its steps."),
        click.option("--keys", metavar="TEXT",
                     help=r"Keys to type in order; \n is ENTER, \\ a backslash."),
        click.argument("target"),
    )  # fmt: skip
    for option in options:
        function = option(function)
    return function


def print_json(data: Any) -> None:
    """Print `data` as indented JSON on standard output."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
