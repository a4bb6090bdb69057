"""A target on the headless console, with keys from the command line; shared by run and profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import read_text
from ti99tools.console.player import Player, Reason, ScriptEnd
from ti99tools.console.session import Console
from ti99tools.console.whereabouts import whereabouts
from ti99tools.disk.image import DiskImage
from ti99tools.games.manifest import Seed
from ti99tools.interp.run.locating import spots_of
from ti99tools.interp.run.signals import Unplayable
from ti99tools.tasks.drives import mounted
from ti99tools.tasks.targets import Target, find_target
from ti99tools.trace.keyscript import Rest, Snap, Step, Type, Until, Wait, parse, unescape


class Answer:
    """Types the seed whenever the game's question stands on the screen anew."""

    def __init__(self, question: Seed, seed: int) -> None:
        self._question = question
        self._keys = question.keys(seed)
        self._shown = False

    def __call__(self, console: Console) -> None:
        """Look at the screen; type the answer when the question has just appeared."""
        shown = console.screen.shows(self._question.prompt)
        if shown and not self._shown:
            console.type(self._keys)
        self._shown = shown


@dataclass
class Headless:
    """A console with its disks and a target to run."""

    target: Target
    console: Console
    player: Player
    images: Mapping[str, DiskImage]

    @classmethod
    def of(cls, name: str, disks: Iterable[str], max_seconds: float, seed: int | None) -> Headless:
        """Open the target and the disks. Raises TIError."""
        target = find_target(name)
        images = mounted(target, disks)
        console = Console(images, max_seconds=max_seconds)
        answer = None
        if seed is not None:
            if target.seed is None:
                raise TIError(f"{name} asks for no seed", remedy="leave out --seed")
            answer = Answer(target.seed, seed)
        return cls(target, console, Player(console, max_seconds, answer), images)

    def follow(self, script: Path | None, keys: str | None, until: str | None) -> ScriptEnd:
        """Do the script, type the keys, wait for `until`.

        Where the last of these steps gives keys, or there is none, the program goes on to its end;
        a step that waits or looks is where the run is meant to stop.
        """
        steps: list[Step] = parse(read_text(script), str(script)) if script else []
        if keys is not None:
            steps.append(Type(unescape(keys)))
        if until == "":
            raise TIError("--until has no text", remedy="write --until READY")
        if until is not None:
            steps.append(Until(until))
        try:
            end = self.player.follow(steps)
            if not end.done or (steps and isinstance(steps[-1], Until | Wait | Rest | Snap)):
                return end
            return self.player.to_end()
        except Unplayable as error:
            place = str(self.target.where(error.line)) if error.line is not None else ""
            return ScriptEnd(Reason.REFUSED, f"{place}: {error}" if place else str(error))

    def report(self, end: ScriptEnd) -> int:
        """Say on standard error how the run went; the exit code."""
        console = self.console
        seconds = f"{console.clock.seconds:.1f} seconds of machine time"
        if console.error is not None:
            meaning = console.error.meaning and f" ({console.error.meaning})"
            click.echo(f"{self.error_place()}{console.error}{meaning}", err=True)
            return 1
        if end.reason in (Reason.LATE, Reason.WAITING):
            click.echo(self._unfinished(end, seconds), err=True)
            return 1
        if not end.done:
            click.echo(f"{end}; after {seconds}", err=True)
            return 1
        click.echo(f"{'still running' if console.running else 'ended'} after {seconds}", err=True)
        return 0

    def _unfinished(self, end: ScriptEnd, seconds: str) -> str:
        """What is said of a program that requires keys or more time, and where it is."""
        found = whereabouts(self.console)
        place = str(self.target.where(found.line, found.offset)) if found else ""
        begin = f"{place}: " if place else ""
        line = f" in line {found.line}" if found else ""
        waits = Reason.WAITING.value
        if end.reason is Reason.WAITING:
            rest = f", and never showed {end.text}" if end.text else ""
            more = "" if rest else "; --keys or --script gives it some"
            return f"{begin}{waits}{line}{rest}, after {seconds}{more}"
        if found and found.asks:
            return (
                f"{begin}{waits}{line}, and {seconds} are over; --keys or --script gives it some, "
                "--max-seconds N more time"
            )
        return (
            f"{begin}still running{line} after {seconds}; --max-seconds N gives it more, "
            "`ti99tools profile` shows where it spends them"
        )

    def error_place(self) -> str:
        """`file:line:column: ` of the statement that failed; empty when it is in no program."""
        console = self.console
        if console.error is None or console.error.line is None:
            return ""
        number, offset = console.error.line, 0
        if console.execution is not None:
            for unit, place in spots_of(console.execution.compiler, console.error)[-1:]:
                number, offset = unit.number(place), place[1]
        found = str(self.target.where(number, offset))
        return f"{found}: " if found else ""
