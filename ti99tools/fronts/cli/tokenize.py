"""`ti99tools tokenize`: a source as the program file that SAVE would write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.options import (
    examples,
    join_option,
    json_option,
    output_option,
    path_option,
    print_json,
    replace_option,
    targets,
)

if TYPE_CHECKING:
    from ti99tools.app.program_files import Form

FORMS = ("auto", "program", "long", "merge")


@click.command(
    epilog=examples(
        "ti99tools tokenize game.bas -o GAME",
        "ti99tools tokenize game.xb -o game.tfi --tifiles --name GAME --protect",
        "ti99tools tokenize GAME -o game.mrg --format merge",
        "ti99tools tokenize magazine.bas -o GAME --join 28",
        "ti99tools tokenize game.bas --code routines.a99 -o GAME",
    )
)
@click.argument("source", metavar="SOURCE|GAME", shell_complete=targets)
@output_option("The program file to write.", required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="auto",
    help="auto chooses PROGRAM or the long form as SAVE does.",
)
@click.option("--protect", is_flag=True, help="As SAVE …,PROTECTED: no LIST, no editing.")
@click.option("--tifiles", is_flag=True, help="Put a TIFILES header in front.")
@click.option(
    "--name", metavar="NAME", help="TI file name for --tifiles (default: from the output's name)."
)
@path_option("--code", help="Assemble FILE and put its routines into the program, for CALL LINK.")
@join_option
@replace_option
@json_option
def command(
    source: str,
    output: Path,
    form: Form,
    protect: bool,
    tifiles: bool,
    name: str | None,
    code: Path | None,
    join: int | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Turn SOURCE, or the main source of GAME, into a program file.

    SOURCE is a numbered listing, a structured source, or a program file of any form (then it is
    converted); GAME is the name of a game or its folder. Without --tifiles the long and MERGE forms
    are written as 256-byte sectors of records, as they lie on a disk.

    With --code the machine code lies inside the program: a line before the first one does CALL INIT
    and enters the name of each DEF, and the program calls it by CALL LINK.
    """
    from ti99tools.app.program_files import NO_INIT, SavedProgram, file_name, program_of, warnings
    from ti99tools.app.source import OutputKind, keep_others, spare, written
    from ti99tools.base.hostio import write_atomically

    if name is not None and not tifiles:
        raise click.UsageError("--name goes with --tifiles")
    source_file = written(source)
    spare(source_file.path, output)
    read = source_file.read(join)
    program = program_of(read)
    for finding in warnings(read):
        if code is None or finding.code != NO_INIT:
            click.echo(str(finding), err=True)
    more = ""
    if code is not None:
        from ti99tools.app.machine_code import embedded, initializes

        if form == "merge":
            raise click.UsageError("the MERGE form holds lines only, no --code")
        inside = embedded(program, code)
        for number in initializes(program):
            click.echo(
                f"warning: CALL INIT in line {number} clears the names of the routines", err=True
            )
        program, more = inside.program, f"; {inside.summary}"
    program = program.with_protection(protect or program.protected)
    saved = SavedProgram.of(program, form)
    content = saved.tifiles(name or file_name(output)) if tifiles else saved.bare()
    keep_others(output, kind=OutputKind.PROGRAM, replace=replace)
    write_atomically(output, content)
    if as_json:
        lines, size = len(program.lines), program.size
        data = {"file": str(output), "type": saved.type, "lines": lines, "bytes": size}
        print_json(data)
        return
    click.echo(
        f"{output}: {saved.type}, {len(program.lines)} lines, {program.size} bytes of program{more}"
    )
