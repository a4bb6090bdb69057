"""`ti99tools generate`: a structured source as a numbered listing."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    STDOUT,
    Whole,
    examples,
    join_option,
    json_option,
    output_option,
    print_json,
    replace_option,
    targets,
)

_NUMBER = re.compile(r"[0-9]+")
_WHOLE = re.compile(r"-?[0-9]+")


@click.command(
    epilog=examples(
        "ti99tools generate d5000",
        "ti99tools generate game.xb -o game.bas --define DEBUG=1",
        "ti99tools generate --from xbas99 labels.bas -o game.bas",
        "ti99tools generate --join 40 wrapped.bas -o game.bas",
    )
)
@click.argument("src", metavar="SRC|GAME", shell_complete=targets)
@output_option("Write the listing to FILE (- is standard output).", dash=True)
@click.option("--define", "-D", multiple=True, metavar="NAME=VALUE", help="Set a constant.")
@click.option("--no-pack", is_flag=True, help="Give each statement a line of its own.")
@click.option(
    "--start", type=Whole(1, 32767), default=100, help="Number of the first line (default 100)."
)
@click.option(
    "--step", type=Whole(1, 1000), default=10, help="From one line number to the next (default 10)."
)
@click.option(
    "--optimize", "quick", is_flag=True, help="Optimize as build does; variables get short names."
)
@click.option(
    "--from",
    "origin",
    type=click.Choice(("xbas99",)),
    help="SRC has labels as xbas99 takes them: LABEL:, GOTO @LABEL, %LOCAL.",
)
@join_option
@click.option("--map", "with_map", is_flag=True, help="Show where each line comes from.")
@replace_option
@json_option
def command(
    src: str,
    output: Path | None,
    define: tuple[str, ...],
    no_pack: bool,
    start: int,
    step: int,
    quick: bool,
    origin: str | None,
    join: int | None,
    with_map: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Turn the structured source SRC, or the main source of GAME, into a numbered listing.

    The language is described in docs/dialect.md. A listing with numbers comes back as it is.
    GAME is the name of a game or its folder.
    """
    from ti99tools.app.build import optimized_listing
    from ti99tools.app.source import OutputKind, keep_others, spare, written
    from ti99tools.base.hostio import write_atomically

    if origin is not None and (define or no_pack or quick or join is not None):
        others = "--define, --no-pack, --optimize and --join"
        raise click.UsageError(f"--from {origin} goes without {others}")
    source = written(src)
    spare(source.path, output)
    if origin is not None:
        lines, places = source.labelled(start=start, step=step)
    else:
        generated = source.generate(
            _defines(define), pack=not no_pack, start=start, step=step, join=join
        )
        for finding in source.notes(join):
            click.echo(str(finding), err=True)
        if quick:
            generated = optimized_listing(generated, source.path)
        lines = generated.listing
        places = [str(generated.sourcemap.place(number) or "") for number in _numbers(lines)]
    if output is not None and output != STDOUT:
        text = "".join(f"{line}\n" for line in lines)
        keep_others(output, kind=OutputKind.LISTING, replace=replace, content=text)
        write_atomically(output, text)
        return
    if as_json:
        rows = zip(_numbers(lines), lines, places, strict=True)
        print_json([{"number": n, "line": line, "from": place} for n, line, place in rows])
        return
    for line, place in zip(lines, places, strict=True):
        click.echo(f"{place}: {line}" if with_map else line)


def _numbers(lines: list[str]) -> list[int]:
    return [int(match.group()) for match in map(_NUMBER.match, lines) if match]


def _defines(pairs: tuple[str, ...]) -> dict[str, int | str]:
    values: dict[str, int | str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise TIError(f"--define {pair} has no value", remedy="write NAME=VALUE")
        is_number = _WHOLE.fullmatch(value) is not None and not name.endswith("$")
        if not is_number and not name.endswith("$"):
            raise TIError(f"{value} is not a whole number", remedy="names of texts end in $")
        values[name] = int(value) if is_number else value
    return values
