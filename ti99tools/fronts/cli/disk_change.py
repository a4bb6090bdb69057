"""`disk rm`, `disk rename`, `disk protect`: change files and names on a disk."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.fronts.cli.disk_view import image_argument, print_disk, volume_option
from ti99tools.fronts.cli.options import examples, json_option, on_image


@click.command(
    epilog=examples("ti99tools disk rm game.dsk OLD", 'ti99tools disk rm game.dsk "TEMP*"')
)
@image_argument
@click.argument("names", nargs=-1, required=True, shell_complete=on_image)
@volume_option
@json_option
def rm(image: Path, names: tuple[str, ...], volume: int, as_json: bool) -> None:
    """Remove the files NAMES (wildcards allowed) from IMAGE."""
    from ti99tools.app.disk import changing
    from ti99tools.media.disk.extract import select

    with changing(image, volume) as disk:
        for name in select(disk.names(), names):
            disk.remove(name)
    if as_json:
        print_disk(image, disk)


@click.command(
    epilog=examples(
        "ti99tools disk rename game.dsk OLD NEW",
        "ti99tools disk rename game.dsk --disk GAMES",
    )
)
@image_argument
@click.argument("names", nargs=-1, shell_complete=on_image)
@click.option("--disk", "disk_name", metavar="NAME", help="New name of the disk itself.")
@volume_option
@json_option
def rename(
    image: Path, names: tuple[str, ...], disk_name: str | None, volume: int, as_json: bool
) -> None:
    """Rename a file on IMAGE (NAMES is OLD NEW), or the disk itself."""
    from ti99tools.app.disk import changing
    from ti99tools.media.disk.extract import the_one

    if len(names) not in ((0, 2) if disk_name else (2,)):
        raise click.UsageError("give OLD and NEW, or --disk NAME")
    with changing(image, volume) as disk:
        if names:
            disk.rename(the_one(disk.names(), names[0]), names[1])
        if disk_name:
            disk.name = disk_name
    if as_json:
        print_disk(image, disk)


@click.command(
    epilog=examples(
        "ti99tools disk protect game.dsk D5000",
        'ti99tools disk protect game.dsk "*" --off',
        "ti99tools disk protect game.dsk --disk",
    )
)
@image_argument
@click.argument("names", nargs=-1, shell_complete=on_image)
@click.option("--disk", "whole", is_flag=True, help="Protect the disk itself.")
@click.option("--off", is_flag=True, help="Take the protection off.")
@volume_option
@json_option
def protect(
    image: Path, names: tuple[str, ...], whole: bool, off: bool, volume: int, as_json: bool
) -> None:
    """Protect files on IMAGE, or the disk itself.

    NAMES may have wildcards.
    """
    from ti99tools.app.disk import changing
    from ti99tools.media.disk.extract import select

    if not names and not whole:
        raise click.UsageError("give NAMES or --disk")
    with changing(image, volume, even_protected=whole) as disk:
        for name in select(disk.names(), names):
            disk.protect(name, not off)
        if whole:
            disk.protected = not off
    if as_json:
        print_disk(image, disk)


COMMANDS = (rm, rename, protect)
