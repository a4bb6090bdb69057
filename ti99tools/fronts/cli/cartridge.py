"""`run X.bin`, `profile X.bin`, `debug X.bin`: a ROM cartridge on the console."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import given, print_rows

if TYPE_CHECKING:
    from ti99tools.app.run import RunRequest


def run_cartridge(
    name: str, request: RunRequest, png: Path | None, screen: bool | None
) -> NoReturn:
    """Run the first program of a cartridge's menu, show the screen, and exit as `run` does."""
    from ti99tools.app import cartridge

    run = cartridge.run(name, request.steps(), request.max_seconds)
    for title, rows in run.snaps:
        click.echo(f"--- {title}")
        print_rows(rows)
    if screen or (screen is None and sys.stdout.isatty()):
        print_rows(cartridge.drawn(run))
    if png is not None:
        from ti99tools.base.hostio import write_atomically

        write_atomically(png, run.console.screen.png())
    for remark in run.console.remarks:
        click.echo(f"note: {remark}", err=True)
    click.echo(run.said, err=True)
    sys.exit(0 if run.done else 1)


def profile_cartridge(name: str, request: RunRequest, top: int, as_json: bool) -> NoReturn:
    """Show on which lines a compiled program spends its time, and exit as `run` does."""
    from ti99tools.app.cartridge import line_times
    from ti99tools.fronts.cli.options import print_json

    found = line_times(name, request.steps(), request.max_seconds)
    run, rows = found.run, found.lines
    whole = sum(row.seconds for row in rows) or 1.0
    if as_json:
        print_json(
            {
                "seconds": round(whole, 3),
                "waited": round(found.waited, 3),
                "lines": [
                    {
                        "line": row.line,
                        "share": round(row.seconds / whole, 4),
                        "seconds": round(row.seconds, 4),
                        "times": row.times,
                        "text": row.text or None,
                    }
                    for row in rows[:top]
                ],
            }
        )
    else:
        click.echo("share   seconds    times  line")
        for row in rows[:top]:
            share = row.seconds / whole
            click.echo(f"{share:5.1%} {row.seconds:9.4f} {row.times:8}  {row.text or row.line}")
        click.echo(f"      {whole:9.4f}           seconds of machine time in all")
        if found.waited:
            click.echo(f"      {found.waited:9.4f}           left out: the last wait for a key")
    click.echo(run.said, err=True)
    sys.exit(0 if run.done or run.waits else 1)


def debug_cartridge(name: str, request: RunRequest) -> None:
    """Debug a compiled program with commands. Raises TIError for options that it does not have."""
    from ti99tools.app.cartridge import Debugger

    if given("keys", "script", "until_text", "disks", "seed", "program"):
        raise TIError("not with a cartridge", remedy="the debugger's command `type` gives keys")
    debugger = Debugger(name, click.echo, request.max_seconds)
    debugger.run(line for line in iter(_command, None))


def _command() -> str | None:
    """A line from the user; None at the end of the input."""
    try:
        return input("> ")
    except (EOFError, KeyboardInterrupt):
        return None
