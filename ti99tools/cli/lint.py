"""`ti99tools lint`: mistakes in a source before the console finds them."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ti99tools.cli.options import examples, join_option, json_option, print_json

if TYPE_CHECKING:
    from ti99tools.program.memory_report import MemoryReport
    from ti99tools.source.findings import Finding


@click.command(
    epilog=examples(
        "ti99tools lint game.xb",
        "ti99tools lint game.bas --json",
        "ti99tools lint d5000 --quiet",
    )
)
@click.argument("source", metavar="SOURCE|GAME")
@join_option
@click.option("--quiet", is_flag=True, help="Errors only; no memory report.")
@json_option
def command(source: str, join: int | None, quiet: bool, as_json: bool) -> None:
    """Look for mistakes in SOURCE, or in the main source of GAME.

    SOURCE is a numbered listing, a structured source or a program file, GAME the name of a game or
    its folder. Found are what the editor
    refuses, wrong syntax, numbers that a built-in subprogram does not take, missing and duplicate
    lines, lines that are too long or never reached, names never set or never used, and what memory
    the program needs. The exit code is 1 when there is an error.
    """
    from ti99tools.source.findings import Severity
    from ti99tools.tasks.sources import written

    findings, memory = written(source).advise(join)
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
