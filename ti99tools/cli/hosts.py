"""`ti99tools hosts`: where games can be verified here, and what is missing elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ti99tools.cli.options import examples, json_option, print_json
from ti99tools.cli.words import worded


@click.command(
    epilog=examples(
        "ti99tools hosts",
        "ti99tools hosts --check mame --roms ~/ti99/roms",
        "ti99tools hosts --roms ~/ti99/roms --prepare mame-roms",
    )
)
@click.option("--roms", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Folder of your own ROM dumps (or TI99_ROMS, or the config file).")  # fmt: skip
@click.option("--prepare", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write the dumps found there as MAME wants them.")  # fmt: skip
@click.option("--check", type=click.Choice(["mame"]), metavar="mame",
              help="Try this host step by step: boot, keys, screen, a file.")  # fmt: skip
@json_option
def command(roms: Path | None, prepare: Path | None, check: str | None, as_json: bool) -> None:
    """Show which hosts can run here, and what the others lack.

    `virtual` is our own console and always there. `mame` needs MAME and your own ROM dumps: of the
    console, of Extended BASIC and of the disk controller, raw or in MAME's pieces, bare or zipped.
    """
    from ti99tools.hosts.config import config_file
    from ti99tools.tasks.hosting import hosts, prepare_dumps

    if roms is not None:
        os.environ["TI99_ROMS"] = str(roms)
    if check is not None:
        sys.exit(_check(as_json))
    found = hosts()
    if prepare is not None:
        dumps = prepare_dumps(prepare)
        for what in dumps.unusual:
            click.echo(f"warning: {what}: unusual contents, taken by its shape", err=True)
        for path in sorted(dumps.found):
            click.echo(f"wrote {prepare / path}", err=True)
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


def _check(as_json: bool) -> int:
    """Try MAME; 1 when a step fails."""
    from ti99tools.hosts import mame
    from ti99tools.hosts.mame.check import check

    steps = []
    for step in check(mame.host()):
        steps.append(step)
        if as_json:
            continue
        click.echo(
            f"{'ok    ' if step.passed else 'FAILED'}  {step.name:34} {step.detail}".rstrip()
        )
        if not step.passed and step.screen:
            click.echo("the screen then:")
            click.echo("\n".join(row.rstrip("\0 ") for row in step.screen).rstrip())
    if as_json:
        print_json([{"step": s.name, "passed": s.passed, "detail": s.detail} for s in steps])
    return 0 if all(step.passed for step in steps) else 1
