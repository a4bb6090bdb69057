"""`ti99tools list`: a program file back to a listing."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.fronts.cli.options import (
    STDOUT,
    Whole,
    examples,
    json_option,
    output_option,
    print_json,
    replace_option,
    targets,
)


@click.command(
    epilog=examples(
        "ti99tools list GAME",
        "ti99tools list game.tfi -o game.bas",
        "ti99tools list game.dsk GAME",
        "ti99tools list d5000 --width 28",
    )
)
@click.argument("file", metavar="FILE|GAME", shell_complete=targets)
@click.argument("program", required=False)
@output_option("Write the listing to FILE (- is standard output).", dash=True)
@click.option(
    "--width",
    type=Whole(min=1, max=254),
    help="Break lines after N characters, as LIST does (80 on a printer, 28 on the screen).",
)
@replace_option
@json_option
def command(
    file: str,
    program: str | None,
    output: Path | None,
    width: int | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Print the program in FILE, or that of GAME, as LIST shows it.

    FILE is a PROGRAM file, a long (INT/VAR 254) or MERGE file, bare or in a TIFILES or V9T9
    container, protected or not, or a source; or a disk image with the name of a PROGRAM on it.
    GAME is the name of a game or its folder. Codes that
    are no text (0–31, 127) stand as Unicode control pictures, and so does a blank at the end of a
    line; codes 128–159 stand as block elements (▀ is 128). `tokenize` reads them back, and joins
    rows of 28 or 80 characters; `generate --join N` joins others.
    """
    from ti99tools.app.program_files import inexact, listing, listing_data
    from ti99tools.app.source import OutputKind, keep_others, spare, written
    from ti99tools.base.hostio import write_atomically

    source = written(file)
    spare(source.path, output)
    if program is None:
        listed = source.program()
    else:
        from ti99tools.app.target import program_named

        listed = program_named(file, program)
    for number, words in inexact(listed):
        reason = f"its names {words} are words of Extended BASIC" if words else ""
        cause = reason or "tokenizing this listing gives other bytes"
        click.echo(f"warning: line {number} cannot be listed exactly: {cause}", err=True)
    if as_json:
        print_json(listing_data(listed))
        return
    text = listing(listed, width)
    if output is not None and output != STDOUT:
        keep_others(output, kind=OutputKind.LISTING, replace=replace, content=text)
        write_atomically(output, text)
    else:
        click.echo(text, nl=False)
