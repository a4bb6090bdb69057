"""One run of a program in the page: a console that works in slices, and its variables.

Between two slices the page draws the picture, plays the sound, and passes keys on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from ti99tools.app.cartridge import PATIENCE
from ti99tools.app.debug.debugging import book_of
from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import Book, FileLine
from ti99tools.app.debug.stops import Breakpoint, Reach
from ti99tools.app.debug.timeline import Halt, Halting
from ti99tools.app.play.realtime import Film, Pilot
from ti99tools.app.run import Headless
from ti99tools.app.target import Target
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.evaluating import shown
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console, RunEnd
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import VDP, Snapshot
from ti99tools.hardware.render.picture import render
from ti99tools.media.disk.image import DiskImage

FRAME_SECONDS = FRAME / CPU_HZ
LONGEST = 600.0
"""The most seconds of machine time in one slice."""


def screen_dots(vdp: VDP) -> bytes:
    """A picture as bytes, colours 0 to 15: 192 lines of 256 dots, then the backdrop."""
    return bytes(render(vdp)) + bytes((vdp.backdrop or 1,))


C = TypeVar("C", Console, CartridgeConsole)


class PageEngine(Generic[C]):
    """A console of any kind controlled by the page. `now` gives seconds of the host."""

    def __init__(
        self,
        console: C,
        halting: Halting | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.console: C = console
        self.halting = halting
        self.waits = False
        """Whether `hurry` has stopped where a key is required, or at the prompt."""
        self._now = now
        self._pilot = Pilot(console)
        self._film: Film | None = None
        self._picture: Snapshot | None = None
        self._drawn: Snapshot | None = None
        self._step = FRAME_SECONDS

    @property
    def stands(self) -> bool:
        """Tell whether the program has stopped before a statement."""
        return self.halting is not None and self.halting.spot is not None

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
        try:
            for _ in range(0 if self.stands else frames):
                frame = film.next(more)
                self._picture = frame.picture
                sounds.append(frame.sound)
        except Halt as halt:
            self._stop(halt)
        return sounds

    def _begin(self) -> Film:
        """Start counting frames and keys, unless that was done."""
        if self._film is None:
            self._film = Film(self.console)
            self._pilot = Pilot(self.console)
        return self._film

    def hurry(self, seconds: float) -> None:
        """Work for `seconds` of the host, or until a key is required; that sets `waits`."""
        if self._film is not None:
            self._film.close()
            self._film = None
        end = self._now() + seconds
        try:
            while not (self.stands or self.waits) and (begun := self._now()) < end:
                self.waits = self._work(self._step)
                taken = self._now() - begun
                slow = taken > seconds / 2
                self._step = min(LONGEST, max(FRAME_SECONDS, self._step * (0.5 if slow else 2)))
        except Halt as halt:
            self._stop(halt)
        self._picture = self.console.machine.picture()

    def _work(self, seconds: float) -> bool:
        """Let at most `seconds` of machine time pass; tell whether a key is required now."""
        raise NotImplementedError

    def _stop(self, halt: Halt) -> None:
        assert self.halting is not None
        self.halting.stand(halt)
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
        """Press a key until the program has seen it, however fast time passes."""
        self.console.machine.keyboard.press(key, anywhere=True)
        self.waits = False

    def joystick(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Move joystick 1 or 2; see `Console.joystick`."""
        self.console.joystick(unit, x, y, fire)


class PageConsole(PageEngine[Console]):
    """A console with Extended BASIC."""

    def _work(self, seconds: float) -> bool:
        return self.console.resume(seconds) is not RunEnd.LIMIT


class PageCartridge(PageEngine[CartridgeConsole]):
    """A console with a cartridge. Its program waits when it has looked for a key long enough."""

    _asked = 0
    """The cycle since which the program has looked for a key in vain."""

    def _work(self, seconds: float) -> bool:
        console = self.console
        limit = console.clock.cycles + int(seconds * CPU_HZ)
        while not console.over and (now := console.clock.cycles) < limit:
            if not console.waiting_line:
                self._asked = now
            elif now - self._asked >= PATIENCE * CPU_HZ:
                return True
            console.wait(1)
        return console.over

    def tap(self, key: str) -> None:
        """As `PageEngine.tap`."""
        super().tap(key)
        self._asked = self.console.clock.cycles


PACES = {"run": Reach.RUN, "step": Reach.STEP, "over": Reach.OVER, "out": Reach.OUT}
MOST_ELEMENTS = 64
"""The most elements of an array that are shown."""


