"""`ti99tools tape`: cassette tapes as sound: write, list and read them."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.fronts.cli.group import CommandGroup
from ti99tools.fronts.cli.options import (
    Whole,
    examples,
    json_option,
    output_option,
    print_json,
    replace_option,
)

FORMS = ("listing", "program", "tifiles", "records")


@click.group(
    cls=CommandGroup,
    epilog=examples(
        "ti99tools tape write game.bas -o game.wav",
        "ti99tools tape list old.wav",
        "ti99tools tape read old.wav -o old.bas",
    ),
)
def command() -> None:
    """Write, list and read cassette tapes as sound (WAV).

    A tape that it writes loads with OLD CS1. From a worn one each block is taken from the better of
    its two copies, or from both together; what could not be read is reported.
    """


@command.command(
    epilog=examples(
        "ti99tools tape write game.bas -o game.wav",
        "ti99tools tape write one.bas two.xb -o both.wav",
    )
)
@click.argument("sources", metavar="SOURCE|GAME|FILE...", nargs=-1, required=True)
@output_option("The WAV file to write.", required=True)
@replace_option
@json_option
def write(sources: tuple[str, ...], output: Path, replace: bool, as_json: bool) -> None:
    """Write programs, one after the other, as the sound that SAVE CS1 makes.

    SOURCE is a listing or a program file, GAME a game. A TIFILES file with records of 64, 128
    or 192 bytes (FIXED) becomes what PRINT # writes. CS1 takes programs of up to 11,584 bytes.
    """
    from ti99tools.app.source import OutputKind, keep_others
    from ti99tools.app.tape import tape_of
    from ti99tools.base.hostio import write_atomically

    _check_wav(output)
    keep_others(output, kind=OutputKind.WAV, replace=replace)
    data, put, seconds = tape_of(sources)
    write_atomically(output, data)
    if as_json:
        units = [{"source": each.source, "units": len(each.pieces)} for each in put]
        print_json({"file": str(output), "seconds": round(seconds, 1), "sources": units})
        return
    for each in put:
        click.echo(f"{each.source}: {each.what}")
    click.echo(f"{output}: {_minutes(seconds)}")


@command.command(
    "list", epilog=examples("ti99tools tape list old.wav", "ti99tools tape list old.wav --json")
)
@click.argument("wav", type=click.Path(path_type=Path))
@json_option
def list_(wav: Path, as_json: bool) -> None:
    """List the programs and records in WAV, and how well they could be read."""
    from ti99tools.app.tape import data_of, units_in

    units = units_in(wav)
    if as_json:
        print_json(data_of(units))
        return
    for each in units:
        text = f"{each.number:>4}  {each.kind}"
        if each.restored:
            text += f"; {_restored(each.restored)}"
        if each.damaged:
            text += f"; damaged blocks: {', '.join(map(str, each.damaged))}"
        click.echo(text)


@command.command(
    epilog=examples(
        "ti99tools tape read old.wav -o old.bas",
        "ti99tools tape read old.wav -o OLD --unit 2 --form program",
        "ti99tools tape read scores.wav -o scores.tfi --form records",
    )
)
@click.argument("wav", type=click.Path(path_type=Path))
@output_option("The file to write.", required=True)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="listing",
    show_default=True,
    help="records: all records of the tape as a TIFILES file.",
)
@click.option("--unit", type=Whole(min=1), help="Number in `tape list`.")
@click.option("--internal", is_flag=True, help="The records are INTERNAL, not DISPLAY.")
@click.option("--damaged", is_flag=True, help="Keep what could be read of damaged blocks.")
@replace_option
@json_option
def read(
    wav: Path,
    output: Path,
    form: str,
    unit: int | None,
    internal: bool,
    damaged: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Read a program or the records of WAV back into a file."""
    from ti99tools.app.program_files import SavedProgram
    from ti99tools.app.source import OutputKind, keep_others, spare
    from ti99tools.app.tape import chosen, data_of, file_name, program_of, records_of, units_in
    from ti99tools.base.hostio import write_atomically

    if form == "records" and unit is not None:
        raise click.UsageError("--unit takes one unit; --form records takes all records")
    if internal and form != "records":
        raise click.UsageError("--internal goes with --form records")
    spare(wav, output)
    if form != "listing":
        keep_others(output, kind=OutputKind.PROGRAM, replace=replace)
    units = units_in(wav)
    if form == "records":
        for each in units:
            chosen(units, wav, each.number, damaged)
        data, length = records_of(units, wav, file_name(output), internal)
        write_atomically(output, data)
        if as_json:
            print_json({"file": str(output), "form": form, "units": data_of(units)})
        else:
            click.echo(f"{output}: records of {length} bytes")
        return
    one = chosen(units, wav, unit, damaged)
    program = program_of(one, wav)
    saved = SavedProgram.of(program, "program")
    if form == "listing":
        text = program.listing()
        keep_others(output, kind=OutputKind.LISTING, replace=replace, content=text)
        write_atomically(output, text)
    else:
        write_atomically(
            output, saved.tifiles(file_name(output)) if form == "tifiles" else saved.bare()
        )
    if as_json:
        print_json({"file": str(output), "form": form, "units": data_of([one])})
        return
    click.echo(f"{output}: {one.kind}")
    if one.restored:
        click.echo(_restored(one.restored))


def _check_wav(output: Path) -> None:
    if output.suffix.lower() not in (".wav", ".wave"):
        raise click.BadParameter(
            f"{output.name}: a tape is a WAV file; name it NAME.wav", param_hint="-o"
        )


def _minutes(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02} of sound"


def _restored(count: int) -> str:
    return f"{count} block{'s' * (count != 1)} restored from the other copy"
