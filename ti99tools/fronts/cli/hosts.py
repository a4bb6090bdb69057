"""`ti99tools hosts`: where games can be verified here, and what is missing elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.options import examples, json_option, path_option, print_json
from ti99tools.games.hosts.host import EMULATORS


@click.command(
    epilog=examples(
        "ti99tools hosts",
        "ti99tools hosts --check mame --roms ~/ti99/roms",
        "ti99tools hosts --roms ~/ti99/roms --prepare mame-roms",
        "ti99tools hosts --build ti99sim --source ~/src/ti99sim",
    )
)
@path_option(
    "--roms", folder=True, help="Folder of your own ROM dumps (or TI99_ROMS, or the config file)."
)
@path_option(
    "--prepare", folder=True, help="Write the dumps found there in the form that MAME requires."
)
@click.option(
    "--check",
    type=click.Choice(EMULATORS),
    metavar="HOST",
    help="Try mame or ti99sim step by step: boot, keys, screen, a file.",
)
@click.option(
    "--build",
    type=click.Choice(["ti99sim"]),
    metavar="ti99sim",
    help="Compile the driver of this host with the sources of --source.",
)
@path_option(
    "--source", folder=True, metavar="FOLDER", help="With --build: the folder of ti99sim's sources."
)
@json_option
def command(
    roms: Path | None,
    prepare: Path | None,
    check: str | None,
    build: str | None,
    source: Path | None,
    as_json: bool,
) -> None:
    """Show which hosts can run here, and what the others lack.

    `virtual` is our own console and always there. `mame` needs MAME, `ti99sim` a driver that is
    compiled here with the sources of ti99sim; both need your own ROM dumps: of the console, of
    Extended BASIC and of the disk controller, raw or in MAME's pieces, bare or zipped.
    """
    from ti99tools.app.conformance import hosts
    from ti99tools.base.tables import config_file

    if roms is not None:
        os.environ["TI99_ROMS"] = str(roms)
    if (build is None) != (source is None):
        raise TIError("--build and --source belong together", remedy="give both")
    if source is not None:
        _build(source)
    if check is not None:
        sys.exit(_check(check, as_json))
    found = hosts()
    if prepare is not None:
        _prepare(prepare)
    if as_json:
        print_json(
            [
                {
                    "host": host.name,
                    "ready": not host.missing(),
                    "missing": worded(host.missing()) or None,
                }
                for host in found
            ]
        )
        return
    for host in found:
        click.echo(f"{host.name:8} {worded(host.missing()) or 'ready'}")
    click.echo(f"config file: {config_file()}")


def _prepare(folder: Path) -> None:
    """Write MAME's ROM files, and tell which dumps are unusual or damaged."""
    from ti99tools.app.conformance import prepare_dumps

    dumps = prepare_dumps(folder)
    for what in dumps.unusual:
        click.echo(f"warning: {what}: unusual contents, taken by its shape", err=True)
    for name in dumps.damaged:
        click.echo(f"warning: {name}: cannot be read, or not as a whole", err=True)
    for path in sorted(dumps.pieces):
        click.echo(f"wrote {folder / path}", err=True)


def _build(source: Path) -> None:
    from ti99tools.app.conformance import build_driver

    def tick(name: str) -> None:
        click.echo(f"compiling {name}", err=True)

    click.echo(f"wrote {build_driver(source, tick)}", err=True)


def _check(name: str, as_json: bool) -> int:
    """Try an emulator; 1 when a step fails."""
    from ti99tools.app.conformance import emulator
    from ti99tools.games.hosts.check import check

    steps = []
    for step in check(emulator(name)):
        steps.append(step)
        if as_json:
            continue
        mark = "ok    " if step.passed else "FAILED"
        click.echo(f"{mark}  {step.name:34} {worded(step.detail)}".rstrip())
        if not step.passed and step.screen:
            click.echo("the screen then:")
            click.echo("\n".join(row.rstrip("\0 ") for row in step.screen).rstrip())
    if as_json:
        print_json([{"step": s.name, "passed": s.passed, "detail": s.detail} for s in steps])
    return 0 if all(step.passed for step in steps) else 1
