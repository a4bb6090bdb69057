"""`ti99tools compile`: a program as machine code, on a ROM cartridge or on a disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    examples,
    json_option,
    output_option,
    print_json,
    replace_option,
)

if TYPE_CHECKING:
    from ti99tools.app.compiled_disk import Wanted


@click.command(
    epilog=examples(
        "ti99tools compile game.xb -o game_8.bin",
        "ti99tools compile game.xb -o game.rpk --title 'MY GAME'",
        "ti99tools compile game.xb -o game.dsk",
        "ti99tools compile game.xb -o game.dsk --form ea5 --name GAME",
        "ti99tools compile game.xb -o files --form ea5 --tifiles",
        "ti99tools compile game.xb --report",
        "ti99tools compile menu.xb one.xb two.xb --first -o all_8.bin",
        "ti99tools compile game.xb --show ranges",
    )
)
@click.argument("sources", nargs=-1, required=True)
@output_option(
    "What to write: a cartridge, .bin, or .rpk for MAME; a disk, .dsk, .hfe or .cf7; a folder "
    "with --tifiles.",
    folder=True,
)
@click.option(
    "--form",
    type=click.Choice(("xb", "ea5")),
    help="What starts the program from a disk: Extended BASIC (default), or option 5 of "
    "Editor/Assembler.",
)
@click.option("--name", metavar="NAME", help="Its name on the disk (default: from a file's name).")
@click.option("--tifiles", is_flag=True, help="Write the files of the disk into the folder -o.")
@click.option("--title", metavar="TEXT", help="What the console's menu shows (default: the name).")
@click.option(
    "--first",
    is_flag=True,
    help="Put only the first of several programs into the menu: it RUNs the others.",
)
@click.option("--no-words", is_flag=True, help="Calculate every number in eight bytes.")
@click.option(
    "--pace",
    type=click.Choice(("basic", "none", "all")),
    default="basic",
    help="Let loops that look for keys take the time of Extended BASIC (default), or nothing, or "
    "everything.",
)
@click.option(
    "--no-banks",
    is_flag=True,
    help="Leave no code in banks: what does not fit into memory becomes byte code.",
)
@click.option(
    "--show",
    type=click.Choice(("ir", "ranges", "asm")),
    help="Print the intermediate form, the ranges of variables, or the assembly language.",
)
@click.option(
    "--report",
    is_flag=True,
    help="Print bytes and cycles of each statement, why numbers are cells, and loops' pace.",
)
@replace_option
@json_option
def command(
    sources: tuple[str, ...],
    output: Path | None,
    form: str | None,
    name: str | None,
    tifiles: bool,
    title: str | None,
    first: bool,
    no_words: bool,
    pace: str,
    no_banks: bool,
    show: str | None,
    report: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Compile SOURCES, programs or games, into machine code, on a ROM cartridge or a disk.

    It takes what games use: numbers, strings, arrays, DEF, SUB, PRINT, INPUT, ACCEPT, USING,
    files, graphics, sprites, sound, KEY, JOYST, ON ERROR. It does not take cassettes and
    foreign machine code; each of these is reported with its line.

    The cartridge starts from the console's menu; it needs the 32K memory expansion, but no Extended
    BASIC and no disk. Numbers are those of Extended BASIC. Each of several programs has its own
    entry in the menu; RUN "DSK1.NAME" starts another one. A single program that fits into the 32K
    can also be put on a disk, which Extended BASIC or Editor/Assembler starts, or into TIFILES.
    """
    from ti99tools.app import compile, compiled_disk
    from ti99tools.app.source import OutputKind, keep_others, spare

    if output is None and show is None and not report and not as_json:
        raise TIError("nothing to do", remedy="add -o FILE.bin, --report or --show ir")
    if as_json and show is not None:
        raise TIError("--json does not give what --show prints", remedy="leave out one of them")
    if output is not None:
        _check_folder(output, tifiles)
    if output is None or output.suffix.lower() in compile.ENDINGS:
        _refuse_disk_options(form, name, tifiles)
    disk = compiled_disk.Wanted.of(sources[0], output, form, name, tifiles, replace)
    if disk is not None and (len(sources) > 1 or first):
        raise TIError("a disk takes one compiled program", remedy="write a cartridge: -o FILE.bin")
    for source in sources:
        spare(Path(source), output)
    if output is not None and disk is None:
        compile.check_output(output)
        keep_others(output, kind=OutputKind.CARTRIDGE, replace=replace)
    forms = not no_words, pace, not no_banks and disk is None
    printed = show, report, as_json
    if len(sources) > 1 or first:
        _several(sources, output, title, first, forms, printed)
    else:
        _single(sources[0], output, title, forms, printed, disk)


