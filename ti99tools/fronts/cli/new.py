"""`ti99tools new`: the folder of a new game."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.fronts.cli.options import examples, json_option, print_json


@click.command(
    epilog=examples(
        "ti99tools new chess",
        "ti99tools verify ./chess --games 20",
        "ti99tools build ./chess --out disks",
        "ti99tools play ./chess",
    )
)
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Make the folder NAME with a small working game to change into your own.

    It holds the program in structured Extended BASIC, the model of its rules, an adapter for
    verification, a test for pytest, instructions and a manual. A name has 1 to 10 letters and
    digits, the first a letter; in another folder write FOLDER/NAME; . is the current folder, which
    must be empty. Nothing is overwritten. docs/games.md describes all parts of a game.
    """
    from ti99tools.games.making.scaffold import new_game

    paths = [str(path) for path in new_game(folder)]
    if as_json:
        print_json(paths)
        return
    for path in paths:
        click.echo(f"wrote {path}")
    here = "." if folder == Path() else folder if folder.is_absolute() else f"./{folder}"
    click.echo(f"next: ti99tools play {here}, and ti99tools verify {here} --games 20")