class PageRun:
    """A target on a console (None: a console without a program).

    With `debug` the program can be stopped before each statement.
    """

    def __init__(
        self, target: Target | None, images: Mapping[str, DiskImage], debug: bool = False
    ) -> None:
        self._target = target
        self._book: Book | None = None
        halting = Halting(self._book_for) if debug else None
        basic = "" if target is None else target.basic
        console = Console(images, step=None if halting is None else halting.step, basic=basic)
        if halting is not None:
            halting.console = console
        self.console = console
        self.engine = PageConsole(console, halting)
        self._headless: Headless | None = None
        if target is not None:
            player = ScriptPlayer(console, console.max_seconds)
            self._headless = Headless(target, console, player, dict(images))

    def start(self) -> None:
        """Start the program or the disk; an empty console starts the disk in DSK1."""
        if self._target is None:
            self.console.boot()
        else:
            self._target.start(self.console)

    def _book_for(self, execution: Execution) -> Book:
        """The statements of the running program: the target's, or another one that was loaded."""
        listing, main = execution.listing, self._main
        if main is not None:
            own = main.listing
            if (own.numbers, own.tokens) == (listing.numbers, listing.tokens):
                return main
        return Book(listing, None, "another program", main=False)

    @property
    def _main(self) -> Book | None:
        if self._book is None and self._target is not None:
            self._book = book_of(self._target)
        return self._book

    # -- stops ----------------------------------------------------------------------------

    def break_at(self, rows: Mapping[str, Sequence[int]]) -> None:
        """Set breakpoints before these rows of files, and remove all others."""
        halting = self.engine.halting
        if halting is None:
            return
        points = [Breakpoint(file, row) for file, found in rows.items() for row in found]
        halting.points.breakpoints.clear()
        for file in rows:
            halting.points.replace(file, [point for point in points if point.file == file])
        halting.points.arm(halting.book)

    def go(self, pace: str) -> None:
        """Continue; `pace` is `run`, `step`, `over` or `out`."""
        if self.engine.halting is not None:
            self.engine.halting.go(PACES[pace])

    # -- what there is to see -------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The state that the page shows beside the picture."""
        console, engine = self.console, self.engine
        told: dict[str, Any] = {
            "clock": console.clock.seconds,
            "running": console.running,
            "waits": engine.waits,
        }
        if engine.stands:
            told["stop"] = self._stop()
        elif console.error is not None and not console.running:
            told["error"] = self._error()
        return told

    def _stop(self) -> dict[str, Any]:
        halting = self.engine.halting
        assert halting is not None and halting.book is not None and halting.spot is not None
        place = _place(halting.book.line(halting.spot))
        return {**place, "reason": halting.reason.value, "text": halting.text}

    def _error(self) -> dict[str, Any]:
        """The error that stopped the program: its meaning, and the row of its statement."""
        error = self.console.error
        assert error is not None
        if self._headless is None:
            return {"text": str(error), "line": error.line}
        place = self._headless.error_place()
        told = {"text": self._headless.error_text(), "line": error.line}
        if place is None or place.line is None or not self._is_targets():
            return told
        return {**told, **_place(FileLine(place.file or "", place.line))}

    def _is_targets(self) -> bool:
        """Tell whether the program in memory is the target's own."""
        program, source = self.console.program, self._target and self._target.source
        if program is None or not source:
            return False
        return list(program.lines) == source.lines()

    def variables(self) -> dict[str, Any]:
        """The variables at the present statement, and the stack."""
        halting, execution = self.engine.halting, self.console.execution
        if halting is not None and halting.spot is not None:
            view = View(halting)
            stack = [
                {**_place(level.line), "name": level.name, "number": level.number}
                for level in view.stack
            ]
            values, base = view.variables(), view.base()
        elif execution is not None:
            stack, base = [], execution.compiler.scan.base
            values = self.console.variables.everything()
        else:
            return {"stack": [], "values": []}
        rows = [{"name": n, "value": _shown(v, base)} for n, v in sorted(values.items())]
        return {"stack": stack, "values": rows}


class CompiledRun:
    """A compiled program on a console without Extended BASIC, with the interface of `PageRun`.

    It cannot be stopped before a statement, and its variables have no names.
    """

    def __init__(self, cartridge: bytes) -> None:
        self.console = CartridgeConsole(cartridge)
        self.engine = PageCartridge(self.console)

    def start(self) -> None:
        """Choose the program in the menu."""
        self.console.choose()

    def break_at(self, rows: Mapping[str, Sequence[int]]) -> None:
        """Do nothing: there are no statements to stop before."""

    def go(self, pace: str) -> None:
        """Do nothing: the program never stops before a statement."""

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
        told = "A compiled program has no names of variables: run it in Extended BASIC to see them."
        return {"stack": [], "values": [], "told": told}


def _place(line: FileLine) -> dict[str, Any]:
    return {"file": Path(line.file).name, "row": line.number}


def _shown(value: object, base: int) -> str:
    """A value as text; an array as its elements from subscript `base` on."""
    if not isinstance(value, list):
        return shown(value)
    parts = [_shown(each, base) for each in value[:MOST_ELEMENTS]]
    more = ", …" if len(value) > MOST_ELEMENTS else ""
    return f"({base}) [{', '.join(parts)}{more}]" if base else f"[{', '.join(parts)}{more}]"
