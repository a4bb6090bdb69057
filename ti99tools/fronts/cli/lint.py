"""`ti99tools lint`: mistakes in a source before the console finds them.

Findings are shown as text, with colors and a caret, or as annotations for GitHub.
"""

from __future__ import annotations

import os
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.options import (
    basic_option,
    examples,
    join_option,
    json_option,
    print_json,
    targets,
)

if TYPE_CHECKING:
    from ti99tools.app.lint import LintResult, SourceRows
    from ti99tools.language.findings import Finding
    from ti99tools.language.program.memory_report import MemoryReport


_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}
_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
_WIDEST = 100
"""The most characters of a row that are shown."""


def colored() -> bool:
    """Tell whether standard output takes colors (see no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def as_text(finding: Finding, rows: SourceRows | None) -> str:
    """A finding as a line; with `rows` also its row, and a caret below the place."""
    label = finding.severity.label
    text = str(finding)
    if colored():
        styled = click.style(label, fg=_COLORS[label], bold=True)
        text = text.replace(f"{label}: ", f"{styled}: ", 1)
    row = rows.row(finding) if rows is not None else None
    if row is None:
        return text
    at = (finding.place.column or 1) - 1
    start = max(0, at - _WIDEST + 20)
    visible = "".join(char if char.isprintable() else " " for char in row[start : start + _WIDEST])
    caret = " " * (at - start) + "^"
    mark = click.style(caret, fg=_COLORS[label], bold=True) if colored() else caret
    return f"{text}\n    {visible}\n    {mark}"


def as_annotation(finding: Finding) -> str:
    """A finding as a GitHub workflow command, for an annotation at its line."""
    place = finding.place
    fields = {"file": place.file, "line": place.line, "col": place.column, "title": finding.code}
    properties = ",".join(
        f"{key}={_property(str(v))}" for key, v in fields.items() if v is not None
    )
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    message = _data(f"{finding.message}{remedy}")
    return f"::{_LEVELS[finding.severity.label]} {properties}::{message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


@click.command(
    epilog=examples(
        "ti99tools lint game.xb",
        "ti99tools lint src/ more.bas --quiet",
        "ti99tools lint d5000 --json",
        "ti99tools lint src/ --format github",
        "ti99tools lint game.xb --fix",
        "cat game.bas | ti99tools lint -",
    )
)
@click.argument(
    "sources", nargs=-1, required=True, metavar="SOURCE|FOLDER|GAME...", shell_complete=targets
)
@basic_option
@join_option
@click.option("--quiet", is_flag=True, help="Errors only; no memory report.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "json"]),
    default="text",
    show_default=True,
    help="github makes annotations of a workflow.",
)
@click.option(
    "--caret/--no-caret",
    default=None,
    help="Show each row with a caret; on a terminal that is the default.",
)
@click.option("--fix", is_flag=True, help="Correct what is certain in the files, and say so.")
@json_option
def command(
    sources: tuple[str, ...],
    join: int | None,
    quiet: bool,
    form: str,
    caret: bool | None,
    fix: bool,
    as_json: bool,
    basic: str,
) -> None:
    """Look for mistakes in SOURCEs, in those of a FOLDER, or in the main source of a GAME.

    SOURCE is a numbered listing, a structured source or a program file (- is standard input), GAME
    the name of a game or its folder. In a FOLDER all .xb, .bas, .b99 and .lst files are checked; an
    included file is checked as part of the file that includes it. Lint reports what the editor
    refuses, wrong syntax, numbers that a built-in subprogram does not take, missing and duplicate
    lines, lines that are too long or never reached, names never set or never used, and how much
    memory the program needs. The exit code is 1 when there is an error.

    --fix corrects mistakes in the file that can mean only one thing: misspelt words, operators of
    other BASICs, NEXT without its variable, letters for digits. Each line is shown before and
    after. A correction is made only if it leaves fewer errors. NO_COLOR turns off the colours of a
    terminal.
    """
    from ti99tools.app.lint import judge, sources_of

    names = sources_of(sources)
    form = "json" if as_json else form
    if fix:
        _fix(names, join)
    judged = [_in_words(judge(name, join, errors_only=quiet, basic=basic)) for name in names]
    if form == "json":
        data = [_data_of(each) for each in judged]
        print_json(data[0] if len(sources) == 1 and len(data) == 1 else data)
    else:
        _print(judged, form, sys.stdout.isatty() if caret is None else caret, quiet)
    sys.exit(1 if any(each.failed for each in judged) else 0)


def _in_words(judged: LintResult) -> LintResult:
    """The findings with their remedies in the command line's words."""
    findings = [replace(each, remedy=worded(each.remedy)) for each in judged.findings]
    return replace(judged, findings=findings)


def _print(judged: list[LintResult], form: str, caret: bool, quiet: bool) -> None:
    pass
    from ti99tools.app.lint import SourceRows

    rows = SourceRows() if caret else None
    for each in judged:
        for finding in each.findings:
            click.echo(as_annotation(finding) if form == "github" else as_text(finding, rows))
        if each.memory is not None and not quiet and form == "text":
            name = f"{each.source}: " if len(judged) > 1 else ""
            click.echo(name + _summary(each.memory))
    if len(judged) > 1 and form == "text" and not quiet:
        wrong = sum(each.failed for each in judged)
        click.echo(f"{len(judged)} sources, {wrong} with errors")


def _fix(names: list[str], join: int | None) -> None:
    from ti99tools.app.lint import fix_file

    if join is not None:
        raise TIError("--fix cannot correct a wrapped listing", remedy="leave out --join")
    for name in names:
        fixed = fix_file(name)
        for each in fixed:
            click.echo(f"{name}:{each.line}: {each.before.strip()}", err=True)
            click.echo(f"{' ' * len(f'{name}:{each.line}')}→ {each.after.strip()}", err=True)
        if fixed:
            click.echo(f"wrote {name}: {len(fixed)} corrected", err=True)


def _data_of(judged: LintResult) -> dict[str, object]:
    memory, report = judged.memory, None
    if memory is not None:
        report = asdict(memory) | {
            "program_free": memory.program_free,
            "stack_free": memory.stack_free,
            "stack_free_least": memory.stack_free_least,
            "console_free": memory.console_free,
        }
    findings = [finding.as_dict() for finding in judged.findings]
    return {"source": judged.source, "findings": findings, "memory": report}


def _summary(memory: MemoryReport) -> str:
    unknown = f", not counting {', '.join(memory.unknown)}" if memory.unknown else ""
    return (
        f"memory: program {memory.program}, numbers {memory.values}, names {memory.symbols}, "
        f"strings {memory.strings} bytes{unknown}\n"
        f"with 32K: {memory.program_free} bytes of program space and "
        f"{memory.stack_free} of stack free; console alone: about {memory.console_free} bytes free"
    )
