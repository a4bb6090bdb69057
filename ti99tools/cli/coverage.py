"""The option `--coverage` of run and verify, and what it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ti99tools.cli.options import Parameter

if TYPE_CHECKING:
    from ti99tools.coverage.counted import Coverage

Command = TypeVar("Command", bound=Callable[..., Any])
Wanted = tuple[tuple[str, Path], ...]
"""Forms, and the files that they go to."""


class Form(Parameter):
    """`FORM[=FILE]`."""

    name = "form"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """Form and file. Raises TIError."""
        from ti99tools.tasks.covering import parse_form

        return value if isinstance(value, tuple) else parse_form(str(value))


def coverage_option(function: Command) -> Command:
    """Add `--coverage`; the command receives `coverage`, for `write_coverage`."""
    return click.option(
        "--coverage",
        multiple=True,
        type=Form(),
        is_flag=False,
        flag_value="text",
        metavar="FORM[=FILE]",
        help="Count how often each statement of the source runs: as text (what never ran), lcov, "
        "html or json (default files: coverage.info, coverage.html, coverage.json).",
    )(function)


def write_coverage(coverage: Coverage, wanted: Wanted, aside: bool = False) -> None:
    """Write coverage in the forms that are asked for; `aside`: standard output is for others."""
    from datetime import datetime

    from ti99tools.report.annotated import coverage_page
    from ti99tools.tasks.covering import write

    now = datetime.now()
    for form, path in wanted:
        text = write(coverage, form, path, lambda known, texts: coverage_page(known, texts, now))
        click.echo(text, nl=False, err=aside)
