"""`ti99tools assemble`: assembly language as object code or a memory image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    OutputFile,
    Parameter,
    examples,
    json_option,
    output_option,
    print_json,
    replace_option,
)

if TYPE_CHECKING:
    from ti99tools.app.machine_code import CodeForm


class Address(Parameter):
    """An even address: hexadecimal, with or without > or 0x."""

    name = "address"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> int:
        """The address as a number. Raises TIError."""
        if isinstance(value, int):
            return value
        try:
            address = int(str(value).removeprefix(">"), 16)
        except ValueError as error:
            raise TIError(f"{value} is not an address", remedy="use digits as in A000") from error
        if not 0 <= address <= 0xFFFE or address % 2:
            raise TIError(f"{value} is not an even address", remedy="use 0 to FFFE")
        return address


@click.command(
    epilog=examples(
        "ti99tools assemble sort.a99 -o SORT",
        "ti99tools assemble sort.a99 -o sort.tfi --tifiles --name SORT --list sort.lst",
        "ti99tools assemble sort.a99 -o sort.bin --format image --base A000 --json",
    )
)
@click.argument("source", type=click.Path(path_type=Path))
@output_option("The file to write.", required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(("object", "image")),
    default="object",
    help="Tagged object code for CALL LOAD (default), or the bytes of memory.",
)
@click.option(
    "--base",
    type=Address(),
    default="A000",
    metavar="HEX",
    help="Where an image has relocatable code (default A000).",
)
@click.option(
    "--relaxed",
    is_flag=True,
    help="Single spaces may stand in operands; two, a tab or ; begin a comment, as in xas99.",
)
@click.option("--list", "listing", type=OutputFile(), help="Write a listing.")
@click.option("--tifiles", is_flag=True, help="Put a TIFILES header in front.")
@click.option(
    "--name", metavar="NAME", help="TI file name for --tifiles (default: from the output's name)."
)
@replace_option
@json_option
def command(
    source: Path,
    output: Path,
    form: CodeForm,
    base: int,
    relaxed: bool,
    listing: Path | None,
    tifiles: bool,
    name: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Turn the assembly language in SOURCE into object code or a memory image.

    The dialect is that of TI's Editor/Assembler. COPY "FILE" reads from the folder of SOURCE.
    Without --tifiles object code is written as 256-byte sectors of records, as it lies on a disk.
    """
    from ti99tools.app import machine_code
    from ti99tools.app.program_files import file_name
    from ti99tools.app.source import OutputKind, apart, keep_others, spare
    from ti99tools.base.hostio import write_together

    if name is not None and not tifiles:
        raise click.UsageError("--name goes with --tifiles")
    spare(source, output, listing)
    apart(output, listing)
    keep_others(output, kind=OutputKind.CODE, replace=replace)
    keep_others(listing, kind=OutputKind.ASSEMBLED, replace=replace)
    code = machine_code.assembled(source, relaxed)
    for note in machine_code.notes(code):
        click.echo(f"warning: {note}", err=True)
    if form == "object":
        for note in machine_code.loader_notes(code):
            click.echo(f"warning: {note}", err=True)
    if tifiles:
        data = machine_code.tifiles(code, form, base, name or file_name(output))
    else:
        data = machine_code.bare(code, form, base)
    files: dict[Path, bytes | str] = {output: data}
    if listing is not None:
        files[listing] = code.listing()
    write_together(files)
    if as_json:
        print_json(machine_code.figures(code, base))
    else:
        click.echo(f"{output}: {machine_code.summary(code, form, base)}")
        if listing is not None:
            click.echo(f"{listing}: listing")
