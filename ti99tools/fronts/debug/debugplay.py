"""A session in a window or a terminal that can be stopped, inspected and stepped back.

What is played is recorded as for `--record`. After going back, the recorded keys are replayed at
the same frames; then the player goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.app.debug.debugging import DebuggedRun, Recipe
from ti99tools.app.debug.sources import StatementLines
from ti99tools.app.debug.stops import Order, StopPlace, StopReason
from ti99tools.app.debug.timeline import Ended, Timeline
from ti99tools.app.realtime import Stage
from ti99tools.app.run import RunRequest
from ti99tools.app.run_drives import Mounts, check_saves, mounted, save_disks
from ti99tools.app.source import OutputKind, keep_others, spare
from ti99tools.base.hostio import write_atomically
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import Step, write
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.fronts.debug.commands import TerminalFront, streams
from ti99tools.fronts.debug.sessions import ctrl_c
from ti99tools.fronts.play.playing import window_of
from ti99tools.fronts.play.terminal import Terminal

ENDLESS = 1e9
"""Seconds of machine time that no player reaches: the player decides when to end."""


class PlayFront(TerminalFront):
    """Debugger commands while a game is played; the picture gives way to them."""

    suspended: Callable[[], AbstractContextManager[None]] = nullcontext

    def stopped(self, stop: StopPlace) -> Order:
        """Take commands as `TerminalFront` does, with the picture out of the way."""
        with self.suspended():
            return super().stopped(stop)


@dataclass
class PlayedSession:
    """The target, how it is shown, and everything played so far."""

    recipe: Recipe
    front: PlayFront
    terminal: bool
    turbo: bool
    scale: int
    joystick: bool
    recorded: list[Step] = field(default_factory=list)
    run: DebuggedRun | None = None

    def begin(self, step: Stepper) -> PlayedRun:
        """A new run, which first replays everything."""
        self.run = self.recipe.begin(step)
        return PlayedRun(self, self.run)


class PlayedRun:
    """One run: first the replay, then the player."""

    def __init__(self, session: PlayedSession, run: DebuggedRun) -> None:
        self.console: AnyConsole = run.console
        self._session = session
        self._run = run

    def go(self) -> Ended:
        """Play until the player leaves."""
        session, headless = self._session, self._run.headless
        headless.target.start(self.console)
        for step in session.recorded:
            headless.player.do(step)
        name = Path(headless.target.name).name
        stage = Stage(self.console, name, session.turbo, session.scale)
        stage.pilot.take_over(session.recorded)
        stage.when_paused = session.front.pause
        try:
            self._show(stage)
        finally:
            session.front.suspended = nullcontext
            session.recorded = stage.pilot.finish()
        return Ended(StopReason.OVER, "you have left the game")

    def _show(self, stage: Stage) -> None:
        """Play until the player leaves."""
        session = self._session
        if not session.terminal:
            window_of(stage, session.scale, session.joystick).run()
            return
        terminal = Terminal(stage)
        session.front.suspended = terminal.suspended
        terminal.run()

    def more(self, _keys: str) -> Ended:
        """Ignore keys: the player presses them while playing."""
        return Ended(StopReason.OVER, "")

    def book(self, execution: Execution) -> StatementLines:
        """The statements of the program that runs."""
        return self._run.book(execution)


def debug_play(
    name: str,
    disks: Mounts,
    saves: Mounts,
    record: Path | None,
    *,
    terminal: bool,
    turbo: bool,
    scale: int,
    joystick: bool,
    program: str | None,
    basic: str,
    replace: bool,
) -> None:
    """Play with the debugger: F10 stops the game for its commands. Raises TIError.

    With `replace` the files written may replace any others.
    """
    recipe = Recipe.of(name, RunRequest(program, max_seconds=ENDLESS, disks=disks, basic=basic))
    check_saves(recipe.target, mounted(recipe.target, disks), saves, replace)
    spare(Path(name), record)
    keep_others(record, kind=OutputKind.KEYS, replace=replace)
    source, out = streams()
    front = PlayFront(source, out, recipe.main)
    session = PlayedSession(recipe, front, terminal, turbo, scale, joystick)
    front.timeline = Timeline(session.begin, front)
    with ctrl_c(front):
        front.timeline.run()
    if record is not None:
        head = f"# {recipe.target.name}, recorded by ti99tools play\n"
        write_atomically(record, head + write(session.recorded))
    if session.run is not None:
        save_disks(session.run.headless.images, saves)
