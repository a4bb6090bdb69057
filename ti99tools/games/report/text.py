"""Verdicts for the terminal: a table of what was proven, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table

from ti99tools.games.report.data import headline, percent, spoken_time
from ti99tools.games.verify.result import LogVerdict, Verdict

COLUMNS = ("game", "matches", "events", "screens", "program", "model", "verdict")


def print_verdicts(
    verdicts: Sequence[Verdict],
    console: Console,
    replays: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Print the table, then every failure, where it is in the source, and what replays it.

    `replays` are the commands for the failures of each game.
    """
    print_table("Games against their rules", COLUMNS, map(_cells, verdicts), console)
    console.print("program: lines that ran; model: branches taken (in a part of the matches)")
    for verdict in verdicts:
        for line in _details(verdict, (replays or {}).get(verdict.game, ())):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], console: Console
) -> None:
    """Print a table: names of games and verdicts to the left, numbers to the right."""
    table = Table(title=title, title_justify="left")
    for column in columns:
        justify: Literal["left", "right"] = "left" if column in ("game", "verdict") else "right"
        table.add_column(column, justify=justify, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _cells(verdict: Verdict) -> list[str]:
    name = f"{verdict.game} {verdict.version}".strip()
    if verdict.not_run:
        word = "[red]broken[/]" if verdict.broken else "[yellow]not run[/]"
        return [name, *[""] * (len(COLUMNS) - 2), word]
    return [
        name,
        str(verdict.matches),
        str(verdict.events),
        str(verdict.screens),
        percent(verdict.program),
        percent(verdict.model),
        "[green]verified[/]" if verdict.ok else f"[red]{verdict.failed} differ[/]",
    ]


def _details(verdict: Verdict, replays: Sequence[str]) -> list[str]:
    lines = [f"{verdict.game} on {verdict.host}: {headline(verdict)}"]
    if verdict.matches:
        times = spoken_time(verdict.machine_seconds), spoken_time(verdict.wall_seconds)
        lines.append(f"  {times[0]} of machine time, played in {times[1]}")
    if verdict.taken:
        spared = f"{verdict.spared} of them kept from scans of other statements"
        lines.append(f"  {verdict.taken} keys taken, {spared}")
    for number, failure in enumerate(verdict.failures):
        lines += ["", f"{verdict.game}, seed {failure.scenario.setup.seed}:"]
        lines += failure.mismatch.lines()
        if failure.calls:
            lines.append(f"    at     {failure.calls[failure.own]}")
        if number < len(replays):
            lines.append(f"    replay {replays[number]}")
    return lines


def print_logs(verdicts: Sequence[LogVerdict], console: Console) -> None:
    """Print the verdict on each log, with the first line that breaks the rules."""
    for verdict in verdicts:
        log = verdict.log
        parts = [verdict.file]
        if log is not None:
            parts[0] += f": {log.game} {log.version}"
            parts += [f"seed {log.seed}", f"{len(log.events)} events"]
        if verdict.machine:
            parts.append(f"played on {verdict.machine}")
        text = f"{', '.join([*parts, verdict.kind.value])}: {verdict.says}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
        for line in verdict.mismatch.lines() if verdict.mismatch else ():
            console.print(line, markup=False, highlight=False)
