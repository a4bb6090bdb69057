"""Everything that can be said about a source without running it: lint, limits, memory.

The first part explains a statement that has failed: lint knows more than the console's error says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place, ProgramError, SourceError
from ti99tools.base.hostio import STDIN
from ti99tools.language.findings import Finding, Severity, from_error, misspelt
from ti99tools.language.lint import proven
from ti99tools.language.lint.linter import Linter
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.sourcemap import SourceMap
from ti99tools.language.listing.tokenize import EntryError
from ti99tools.language.prescan.symbols import HIGH_SPACE, VIDEO_SPACE
from ti99tools.language.program.memory_image import MAX_PROGRAM_BODY
from ti99tools.language.program.memory_report import MemoryReport
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source, read_source
from ti99tools.language.remedies.misread_words import BLOCK_WORDS


def explained(lines: Mapping[int, bytes], number: int, offset: int, basic: str = "") -> str:
    """What is wrong with the statement at `offset` of a line, and what to do; empty if unknown.

    `lines` are the numbers and tokens of a program, `basic` is its profile.
    """
    ends = [e.start for e in scan(lines.get(number, b"")) if e.token == t.STATEMENT_SEP]
    end = next((at for at in ends if at > offset), len(lines.get(number, b"")))

    def where(line: int, at: int) -> Place:
        return Place(None, line, at)

    found = [
        finding
        for finding in Linter(dict(sorted(lines.items())), where, basic=basic).findings()
        if finding.line == number and offset <= (finding.place.column or 0) < end
    ]
    return next((_as_words(finding) for finding in found if _tells(finding)), "")


def _tells(finding: Finding) -> bool:
    """Tell whether a finding can be the reason why a statement fails.

    The error itself says which value it has met.
    """
    return (finding.severity is Severity.ERROR and finding.code != proven.CODE) or _foreign(finding)


def _foreign(finding: Finding) -> bool:
    """Tell whether a finding is about a function of other BASICs."""
    return finding.elsewhere is not None and finding.elsewhere.lacking


def _as_words(finding: Finding) -> str:
    """The finding without the error, which is already known."""
    fact = finding.message if finding.fact is None else finding.fact
    if not fact or _foreign(finding) or finding.code in ("never-set", "prescan", "syntax"):
        return finding.remedy
    return f"{fact}; {finding.remedy}"


_OF_THE_WHOLE = frozenset(
    {
        "prescan",
        "unreachable",
        "no-subprogram",
        "scan-switch",
        "never-set",
        "never-used",
        "unused-sub",
        "unused-def",
        "not-open",
        "value",
        "next",
        "loop-ended",
        "no-gosub",
        "data",
        "no-data",
    }
)
"""Findings that a missing line may cause."""
_OF_CALLS = ("unreachable", "no-gosub", "no-data")
"""Findings about a PROC that end with its first call: a file of PROCs may have it elsewhere."""


def advise_file(
    path: str | Path,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    join: int | None = None,
    read: Callable[[Path], bytes] | None = None,
    basic: str = "",
) -> tuple[list[Finding], MemoryReport | None]:
    """All findings of a source or program file, and its memory report if it is a program at all.

    Statements that share a line hide each other's mistakes: a structured source with errors is
    checked again with a line for each statement. `root` and `defines` are those of `generate`,
    `join` and `read` those of `read_source`; `basic` is the program's profile. Raises TIError when
    the file cannot be read.
    """

    def take(pack: bool) -> Source:
        return read_source(
            path, refused=[], pack=pack, root=root, defines=defines, join=join, read=read
        )

    home = Path(path).parent if root is None else root
    findings, memory = _advise(take, True, basic, home)
    again = str(path) != STDIN
    if again and any(finding.severity is Severity.ERROR for finding in findings):
        alone, _ = _advise(take, False, basic, home)
        if any(finding.severity is Severity.ERROR for finding in alone):
            return alone, memory
    return findings, memory


def _advise(
    read: Callable[[bool], Source], pack: bool, basic: str, home: Path
) -> tuple[list[Finding], MemoryReport | None]:
    """As `advise_file`; see `read_source` for `pack`. `home` is the folder of its twins."""
    try:
        source = read(pack)
    except SourceError as error:
        return [from_error(each, "source") for each in (error, *error.others)], None
    findings, memory = advise(source, basic)
    if source.sourcemap is not None and source.sourcemap.code:
        from ti99tools.language.dialect.reader import library_folder
        from ti99tools.language.lint.code_errors import code_errors

        for file in source.sourcemap.code:
            findings += code_errors(home / file, library_folder())
    if not pack and source.sourcemap is not None:
        # These line numbers are not those of the program.
        findings = [replace(finding, line=None) for finding in findings]
    return findings, memory


def advise(source: Source, basic: str = "") -> tuple[list[Finding], MemoryReport | None]:
    """All findings of a source, and its memory report if it is a program at all.

    `basic` is the profile of a later Extended BASIC. Where the editor refuses lines, findings that
    their absence may cause are left out.
    """
    sourcemap = source.sourcemap or SourceMap({})
    refused = {error.place.row for error in source.errors}
    numbers = {error.number for error in source.errors if isinstance(error, EntryError)}
    untold = _OF_THE_WHOLE if numbers else ()
    judged = [
        finding
        for finding in _linter(source, basic, numbers).findings()
        if (finding.code not in untold or _is_misspelt(finding))
        and (finding.code != "line-length" or finding.place.row not in refused)
    ]
    findings = [*source.findings(), *_of_source(judged, sourcemap)]
    if source.errors or not source.entries:
        return findings, None
    try:
        program = Program.of(source)
    except SourceError as error:
        return [*findings, from_error(error, "source")], None
    except ProgramError as error:
        return [*findings, from_error(error.at(source.file or ""), "memory")], None
    findings += memory_findings(program, source.file)
    unknown = tuple(dict.fromkeys(map(sourcemap.in_source_names, program.memory.unknown)))
    return findings, replace(program.memory, unknown=unknown)


def _is_misspelt(finding: Finding) -> bool:
    """Tell whether it is about a subprogram's name that is a misspelling for certain."""
    return finding.code == "no-subprogram" and misspelt(finding.edit)


