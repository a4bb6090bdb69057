"""`ti99tools lint`: mistakes in a source before the console finds them."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import SourceError
from ti99tools.cli.options import examples, json_option, print_json

if TYPE_CHECKING:
    from ti99tools.program.memory_report import MemoryReport
    from ti99tools.program.sourcefile import Source
    from ti99tools.source.findings import Finding


@click.command(
    epilog=examples(
        "ti99tools lint game.xb",
        "ti99tools lint game.bas --json",
        "ti99tools lint GAME --quiet",
    )
)
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--quiet", is_flag=True, help="Errors only; no memory report.")
@json_option
def command(source: Path, quiet: bool, as_json: bool) -> None:
    """Look for mistakes in SOURCE.

    SOURCE is a numbered listing, a structured source or a program file. Found are what the editor
    refuses, wrong syntax, numbers that a built-in subprogram does not take, missing and duplicate
    lines, lines that are too long or never reached, names never set or never used, and what memory
    the program needs. The exit code is 1 when there is an error.
    """
    from ti99tools.source.findings import Severity

    findings, memory = _look(source)
    if any(finding.severity is Severity.ERROR for finding in findings):
        # Statements that share a line hide each other's mistakes.
        alone, _ = _look(source, pack=False)
        if any(finding.severity is Severity.ERROR for finding in alone):
            findings = alone
    if quiet:
        findings = [finding for finding in findings if finding.severity is Severity.ERROR]
    if as_json:
        print_json(_data(findings, memory))
    else:
        for finding in findings:
            click.echo(str(finding))
        if memory is not None and not quiet:
            click.echo(_summary(memory))
    sys.exit(1 if any(finding.severity is Severity.ERROR for finding in findings) else 0)


def _look(path: Path, *, pack: bool = True) -> tuple[list[Finding], MemoryReport | None]:
    """What is found in a source, and its memory report; not `pack`: see `read_source`."""
    from ti99tools.cli import sources
    from ti99tools.program.advice import advise
    from ti99tools.source.findings import from_error

    try:
        read = sources.read(path, refused=[], pack=pack)
    except SourceError as error:
        return [from_error(each, "source") for each in (error, *error.others)], None
    findings, memory = advise(read)
    findings += _prescan(read, findings)
    if not pack and read.sourcemap is not None:
        # These line numbers are not the program's.
        findings = [replace(finding, line=None) for finding in findings]
    return findings, memory


def _prescan(source: Source, findings: list[Finding]) -> list[Finding]:
    """The error that RUN finds before the first statement, unless lint has it already."""
    from ti99tools.base.xberrors import XBError
    from ti99tools.interp.compile.lines import Listing
    from ti99tools.interp.compile.prescan import Prescan
    from ti99tools.source.findings import Finding, Severity
    from ti99tools.source.prerun import advice

    lines = dict(source.lines())
    prescan = Prescan(Listing(lines.items()))
    try:
        prescan.program()
    except XBError as error:
        number = error.line or 0
        if any(f.line == number and f.message.endswith(error.text) for f in findings):
            return []
        message = f"RUN will stop with {error.text}"
        scope = prescan.scope
        before = [lines[each] for each in prescan.listing.numbers if each < number]
        names = {name: symbol.dimensions for name, symbol in scope.symbols.items()}
        offset, remedy = advice(error.code, lines.get(number, b""), before, names)
        place = source.where(number, offset)
        return [Finding(Severity.ERROR, "prescan", place, message, remedy, number)]
    return []


def _data(findings: list[Finding], memory: MemoryReport | None) -> dict[str, object]:
    report = None
    if memory is not None:
        report = asdict(memory) | {
            "program_free": memory.program_free,
            "stack_free": memory.stack_free,
            "stack_free_least": memory.stack_free_least,
            "console_free": memory.console_free,
        }
    return {"findings": [finding.as_dict() for finding in findings], "memory": report}


def _summary(memory: MemoryReport) -> str:
    unknown = f", not counting {', '.join(memory.unknown)}" if memory.unknown else ""
    return (
        f"memory: program {memory.program}, numbers {memory.values}, names {memory.symbols}, "
        f"strings {memory.strings} bytes{unknown}\n"
        f"with 32K: {memory.program_free} bytes of program space and "
        f"{memory.stack_free} of stack free; console alone: about {memory.console_free} bytes free"
    )
