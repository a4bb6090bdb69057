"""Options and output that several commands share, so that they look alike everywhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """An epilog that shows each example on its own line."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {line}" for line in lines)])


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


def print_json(data: Any) -> None:
    """Print `data` as indented JSON on standard output."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
