"""`ti99tools conformance`: recorded cases held against the console."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.cli.options import examples, jobs_option, json_option, print_json


@click.command(
    epilog=examples(
        "ti99tools conformance tests/conformance",
        "ti99tools conformance tests/conformance --area using --diff",
        "ti99tools conformance tests/conformance/lang-rnd.jsonl --id lang-rnd-seed",
    )
)
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--area", metavar="NAME", help="Only this area or file (a name, its beginning, or *)."
)
@click.option(
    "--id", "wanted", metavar="NAME", help="Only this case (a name, its beginning, or *)."
)
@click.option("--diff", is_flag=True, help="Show how each failed case differs.")
@click.option(
    "--known",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="List of known failures (default: known_failures.txt beside the cases).",
)
@jobs_option
@json_option
def command(
    cases: tuple[Path, ...],
    area: str | None,
    wanted: str | None,
    diff: bool,
    known: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Hold the console against CASES recorded on the real machine.

    CASES are files or folders of JSON Lines. The last line counts the values that agree and those
    that do not. The exit code is 1 when a case fails that is not a known failure.
    """
    from ti99tools.cli.progress import progress
    from ti99tools.conformance import cases as recorded
    from ti99tools.conformance import known as listed
    from ti99tools.conformance import runner, show
    from ti99tools.conformance.outcome import Summary

    chosen = [case for case in recorded.load(cases) if case.chosen(area, wanted)]
    if not chosen:
        raise TIError("no case is chosen", remedy="look at --area and --id")
    path = known or listed.beside(cases)
    summary = Summary(listed.read(path) if path else {})
    with progress("cases", len(chosen)) as advance:
        for outcomes in runner.run(chosen, jobs):
            for outcome in outcomes:
                summary.add(outcome)
            advance(1)
    if as_json:
        print_json(
            {
                "passed": summary.passed,
                "failed": summary.failed,
                "areas": summary.areas,
                "failures": [
                    {
                        "id": outcome.id,
                        "area": outcome.area,
                        "known": summary.known.get(outcome.id),
                        "differences": {d.where: d.lines for d in outcome.differences},
                    }
                    for outcome in summary.failures
                ],
                "passed_though_listed": summary.risen,
            }
        )
    else:
        for lines in (show.failures(summary, diff), show.areas(summary), show.verdict(summary)):
            for line in lines:
                click.echo(line)
    sys.exit(1 if summary.unexpected else 0)
