"""`ti99tools hosts`: where games can be verified here, and what is missing elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ti99tools.cli.options import examples, json_option, print_json


@click.command(
    epilog=examples("ti99tools hosts", "ti99tools hosts --roms ~/ti99/roms --prepare mame-roms")
)
@click.option("--roms", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Folder of your own ROM dumps (or TI99_ROMS, or the config file).")  # fmt: skip
@click.option("--prepare", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write the dumps found there as MAME wants them.")  # fmt: skip
@json_option
def command(roms: Path | None, prepare: Path | None, as_json: bool) -> None:
    """Show which hosts can run here, and what the others lack.

    `virtual` is our own console and always there. `mame` needs MAME and your own ROM dumps: of the
    console, of Extended BASIC and of the disk controller, raw or in MAME's pieces, bare or zipped.
    """
    from ti99tools.base.errors import TIError
    from ti99tools.hosts import mame, virtual
    from ti99tools.hosts.config import config_file, setting
    from ti99tools.hosts.host import Host
    from ti99tools.hosts.roms import search

    if roms is not None:
        os.environ["TI99_ROMS"] = str(roms)
    found: list[Host] = [virtual.host(), mame.host()]
    if prepare is not None:
        folder = setting("roms")
        if folder is None:
            raise TIError("no folder of ROM dumps is named", remedy="add --roms DIR")
        if not Path(folder).is_dir():
            raise TIError(f"{folder}: no such folder of ROM dumps", remedy="check --roms")
        dumps = search(Path(folder))
        if not dumps.found:
            raise TIError(f"{folder}: none of the ROM dumps is here", remedy="check --roms")
        dumps.lay_out(prepare)
        for path in sorted(dumps.found):
            click.echo(f"wrote {prepare / path}", err=True)
    if as_json:
        print_json(
            [
                {"host": host.name, "ready": not host.missing(), "missing": host.missing() or None}
                for host in found
            ]
        )
        return
    for host in found:
        click.echo(f"{host.name:8} {host.missing() or 'ready'}")
    click.echo(f"config file: {config_file()}")