def _refuse_disk_options(form: str | None, name: str | None, tifiles: bool) -> None:
    given = {"--form": form is not None, "--name": name is not None, "--tifiles": tifiles}
    for option in (each for each, there in given.items() if there):
        where = "a folder: -o FOLDER" if option == "--tifiles" else "a disk: -o FILE.dsk"
        raise TIError(f"{option} has no effect here", remedy=f"it goes with {where}")


def _check_folder(output: Path, tifiles: bool) -> None:
    """Raise TIError for a folder where a file is meant, and the other way round."""
    from ti99tools.app.compiled_disk import is_disk

    if output.is_dir() and not tifiles:
        raise TIError(
            f"{output}: a folder", remedy="name a file in it, or add --tifiles for a disk's files"
        )
    if tifiles and is_disk(output):
        problem = f"{output}: --tifiles writes files into a folder, and this is a disk"
        raise TIError(problem, remedy="leave out --tifiles, or name a folder")


_Forms = tuple[bool, str, bool]
"""Whether there are words, what has a pace, whether there are banks."""
_Printed = tuple[str | None, bool, bool]
"""What `--show` asks for, and whether there are a report and `--json`."""


def _note(remarks: Iterable[str]) -> None:
    for remark in remarks:
        click.echo(f"note: {remark}", err=True)


def _single(
    source: str,
    output: Path | None,
    title: str | None,
    forms: _Forms,
    printed: _Printed,
    disk: Wanted | None,
) -> None:
    from ti99tools.app import compile, compiled_disk

    show, report, as_json = printed
    with compiled_disk.refusing(disk is not None):
        result = compile.compiled(source, title, *forms, alone=disk is not None)
    if result.failing:
        _note(compile.failing(compile.target_of(source).where, result))
    if output is not None:
        compiled_disk.write(source, result, output, disk)
        _note(compile.name_remarks(output))
    if show is not None:
        click.echo(compile.pass_text(result, show), nl=False)
    if as_json:
        more = compile.report_data(result, compile.program_of(source)) if report else {}
        print_json(compile.figures(result) | more | compiled_disk.figures(disk))
        return
    if report:
        click.echo(compile.report(result, compile.program_of(source)), nl=False)
    if output is not None:
        click.echo(f"{output}: {compile.summary(result)}{compiled_disk.summary(disk)}")


def _several(
    sources: Sequence[str],
    output: Path | None,
    title: str | None,
    first: bool,
    forms: _Forms,
    printed: _Printed,
) -> None:
    from ti99tools.app import collection, compile
    from ti99tools.base.hostio import write_atomically

    show, report, as_json = printed
    programs = collection.wanted_programs(sources, title, first)
    result = collection.collected(programs, first, *forms)
    for each, compiled in zip(programs, result.programs, strict=True):
        _note(compile.failing(each.where, compiled))
    if output is not None:
        write_atomically(output, compile.content(result.cartridge, output))
        _note(compile.name_remarks(output))
    if show is not None:
        for each, compiled in zip(programs, result.programs, strict=True):
            click.echo(f"{each.name}\n{compile.pass_text(compiled, show)}", nl=False)
    if as_json:
        print_json(collection.data_of(programs, result, report))
        return
    if report:
        for text in collection.reports(programs, result):
            click.echo(text, nl=False)
    if output is not None:
        for row in collection.summaries(programs, result, output):
            click.echo(row)
