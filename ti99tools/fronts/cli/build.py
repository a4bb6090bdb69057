"""`ti99tools build`: games from their sources to disk images."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ti99tools.fronts.cli.modes import Mode, run_mode
from ti99tools.fronts.cli.options import (
    OutputFile,
    examples,
    games,
    json_option,
    left,
    path_option,
    print_json,
    replace_option,
)

if TYPE_CHECKING:
    from ti99tools.games.making.artefacts import Built, Bundle
    from ti99tools.games.making.collection import Collection


@click.command(
    epilog=examples(
        "ti99tools build",
        "ti99tools build d5000 --out /tmp/disks",
        "ti99tools build ./chess --out disks",
        "ti99tools build games",
        "ti99tools build --check",
        "ti99tools build d5000 --fast --out /tmp/disks",
        "ti99tools build d5000 --compiled --out /tmp/disks",
        "ti99tools build d5000 --report --html savings.html",
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=games)
@path_option(
    "--out",
    folder=True,
    default=Path("disks"),
    show_default=True,
    help="Folder for the images and their CATALOG.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the folder differs.")
@click.option("--no-optimize", is_flag=True, help="Build the programs as the sources say.")
@click.option("--passes", metavar="NAME,...", help="Apply only these optimization passes.")
@click.option("--fast", is_flag=True, help="Also build disks that start from a memory image.")
@click.option("--compiled", is_flag=True, help="Also build cartridges, and disks where it fits.")
@click.option("--report", is_flag=True, help="Build nothing; show what each pass saves.")
@click.option("--hot", is_flag=True, help="Build nothing; show the names that are looked up most.")
@click.option("--html", type=OutputFile(), help="With --report: write it as a web page.")
@replace_option
@json_option
def command(**values: Any) -> None:
    """Generate, tokenize and package GAMEs (default: those of ti99tools) into disk images.

    GAME is a name, or the folder of a game.

    Each game becomes a .dsk that starts as DSK1.LOAD, the same disk as .hfe, and its files as
    TIFILES. The disk `games` has all games and a menu. CATALOG lists sizes and SHA-256. The same
    sources give the same bytes.

    What has been built is kept in your cache folder, and used again while sources, library and tool
    are the same; --check builds anew. TI99TOOLS_CACHE names another folder or, if empty, turns the
    cache off.

    --fast (or fast = true in game.toml) also makes NAME-fast.dsk, whose LOAD has machine code that
    loads the game as a memory image. It starts in about half the time, and needs the 32K.

    --compiled also makes cartridges of the compiled program: NAME_8.bin, which suits FinalGROM 99
    and Classic99 (at most eight letters), and NAME.rpk. If the program fits into the 32K, it makes
    the disks NAME-xb for Extended BASIC and NAME-ea5 for option 5 of Editor/Assembler. The
    disk of all games gets a cartridge of all games: games_8.bin and games.rpk.

    Programs are optimized; what they do stays the same. The passes are remarks, sharing, names,
    lines, data, handlers and prescan. game.toml can choose among them. --hot plays some matches and
    shows which names are looked up most; with `hot` in game.toml these are found first.
    """
    sys.exit(run_mode(MODES, values))


def check_folder(
    games: tuple[str, ...],
    out: Path,
    no_optimize: bool,
    passes: str | None,
    fast: bool,
    compiled: bool,
    as_json: bool,
) -> int:
    """Tell where the folder differs from what the sources build; the exit code."""
    from ti99tools.base.cache import nothing_kept
    from ti99tools.games.making.collection import differences

    # The proof that the disks are what the sources build must not use the cache.
    with nothing_kept():
        built, collection = _built(games, no_optimize, passes, fast, compiled, as_json)
        found = differences(out, _bundles(built, collection), whole=not games)
    if as_json:
        print_json({"folder": str(out), "differences": found, **_data(built, collection)})
    else:
        for line in found:
            click.echo(line)
        click.echo(f"{out}: {'differs' if found else 'up to date'}")
    return int(bool(found))


def write_folder(
    games: tuple[str, ...],
    out: Path,
    no_optimize: bool,
    passes: str | None,
    fast: bool,
    compiled: bool,
    replace: bool,
    as_json: bool,
) -> int:
    """Build the games and write them into the folder; returns 0."""
    from ti99tools.app.build import save

    built, collection = _built(games, no_optimize, passes, fast, compiled, as_json)
    save(
        out,
        _bundles(built, collection),
        whole=not games,
        named=not left("out"),
        replace=replace,
    )
    if as_json:
        print_json({"folder": str(out), "differences": [], **_data(built, collection)})
        return 0
    for game in built:
        click.echo(f"{out / game.name}.dsk: {game.label}, {_size(game)}")
        if game.fast is not None:
            click.echo(f"{out / game.fast_name}.dsk: the same game with the fast start")
        if game.compiled:
            names = ", ".join(each.name for each in game.compiled)
            click.echo(f"{out}: the compiled game: {names}")
        if game.no_disks:
            click.echo(f"{out}: no disk of the compiled game: {game.no_disks}")
    if collection is not None:
        click.echo(f"{out / collection.name}.dsk: {', '.join(collection.games)}")
        if collection.compiled:
            names = ", ".join(each.name for each in collection.compiled)
            click.echo(f"{out}: all games compiled, on one cartridge: {names}")
        if collection.no_cartridge:
            click.echo(f"{out}: no cartridge of all games: {collection.no_cartridge}")
    return 0


def _built(
    games: tuple[str, ...],
    no_optimize: bool,
    passes: str | None,
    fast: bool,
    compiled: bool,
    as_json: bool,
) -> tuple[Sequence[Built], Collection | None]:
    from ti99tools.app.build import build_all

    if not (games or as_json):
        click.echo("building all games", err=True)
    names = () if no_optimize else None if passes is None else tuple(passes.split(","))
    return build_all(games, names, fast=fast, compiled=compiled)


def _bundles(built: Sequence[Built], collection: Collection | None) -> list[Bundle]:
    return [*built, *([collection] if collection else [])]


def report_savings(games: tuple[str, ...], html: Path | None, replace: bool, as_json: bool) -> int:
    """Show what each pass saves in each game; returns 0."""
    from dataclasses import asdict

    from ti99tools.app.build import chosen
    from ti99tools.app.savings import savings
    from ti99tools.app.source import OutputKind, keep_others
    from ti99tools.base.hostio import write_atomically
    from ti99tools.games.report.html import savings_page, text

    keep_others(html, kind=OutputKind.PAGE, replace=replace)
    by_game = {m.game: [asdict(saving) for saving in savings(m)] for m in chosen(games)}
    if html is not None:
        write_atomically(html, savings_page(by_game).encode())
    if as_json:
        print_json(by_game)
        return 0
    for line in text(by_game):
        click.echo(line)
    return 0


def show_hot(games: tuple[str, ...], as_json: bool) -> int:
    """Show the names that are looked up most, in the form of `hot` in game.toml; returns 0."""
    from ti99tools.app.build import chosen
    from ti99tools.app.savings import hottest

    by_game = {manifest.game: hottest(manifest) for manifest in chosen(games)}
    if as_json:
        print_json(by_game)
        return 0
    for game, names in by_game.items():
        click.echo(f'{game}: hot = "{" ".join(names)}"')
    return 0


def _size(game: Built) -> str:
    return (
        f"{len(game.program.lines)} lines, {game.program.size} bytes, "
        f"{game.image.free_sectors} sectors free on {game.image.geometry.name}"
    )


def _data(built: Sequence[Built], collection: Collection | None) -> dict[str, object]:
    games = [
        {
            "game": game.name,
            "version": game.manifest.version,
            "lines": len(game.program.lines),
            "bytes": game.program.size,
            "files": [artefact.name for artefact in game.artefacts],
        }
        for game in built
    ]
    if collection is None:
        return {"games": games}
    files = [artefact.name for artefact in collection.artefacts]
    return {"games": games, "disk of all games": {"games": collection.games, "files": files}}


MODES = (
    Mode(show_hot, "hot"),
    Mode(report_savings, "report"),
    Mode(check_folder, "check"),
    Mode(write_folder),
)
"""What the command does, in the order in which its options are looked at."""
