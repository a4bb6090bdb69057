"""Verdicts for the terminal: what was proven, what differs, and the stage `shipped`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table

from ti99tools.games.report.data import counted, headline, percent, shortened, spoken_time
from ti99tools.games.verify.result import LogVerdict, Verdict
from ti99tools.games.verify.shipped.flaws import StageVerdict

COLUMNS = ("game", "matches", "events", "screens", "program", "model", "verdict")


def print_verdicts(
    verdicts: Sequence[Verdict],
    console: Console,
    replays: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Print the table, then each failure with its place in the source and the command to replay it.

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
    counts = (verdict.matches, verdict.events, verdict.screens)
    shares = (percent(verdict.program), percent(verdict.model))
    return _row(verdict, (*map(str, counts), *shares), "verified")


def _row(verdict: Verdict | StageVerdict, numbers: Sequence[str], right: str) -> list[str]:
    """A row of the table: name, numbers, and the last column; without numbers if not run."""
    name = f"{verdict.game} {verdict.version}".strip()
    if verdict.not_run:
        word = "[red]broken[/]" if verdict.broken else "[yellow]not run[/]"
        return [name, *("" for _ in numbers), word]
    return [name, *numbers, _word(verdict, right)]


def _word(verdict: Verdict | StageVerdict, right: str) -> str:
    """The last column: `right` where nothing differs."""
    if verdict.failed:
        return f"[red]{verdict.failed} differ[/]"
    if verdict.cut_off:
        return "[yellow]cut off[/]"
    return f"[green]{right}[/]" if verdict.matches else "[yellow]not played[/]"


def _details(verdict: Verdict, replays: Sequence[str]) -> list[str]:
    lines = [f"{verdict.game} on {verdict.where}: {headline(verdict)}"]
    if verdict.matches:
        times = spoken_time(verdict.machine_seconds), spoken_time(verdict.wall_seconds)
        lines.append(f"  {times[0]} of machine time, played in {times[1]}")
    if verdict.keys_taken:
        spared = f"{verdict.spared} of them kept from scans of other statements"
        lines.append(f"  {verdict.keys_taken} keys taken, {spared}")
    if verdict.unread:
        lines.append(
            "  a log from elsewhere would be refused: keys_of of the model lacks the keys of "
            f"{verdict.unread}"
        )
    for number, failure in enumerate(verdict.failures):
        lines += ["", f"{verdict.game}, seed {failure.scenario.setup.seed}:"]
        lines += failure.mismatch.lines()
        if failure.calls:
            lines.append(f"    at     {failure.calls[failure.own]}")
        if failure.keys:
            lines.append(f"    match  {shortened(failure)}")
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


STAGE_COLUMNS = ("game", "matches", "taps", "lost", "early", "FCTN-4", "screens", "verdict")
LEGEND = (
    "taps: while the game waited, 90 ms or longer; lost: of these; early: while it was busy;\n"
    "screens: looked at before a key, the same as from a clean start"
)


def print_stage(
    verdicts: Sequence[StageVerdict], console: Console, replays: Mapping[str, Sequence[str]]
) -> None:
    """Print the table, the situations played, and what went wrong.

    `replays` are the commands for the failures of each game.
    """
    title = "Games as they are shipped, played as people play"
    print_table(title, STAGE_COLUMNS, map(_stage_cells, verdicts), console)
    console.print(LEGEND, markup=False, highlight=False)
    for verdict in verdicts:
        for line in _stage_details(verdict, replays.get(verdict.game, ())):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _stage_cells(verdict: StageVerdict) -> list[str]:
    counts = verdict.counts
    numbers = (verdict.matches, counts.taps, counts.lost, counts.early, counts.clears)
    return _row(verdict, [*map(str, (*numbers, counts.screens))], "right")


def _stage_details(verdict: StageVerdict, replays: Sequence[str]) -> Iterator[str]:
    if verdict.not_run:
        word = "broken" if verdict.broken else "not run"
        yield f"{verdict.game} on {verdict.host}: {word}: {verdict.not_run}"
        return
    counts = verdict.counts
    text = f"{counts.lost} of {counts.taps} taps lost, {counts.screens} screens compared"
    before = f"cut off ({verdict.cut_off}), after {counted(verdict.matches)}: "
    yield f"{verdict.game} on {verdict.host}: {before if verdict.cut_off else ''}{text}"
    for why, number in sorted(verdict.left_out.items()):
        yield f"  left out, not played: {number} ({why})"
    yield "  " + ", ".join(f"{part} {n}" for part, n in sorted(verdict.situations.items()))
    times = spoken_time(verdict.machine_seconds), spoken_time(verdict.wall_seconds)
    yield f"  {times[0]} of machine time, played in {times[1]}"
    for number, match in enumerate(verdict.failures):
        yield ""
        yield f"{verdict.game}, {match.situation}:"
        yield from (f"    {line}" for flaw in match.flaws for line in flaw.lines())
        if number < len(replays):
            yield f"    replay {replays[number]}"
