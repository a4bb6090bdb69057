"""`disk new`, `disk convert`, `disk repair`: whole images."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.fronts.cli.disk_view import image_argument, print_disk, print_findings, volume_option
from ti99tools.fronts.cli.options import (
    OutputFile,
    Whole,
    examples,
    geometries,
    json_option,
    output_option,
    path_option,
    print_json,
    replace_option,
)
from ti99tools.media.disk.containers import FORMS
from ti99tools.media.disk.hostfiles import FORMS as FILE_FORMS

if TYPE_CHECKING:
    from ti99tools.language.findings import Finding

DISK_FORMS = tuple(form.key for form in FORMS)


@click.command(
    epilog=examples(
        "ti99tools disk new game.dsk",
        "ti99tools disk new game.dsk D5000.xb README.txt --name GAMES --geometry DSSD",
        "ti99tools disk new game.hfe --geometry DSDD",
        "ti99tools disk new card.img --form cf7 --volume 3 --name VOL3",
        "ti99tools disk new game.dsk --boot game.xb",
    )
)
@click.argument("image", type=OutputFile())
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--geometry",
    metavar="NAME",
    shell_complete=geometries,
    help="SSSD (default), DSSD, SSDD, DSDD, …; an unknown one lists all.",
)
@click.option("--name", default="DISK", metavar="NAME", help="The disk's name (default DISK).")
@click.option(
    "--form", type=click.Choice(DISK_FORMS), help="Default: by IMAGE's extension, else dsk."
)
@path_option("--boot", help="Put the program in FILE on it as LOAD, so that it starts at once.")
@replace_option
@volume_option
@json_option
def new(
    image: Path,
    files: tuple[Path, ...],
    geometry: str | None,
    name: str,
    form: str | None,
    boot: Path | None,
    replace: bool,
    volume: int,
    as_json: bool,
) -> None:
    """Make the empty disk IMAGE, and put FILES on it (see `disk add`)."""
    from ti99tools.app.disk import Output, new_disk

    output = Output(image, form, volume, replace)
    disk = new_disk(output, geometry, name)
    if files or boot is not None:
        from ti99tools.app.disk_contents import boot_file, host_file

        findings: list[Finding] = []
        if boot is not None:
            disk.add_stored(boot_file(boot, findings))
        for path in files:
            try:
                disk.add_stored(host_file(path, None, None, None, findings))
            except DiskError as error:
                raise _nameless(error, image, path) from error
        print_findings(findings)
    output.write(disk)
    if as_json:
        print_disk(image, disk)


def _nameless(error: DiskError, image: Path, path: Path) -> DiskError:
    """The error for a file of which no TI file can be made: here --name names the disk."""
    if error.meaning not in (Remedy.NAME_FILE, Remedy.NAME_WITH_SLASH):
        return error
    words = shlex.join(["ti99tools", "disk", "add", str(image), str(path), "--name"])
    remedy = f"leave it out, and put it on the disk after that: `{words} NAME`"
    return DiskError(error.problem, remedy=remedy, place=error.place)


@click.command(
    epilog=examples(
        "ti99tools disk convert game.dsk game.hfe",
        "ti99tools disk convert old.hfe new.dsk --geometry DSDD",
        "ti99tools disk convert game.dsk card.img --form cf7 --to-volume 2",
        "ti99tools disk convert GAME.tfi GAME --form fiad",
    )
)
@image_argument
@click.argument("target", type=OutputFile())
@click.option(
    "--form",
    type=click.Choice(DISK_FORMS + FILE_FORMS),
    help="Default: by TARGET's extension, else dsk.",
)
@click.option(
    "--geometry",
    metavar="NAME",
    shell_complete=geometries,
    help="Another geometry; the files are kept.",
)
@click.option(
    "--to-volume", type=Whole(min=1), default=1, help="Volume on a CF7+ card to write (default 1)."
)
@click.option("--force", is_flag=True, help="Take unreadable sectors as far as they were read.")
@replace_option
@volume_option
@json_option
def convert(
    image: Path,
    target: Path,
    form: str | None,
    geometry: str | None,
    to_volume: int,
    force: bool,
    replace: bool,
    volume: int,
    as_json: bool,
) -> None:
    """Write the disk in IMAGE to TARGET in another form or geometry.

    Forms: dsk (sector image: MAME, js99er, Classic99, ti99sim, Win994a), hfe (Gotek, HxC), pc99
    (track dump), cf7 (volume of a CF7+ or nanoPEB card; an existing card keeps its other volumes).
    A single TI file in a TIFILES (TIPI) or V9T9 container can become tifiles, fiad, text (a TARGET
    .txt does) or raw; `disk get --all` makes a folder of them.
    """
    from ti99tools.app.disk import Output, convert_file, convert_image, is_container

    if form is None and target.suffix.lower() == ".txt" and is_container(image):
        form = "text"
    if form in FILE_FORMS:
        size = convert_file(image, target, form, replace)
        if as_json:
            print_json({"file": str(target), "form": form, "bytes": size})
        return
    disk = convert_image(image, volume, geometry, Output(target, form, to_volume, replace, force))
    if as_json:
        print_disk(target, disk)


@click.command(
    epilog=examples(
        "ti99tools disk repair game.dsk",
        "ti99tools disk repair damaged.dsk -o repaired.dsk --reclaim",
    )
)
@image_argument
@output_option("Write the result to FILE and leave IMAGE alone.")
@click.option("--reclaim", is_flag=True, help="Free sectors that belong to no file.")
@replace_option
@volume_option
@json_option
def repair(
    image: Path, output: Path | None, reclaim: bool, replace: bool, volume: int, as_json: bool
) -> None:
    """Repair IMAGE without losing anything.

    `disk check` shows what is found. Nothing that may hold data is freed or overwritten, and what
    cannot be repaired is left as it is. The exit code is 1 when something remains wrong.
    """
    from ti99tools.app.disk import open_image
    from ti99tools.base.hostio import held
    from ti99tools.media.disk.checks.index import NOTE
    from ti99tools.media.disk.extract import write_new
    from ti99tools.media.disk.repair import repair as mend

    with held(image):
        disk = open_image(image, volume, strict=False)
        result = mend(disk, reclaim)
        if output:
            write_new(output, disk.to_bytes(), replace)
        elif result.done:
            disk.save(image)
    remaining = [str(finding) for finding in result.remaining if finding.severity != NOTE]
    if as_json:
        print_json({"done": result.done, "remaining": remaining})
    else:
        for line in result.done:
            click.echo(f"repaired: {line}")
        for line in remaining:
            click.echo(f"left: {line}")
        click.echo(f"{len(result.done)} repaired, {len(remaining)} left")
    sys.exit(0 if result.clean else 1)


COMMANDS = (new, convert, repair)
