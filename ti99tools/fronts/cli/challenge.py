"""`ti99tools challenge`: the seed of the month, the same for everybody."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path

import click

from ti99tools.fronts.cli.options import examples, games, json_option, print_json


@click.command(
    epilog=examples(
        "ti99tools challenge",
        "ti99tools challenge dicerack --month 2026-12",
        'ti99tools verify --certificate "RJ42 22FL ERSF" --log mydisk.dsk',
    )
)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=games)
@click.option("--month", metavar="YYYY-MM", help="Another month than this one.")
@json_option
def command(names: tuple[str, ...], month: str | None, as_json: bool) -> None:
    """Show the seed of the month of GAMEs (default: all that show certificates).

    Everybody who plays with it gets the same dice. At the end of a match the screen shows a
    certificate, twelve characters; `verify --certificate` proves that the score follows from the
    seed and the choices. It does not prove who made them, or how often they were tried.

    The seed needs no network: it is SHA-256 of the game's name in logs, a space and the month
    (DICERACK 2026-12), as a number modulo 100,000,000.
    """
    from datetime import date

    from ti99tools.app.certify import challenges

    puzzles = challenges(names, month or date.today().strftime("%Y-%m"))
    if as_json:
        print_json([asdict(each) for each in puzzles])
        return
    for number, each in enumerate(puzzles):
        click.echo(f"{each.title}, {each.month}: seed {each.seed}")
        disk = f"{each.game}.dsk"
        name, model = each.game, ""
        # A game of somebody's own is found by its folder only.
        if names and Path(names[number]).is_dir():
            name = shlex.quote(names[number])
            model = f"{name} "
        click.echo(f"  play   ti99tools play {name} --save-disk {disk}")
        click.echo(
            "         (4 and ENTER switch the play log on; type the seed when SEED? is asked)"
        )
        month_of = f"--month {each.month}"
        click.echo(f"  prove  ti99tools verify {model}--certificate CODE {month_of} --log {disk}")
