"""`ti99tools package`: everything for a game's download page, as one ZIP archive."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.options import (
    OutputFile,
    Whole,
    check_ending,
    examples,
    games,
    given,
    jobs_option,
    json_option,
    path_option,
    print_json,
    replace_option,
)

if TYPE_CHECKING:
    from ti99tools.app.package import Package, PackagedGame


@click.command(
    epilog=examples(
        "ti99tools package d5000",
        "ti99tools package ./dare --out dare.zip --games 200",
        "ti99tools package ./dare --no-page --no-proof",
    )
)
@click.argument("game", shell_complete=games)
@click.option("--out", type=OutputFile(), help="The archive (default: TITLE-VERSION.zip, here).")
@click.option(
    "--games", "matches", type=Whole(min=1), default=50, show_default=True, help="Matches to prove."
)
@click.option("--no-proof", is_flag=True, help="Prove nothing.")
@click.option("--no-page", is_flag=True, help="Leave out the page that plays the game.")
@path_option(
    "--modules",
    folder=True,
    exists=True,
    help="A folder node_modules for the page: npm is not called.",
)
@jobs_option
@replace_option
@json_option
def command(
    game: str,
    out: Path | None,
    matches: int,
    no_proof: bool,
    no_page: bool,
    modules: Path | None,
    jobs: int,
    replace: bool,
    as_json: bool,
) -> None:
    """Put everything that players of GAME need into one zip archive.

    GAME is a name, or the folder of a game. The archive holds its disks for emulators and Gotek
    drives, a cartridge where the program compiles, and disks of the compiled program where it fits
    into the 32K. It also holds the manual as one HTML page with pictures, one HTML page that plays
    the game in any browser (with its sources inside), pictures, the report of a proof, and
    README.txt, which says what each file is, and what was left out and why.

    The same game gives the same bytes. A game is not packaged if one of its
    matches differs from the rules. The page needs Node.js 20 or newer when it is made.
    """
    from ti99tools.app import package as making
    from ti99tools.app.source import OutputKind, keep_others, stay_inside
    from ti99tools.base.errors import TIError
    from ti99tools.base.hostio import write_atomically
    from ti99tools.fronts.web.site.making import modules as check_modules

    check_ending(out, "zip archive", ".zip")
    if no_proof and given("matches", "jobs"):
        problem = "--games and --jobs say how to prove"
        raise TIError(problem, remedy="leave out --no-proof, or them")
    if no_page and given("modules"):
        problem = "--modules says how to make the page"
        raise TIError(problem, remedy="leave out --no-page, or it")
    if modules is not None and not no_page:
        check_modules(modules)
    tell = _quiet if as_json else _tell
    tell(f"building {game}")
    game_files = making.build_by_name(_with_manifest(game))
    package = making.Package(game_files.manifest)
    path = out or Path(f"{package.name}.zip")
    if out is None:
        stay_inside(Path(), path)
    keep_others(path, kind=OutputKind.ARCHIVE, replace=replace)
    making.put_disks(package, game_files)
    tell("compiling")
    making.put_compiled(package, game_files)
    tell("taking pictures")
    pictures = making.put_pictures(package, game_files)
    making.put_manual(package, game_files, pictures)
    if no_proof:
        package.left_out["a proof"] = "it was not asked for"
    else:
        _prove(package, game_files, matches, jobs, tell)
    if no_page:
        package.left_out["a page that plays it"] = "it was not asked for"
    else:
        tell("making the page that plays it")
        _put_page(package, game_files, modules)
    data = package.zipped()
    write_atomically(path, data)
    if as_json:
        sizes = {name: len(content) for name, content in sorted(package.files.items())}
        print_json({"file": str(path), "bytes": len(data), "files": sizes,
                    "left out": package.left_out})  # fmt: skip
        return
    click.echo(f"{path}: {len(package.files) + 1} files, {len(data) / 1e6:.1f} MB")
    for name, content in sorted(package.files.items()):
        click.echo(f"  {name:<32} {len(content):>12,} bytes")
    for what, why in package.left_out.items():
        click.echo(f"left out: {what}: {why}")


def at_terminal() -> bool:
    """Tell whether a person can answer a question."""
    return sys.stdin.isatty()


def _with_manifest(game: str) -> str:
    """The same game. Offer to write game.toml for a folder with a single source and none.

    Raises UnknownGame, with the text of game.toml, for an answer other than yes, and without a
    person at a terminal.
    """
    from ti99tools.app.package import proposed
    from ti99tools.base.hostio import write_atomically
    from ti99tools.games.making.finding import UnknownGame

    proposal = proposed(game)
    if proposal is None:
        return game
    path, text = proposal
    indented = "".join(f"  {line}\n" for line in text.splitlines())
    if at_terminal():
        question = f"{game} has no {path.name}, which makes it a game. The smallest is:\n{indented}"
        if click.confirm(f"{question}Write {path}?", err=True):
            write_atomically(path, text)
            return game
    raise UnknownGame(
        f"{game}: a folder without {path.name}",
        remedy=f"write {path} first; the smallest is:\n{indented}".rstrip(),
    )


def _tell(text: str) -> None:
    click.echo(text, err=True)


def _quiet(text: str) -> None:
    """Print nothing, for --json."""


def _prove(
    package: Package, game: PackagedGame, matches: int, jobs: int, tell: Callable[[str], None]
) -> None:
    """Prove the game; exit if a match differs from the rules."""
    from ti99tools.app import package as making
    from ti99tools.app.verify import remark_on_new
    from ti99tools.fronts.cli.progress import progress
    from ti99tools.games.verify.loading import adapter_of
    from ti99tools.games.verify.result import INTERRUPTED

    campaign = making.campaign_of(game, matches, jobs)
    if isinstance(campaign, str):
        package.left_out["a proof"] = campaign
        return
    tell(f"proving {matches} matches")
    with progress(campaign.subject.game, matches) as advance:
        verdict = campaign.run(tick=advance)
    if verdict.cut_off == INTERRUPTED:
        raise KeyboardInterrupt
    if not verdict.ok:
        why = (
            verdict.not_run
            or verdict.cut_off
            or f"{verdict.failed} of {matches} matches differ from the rules"
        )
        folder = os.path.relpath(package.manifest.folder)
        remark = remark_on_new(adapter_of(package.manifest), verdict.failures)
        why = f"{why}: {remark}" if remark else why
        click.echo(
            f"error: {verdict.game}: {why}; see `ti99tools verify {folder}`, or add --no-proof",
            err=True,
        )
        sys.exit(1)
    making.put_proof(package, verdict)


def _put_page(package: Package, game: PackagedGame, modules: Path | None) -> None:
    """Make the page, or note why there is none."""
    from collections.abc import Mapping

    from ti99tools.app import package as making
    from ti99tools.fronts.web.site.alone import alone
    from ti99tools.fronts.web.site.making import parts_of

    def play(name: str, title: str, main: str, sources: Mapping[str, str]) -> bytes:
        return alone(parts_of(modules), name, title, main, sources)

    making.put_page(package, game, play)
