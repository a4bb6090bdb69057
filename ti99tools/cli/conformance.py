"""`ti99tools conformance`: recorded cases held against the console."""

from __future__ import annotations

import sys
from pathlib import Path

import click

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
    from ti99tools.conformance.show import areas, data, failures, verdict
    from ti99tools.tasks.recorded import chosen_cases, hold, known_failures

    chosen = chosen_cases(cases, area, wanted)
    with progress("cases", len(chosen)) as advance:
        summary = hold(chosen, known_failures(cases, known), jobs, advance)
    if as_json:
        print_json(data(summary))
    else:
        for lines in (failures(summary, diff), areas(summary), verdict(summary)):
            for line in lines:
                click.echo(line)
    sys.exit(1 if summary.unexpected else 0)
