"""How a run came out, in the command line's words: one line, of an error with its variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ti99tools.tasks.headless import Outcome


LONGEST = 60
"""Characters of a variable's value that are shown with an error."""


def report(outcome: Outcome, origins: Sequence[str] = ()) -> int:
    """Say how a run came out, of steps that came from `origins`; the exit code."""
    click.echo(message(outcome, origins), err=True)
    return 0 if outcome.ok else 1


def message(outcome: Outcome, origins: Sequence[str] = ()) -> str:
    """How a run came out; with the step that was not done, or the variables of an error."""
    from ti99tools.tasks.headless import Ending
    from ti99tools.tasks.lookback import shown

    text = _line(outcome, origins)
    if outcome.variables:
        held = ((name, shown(value)) for name, value in outcome.variables.items())
        pairs = [f"{n}={v if len(v) <= LONGEST else v[:LONGEST] + '…'}" for n, v in held]
        text = f"{text}\n  with {', '.join(pairs)}"
    if outcome.step is not None and outcome.step < len(origins):
        origin = origins[outcome.step]
        if outcome.ending is not Ending.ERROR or not origin.startswith("--"):
            text = f"{text}\n  in {origin}"
    return text


def _line(outcome: Outcome, origins: Sequence[str]) -> str:
    from ti99tools.tasks.headless import Ending

    seconds = f"{outcome.seconds:.1f} seconds of machine time"
    place = str(outcome.place) if outcome.place else ""
    begin = f"{place}: " if place else ""
    line = f" in line {outcome.line}" if outcome.line is not None else ""
    line += f" ({outcome.asked}; ENTER answers)" if outcome.asked else ""
    match outcome.ending:
        case Ending.ENDED:
            return f"ended after {seconds}"
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
