"""`ti99tools profile`: where the real console would spend its time."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ti99tools.cli.options import examples, json_option, print_json, session_options

CPU_HZ = 3_000_000


@click.command(
    epilog=examples(
        "ti99tools profile game.xb",
        'ti99tools profile d5000 --seed 7 --keys "12C\\nC\\n" --until "PLAY AGAIN" --top 15',
    )
)
@session_options
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Lines to show.")  # fmt: skip
@json_option
def command(
    target: str,
    keys: str | None,
    script: Path | None,
    until_text: str | None,
    max_seconds: float,
    disks: tuple[str, ...],
    seed: int | None,
    top: int,
    as_json: bool,
) -> None:
    """Show on which lines of TARGET the real console would spend its time.

    Runs as `ti99tools run` does. The times are those of the console's clock, fitted to
    measurements of a real machine; waiting for keys, tones and disks counts for the line that
    waits. The last row is the whole time, that of lines which are not shown too.
    """
    from ti99tools.cli.headless import Headless
    from ti99tools.console.profiling import profiling
    from ti99tools.source.listing import list_tokens
    from ti99tools.source.numbered import to_text

    headless = Headless.of(target, disks, max_seconds, seed)
    headless.target.start(headless.console)
    with profiling(headless.console) as profile:
        end = headless.follow(script, keys, until_text)
    total = profile.total or 1
    program = headless.console.program
    lines = program.lines if program is not None else ()
    tokens = {line.number: line.tokens for line in lines}
    rows = [
        {
            "line": number,
            "share": round(cycles / total, 4),
            "seconds": round(cycles / CPU_HZ, 3),
            "times": times,
            "from": str(headless.target.where(number)),
            "text": to_text(list_tokens(tokens.get(number, b""))),
        }
        for number, cycles, times in profile.by_line()[:top]
    ]
    if as_json:
        print_json({"seconds": round(total / CPU_HZ, 3), "lines": rows})
    else:
        click.echo("share   seconds    times  line")
        for row in rows:
            text = f"{row['line']} {row['text']}"
            click.echo(
                f"{row['share']:5.1%} {row['seconds']:9.3f} {row['times']:8}  {text[:60]}"
                f"  ({row['from']})"
            )
        click.echo(f"       {total / CPU_HZ:9.3f}           seconds of machine time in all")
    sys.exit(headless.report(end))
