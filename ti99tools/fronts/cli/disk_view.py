"""`disk ls`, `disk show`, `disk check`: look at a disk without changing it.

Also arguments and options that the `disk` commands share.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import Remedy, TIError
from ti99tools.fronts.cli.options import Whole, examples, json_option, on_image, print_json

if TYPE_CHECKING:
    from ti99tools.language.findings import Finding
    from ti99tools.media.disk.image import DiskImage


image_argument = click.argument("image", type=click.Path(path_type=Path))


def print_disk(path: Path, disk: DiskImage) -> None:
    """Print as JSON the contents of a disk that was written, as `disk ls` does, and its file."""
    from ti99tools.media.disk.catalog import catalog_data

    print_json({"image": str(path), **catalog_data(disk, disk.files())})


@contextmanager
def changed(
    path: Path, volume: int, as_json: bool, even_protected: bool = False, grows: bool = False
) -> Iterator[DiskImage]:
    """A disk to be changed as `changing` does; printed as JSON if that is asked for.

    If one that `grows` is missing, the error says how to make it.
    """
    from ti99tools.app.disk import changing

    if grows and not path.exists():
        raise TIError(f"{path}: no such disk image", remedy=Remedy.NEW_DISK)
    with changing(path, volume, even_protected=even_protected) as disk:
        yield disk
    if as_json:
        print_disk(path, disk)


def print_findings(findings: Iterable[Finding]) -> None:
    """Print, on standard error, the notes on the listings that were read."""
    for finding in findings:
        click.echo(str(finding), err=True)


volume_option = click.option(
    "--volume", type=Whole(min=1), default=1, help="Volume of a CF7+ card image (default 1)."
)
"""Adds `--volume N`: the volume of a CF7+ card."""


@click.command(
    epilog=examples(
        "ti99tools disk ls game.dsk",
        'ti99tools disk ls game.hfe "D*" --long',
        "ti99tools disk ls card.img --volumes",
    )
)
@image_argument
@click.argument("names", nargs=-1, shell_complete=on_image)
@click.option("--long", is_flag=True, help="Show pieces and dates too.")
@click.option("--volumes", is_flag=True, help="List the volumes of a CF7+ card instead.")
@volume_option
@json_option
def ls(
    image: Path, names: tuple[str, ...], long: bool, volumes: bool, volume: int, as_json: bool
) -> None:
    """List the files on IMAGE.

    NAMES, which may have wildcards, choose some of them.
    """
    from ti99tools.app.disk import open_image
    from ti99tools.media.disk import catalog
    from ti99tools.media.disk.checks import check
    from ti99tools.media.disk.checks.index import ERROR
    from ti99tools.media.disk.extract import select

    if volumes:
        _list_volumes(image, as_json)
        return
    disk = open_image(image, volume)
    files = disk.files()
    if names:
        chosen = set(select(disk.names(), names))
        files = [f for f, name in zip(files, disk.names(), strict=True) if name in chosen]
    if as_json:
        print_json(catalog.catalog_data(disk, files))
    else:
        for line in catalog.catalog_lines(disk, files, long):
            click.echo(line)
    if any(finding.severity == ERROR for finding in check(disk.volume)):
        click.echo("note: the disk is damaged; `ti99tools disk check` tells more", err=True)


def _list_volumes(path: Path, as_json: bool) -> None:
    from ti99tools.app.disk import card_volumes

    volumes = card_volumes(path)
    if as_json:
        print_json([{"volume": number, "name": name} for number, name in volumes.items()])
        return
    for number, name in volumes.items():
        click.echo(f"{number:>5}  {name}")


@click.command(
    epilog=examples(
        "ti99tools disk show game.dsk D5000",
        "ti99tools disk show game.dsk SCORES --json",
        "ti99tools disk show game.dsk D5000 --hex",
        "ti99tools disk show game.dsk --sector 0",
    )
)
@image_argument
@click.argument("name", required=False, shell_complete=on_image)
@click.option("--hex", "as_hex", is_flag=True, help="Show the bytes.")
@click.option("--sector", type=Whole(min=0), help="Show the sector N instead.")
@volume_option
@json_option
def show(
    image: Path, name: str | None, as_hex: bool, sector: int | None, volume: int, as_json: bool
) -> None:
    """Print the file NAME on IMAGE.

    A program is shown as its listing, a text as text, INTERNAL records as values, anything else as
    bytes.
    """
    if (name is None) == (sector is None):
        raise click.UsageError("give NAME or --sector N")
    if name is None:
        _show_sector(image, sector or 0, volume, as_json)
    else:
        _show_file(image, name, as_hex, volume, as_json)


def _show_sector(image: Path, number: int, volume: int, as_json: bool) -> None:
    """Print the bytes of a sector, even of a disk that is damaged or not initialised."""
    from ti99tools.app.disk import sector_of
    from ti99tools.media.disk.catalog import hex_lines

    content = sector_of(image, number, volume)
    if as_json:
        print_json({"sector": number, "data": content.hex()})
        return
    for line in hex_lines(content):
        click.echo(line)


def _show_file(image: Path, name: str, as_hex: bool, volume: int, as_json: bool) -> None:
    from ti99tools.app.disk import open_image
    from ti99tools.app.disk_contents import plain, program_in, value_text, values
    from ti99tools.media.disk import catalog as dump
    from ti99tools.media.disk.extract import select

    disk = open_image(image, volume)
    for each in select(disk.names(), [name]):
        file = disk.read(each)
        program = None if as_hex else program_in(file)
        items = values(file.records) if file.type.internal and not (as_hex or program) else None
        if as_json:
            listing = program.listing().splitlines() if program else None
            rows = None if items is None else [[plain(item) for item in row] for row in items]
            print_json({**dump.file_data(file), "listing": listing, "values": rows})
        elif program:
            click.echo(program.listing(), nl=False)
        elif items is not None:
            for number, row in enumerate(items):
                click.echo(f"record {number}: {', '.join(map(value_text, row))}".rstrip())
        else:
            for line in dump.file_lines(file, as_hex):
                click.echo(line)


@click.command(
    epilog=examples("ti99tools disk check game.dsk", "ti99tools disk check game.hfe --json")
)
@image_argument
@volume_option
@json_option
def check(image: Path, volume: int, as_json: bool) -> None:
    """Look for damage on IMAGE; exit code 1 when there is some.

    Each finding has a place and says what `disk repair` would do about it. Notes are unusual but
    harmless.
    """
    from ti99tools.app.disk import open_image
    from ti99tools.media.disk.checks import check as examine
    from ti99tools.media.disk.checks.index import NOTE

    findings = examine(open_image(image, volume, strict=False).volume)
    wrong = [finding for finding in findings if finding.severity != NOTE]
    if as_json:
        keys = ("code", "severity", "place", "problem", "mend")
        print_json([{key: getattr(finding, key) for key in keys} for finding in findings])
    else:
        for finding in findings:
            click.echo(str(finding))
        mendable = sum(1 for finding in findings if finding.mend)
        click.echo(
            f"{len(wrong)} wrong, {mendable} of them can be repaired" if wrong else "nothing wrong"
        )
    sys.exit(1 if wrong else 0)


COMMANDS = (ls, show, check)
