"""`ti99tools build`: games from their sources to disk images."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.cli.complete import games
from ti99tools.cli.options import examples, json_option, print_json

if TYPE_CHECKING:
    from ti99tools.games.artefacts import Built, Bundle
    from ti99tools.games.collection import Collection


@click.command(
    epilog=examples(
        "ti99tools build",
        "ti99tools build d5000 --out /tmp/disks",
        "ti99tools build ./chess --out disks",
        "ti99tools build games",
        "ti99tools build --check",
        "ti99tools build d5000 --report",
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=games)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("disks"),
    metavar="DIR",
    show_default=True,
    help="Folder for the images and their CATALOG.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the folder differs.")
@click.option("--no-optimize", is_flag=True, help="Build the programs as the sources say.")
@click.option("--passes", metavar="NAME,...", help="Apply only these optimization passes.")
@click.option("--report", is_flag=True, help="Write nothing; show what each pass saves.")
@json_option
def command(
    games: tuple[str, ...],
    out: Path,
    check: bool,
    no_optimize: bool,
    passes: str | None,
    report: bool,
    as_json: bool,
) -> None:
    """Generate, tokenize and package GAMEs (default: those of ti99tools) into disk images.

    GAME is a name, or the folder of a game.

    Each game gives a .dsk that boots as DSK1.LOAD, the same as .hfe, and its files as TIFILES;
    the disk `games` has all of them and a menu. CATALOG lists sizes and SHA-256. The same sources
    give the same bytes.

    Programs are optimized; what they do stays the same. The passes are remarks, names, lines, data,
    handlers and prescan. game.toml can choose among them.
    """
    from ti99tools.games.folder import differences, write_folder
    from ti99tools.tasks.building import make

    if report:
        _report(games, as_json)
        return
    names = () if no_optimize else None if passes is None else tuple(passes.split(","))
    whole = not games
    made, collection = make(games, names)
    built: list[Bundle] = [*made, *([collection] if collection else [])]
    found = differences(out, built, whole=whole) if check else []
    if not check:
        write_folder(out, built, whole=whole)
    if as_json:
        print_json({"folder": str(out), "differences": found, **_data(made, collection)})
    elif check:
        for line in found:
            click.echo(line)
        click.echo(f"{out}: {'differs' if found else 'up to date'}")
    else:
        for game in made:
            click.echo(f"{out / game.name}.dsk: {game.label}, {_size(game)}")
        if collection is not None:
            click.echo(f"{out / collection.name}.dsk: {', '.join(collection.games)}")
    sys.exit(1 if found else 0)


def _report(games: tuple[str, ...], as_json: bool) -> None:
    """Show what the passes save each game."""
    from dataclasses import asdict

    from ti99tools.tasks.building import chosen
    from ti99tools.tasks.optimizing import savings

    found = {manifest.game: list(savings(manifest)) for manifest in chosen(games)}
    if as_json:
        print_json({game: [asdict(saving) for saving in some] for game, some in found.items()})
        return
    for game, some in found.items():
        click.echo(f"{game:12} lines   bytes   start s   match s")
        for saving in some:
            row = f"  {saving.name:10} {saving.lines:5} {saving.size:7}"
            row += "".join(_seconds(time) for time in (saving.start, saving.match))
            click.echo(row + ("" if saving.applied else "  (nothing to do)"))


def _seconds(time: float | None) -> str:
    return f"{'-':>10}" if time is None else f"{time:10.1f}"


def _size(game: Built) -> str:
    return (
        f"{len(game.program.lines)} lines, {game.program.size} bytes, "
        f"{game.image.free_sectors} sectors free on {game.image.geometry.name}"
    )


def _data(made: Sequence[Built], collection: Collection | None) -> dict[str, object]:
    games = [
        {
            "game": game.name,
            "version": game.manifest.version,
            "lines": len(game.program.lines),
            "bytes": game.program.size,
            "files": [artefact.name for artefact in game.artefacts],
        }
        for game in made
    ]
    if collection is None:
        return {"games": games}
    files = [artefact.name for artefact in collection.artefacts]
    return {"games": games, "disk of all games": {"games": collection.games, "files": files}}
