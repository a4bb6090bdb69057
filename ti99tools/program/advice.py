"""Everything that can be said about a source without running it: lint, limits, memory."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.base.errors import Place, ProgramError
from ti99tools.program.image import MAX_PROGRAM_BODY, Line
from ti99tools.program.memory_report import PROGRAM_SPACE, STACK_SPACE, MemoryReport
from ti99tools.program.program import Program
from ti99tools.program.sourcefile import Source
from ti99tools.source.findings import Finding, Severity, from_error
from ti99tools.source.lint import lint
from ti99tools.source.remedies import BLOCK_WORDS


def advise(source: Source) -> tuple[list[Finding], MemoryReport | None]:
    """All findings of a source, and its memory report if it is a program at all."""
    words = BLOCK_WORDS if source.sourcemap is not None else ()
    refused = {error.place for error in source.errors}
    found = source.findings()
    found += [
        finding
        for finding in lint(source.lines(), source.where, words)
        if finding.code != "line-length" or finding.place not in refused
    ]
    if source.errors or not source.entries:
        return found, None
    try:
        program = source.made or Program.from_lines(_lines(source))
    except ProgramError as error:
        return [*found, from_error(error.at(source.file), "memory")], None
    found += memory_findings(program, source.file)
    return found, program.memory


def memory_findings(program: Program, file: str | None = None) -> Iterator[Finding]:
    """What the memory report means for running the program."""
    memory = program.memory
    place = Place(file)
    if memory.program_free < 0:
        yield Finding(
            Severity.ERROR,
            "memory",
            place,
            f"program and numbers need {memory.program + memory.values} bytes, "
            f"high memory has {PROGRAM_SPACE}",
            "use smaller arrays or a shorter program",
        )
    if memory.stack_free < 0:
        yield Finding(
            Severity.ERROR,
            "memory",
            place,
            f"names and strings need {memory.symbols + memory.strings} bytes, "
            f"video memory has {STACK_SPACE}",
            "use fewer or smaller string arrays",
        )
    elif memory.stack_free_least < 0:
        yield Finding(
            Severity.INFO,
            "memory",
            place,
            f"strings may grow to {memory.strings_most} bytes, there is room for "
            f"{STACK_SPACE - memory.symbols}",
            "run it with the longest texts and look at SIZE",
        )
    if program.size > MAX_PROGRAM_BODY or memory.console_free < 0:
        yield Finding(
            Severity.INFO,
            "expansion",
            place,
            "the program needs the 32K memory expansion",
            "shorten it if it is to run on the console alone",
        )


def _lines(source: Source) -> Iterator[Line]:
    for number, tokens in source.lines():
        yield Line(number, tokens)
