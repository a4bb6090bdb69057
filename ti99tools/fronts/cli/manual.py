"""`ti99tools manual`: the reference as plain text."""

from __future__ import annotations

import sys

import click

from ti99tools.app.manual import PARTS
from ti99tools.fronts.cli.options import examples


@click.command(
    epilog=examples("ti99tools manual", "ti99tools manual dialect", "ti99tools manual > manual.txt")
)
@click.argument("part", required=False, type=click.Choice(PARTS))
def command(part: str | None) -> None:
    """Show the reference as plain text: dialect, library, programs, commands, messages.

    PART is one of these; without it, all are shown. At a terminal it is shown page by page. The
    text is for reading offline, and to be given to a language model that writes a program.
    """
    from ti99tools.app.manual import reference

    text = reference(part)
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)
