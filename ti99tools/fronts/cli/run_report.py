"""Checks before the start and reports at the end of `run` and similar commands.

The report is one line in the command line's words; for an error also its variables. The option
`--coverage` of run and verify, and its files, are here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import Parameter

if TYPE_CHECKING:
    from ti99tools.app.run import Outcome, RunRequest
    from ti99tools.app.target import Target
    from ti99tools.language.program.coverage import Coverage


Wanted = tuple[tuple[str, Path], ...]
"""Requested forms of coverage, each with its file."""


class FormOption(Parameter):
    """A form of coverage and its file, `FORM[=FILE]`."""

    name = "form"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> tuple[str, Path]:
        """The form and the file. Raises TIError."""
        from ti99tools.app.cover import parse_form

        return value if isinstance(value, tuple) else parse_form(str(value))


coverage_option = click.option(
    "--coverage",
    multiple=True,
    type=FormOption(),
    is_flag=False,
    flag_value="text",
    metavar="FORM[=FILE]",
    help="Count how often each statement of the source runs: as text (what never ran), lcov, html "
    "or json (default files: coverage.info, coverage.html, coverage.json).",
)
"""Adds `--coverage`; the command receives `coverage`, for `write_coverage`."""


def keep_coverage(wanted: Wanted, replace: bool) -> None:
    """Raise TIError when a form of coverage would overwrite something else; see `keep_others`."""
    from ti99tools.app.source import OutputKind, keep_others

    kinds = {"html": OutputKind.PAGE, "lcov": OutputKind.LCOV, "json": OutputKind.JSON}
    for form, path in wanted:
        keep_others(path, kind=kinds.get(form, OutputKind.COVERAGE), replace=replace)


def write_coverage(coverage: Coverage, wanted: Wanted, aside: bool = False) -> None:
    """Write coverage in the requested forms; `aside`: standard output has something else."""
    from datetime import datetime

    from ti99tools.app.cover import write
    from ti99tools.games.report.annotated import coverage_page

    now = datetime.now()
    for form, path in wanted:
        text = write(coverage, form, path, lambda known, texts: coverage_page(known, texts, now))
        click.echo(text, nl=False, err=aside)


def require_start(target: Target, command: str, steps: Sequence[object]) -> None:
    """Raise a TIError, which names the programs, for a disk on which none starts by itself.

    It may start by a key that the steps of the run press.
    """
    from ti99tools.app.run import starts_nothing, without_programs

    programs = starts_nothing(target, steps)
    if programs is None:
        return
    if not programs:
        problem = f"{target.name}: no program of Extended BASIC is on the disk"
        raise TIError(problem, remedy=without_programs(target, command))
    names = ", ".join(programs)
    raise TIError(
        f"{target.name}: no LOAD on the disk, which would start by itself; on it are {names}",
        remedy=f"name one: ti99tools {command} {target.name} {programs[0]}",
    )


MOST_WARNINGS = 5
"""The most warnings that are shown one by one at the start."""


def warn(target: Target) -> None:
    """Show warnings for what the target's source may do unintentionally."""
    warnings = target.surprises()
    for finding in warnings[:MOST_WARNINGS]:
        click.echo(finding, err=True)
    if len(warnings) > MOST_WARNINGS:
        more = (
            f"{len(warnings) - MOST_WARNINGS} more warnings; `ti99tools lint {target.name}` has all"
        )
        click.echo(more, err=True)


LONGEST = 60
"""The most characters of a variable's value that are shown with an error."""


def origins_of(request: RunRequest) -> list[str]:
    """The origin of each step of a run, in words."""
    from ti99tools.app import run

    origins = run.origins_of(request.script) if request.script is not None else []
    origins += [] if request.keys is None else [f"--keys {request.keys}"]
    return origins if request.until is None else [*origins, f"--until {request.until}"]


def report(outcome: Outcome, origins: Sequence[str] = ()) -> int:
    """Report how a run ended, whose steps came from `origins`; returns the exit code."""
    click.echo(message(outcome, origins), err=True)
    return 0 if outcome.ok else 1


_CONNECTING = {"PIO": "--pio", "RS232": "--rs232"}
"""Port → the option that connects a file to it."""


def message(outcome: Outcome, origins: Sequence[str] = ()) -> str:
    """How a run ended; with the step that was not done, or what helps to understand an error."""
    from ti99tools.app.run import Ending
    from ti99tools.app.run_output import value_text

    text = _line(outcome, origins)
    if outcome.variables:
        held = ((name, value_text(value)) for name, value in outcome.variables.items())
        pairs = [f"{n}={v if len(v) <= LONGEST else v[:LONGEST] + '…'}" for n, v in held]
        text = f"{text}\n  with {', '.join(pairs)}"
    if outcome.unconnected in _CONNECTING:
        text = f"{text}\n  {_CONNECTING[outcome.unconnected]} FILE connects a file to it"
    if outcome.step is not None and outcome.step < len(origins):
        origin = origins[outcome.step]
        if outcome.ending is not Ending.ERROR or not origin.startswith("--"):
            text = f"{text}\n  in {origin}"
    return text


def _answers(question: str) -> str:
    """Which keys answer a cassette recorder's question."""
    # Its errors list the keys below.
    return "R, C or E answers" if "ERROR" in question else "ENTER answers"


def _line(outcome: Outcome, origins: Sequence[str]) -> str:
    from ti99tools.app.run import Ending

    seconds = f"{outcome.seconds:.1f} seconds of machine time"
    place = str(outcome.place) if outcome.place else ""
    begin = f"{place}: " if place else ""
    line = f" in line {outcome.line}" if outcome.line is not None else ""
    line += f" ({outcome.question}; {_answers(outcome.question)})" if outcome.question else ""
    match outcome.ending:
        case Ending.ENDED:
            return f"ended after {seconds}"
        case Ending.STOPPED if outcome.text:
            cause = f"the warning {outcome.text}{line} stopped the program"
            return f"{begin}{cause}, as ON WARNING STOP demands, after {seconds}"
        case Ending.STOPPED:
            return f"{begin}a break stopped the program{line}, after {seconds}"
        case Ending.RUNNING:
            return f"still running after {seconds}"
        case Ending.ERROR:
            return f"{begin}{outcome.text}"
        case Ending.REFUSED:
            return f"{outcome.text}; after {seconds}"
        case Ending.WAITING if outcome.text:
            never = f", and never showed {outcome.text}"
            return f"{begin}the program waits for a key{line}{never}, after {seconds}"
        case Ending.WAITING:
            done = f"; all steps are done, the last was {origins[-1]}" if origins else ""
            more = "more" if origins else "some"
            return (
                f"{begin}the program waits for a key{line}, after {seconds}{done}; "
                f"--keys or --script gives it {more}"
            )
        case Ending.LATE_ASKING:
            return (
                f"{begin}the program waits for a key{line}, and {seconds} are over; "
                "--keys or --script gives it some, --max-seconds N more time"
            )
        case Ending.LATE:
            return (
                f"{begin}still running{line} after {seconds}; --max-seconds N gives it more, "
                "`ti99tools profile` shows where it spends them"
            )
