"""`ti99tools profile`: where the real console would spend its time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.options import (
    Whole,
    connect_options,
    examples,
    json_option,
    print_json,
    session_options,
)

if TYPE_CHECKING:
    from ti99tools.app.profile import ProfileReport, StartUp
    from ti99tools.app.run import RunRequest, Wires


@click.command(
    epilog=examples(
        "ti99tools profile game.xb",
        "ti99tools profile game.dsk --real-drives",
        'ti99tools profile d5000 --seed 7 --keys "12I\\nG\\n" --until "PLAY AGAIN" --top 15',
    )
)
@session_options
@click.option("--real-drives", is_flag=True, help="Add the steps and turns of 5.25-inch drives.")
@click.option("--top", type=Whole(min=1), default=20, show_default=True, help="Lines to show.")
@connect_options
@click.option(
    "--code",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Show the time of machine code by the labels of its source.",
)
@json_option
def command(
    target: str,
    request: RunRequest,
    real_drives: bool,
    top: int,
    wires: Wires,
    code: Path | None,
    as_json: bool,
) -> None:
    """Show on which lines of TARGET the real console would spend its time.

    Runs as `ti99tools run` does. The times are those of the console's clock, fitted to recordings
    of the original ROMs whose drives answer at once. Waiting for keys, tones and disks counts for
    the line that waits, except for the last wait for a key, which no key ends. The first rows are
    the start-up: up to the first look for a key, what Extended BASIC itself takes, loading, the
    pre-scan, and the statements. The last row is the whole time, including lines that are not
    shown. Then come the labels of machine code that CALL LINK runs: the calls by LINK, and the time
    up to the next label, which is part of the time of the lines.
    """
    from ti99tools.app.profile import profile
    from ti99tools.app.run import Headless
    from ti99tools.fronts.cli.run_report import report, require_start

    connections = wires.connect(Path(target))
    headless = Headless.of(target, request, real_drives, connections=connections)
    steps = request.steps()
    require_start(headless.target, "profile", steps)
    profile_report = profile(headless, steps, top, code)
    connections.write()
    if as_json:
        print_json(_data(profile_report))
    else:
        for line in _lines(profile_report, top):
            click.echo(line)
    code_of_run = report(profile_report.outcome)
    sys.exit(0 if profile_report.complete else code_of_run)


def _data(profile: ProfileReport) -> dict[str, object]:
    """A profile as JSON values."""
    rows = [
        {
            "line": row.line,
            "share": round(row.share, 4),
            "seconds": round(row.seconds, 3),
            "times": row.times,
            "from": row.place,
            "text": row.text,
        }
        for row in profile.rows
    ]
    labels = [
        {"label": row.label, "calls": row.calls, "seconds": round(row.seconds, 4)}
        for row in profile.code
    ]
    parts = {name: round(seconds, 3) for name, seconds in _parts(profile.startup)}
    seconds = round(profile.seconds, 3)
    waited = round(profile.waited, 3)
    return {
        "startup": parts, "seconds": seconds, "waited": waited, "lines": rows, "code": labels,
    }  # fmt: skip


def _lines(profile: ProfileReport, top: int) -> Iterator[str]:
    """A profile as rows of text, with the first `top` labels of machine code."""
    for name, seconds in _parts(profile.startup):
        yield f"      {seconds:9.3f}           start-up: {name}"
    yield "share   seconds    times  line"
    for row in profile.rows:
        text = f"{row.line} {row.text}"
        yield f"{row.share:5.1%} {row.seconds:9.3f} {row.times:8}  {text[:60]}  ({row.place})"
    for label in profile.code[:top]:
        share = label.seconds / (profile.seconds or 1)
        name = f"machine code {label.label} >{label.address:04X}"
        yield f"{share:5.1%} {label.seconds:9.3f} {label.calls:8}  {name}"
    yield f"       {profile.seconds:9.3f}           seconds of machine time in all"
    if profile.waited:
        yield f"       {profile.waited:9.3f}           left out: the last wait for a key"


def _parts(startup: StartUp) -> Iterator[tuple[str, float]]:
    """The names and seconds of a start-up's parts, and of the whole."""
    if startup.cartridge:
        yield "cartridge", startup.console
    else:
        yield "Extended BASIC", startup.console
        yield "load", startup.load
        yield "pre-scan", startup.prescan
    yield "lines", startup.lines
    yield "in all", startup.seconds
