"""One run of a program in the page: a console that works in slices, and its variables.

Between two slices the page draws the picture, plays the sound, and passes keys on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from ti99tools.app.debug.debugging import book_of
from ti99tools.app.debug.halting import Halt, Halting
from ti99tools.app.debug.sources import FileLine, StatementLines
from ti99tools.app.realtime import TAP, Film, Pilot
from ti99tools.app.run import Headless
from ti99tools.app.target import Target
from ti99tools.computer.console.anyconsole import AnyConsole, RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.fronts.web.page_debug import PageDebugger, RunCopy, place_of, rows_of
from ti99tools.fronts.web.recording import MORE, NEVER_YET, STOPPING, Input, Moment, Recording
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, FRAME_SECONDS
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import VDP, Snapshot
from ti99tools.hardware.render.picture import render
from ti99tools.media.disk.image import DiskImage

LONGEST = 600.0
"""The most seconds of machine time in one slice."""


def screen_dots(vdp: VDP) -> bytes:
    """A picture as bytes, colours 0 to 15: 192 lines of 256 dots, then the backdrop."""
    return bytes(render(vdp)) + bytes((vdp.backdrop or 1,))


class PageEngine:
    """A console of any kind controlled by the page. `now` gives seconds of the host."""

    def __init__(
        self,
        console: AnyConsole,
        halting: Halting | None = None,
        now: Callable[[], float] = time.perf_counter,
        acts: Mapping[str, Callable[..., None]] | None = None,
        ahead: Iterable[Input] = (),
        done: Iterable[Input] = (),
        moment: Moment = NEVER_YET,
    ) -> None:
        """`acts`, `ahead`, `done` and `moment`: see `Recording`."""
        self.console = console
        self.halting = halting
        press = partial(console.machine.keyboard.press, anywhere=True)
        self.recording = Recording(
            console, {"press": press, **(acts or {})}, halting, ahead, done, moment
        )
        self.when_rested: Callable[[], None] = lambda: None
        """Called after each slice."""
        self.waits = False
        """Whether `hurry` has stopped where a key is required, or at the prompt."""
        self._now = now
        self._pilot = Pilot(self.recording)
        self._film: Film | None = None
        self._picture: Snapshot | None = None
        self._drawn: Snapshot | None = None
        self._step = FRAME_SECONDS

    @property
    def stands(self) -> bool:
        """Tell whether the program has stopped before a statement."""
        return self.halting is not None and self.halting.stop is not None

    # -- time passes ----------------------------------------------------------------------

    def play(self, frames: int) -> list[Registers]:
        """Let `frames` frames pass; returns the sound chip's registers in each.

        Frames in which a program is loaded are skipped.
        """
        film = self._begin()

        def more() -> None:
            before = self.console.loading_cycles
            self._pilot.step()
            film.skip((self.console.loading_cycles - before) // FRAME)

        sounds = []
        for _ in range(frames):
            if self.stands:
                break
            try:
                frame = film.next(more)
            except Halt as halt:
                self._stop(halt)
                continue
            self._picture = frame.picture
            sounds.append(frame.sound)
        self.when_rested()
        return sounds

    def unnoticed(self) -> AbstractContextManager[None]:
        """While the body runs, nobody counts the console's frames, so that it can be copied."""
        return nullcontext() if self._film is None else self._film.unnoticed()

    def _begin(self) -> Film:
        """Start counting frames and keys, unless that was done."""
        if self._film is None:
            self._film = Film(self.console)
            self._pilot = Pilot(self.recording)
        return self._film

    def hurry(self, seconds: float) -> None:
        """Work for `seconds` of the host, or until a key is required; that sets `waits`."""
        if self._film is not None:
            self._film.close()
            self._film = None
            # From here on no frames are counted in which keys could go up.
            self._pilot.finish()
        self.recording.hurried()
        end = self._now() + seconds
        while not (self.stands or self.waits) and (begun := self._now()) < end:
            try:
                self.waits = self._work(self._step)
            except Halt as halt:
                self._stop(halt)
            self._pace(self._now() - begun > seconds / 2)
        self.when_rested()
        self._picture = self.console.machine.picture()

    def _pace(self, slow: bool) -> None:
        """Work for less time at once if that was `slow`, else for more."""
        self._step = min(LONGEST, max(FRAME_SECONDS, self._step * (0.5 if slow else 2)))

    def _work(self, seconds: float) -> bool:
        """Let at most `seconds` of machine time pass; tell whether a key is required now."""
        if self.recording.is_ahead:
            self.recording.advance_to(self.console.clock.cycles + int(seconds * CPU_HZ))
            return False
        return self.console.resume(seconds) is not RunEnd.LIMIT

    def retrace(self, seconds: float, end: int) -> bool:
        """Work for `seconds` of the host, up to a cycle; tell whether it was reached, or a stop."""
        over = self._now() + seconds
        halting, clock = self.halting, self.console.clock
        assert halting is not None
        while not (halting.again or self.stands) and (begun := self._now()) < over:
            if clock.cycles >= end:
                return True
            try:
                self.recording.advance_to(min(end, clock.cycles + int(self._step * CPU_HZ)))
            except Halt as halt:
                self._stop(halt)
            self._pace(self._now() - begun > seconds / 4)
        self.when_rested()
        return halting.again or self.stands

    def _stop(self, halt: Halt) -> None:
        assert self.halting is not None
        self.halting.stand(halt)
        if self.recording.arrived():
            self._picture = self.console.machine.picture()

    # -- what is seen ---------------------------------------------------------------------

    def dots(self) -> bytes | None:
        """The picture in the form of `screen_dots`; None if it has not changed."""
        picture = self._picture or self.console.machine.picture()
        if picture == self._drawn:
            return None
        self._drawn = picture
        return screen_dots(picture.vdp())

    # -- keys -----------------------------------------------------------------------------

    def down(self, key: str) -> None:
        """A key goes down, at the machine's own speed. Raises ScriptError for an unknown one."""
        self._begin()
        self._pilot.down(key)

    def up(self, key: str) -> None:
        """A key goes up."""
        self._pilot.up(key)

    def tap(self, key: str) -> None:
        """Press a key until the program has seen it, however fast time passes.

        Keys that stop a program are noticed at once. Raises ScriptError for an unknown key.
        """
        recording = self.recording
        if key.upper() in STOPPING and not self.stands:
            self._pass(MORE if self.halting is not None else 0)
            recording.hold(key)
            self._pass(TAP)
            recording.release(key)
        else:
            recording.do("press", key)
        self.waits = False

    def _pass(self, frames: int) -> None:
        """Let frames pass one by one, or fewer if the program stops before a statement."""
        for _ in range(frames):
            if self.stands:
                return
            try:
                self.recording.advance_to(self.recording.now + FRAME)
            except Halt as halt:
                self._stop(halt)

    def joystick(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Move joystick 1 or 2; see `Console.joystick`."""
        self.recording.joystick(unit, x, y, fire)


class PageRun:
    """A target on a console (None: a console without a program).

    With `debug` the program can be stopped before each statement; `at_start`: it stops before the
    first one.
    """

    def __init__(
        self,
        target: Target | None,
        images: Mapping[str, DiskImage],
        debug: bool = False,
        at_start: bool = False,
    ) -> None:
        self.target = target
        self._book: StatementLines | None = None
        self.debugger = PageDebugger(self, at_start) if debug else None
        self._kept = {drive: image.to_bytes() for drive, image in images.items() if debug}
        self._switch_on(images)

    def _switch_on(self, images: Mapping[str, DiskImage], ahead: Iterable[Input] = ()) -> None:
        """Take a new console, to be given the inputs `ahead` when their time comes."""
        halting = None if self.debugger is None else self.debugger.halting
        basic = "" if self.target is None else self.target.basic
        console = Console(images, step=None if halting is None else halting.step, basic=basic)
        if halting is not None:
            halting.begin(console)
        self._take(console, ahead)

    def _take(
        self,
        console: Console,
        ahead: Iterable[Input] = (),
        done: Iterable[Input] = (),
        moment: Moment = NEVER_YET,
    ) -> None:
        """Take a console to which `done` has been done, up to `moment`."""
        self.console = console
        halting = None if self.debugger is None else self.debugger.halting
        acts: dict[str, Callable[..., None]] = {"disk": self._insert}
        if self.debugger is not None:
            acts["set"] = self.debugger.assign
        self.engine = PageEngine(console, halting, acts=acts, ahead=ahead, done=done, moment=moment)
        if self.debugger is not None:
            self.engine.when_rested = self.debugger.rest
        self._headless: Headless | None = None
        if self.target is not None:
            player = ScriptPlayer(console, console.max_seconds)
            self._headless = Headless(self.target, console, player, console.disks)

    def start(self) -> None:
        """Start the program or the disk; an empty console starts the disk in DSK1."""
        if self.target is None:
            self.console.boot()
        else:
            self.target.start(self.console)

    def renew(self, at: RunCopy | None = None) -> None:
        """Begin again at power-on, or at a copy of the console, and give it the same."""
        if at is not None:
            self._go_on_at(at)
            return
        images = {drive: DiskImage.from_bytes(data) for drive, data in self._kept.items()}
        self._switch_on(images, self.engine.recording.inputs)
        self.start()

    def _go_on_at(self, at: RunCopy) -> None:
        assert self.debugger is not None
        assert isinstance(at.console, Console)
        halting, ahead = self.debugger.halting, self.engine.recording.inputs[len(at.inputs) :]
        halting.begin(at.console, at.position)
        self._take(at.console, ahead, at.inputs, at.moment)

    def mounted(self, drive: str, image: DiskImage) -> None:
        """Put a disk into a drive, now and when the run is done again."""
        self.console.machine.drives.mount(drive, image)
        self.changed(drive, image)

    def changed(self, drive: str, image: DiskImage) -> None:
        """Note what is on a disk that was changed from outside."""
        if drive not in self.console.disks:
            return
        if self.debugger is None:
            self.engine.recording.spoiled = f"the disk in {drive} was changed while it ran"
        else:
            self.engine.recording.note("disk", drive, image.to_bytes())

    def _insert(self, drive: str, data: bytes) -> None:
        self.console.machine.drives.mount(drive, DiskImage.from_bytes(data))

    def book_for(self, execution: Execution) -> StatementLines:
        """The statements of the running program: the target's, or another one that was loaded."""
        listing, main = execution.listing, self.main
        if main is not None:
            own = main.listing
            if (own.numbers, own.tokens) == (listing.numbers, listing.tokens):
                return main
        return StatementLines(listing, None, "another program", main=False)

    @property
    def main(self) -> StatementLines | None:
        """The statements of the target's program."""
        if self._book is None and self.target is not None:
            self._book = book_of(self.target)
        return self._book

    # -- what there is to see -------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The state that the page shows beside the picture."""
        console, engine = self.console, self.engine
        state: dict[str, Any] = {
            "clock": console.clock.seconds,
            "running": console.running,
            "waits": engine.waits,
            "debug": self.debugger is not None,
        }
        if self.debugger is not None and engine.stands:
            state["stop"] = self.debugger.stop()
        elif console.error is not None and not console.running:
            state["error"] = self._error()
        return state

    def _error(self) -> dict[str, Any]:
        """The error that stopped the program: its meaning, and the row of its statement."""
        error = self.console.error
        assert error is not None
        if self._headless is None:
            return {"text": str(error), "line": error.line}
        place = self._headless.failure.place()
        description = {"text": self._headless.failure.text(), "line": error.line}
        if place is None or place.line is None or not self._is_targets():
            return description
        return {**description, **place_of(FileLine(place.file or "", place.line))}

    def _is_targets(self) -> bool:
        """Tell whether the program in memory is the target's own."""
        program, source = self.console.program, self.target and self.target.source
        if program is None or not source:
            return False
        return list(program.lines) == source.lines()

    def variables(self) -> dict[str, Any]:
        """The variables at the present statement, the stack, and what is watched."""
        if self.debugger is not None and self.debugger.shows:
            return self.debugger.variables()
        execution, groups = self.console.execution, dict[str, Any](stack=[], values=[])
        if execution is not None:
            base = execution.compiler.scan.base
            groups["values"] = rows_of(self.console.variables.everything(), base)
        if self.debugger is not None:
            groups["watches"] = self.debugger.watches()
        return groups


class CompiledRun:
    """A compiled program on a console without Extended BASIC, with the interface of `PageRun`.

    It cannot be stopped before a statement, and its variables have no names.
    """

    def __init__(self, cartridge: bytes, images: Mapping[str, DiskImage]) -> None:
        """`images`: drive → the disk in it, which the program changes."""
        self.console = CartridgeConsole(cartridge, disks=images)
        self.engine = PageEngine(self.console)

    def start(self) -> None:
        """Choose the program in the menu."""
        self.console.choose()

    debugger = None

    def mounted(self, drive: str, image: DiskImage) -> None:
        """Put a disk into a drive."""
        self.console.machine.drives.mount(drive, image)

    def changed(self, drive: str, image: DiskImage) -> None:
        """Do nothing: the console has this very disk."""

    def state(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        console = self.console
        return {
            "clock": console.clock.seconds,
            "running": not console.over,
            "waits": self.engine.waits,
        }

    def variables(self) -> dict[str, Any]:
        """No variables, and the reason."""
        reason = (
            "A compiled program has no names of variables: run it in Extended BASIC to see them."
        )
        return {"stack": [], "values": [], "told": reason}
