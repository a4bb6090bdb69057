"""`disk add` and `disk get`: files from the host to a disk and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.cli.disk_options import (
    image_argument,
    open_for_change,
    open_image,
    replace_option,
    volume_option,
)
from ti99tools.cli.disk_programs import host_file, program_in
from ti99tools.cli.options import STDOUT, OutputFile, examples, json_option, print_json

if TYPE_CHECKING:
    from ti99tools.disk.image import DiskImage

FORMS = ("auto", "tifiles", "fiad", "text", "listing", "raw")
BY_EXTENSION = {".txt": "text", ".xb": "listing", ".bas": "listing", ".bin": "raw"}
EXTENSIONS = {"text": ".txt", "listing": ".xb", "raw": ".bin"}


@click.command(
    epilog=examples(
        "ti99tools disk add game.dsk D5000.xb",
        "ti99tools disk add game.dsk notes.txt --name README",
        "ti99tools disk add game.dsk title.bin --type INT/FIX --recl 128",
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
@click.option("--recl", type=click.IntRange(1, 255), metavar="N",
              help="Bytes a record (default 80).")  # fmt: skip
@click.option("--protect", is_flag=True, help="Protect the files on the disk.")
@replace_option
@volume_option
def add(
    image: Path,
    files: tuple[Path, ...],
    name: str | None,
    label: str | None,
    recl: int | None,
    protect: bool,
    replace: bool,
    volume: int,
) -> None:
    """Add FILES to IMAGE.

    TIFILES and V9T9 containers keep their type and name. Sources (.xb, .bas, .lst) become the
    program that SAVE would write, texts become DIS/VAR 80. The name is the host's in capitals.
    """
    from ti99tools.disk.tifile import FileType

    if name and len(files) > 1:
        raise click.UsageError("--name takes one file")
    kind, length = FileType.parse(label) if label else (None, None)
    disk = open_for_change(image, volume)
    for path in files:
        stored = host_file(path, name, kind, recl or length)
        disk.add_stored(stored, replace)
        if protect:
            disk.protect(stored.name)
    disk.save(image)


@click.command(
    epilog=examples(
        "ti99tools disk get game.dsk D5000",
        "ti99tools disk get game.dsk D5000 -o d5000.xb",
        'ti99tools disk get game.dsk "S*" --to scores --form text',
        "ti99tools disk get game.dsk --all files",
    )
)
@image_argument
@click.argument("names", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=OutputFile(dash=True),
    help="Write one file to FILE (- is standard output).",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to write to, made if need be (default: this one).",
)
@click.option(
    "--all",
    "everything",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Get every file into the folder DIR, made if need be.",
)
@click.option(
    "--form", type=click.Choice(FORMS), help="Default: as -o's extension asks, else tifiles."
)
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

    tifiles and fiad keep everything; text is one line a record, listing a program's lines, raw the
    bare bytes; auto takes listing or text where they fit. Names that a host cannot have are
    written with %XX.
    """
    from ti99tools.disk.extract import host_path, write_all, write_new
    from ti99tools.disk.select import select
    from ti99tools.tasks.sources import spare

    if bool(names) == bool(everything):
        raise click.UsageError("say NAMES or --all DIR")
    disk = open_image(image, volume)
    chosen = disk.names() if everything else select(disk.names(), names)
    spare(image, output)
    if output and len(chosen) != 1:
        raise click.UsageError(f"-o takes one file, NAMES mean {len(chosen)}")
    wanted = form or (BY_EXTENSION.get(output.suffix.lower()) if output else None) or "tifiles"
    written = []
    into = everything or folder or Path()
    files: dict[Path, bytes] = {}
    for name in chosen:
        used, content = _content(disk, name, wanted)
        target = output or host_path(into, name, EXTENSIONS.get(used, ""))
        files[target] = content
        written.append({"name": name, "form": used, "path": str(target)})
    if output == STDOUT:
        click.echo(files[output], nl=False)
        return
    if output:
        write_new(output, files[output], replace)
    else:
        write_all(into, files, replace)
    if as_json:
        print_json(written)


def _content(disk: DiskImage, name: str, form: str) -> tuple[str, bytes]:
    """The form used and the bytes of the file `name` in it."""
    from ti99tools.base.errors import DiskError
    from ti99tools.disk.exchange import write_form
    from ti99tools.disk.text import is_text
    from ti99tools.disk.tifile import FileType

    stored = disk.read_stored(name)
    if form in ("auto", "listing"):
        file = disk.read(name)
        program = program_in(file)
        if program is not None:
            return "listing", program.listing().encode("utf-8")
        if form == "listing":
            raise DiskError(f"{name} holds no BASIC program", remedy="use another --form")
        text = file.type is FileType.DIS_VAR and is_text(file.records)
        form = "text" if text else "tifiles"
    return form, write_form(stored, form)


COMMANDS = (add, get)
