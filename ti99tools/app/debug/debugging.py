"""The parts of a debugged run, the same in every run: the target, its disks, its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ti99tools.app.consoles import console_for, started, with_source
from ti99tools.app.debug.sources import BareLines, StatementLines
from ti99tools.app.debug.stops import StopReason
from ti99tools.app.debug.timeline import Ended
from ti99tools.app.run import Headless, RunRequest
from ti99tools.app.run_drives import mounted
from ti99tools.app.source import find
from ti99tools.app.target import Target, find_target, near_place
from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import Step, Type
from ti99tools.computer.console.player import Reason, ScriptEnd, ScriptPlayer
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.games.making.artefacts import as_program, generate_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import Twins
from ti99tools.language.listing.sourcemap import Routine
from ti99tools.language.optimize import renamings
from ti99tools.media.disk.image import DiskImage

NOWHERE = -1
"""A line number that no line has."""


@dataclass
class Recipe:
    """Everything required to begin the same run again. `images`: drive → bytes of its disk."""

    target: Target
    images: Mapping[str, bytes]
    steps: Sequence[Step]
    max_seconds: float
    seed: int | None = None
    main: StatementLines | None = None
    """The program to be debugged, if it is known before the run."""

    @classmethod
    def of(cls, name: str, request: RunRequest) -> Recipe:
        """Open the target and the disks. Raises TIError."""
        target = with_source(find_target(name, request.program, request.basic))
        target.answer(request.seed)
        drives = mounted(target, request.disks)
        images = {drive: image.to_bytes() for drive, image in drives.items()}
        steps, most = request.steps(), request.max_seconds
        return cls(target, images, steps, most, request.seed, book_of(target))

    def begin(self, step: Stepper) -> DebuggedRun:
        """A new run, which calls `step` before each statement."""
        images = {drive: DiskImage.from_bytes(data) for drive, data in self.images.items()}
        console = console_for(self.target, images, self.max_seconds, step=step)
        answer = self.target.answer(self.seed)
        player = ScriptPlayer(console, self.max_seconds, answer)
        return DebuggedRun(Headless(self.target, console, player, images), self.steps, self.main)


class DebuggedRun:
    """One run of a recipe."""

    def __init__(
        self, headless: Headless, steps: Sequence[Step], main: StatementLines | None
    ) -> None:
        self.console = headless.console
        self._headless = headless
        self._steps = steps
        self._main = main

    @property
    def headless(self) -> Headless:
        """The console with its disks."""
        return self._headless

    def go(self) -> Ended:
        """Start the program, do the steps, and continue to its end."""
        self._headless.target.start(self.console)
        return self._follow(self._steps)

    def more(self, keys: str) -> Ended:
        """Type keys and continue."""
        return self._follow([Type(keys)])

    def _follow(self, steps: Sequence[Step]) -> Ended:
        player = self._headless.player
        try:
            end = player.follow(steps)
            if end.done:
                end = player.to_end()
        except TIError as error:
            return Ended(StopReason.OVER, str(error))
        return self._ended(end)

    def _ended(self, end: ScriptEnd) -> Ended:
        if self.console.error is not None:
            return Ended(StopReason.ERROR, self._headless.failure.text())
        if end.done or end.reason in (Reason.ENDED, Reason.STOPPED):
            warned = self.console.stopping_warning
            if warned is not None:
                return Ended(StopReason.ENDED, f"the warning {warned.text} stopped it")
            stopped = self.console.stopped_at is not None
            return Ended(StopReason.ENDED, "a break stopped it" if stopped else "")
        if end.reason is Reason.WAITING:
            return Ended(StopReason.KEYS, f"{end.text} was never shown" if end.text else "")
        return Ended(StopReason.OVER, str(end))

    def book(self, execution: Execution) -> StatementLines:
        """The statements of the running program: the main one, or another that was loaded."""
        listing, main = execution.listing, self._main
        if main is None:
            target = self._headless.target
            book = StatementLines if target.cartridge is None else BareLines
            self._main = main = book(listing, None, target.name)
        if (main.listing.numbers, main.listing.tokens) == (listing.numbers, listing.tokens):
            return main
        name = started(self._headless.target, self.console) or "another program"
        return StatementLines(listing, None, name, main=False)


def book_of(target: Target) -> StatementLines | None:
    """The program of a target, if it is known without running it."""
    source = target.source
    if source is not None:
        book = StatementLines(Listing(source.lines()), target.where, target.name)
        book.names, routines = names_in_program(target.name)
        if not book.names and source.sourcemap is not None:
            routines = source.sourcemap.routines
        book.know(routines, near_place)
        book.file = target.where(NOWHERE).file or ""
        return book
    if target.program is not None:
        lines = target.program.lines
        return StatementLines(Listing(lines), None, target.file or target.name)
    return None


def names_in_program(name: str) -> tuple[dict[str, dict[str, str]], Sequence[Routine]]:
    """The names of variables in a game's optimized program, and the game's PROCs.

    The names: SUB (empty: the main program) → name in the listing → name in the program.
    """
    game = find(name)
    if not isinstance(game, Manifest):
        return {}, ()
    twins = Twins(game.folder)
    generated = generate_game(game, twins=twins)
    lines = list(as_program(generated, game.source_path).lines)
    return renamings(lines, game.passes, twins.names), generated.sourcemap.routines
