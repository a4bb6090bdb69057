"""Where the real console would spend its time: a run, its time for each line of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ti99tools.console.profiling import profiling
from ti99tools.machine.clock import CPU_HZ
from ti99tools.source.listing import list_tokens
from ti99tools.source.numbered import to_text
from ti99tools.tasks.headless import Headless, Outcome
from ti99tools.trace.keyscript import Step


@dataclass(frozen=True)
class Row:
    """A line: its share of the time (0–1), seconds, how often it ran, its place and text."""

    line: int
    share: float
    seconds: float
    times: int
    place: str
    text: str


@dataclass(frozen=True)
class Profile:
    """The lines that took most time, and the seconds of the whole run."""

    rows: tuple[Row, ...]
    seconds: float
    outcome: Outcome


def profile(headless: Headless, steps: Sequence[Step], top: int) -> Profile:
    """Run a target and time its lines; `top` of them are kept, the longest first."""
    headless.target.start(headless.console)
    with profiling(headless.console) as taken:
        outcome = headless.run(steps)
    total = taken.total or 1
    program = headless.console.program
    tokens = {line.number: line.tokens for line in (program.lines if program else ())}
    rows = (
        Row(
            line=number,
            share=cycles / total,
            seconds=cycles / CPU_HZ,
            times=times,
            place=str(headless.target.where(number)),
            text=to_text(list_tokens(tokens.get(number, b""))),
        )
        for number, cycles, times in taken.by_line()[:top]
    )
    return Profile(tuple(rows), total / CPU_HZ, outcome)
