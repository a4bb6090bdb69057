"""Verdicts of games played as people play them: for the terminal, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from ti99tools.games.report.data import spoken_time
from ti99tools.games.report.text import print_table
from ti99tools.games.verify.shipped.verdict import StageMatch, StageVerdict

COLUMNS = ("game", "matches", "taps", "lost", "early", "FCTN-4", "screens", "verdict")
LEGEND = (
    "taps: while the game waited, 90 ms or longer; lost: of these; early: while it was busy;\n"
    "screens: looked at before a key, the same as from a clean start"
)


def print_stage(
    verdicts: Sequence[StageVerdict], console: Console, replays: Mapping[str, Sequence[str]]
) -> None:
    """Print the table, the situations that were played, and what went wrong.

    `replays` are the commands for the failures of each game.
    """
    title = "Games as they are shipped, played as people play"
    print_table(title, COLUMNS, map(_cells, verdicts), console)
    console.print(LEGEND, markup=False, highlight=False)
    for verdict in verdicts:
        for line in _details(verdict, replays.get(verdict.game, ())):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _cells(verdict: StageVerdict) -> list[str]:
    name = f"{verdict.game} {verdict.version}".strip()
    if verdict.not_run:
        word = "[red]broken[/]" if verdict.broken else "[yellow]not run[/]"
        return [name, *[""] * (len(COLUMNS) - 2), word]
    counts = verdict.counts
    numbers = (verdict.matches, counts.taps, counts.lost, counts.early, counts.clears)
    word = "[green]right[/]" if verdict.ok else f"[red]{verdict.failed} differ[/]"
    return [name, *map(str, (*numbers, counts.screens)), word]


def _details(verdict: StageVerdict, replays: Sequence[str]) -> Iterator[str]:
    if verdict.not_run:
        word = "broken" if verdict.broken else "not run"
        yield f"{verdict.game} on {verdict.host}: {word}: {verdict.not_run}"
        return
    counts = verdict.counts
    told = f"{counts.lost} of {counts.taps} taps lost, {counts.screens} screens compared"
    yield f"{verdict.game} on {verdict.host}: {told}"
    yield "  " + ", ".join(f"{part} {n}" for part, n in sorted(verdict.situations.items()))
    times = spoken_time(verdict.machine_seconds), spoken_time(verdict.wall_seconds)
    yield f"  {times[0]} of machine time, played in {times[1]}"
    for number, match in enumerate(verdict.failures):
        yield ""
        yield f"{verdict.game}, {match.situation}:"
        yield from (f"    {line}" for flaw in match.flaws for line in flaw.lines())
        if number < len(replays):
            yield f"    replay {replays[number]}"


def stage_data(verdict: StageVerdict) -> dict[str, Any]:
    """A verdict as JSON values."""
    return {
        "game": verdict.game,
        "version": verdict.version,
        "host": verdict.host,
        "seed": verdict.seed,
        "right": verdict.ok,
        "not_run": verdict.not_run or None,
        "matches": verdict.matches,
        "differ": verdict.failed,
        **asdict(verdict.counts),
        "situations": dict(sorted(verdict.situations.items())),
        "machine_seconds": round(verdict.machine_seconds, 1),
        "wall_seconds": round(verdict.wall_seconds, 1),
        "failures": [_failure(match) for match in verdict.failures],
    }


def _failure(match: StageMatch) -> dict[str, Any]:
    return {
        "match": match.seed,
        "situation": match.situation.to_data(),
        "flaws": [
            {"kind": str(flaw.kind), "key": flaw.number + 1, "told": list(flaw.told)}
            for flaw in match.flaws
        ],
    }
