"""A console that works in slices: some frames, or as much as fits into a part of a second.

Between two slices the page draws the picture, plays the sound, and passes keys on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ti99tools.app.debug.halting import Halt, Halting
from ti99tools.app.play.pilot import Pilot
from ti99tools.app.play.stage import Film
from ti99tools.computer.console.session import Console, RunEnd
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.vdp import VDP, Snapshot
from ti99tools.hardware.render.picture import render

FRAME_SECONDS = FRAME / CPU_HZ
LONGEST = 600.0
"""The most seconds of machine time that the console works at once."""


def screen_dots(vdp: VDP) -> bytes:
    """A picture's colors 0 to 15, 192 lines of 256, and then the backdrop's."""
    return bytes(render(vdp)) + bytes((vdp.backdrop or 1,))


class Engine:
    """A console controlled by a page. `now` gives seconds of the host."""

    def __init__(
        self,
        console: Console,
        halting: Halting | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.console = console
        self.halting = halting
        self.waits = False
        """Tell whether `hurry` has come to where a key is required, or to the prompt."""
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
        """Let so many frames pass; returns the sound chip's registers in each.

        Nobody waits while programs are loaded: those frames are skipped.
        """
        film = self._film
        if film is None:
            film = self._film = Film(self.console)
            self._pilot = Pilot(self.console)

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

    def hurry(self, seconds: float) -> None:
        """Work for so many seconds of the host, or until a key is required: then `waits` is set."""
        if self._film is not None:
            self._film.close()
            self._film = None
        end = self._now() + seconds
        try:
            while not (self.stands or self.waits) and (begun := self._now()) < end:
                self.waits = self.console.resume(self._step) is not RunEnd.LIMIT
                taken = self._now() - begun
                slow = taken > seconds / 2
                self._step = min(LONGEST, max(FRAME_SECONDS, self._step * (0.5 if slow else 2)))
        except Halt as halt:
            self._stop(halt)
        self._picture = self.console.machine.picture()

    def _stop(self, halt: Halt) -> None:
        assert self.halting is not None
        self.halting.stand(halt)
        self._picture = self.console.machine.picture()

    # -- what is seen ---------------------------------------------------------------------

    def dots(self) -> bytes | None:
        """The picture as `screen_dots` gives it; None: as before."""
        picture = self._picture or self.console.machine.picture()
        if picture == self._drawn:
            return None
        self._drawn = picture
        return screen_dots(picture.vdp())

    # -- keys -----------------------------------------------------------------------------

    def down(self, key: str) -> None:
        """A key goes down, at the machine's own speed. Raises ScriptError for an unknown one."""
        self._pilot.down(key)

    def up(self, key: str) -> None:
        """A key goes up."""
        self._pilot.up(key)

    def tap(self, key: str) -> None:
        """A key is pressed until it is seen, however fast time passes."""
        self.console.machine.keyboard.press(key)
        self.waits = False

    def joystick(self, unit: int, x: int, y: int, fire: bool) -> None:
        """Joystick 1 or 2 is moved; see `Console.joystick`."""
        self.console.joystick(unit, x, y, fire)
