"""`disk add`, `get`, `rm`, `rename`, `protect`, `copy`, `undelete`: the files on a disk."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.disk_view import changed, image_argument, print_findings, volume_option
from ti99tools.fronts.cli.options import (
    STDOUT,
    Whole,
    examples,
    json_option,
    on_image,
    output_option,
    path_option,
    print_json,
    replace_option,
)

if TYPE_CHECKING:
    from ti99tools.language.findings import Finding

FORMS = ("auto", "tifiles", "fiad", "text", "listing", "raw")


@click.command(
    epilog=examples(
        "ti99tools disk add game.dsk D5000.xb",
        "ti99tools disk add game.dsk notes.txt --name README",
        "ti99tools disk add game.dsk title.bin --type INT/FIX --recl 128",
        "ti99tools disk add game.dsk scores.bin --type DF80 --form raw",
    )
)
@image_argument
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--name",
    metavar="NAME",
    help="Name on the disk (one file only); DIRECTORY.NAME for a directory.",
)
@click.option(
    "--type",
    "label",
    metavar="TYPE",
    help="What bare bytes are: PROGRAM, DIS/VAR 80, DV80, IF128, ….",
)
@click.option("--recl", type=Whole(1, 255), help="Bytes a record (default 80).")
@click.option(
    "--form",
    type=click.Choice(("text", "raw")),
    help="What bare bytes are: text, one line a record, or the records themselves.",
)
@click.option("--protect", is_flag=True, help="Protect the files on the disk.")
@replace_option
@volume_option
@json_option
def add(
    image: Path,
    files: tuple[Path, ...],
    name: str | None,
    label: str | None,
    recl: int | None,
    form: str | None,
    protect: bool,
    replace: bool,
    volume: int,
    as_json: bool,
) -> None:
    """Add FILES to IMAGE.

    TIFILES and V9T9 containers keep their type and name. Sources (.xb, .bas, .b99, .lst) become
    the program that SAVE would write, texts become DIS/VAR 80. The name is the host's in capitals.

    With --type, text with line ends is text, and a whole number of records are records. --form
    decides where bytes can be both. Bare FIXED records are one after the other; before each
    VARIABLE one is a byte with its length. `disk get --form raw` writes them so.
    """
    from ti99tools.app.disk_contents import host_file
    from ti99tools.media.disk.tifile import FileType

    if name and len(files) > 1:
        raise click.UsageError("--name takes one file")
    kind, length = FileType.parse(label) if label else (None, None)
    findings: list[Finding] = []
    with changed(image, volume, as_json, grows=True) as disk:
        for path in files:
            stored = host_file(path, name, kind, recl or length, findings, form)
            disk.add_stored(stored, replace)
            if protect:
                disk.protect(stored.name)
        print_findings(findings)


@click.command(
    epilog=examples(
        "ti99tools disk get game.dsk D5000",
        "ti99tools disk get game.dsk D5000 -o d5000.xb",
        'ti99tools disk get game.dsk "S*" --to scores --form text',
        "ti99tools disk get game.dsk --all files",
    )
)
@image_argument
@click.argument("names", nargs=-1, shell_complete=on_image)
@output_option("Write one file to FILE (- is standard output).", dash=True)
@path_option(
    "--to",
    "folder",
    metavar="DIR",
    help="Folder to write to, made if necessary (default: this one).",
)
@path_option(
    "--all",
    "everything",
    metavar="DIR",
    help="Get every file into the folder DIR, made if necessary.",
)
@click.option("--form", type=click.Choice(FORMS), help="Default: by -o's extension, else tifiles.")
@replace_option
@volume_option
@json_option
def get(
    image: Path,
    names: tuple[str, ...],
    output: Path | None,
    folder: Path | None,
    everything: Path | None,
    form: str | None,
    replace: bool,
    volume: int,
    as_json: bool,
) -> None:
    """Get the files NAMES from IMAGE; wildcards are allowed.

    tifiles and fiad keep everything. text is one line per record, listing a program's lines, raw
    the bare bytes, with its length before each VARIABLE record. auto chooses listing or text where
    they fit. A / within a name becomes a dot; other characters that a file name here cannot have
    are written as %XX.
    """
    from ti99tools.app.disk import form_of, open_image, take, write
    from ti99tools.app.source import spare
    from ti99tools.media.disk.extract import select

    if bool(names) == bool(everything):
        raise click.UsageError("give NAMES or --all DIR")
    disk = open_image(image, volume)
    chosen = disk.names() if everything else select(disk.names(), names)
    spare(image, output)
    if output and len(chosen) != 1:
        raise click.UsageError(f"-o takes one file, NAMES mean {len(chosen)}")
    into = everything or folder or Path()
    outputs = take(disk, chosen, form or form_of(output), into, output)
    if output == STDOUT:
        click.echo(outputs[0].content, nl=False)
        return
    write(outputs, into, output, replace)
    if as_json:
        print_json([{"name": f.name, "form": f.form, "path": str(f.path)} for f in outputs])


@click.command(
    epilog=examples("ti99tools disk rm game.dsk OLD", 'ti99tools disk rm game.dsk "TEMP*"')
)
@image_argument
@click.argument("names", nargs=-1, required=True, shell_complete=on_image)
@volume_option
@json_option
def rm(image: Path, names: tuple[str, ...], volume: int, as_json: bool) -> None:
    """Remove the files NAMES (wildcards allowed) from IMAGE."""
    from ti99tools.media.disk.extract import select

    with changed(image, volume, as_json) as disk:
        for name in select(disk.names(), names):
            disk.remove(name)


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
    from ti99tools.media.disk.extract import the_one

    if len(names) not in ((0, 2) if disk_name else (2,)):
        raise click.UsageError("give OLD and NEW, or --disk NAME")
    with changed(image, volume, as_json) as disk:
        if names:
            disk.rename(the_one(disk.names(), names[0]), names[1])
        if disk_name:
            disk.name = disk_name


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
    from ti99tools.media.disk.extract import select

    if not names and not whole:
        raise click.UsageError("give NAMES or --disk")
    with changed(image, volume, as_json, even_protected=whole) as disk:
        for name in select(disk.names(), names):
            disk.protect(name, not off)
        if whole:
            disk.protected = not off


@click.command(
    epilog=examples(
        "ti99tools disk copy game.dsk all.dsk",
        'ti99tools disk copy game.hfe all.dsk D5000 "S*"',
        "ti99tools disk copy game.dsk card.img --to-volume 2",
    )
)
@image_argument
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, shell_complete=on_image)
@click.option(
    "--to-volume",
    type=Whole(min=1),
    default=1,
    help="Volume of a CF7+ card to copy to (default 1).",
)
@replace_option
@volume_option
@json_option
def copy(
    image: Path,
    target: Path,
    names: tuple[str, ...],
    to_volume: int,
    replace: bool,
    volume: int,
    as_json: bool,
) -> None:
    """Copy files from IMAGE to the image TARGET.

    NAMES may have wildcards; without NAMES all are copied. Types, dates and protection are kept.
    TARGET must exist (see `disk new`). If a file is already there or does not fit, nothing is
    written.
    """
    from ti99tools.app.disk import open_image
    from ti99tools.media.disk.convert import copy_files
    from ti99tools.media.disk.extract import select

    source = open_image(image, volume)
    chosen = select(source.names(), names) if names else source.names()
    with changed(target, to_volume, as_json, grows=True) as disk:
        copy_files(source, disk, chosen, replace)


@click.command(
    epilog=examples(
        "ti99tools disk undelete game.dsk",
        "ti99tools disk undelete game.dsk D5000",
    )
)
@image_argument
@click.argument("names", nargs=-1, shell_complete=on_image)
@volume_option
@json_option
def undelete(image: Path, names: tuple[str, ...], volume: int, as_json: bool) -> None:
    """Bring deleted files back.

    NAMES may have wildcards; without NAMES the files that can come back are listed. A file can come
    back as long as nothing was written to its sectors, so undelete before anything else. Of files
    that share sectors only the first can; the others are named, and the exit code is 1.
    """
    from ti99tools.app import disk as disks
    from ti99tools.fronts.cli.group import message_of
    from ti99tools.media.disk import catalog

    if not names:
        disk = disks.open_image(image, volume)
        files = [disk.describe(sector) for sector in disks.deleted_files(disk).values()]
        if as_json:
            print_json(catalog.catalog_data(disk, files)["files"])
            return
        for line in catalog.catalog_lines(disk, files)[1:] or ["no deleted files"]:
            click.echo(line)
        return
    with disks.changing(image, volume) as disk:
        left = disks.undelete(disk, names)
    if as_json:
        print_json({"left": [message_of(each) for each in left]})
        sys.exit(1 if left else 0)
    for each in left:
        click.echo(f"left: {message_of(each)}", err=True)
    sys.exit(1 if left else 0)


COMMANDS = (add, get, rm, rename, protect, copy, undelete)
