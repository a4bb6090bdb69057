"""`ti99tools board`: a game's board as plain text, at the start or in a logged match."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import Whole, examples, games, json_option, print_json


@click.command(
    epilog=examples(
        "ti99tools board lambo",
        "ti99tools board lambo mydisk.dsk --move 12",
        "ti99tools board dimraw log.txt --all",
    )
)
@click.argument("game", shell_complete=games)
@click.argument("log", type=click.Path(path_type=Path), required=False)
@click.option("--move", type=Whole(min=0), help="The board after N moves (default: at the end).")
@click.option("--all", "show_all", is_flag=True, help="Every board of the match.")
@click.option(
    "--match",
    type=Whole(min=1),
    default=1,
    show_default=True,
    help="Which match of several in LOG.",
)
@json_option
def command(
    game: str, log: Path | None, move: int | None, show_all: bool, match: int, as_json: bool
) -> None:
    """Show the board of GAME as plain text.

    LOG is a disk image, a TIFILES file or a text with a play log of the game; without it the board
    at the start is shown. A move is whatever changes the board: a man taken, a tile taken back too.
    """
    from ti99tools.app.verify import positions

    moves = positions(game, log, match)
    if move is not None and move >= len(moves):
        raise TIError(f"there is no move {move}: the last is {len(moves) - 1}")
    if not show_all:
        moves = [moves[-1 if move is None else move]]
    if as_json:
        rows = [{**asdict(each), "event": each.event and str(each.event)} for each in moves]
        print_json(rows)
        return
    for each in moves:
        click.echo(f"move {each.number}: {each.event}" if each.event else "the start")
        click.echo(each.board)
