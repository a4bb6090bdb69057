"""`ti99tools build`: games from their sources to disk images."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ti99tools.cli.options import examples, json_option, print_json


@click.command(
    epilog=examples(
        "ti99tools build",
        "ti99tools build d5000 --out /tmp/disks",
        "ti99tools build --check",
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("disks"),
    show_default=True,
    help="Folder for the images and their CATALOG.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the folder differs.")
@json_option
def command(games: tuple[str, ...], out: Path, check: bool, as_json: bool) -> None:
    """Generate, tokenize and package GAMEs (default: all) into disk images.

    Each game gives a .dsk that boots as DSK1.LOAD, the same as .hfe, and its program as TIFILES;
    CATALOG lists sizes and SHA-256. The same sources give the same bytes.
    """
    from ti99tools.build.artefacts import build_game
    from ti99tools.build.folder import differences, write_folder
    from ti99tools.build.games import find_game, game_names

    names = list(dict.fromkeys(name.lower() for name in games)) or game_names()
    built = [build_game(find_game(name)) for name in names]
    whole = not games
    found = differences(out, built, whole=whole) if check else []
    if not check:
        write_folder(out, built, whole=whole)
    if as_json:
        print_json(
            {
                "folder": str(out),
                "differences": found,
                "games": [
                    {
                        "game": game.manifest.game,
                        "version": game.manifest.version,
                        "lines": len(game.program.lines),
                        "bytes": game.program.size,
                        "files": [artefact.name for artefact in game.artefacts],
                    }
                    for game in built
                ],
            }
        )
    elif check:
        for line in found:
            click.echo(line)
        click.echo(f"{out}: {'differs' if found else 'up to date'}")
    else:
        for game in built:
            click.echo(
                f"{out / game.manifest.image_name}: {game.manifest.title} {game.manifest.version}, "
                f"{len(game.program.lines)} lines, {game.program.size} bytes"
            )
    sys.exit(1 if found else 0)
