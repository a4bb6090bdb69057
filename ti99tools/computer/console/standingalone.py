"""A compiled program at work without Extended BASIC: which key it waits for, how it has ended.

It tells of itself: the line that waits for a key, in a word of the scratchpad; its end, by the
prompt in the last row of the screen, with a message above it. Both kinds of consoles look at these:
a cartridge's, and one whose Extended BASIC has loaded such a program and been overwritten by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ti99tools.base.xberrors import IO_ERROR, TEXTS, XBError
from ti99tools.computer.console.anyconsole import LOOK, AnyConsole, RunEnd, StoppingWarning
from ti99tools.computer.console.asking import HOST_WORD, LONG
from ti99tools.computer.console.timekeeper import STILL_SCANS, STILL_SECONDS, Stillness
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import Screen

PATIENCE, LEAST_SCANS = 10.0, 8_000
"""Seconds of machine time for which a program looks for a key before it is taken to wait for one,
and the columns that it scans: a loop with a pace does so once a frame, and may end without a key.
"""
LOUD_SCANS = 60_000
"""The columns while tones come and go: what waits for one looks at the keyboard, too, and a title
with a tune goes on by itself.
"""
_PROMPT = slice(23 * 32 + 1, 23 * 32 + 3)
"""Where `>` and the cursor are when a compiled program has ended."""
_MESSAGE = re.compile(r"\* (.+) IN (\d+)")
_IO_ERROR = re.compile(TEXTS[IO_ERROR] + r" (\d\d)")
_CODES = {text: code for code, text in TEXTS.items()}
_BREAK = "BREAKPOINT"
_WARNING = "WARNING"


def _has_ended(screen: Screen) -> bool:
    """Tell whether the prompt of a compiled program stands in the last row."""
    return screen.codes[_PROMPT] == b">\x1e"


class ReportedQuestions:
    """The `KeyQuestions` of a program of which nothing but its memory is known.

    A compiled program asks where it reports the line that waits, at its prompt, and in whatever it
    has gone on with for `LONG` frames. To another one every look asks.
    """

    def __init__(
        self, machine: Machine, bus: Callable[[], Bus], compiled: Callable[[], bool]
    ) -> None:
        """`bus` leads to its memory, `compiled` tells whether a compiled program is there."""
        self._clock = machine.clock
        self._screen = machine.screen
        self._bus = bus
        self._compiled = compiled
        self._since: int | None = None
        """The cycle of the first look since the last key."""

    @property
    def deaf(self) -> bool:
        """Tell whether the look that begins asks for no key, such as that of a sound that waits."""
        if not self._compiled() or self._bus().word_at(HOST_WORD):
            return False
        waited = self._since is not None and self._clock.cycles - self._since >= LONG * FRAME
        return not waited and not _has_ended(self._screen)

    def asks(self, _half: bool) -> bool:
        """Tell whether the look that begins asks for a key."""
        if self._since is None:
            self._since = self._clock.cycles
        return not self.deaf

    def given(self) -> None:
        """A key was given."""
        self._since = None


class StandingAlone:
    """The program on a console; `gone` tells whether it has left for the title screen."""

    def __init__(
        self, console: AnyConsole, bus: Callable[[], Bus], gone: Callable[[], bool]
    ) -> None:
        self._console = console
        self._bus = bus
        self._gone = gone
        self._looks_since = 0
        """The cycle since which the program has looked for a key in vain."""
        self._scans = -1
        """Columns of the keyboard that had been scanned in vain at the last look; -1: none was."""
        self._stillness = Stillness(console.machine)
        self._seconds = 0
        """The second of machine time of the last look at what is seen and heard."""
        self._still = 0
        """The seconds for which that has not changed."""
        self._tones = 0
        """What the sound chip had been sent at the last look."""
        self._heard_at = 0
        """The cycle at which it was sent something."""

    @property
    def waiting_line(self) -> int:
        """The line that waits for a key; 0: none does."""
        return self._bus().word_at(HOST_WORD)

    @property
    def over(self) -> bool:
        """Tell whether it has ended: its prompt stands in the last row, or it is gone."""
        return self._gone() or _has_ended(self._console.screen)

    @property
    def error(self) -> XBError | None:
        """The error by which it has ended, as its message says."""
        text, line = self._message
        digits = _IO_ERROR.fullmatch(text)
        code = IO_ERROR if digits else _CODES.get(text)
        if code is None:
            return None
        error = XBError(code, io_code=int(digits[1]) if digits else None)
        error.line = line
        return error

    @property
    def stopped_at(self) -> int | None:
        """The line in which CLEAR has stopped it."""
        text, line = self._message
        return line if text == _BREAK else None

    @property
    def stopping_warning(self) -> StoppingWarning | None:
        """The warning that has ended it: after another one `* READY *` comes."""
        head, _, text = self._message[0].partition(" ")
        return StoppingWarning(text.strip(), self._message[1]) if head == _WARNING else None

    @property
    def _message(self) -> tuple[str, int]:
        """The message above the prompt, and its line; empty and 0 if the program runs."""
        if self._gone() or not self.over:
            return "", 0
        rows = [row.strip("\x1f ") for row in self._console.screen.rows[:-1]]
        last = max((at for at, row in enumerate(rows) if row.startswith("* ")), default=0)
        # A long message has its line in the next row.
        match = _MESSAGE.match(" ".join(rows[last : last + 2]))
        return (match[1], int(match[2])) if match else ("", 0)

    def resume(self, limit: int) -> RunEnd:
        """Go on to its end or up to a cycle; returns as `Console.run` does.

        A key is required once it has looked for one for `PATIENCE` seconds, `LEAST_SCANS` times, or
        as `Console.run` tells it of a program that changes nothing, and none is down or queued.
        """
        console = self._console
        console.waits = False
        while not self.over:
            now = console.clock.cycles
            if not self._looks_in_vain():
                self._looks_since, self._still = now, 0
            elif self._patient_enough(now):
                console.waits = True
                return RunEnd.KEYS
            if now >= limit:
                return RunEnd.LIMIT
            console.advance_to(min(now + LOOK * FRAME, limit))
        if self.stopped_at is not None:
            return RunEnd.STOPPED
        return RunEnd.READY if self.error is None else RunEnd.ERROR

    def _looks_in_vain(self) -> bool:
        """Tell whether the program still looks for the key that it looked for before."""
        keyboard = self._console.machine.keyboard
        before, self._scans = self._scans, keyboard.idle_scans
        # A key that has come and gone has set the count to 0.
        same = keyboard.idle_scans >= before >= 0
        return same and self.waiting_line > 0 and keyboard.idle

    def _patient_enough(self, now: int) -> bool:
        """Tell whether the program has looked for a key for long."""
        self._listen(now)
        second = now // CPU_HZ
        if second != self._seconds:
            self._seconds = second
            self._still = self._stillness.look(STILL_SCANS)
        if self._still >= STILL_SECONDS:
            return True
        looked = self._console.machine.keyboard.idle_scans
        since = self._looks_since
        if looked < LOUD_SCANS:
            since = max(since, self._heard_at)
        return looked >= LEAST_SCANS and now - since >= PATIENCE * CPU_HZ

    def _listen(self, now: int) -> None:
        """Note whether the sound chip was sent something since the last look."""
        before, self._tones = self._tones, len(self._console.machine.sound.written)
        if self._tones != before:
            self._heard_at = now

    def take_keys(self, limit: int) -> bool:
        """Work until all keys have been taken; see `Console.take_keys`.

        False also when the program ends without them: its prompt takes no keys but goes back to
        the title screen.
        """
        keyboard = self._console.machine.keyboard
        while not keyboard.rested:
            if self.over or self._console.clock.cycles >= limit:
                return False
            self._console.wait(1)
        return True
