"""Coverage of a run: its program, its files by name, its totals, and its forms on disk.

For tests, `Collector` adds up the counts of several consoles and processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ti99tools.app.target import Target, find_target
from ti99tools.base.counts import Hits, total
from ti99tools.base.decoding import decode
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import check_output, read_bytes, write_atomically
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.session import Console
from ti99tools.games.verify.result import Verdict
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.coverage import (
    Coverage,
    Plan,
    from_data,
    missed_lines,
    plan_of_source,
    summary,
    to_data,
    tracefile,
)

FILES = {"lcov": "coverage.info", "html": "coverage.html", "json": "coverage.json", "text": "-"}
"""Form → the file it is written to by default; `-` is standard output."""

Page = Callable[[Coverage, dict[str, list[str]]], str]
"""Makes the HTML page from coverage and the lines of each file."""


def parse_form(text: str) -> tuple[str, Path]:
    """The form and the file of `FORM` or `FORM=FILE`. Raises TIError."""
    form, _, file = text.partition("=")
    if form not in FILES:
        known = ", ".join(FILES)
        raise TIError(f"{text}: no form of coverage", remedy=f"forms are {known}")
    path = Path(file or FILES[form])
    if str(path) != "-":
        check_output(path)
    return form, path


def plan_for(target: Target) -> Plan:
    """The statements of a target's source. Raises TIError for a target without one."""
    plan = plan_of_source(target.source) if target.source is not None else None
    if plan is None or not plan.spots:
        raise TIError(
            f"{target.name}: the source is required to count its statements",
            remedy="name the source, or a game",
        )
    return plan


def covered(plan: Plan, console: AnyConsole) -> Coverage:
    """The coverage of a program by the counts of a watched console."""
    hits: Hits = console.hits.get(plan.lines, {})
    return named(plan.coverage(hits))


def of_verdicts(verdicts: Iterable[Verdict]) -> Coverage:
    """The coverage of several games; counts of shared library files are added up."""
    total = Coverage()
    for verdict in verdicts:
        total |= verdict.coverage or Coverage()
    return named(total)


def named(coverage: Coverage) -> Coverage:
    """The coverage with its files named as `path_from_here` does."""
    coverage_by_name = Coverage()
    for name, counts in coverage.files.items():
        coverage_by_name |= Coverage({path_from_here(name): counts})
    return coverage_by_name


def path_from_here(name: str) -> str:
    """A source's path, relative if below the current folder; `<keys.xb>` is one of the library."""
    path = library_folder() / name[1:-1] if name[:1] == "<" else Path(name)
    path = path.resolve()
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _named_as_in_messages(coverage: Coverage) -> Coverage:
    """The coverage with files of the library named as in messages: `<keys.xb>`."""
    library = str(library_folder().resolve())
    in_messages = Coverage()
    for name, counts in coverage.files.items():
        path = Path(name)
        in_messages |= Coverage({f"<{path.name}>" if str(path.parent) == library else name: counts})
    return in_messages


def texts(coverage: Coverage) -> dict[str, list[str]]:
    """The lines of each source file. Raises TIError for one that cannot be read."""
    return {name: decode(read_bytes(name)).splitlines() for name in coverage.files}


def write(coverage: Coverage, form: str, path: Path, page: Page) -> str:
    """Write coverage in a form; returns the text if `path` is `-`, else an empty string.

    `page` makes the HTML. Raises TIError when a source cannot be read or the file not written.
    """
    if form == "html":
        text = page(coverage, texts(coverage))
    elif form == "json":
        text = json.dumps(to_data(coverage), indent=1) + "\n"
    elif form == "lcov":
        text = tracefile(coverage)
    else:
        coverage_by_name = _named_as_in_messages(coverage)
        text = "".join(
            line + "\n" for line in [*missed_lines(coverage_by_name), *summary(coverage_by_name)]
        )
    if str(path) == "-":
        return text
    write_atomically(path, text)
    return ""


class Collector:
    """Adds up what consoles have counted of sources."""

    def __init__(self) -> None:
        self._plans: dict[tuple[Line, ...], Plan] = {}
        self._hits: dict[tuple[Line, ...], Hits] = {}
        self._others = Coverage()

    def know_target(self, name: str | Path) -> None:
        """Count the statements of a source file, or of a game given by folder or name.

        Raises TIError.
        """
        plan = plan_for(find_target(str(name)))
        self._plans[plan.lines] = plan

    def look_at(self, console: Console) -> None:
        """Add what a console has counted since it was switched on."""
        for lines, hits in console.hits.items():
            self._hits[lines] = total((self._hits.get(lines, {}), hits))

    def add(self, data: dict[str, Any]) -> None:
        """Add what another process has collected."""
        self._others |= from_data(data)

    @property
    def coverage(self) -> Coverage:
        """All counts, including sources that never ran."""
        total = Coverage()
        for lines, plan in self._plans.items():
            total |= plan.coverage(self._hits.get(lines, {}))
        return self._others | named(total)

    @property
    def data(self) -> dict[str, Any]:
        """All counts for `add` in another process."""
        return to_data(self.coverage)
