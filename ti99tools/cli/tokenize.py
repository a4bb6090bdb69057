"""`ti99tools tokenize`: a source as the program file that SAVE would write."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.cli.options import OutputFile, examples

if TYPE_CHECKING:
    from ti99tools.program.program import Program

LONG_RECORD, MERGE_RECORD = 254, 163
FORMATS = ("auto", "program", "long", "merge")


@click.command(
    epilog=examples(
        "ti99tools tokenize game.bas -o GAME",
        "ti99tools tokenize game.xb -o game.tfi --tifiles --name GAME --protect",
        "ti99tools tokenize GAME -o game.mrg --format merge",
    )
)
@click.argument("source", metavar="SOURCE|GAME")
@click.option("-o", "--output", required=True, type=OutputFile(), help="The program file to write.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="auto",
    help="auto chooses PROGRAM or the long form as SAVE does.",
)
@click.option("--protect", is_flag=True, help="As SAVE …,PROTECTED: no LIST, no editing.")
@click.option("--tifiles", is_flag=True, help="Put a TIFILES header in front.")
@click.option(
    "--name", metavar="NAME", help="TI file name for --tifiles (default: from the output's name)."
)
def command(
    source: str, output: Path, form: str, protect: bool, tifiles: bool, name: str | None
) -> None:
    """Turn SOURCE, or the main source of GAME, into a program file.

    SOURCE is a numbered listing, a structured source, or a program file of any form (then it is
    converted); GAME is the name of a game or its folder. Without --tifiles the long and MERGE forms
    are written as 256-byte sectors of records, as they lie on a disk.
    """
    from ti99tools.base.hostio import write_atomically
    from ti99tools.source.lint import Linter
    from ti99tools.tasks.sources import spare, written

    if name is not None and not tifiles:
        raise click.UsageError("--name goes with --tifiles")
    found = written(source)
    spare(found.path, output)
    read = found.read()
    program = read.program()
    linter = Linter(dict(read.lines()), read.where)
    warnings = (linter.lengths(), linter.references(), linter.words(), linter.syntax())
    for finding in (*read.duplicates(), *itertools.chain(*warnings)):
        click.echo(str(finding), err=True)
    program = program.with_protection(protect or program.protected)
    kind, content = _content(program, form)
    if tifiles:
        data = _tifiles(kind, content, name or "", output)
    else:
        data = content if isinstance(content, bytes) else _sectors(content)
    write_atomically(output, data)
    click.echo(f"{output}: {kind}, {len(program.lines)} lines, {program.size} bytes of program")


def _sectors(records: tuple[bytes, ...]) -> bytes:
    """Records as they lie on a disk."""
    from ti99tools.disk.records import pack_variable

    return pack_variable(records)[0]


def _content(program: Program, form: str) -> tuple[str, bytes | tuple[bytes, ...]]:
    """Type and content of the file in the form asked for."""
    if form == "program":
        return "PROGRAM", program.to_program_bytes()
    if form == "long":
        return "INT/VAR", program.to_long_records()
    if form == "merge":
        return "DIS/VAR", program.to_merge_records()
    saved = program.saved()
    return saved.type, saved.content


def _tifiles(kind: str, content: bytes | tuple[bytes, ...], name: str, output: Path) -> bytes:
    """The file behind a TIFILES header."""
    from ti99tools.base.errors import DiskError
    from ti99tools.disk.hostnames import from_host
    from ti99tools.disk.records import store
    from ti99tools.disk.tifile import NAME_RULE, DiskFile, is_legal_name
    from ti99tools.disk.tifiles import build_tifiles

    name = name or from_host(str(output))
    if not is_legal_name(name):
        raise DiskError(f"file name {name!r} is not legal", remedy=NAME_RULE)
    if isinstance(content, bytes):
        file = DiskFile.program(name, content)
    elif kind == "INT/VAR":
        file = DiskFile.internal_var(name, content, LONG_RECORD)
    else:
        file = DiskFile.display_var(name, content, MERGE_RECORD)
    return build_tifiles(store(file))
