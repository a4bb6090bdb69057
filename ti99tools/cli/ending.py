"""How a run came out, in the command line's words: one line on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ti99tools.tasks.headless import Outcome


def report(outcome: Outcome) -> int:
    """Say how a run came out; the exit code."""
    click.echo(_line(outcome), err=True)
    return 0 if outcome.ok else 1


def _line(outcome: Outcome) -> str:
    from ti99tools.tasks.headless import Ending

    seconds = f"{outcome.seconds:.1f} seconds of machine time"
    place = str(outcome.place) if outcome.place else ""
    begin = f"{place}: " if place else ""
    line = f" in line {outcome.line}" if outcome.line is not None else ""
    match outcome.ending:
        case Ending.ENDED:
            return f"ended after {seconds}"
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
            return (
                f"{begin}the program waits for a key{line}, after {seconds}; "
                "--keys or --script gives it some"
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