def surprises(source: Source, basic: str = "") -> list[Finding]:
    """The findings for a person who runs the source: it may do what nobody meant.

    They are about names that are read and never set where 0 was not meant, values that get lost at
    a PROC, sprites that cannot be seen, speech that cannot be heard, and numbers that come twice.
    """
    repeated = () if source.sourcemap is not None else source.duplicates()
    found = _linter(source, basic).surprises()
    return [*repeated, *_named(found, source.sourcemap or SourceMap({}))]


def _linter(source: Source, basic: str, refused: Collection[int | None] = ()) -> Linter:
    """What checks a source, of which the editor refuses the lines of these numbers."""
    sourcemap = source.sourcemap or SourceMap({})
    words = BLOCK_WORDS if source.sourcemap is not None else ()
    given = [name for each in sourcemap.uncalled for name in each.parameters]
    known = sourcemap.constants, sourcemap.routines
    return Linter(dict(source.lines()), source.where, words, refused, given, basic, *known)


def _of_source(judged: Iterable[Finding], sourcemap: SourceMap) -> Iterator[Finding]:
    """The findings of a listing in terms of its source: names, and PROCs that nothing calls.

    What a program does not need of a file of the library nobody can remove.
    """
    from ti99tools.language.dialect.reader import in_library

    idle = {row for each in sourcemap.uncalled for row in each.rows}
    # END PROC after END cannot be removed.
    idle |= {max(each.rows, key=lambda row: row.line or 0) for each in sourcemap.routines}
    for each in sourcemap.uncalled:
        message = f"PROC {each.name} is never called"
        yield Finding(Severity.WARNING, "unused-proc", each.place, message, "remove it or call it")
    for finding in judged:
        unneeded = finding.code in ("unreachable", "never-used") and in_library(finding.place)
        if not unneeded and (finding.code not in _OF_CALLS or finding.place.row not in idle):
            yield from _named([finding], sourcemap)


def _named(judged: Iterable[Finding], sourcemap: SourceMap) -> Iterator[Finding]:
    """What was found in a listing, with the names that its source has."""
    for finding in judged:
        yield replace(
            finding,
            message=sourcemap.in_source_names(finding.message),
            remedy=sourcemap.in_source_names(finding.remedy),
        )


def outgrows_console(program: Program) -> bool:
    """Tell whether its size alone makes a program need the 32K memory expansion."""
    return program.size > MAX_PROGRAM_BODY or program.memory.console_free < 0


def memory_findings(program: Program, file: str | None) -> Iterator[Finding]:
    """What the memory report means for running the program."""
    memory = program.memory
    place = Place(file)
    if memory.program_free < 0:
        yield Finding(
            Severity.ERROR,
            "memory",
            place,
            f"program and numbers need {memory.program + memory.values} bytes, "
            f"high memory has {HIGH_SPACE}",
            "use smaller arrays or a shorter program",
        )
    if memory.stack_free < 0:
        yield Finding(
            Severity.ERROR,
            "memory",
            place,
            f"names and strings need {memory.symbols + memory.strings} bytes, "
            f"video memory has {VIDEO_SPACE}",
            "use fewer or smaller string arrays",
        )
    elif memory.stack_free_least < 0:
        yield Finding(
            Severity.INFO,
            "memory",
            place,
            f"strings may grow to {memory.strings_most} bytes, there is room for "
            f"{VIDEO_SPACE - memory.symbols}",
            "run it with the longest texts and look at SIZE",
        )
    if outgrows_console(program):
        yield Finding(
            Severity.INFO,
            "expansion",
            place,
            "the program needs the 32K memory expansion",
            "shorten it if it is to run on the console alone",
        )
