"""Plays key scripts on our consoles. For those of emulators `games/hosts/driver` writes orders.

A typed or pressed key is given when the program asks for one (`asking`), and kept until it is read,
so that a slow program loses none. Keys that are tapped, held or released as by a person (`tap`,
`hold`, `release`) can be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum

from ti99tools.base.basic import READY
from ti99tools.base.errors import TIError
from ti99tools.base.record import Record
from ti99tools.computer.console.anyconsole import LOOK, AnyConsole
from ti99tools.computer.console.keyscript import (
    AT_REST,
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
)
from ti99tools.computer.console.timekeeper import Stillness
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.keycodes import find_key
from ti99tools.hardware.machine.screen import CURSOR

HASTY = 40
"""Frames between looks at the screen where that saves time; as in the recordings it is `LOOK`."""
PATIENCE = 3000
"""Looks after which a key is given even if the program does not wait for one."""
SLICE = 5.0
"""Seconds of machine time between checks whether anything still happens."""
STUCK = 12
"""Give up after this many slices without a change in which the program looks for a key."""
LOOP, LONGEST_LOOP = 60, 300
"""Frames for which a waiting loop is watched, and the most if no line has looked for a key yet."""


class Reason(Enum):
    """Why a player stopped."""

    DONE = "all steps were done"
    ENDED = "the program ended"
    STOPPED = "a break stopped the program"
    FAILED = "the program stopped"
    WAITING = "the program waits for a key"
    LATE = "the machine time is over"
    REFUSED = "a step cannot be done"


class ScriptEnd(Record):
    """The outcome of a script or a step; `text` is the text waited for, or the message.

    `step` is the index of the script's step that was not done.
    """

    reason: Reason
    text: str = ""
    step: int | None = None

    @property
    def done(self) -> bool:
        """Tell whether everything was done."""
        return self.reason is Reason.DONE

    def __str__(self) -> str:
        """What went wrong; empty if nothing did."""
        match self.reason:
            case Reason.DONE:
                return ""
            case Reason.ENDED | Reason.STOPPED | Reason.WAITING:
                never = f", and never showed {self.text}" if self.text else ""
                return f"{self.reason.value}{never}"
            case Reason.FAILED:
                return f"{self.reason.value}: {self.text}"
            case _:
                return self.text


DONE = ScriptEnd(Reason.DONE)


class ScriptPlayer:
    """Follows a script on a console, for `max_seconds` of machine time since power-on.

    `between_keys` may type something when the screen asks for it (a game's seed): it is called
    whenever the program waits for a key, before a key of the script is given. `look` is the number
    of frames between looks at the screen. A player that is not `patient` releases keys after their
    frames, seen or not, as a person does and as the recorded cases were made; its script begins
    at the cycle `since`: at power-on, when Extended BASIC is chosen.
    """

    def __init__(
        self,
        console: AnyConsole,
        max_seconds: float,
        between_keys: Callable[[AnyConsole], None] | None = None,
        look: int = LOOK,
        patient: bool = True,
        since: int = 0,
    ) -> None:
        self.console = console
        self.max_seconds = max_seconds
        self.screens: dict[str, tuple[str, ...]] = {}
        """The screens of the script's `snap` steps by name, 24 rows each."""
        self.asked_in: list[tuple[int, ...]] = []
        """The lines that waited for a key at each of the script's `until asked` steps."""
        self.when_resting: Callable[[], None] | None = None
        """Called, if set, every few frames while the screen of `until asked` rests."""
        self.when_snapped: Callable[[str], None] | None = None
        """Called, if set, with the name of each screen that is kept."""
        self._between_keys = between_keys
        self._look = look
        self._patient = patient
        self._due = since
        """The cycle at which an impatient player's next step is due."""
        self._seen: tuple[str, ...] = ()
        """The rows of the screen at that moment, if the clock is already past it."""

    def follow(self, steps: Iterable[Step]) -> ScriptEnd:
        """Carry out all steps, or those up to the first that fails.

        No key is given after an uncaught error of the program: the prompt would take it.
        """
        for index, step in enumerate(steps):
            for part in _parts(step):
                try:
                    end = self.do(part)
                # A key or a joystick that does not exist refuses the step; the run reports it.
                except TIError as error:
                    end = ScriptEnd(Reason.REFUSED, str(error))
                over = end.done or end.reason is Reason.ENDED
                # An error ends the program too, but is the more precise reason.
                if over and self.console.error is not None:
                    end = ScriptEnd(Reason.FAILED, str(self.console.error))
                if not end.done:
                    return replace(end, step=index)
        return DONE

    def do(self, step: Step) -> ScriptEnd:
        """Carry out one step; an uncaught error of the program does not matter here."""
        match step:
            case Until(text):
                return self.until(text)
            case Asked():
                return self.until_asked()
            case Rest(frames):
                return self.rest(frames)
            case Type(text):
                return self._press(*(Press(character) for character in text))
            case Press():
                return self._press(step)
            case Wait(frames):
                self._wait(frames)
            case Snap(name):
                self.snap(name)
            case _:
                self._move(step)
        return DONE

    def _move(self, step: Step) -> None:
        """Move keys and joysticks whether or not the program looks at them."""
        match step:
            case Tap(key, hold, gap):
                self._tap(key, hold, gap)
            case Hold(key):
                self.console.hold(key)
            case Release(key):
                self.console.release(key)
            case Joystick(unit, x, y, fire):
                self.console.joystick(unit, x, y, fire)

    def rest(self, frames: int) -> ScriptEnd:
        """Let time pass until the screen has stayed the same for `frames` frames, but for a cursor
        that blinks.
        """
        return self._rest(frames, self._look, None)

    def _rest(self, frames: int, look: int, resting: Callable[[], None] | None) -> ScriptEnd:
        console = self.console
        same, seen = 0, SeenScreen(console.screen.codes)
        while same < frames:
            console.wait(look)
            same = same + look if seen.again(console.screen.codes) else 0
            if resting is not None:
                resting()
            if self._left <= 0:
                return self._late()
        return DONE

    def until_asked(self) -> ScriptEnd:
        """Let time pass until the program waits for a key, and note the lines that look for it."""
        resting = self.when_resting
        end = self._rest(AT_REST, self._look if resting is None else LOOK, resting)
        self.asked_in.append(self._asking() if end.done else ())
        return end

    def _asking(self) -> tuple[int, ...]:
        """The lines that look for keys now; none at the prompt."""
        console = self.console
        keyboard = console.machine.keyboard
        lines: set[int | None] = set()

        def look() -> None:
            lines.add(console.line)
            keyboard.tell_look(look)

        keyboard.tell_look(look)
        # A loop may look at more than one place: watch it for long enough to see all.
        for passed in range(0, LONGEST_LOOP, LOOK):
            if lines and passed >= LOOP:
                break
            console.wait(LOOK)
        keyboard.tell_look(lambda: None)
        return tuple(sorted(line for line in lines if line is not None))

    def until(self, text: str | None, seconds: float | None = None) -> ScriptEnd:
        """Let time pass until a text (None: `* READY *`) appears, at most for `seconds` (None: up
        to `max_seconds`).

        Gives up earlier when nothing happens any more.
        """
        console = self.console
        ready = text is None
        wanted = READY if text is None else text
        limit = self.max_seconds if seconds is None else console.clock.seconds + seconds
        stillness = Stillness(console.machine)
        since = None if self._patient else self._due
        if not ready and any(wanted in row for row in self._seen):
            return DONE
        while console.clock.seconds < limit:
            slice_ = min(SLICE, limit - console.clock.seconds)
            if console.run_until(text, ready, slice_, self._look, since):
                self._due = console.seen_at
                self._seen = ()
                return DONE
            # Nothing runs that could still show it.
            if not console.busy and not console.screen.shows(wanted):
                stopped = console.stopped_at is not None
                return ScriptEnd(Reason.STOPPED if stopped else Reason.ENDED, wanted)
            self._ask()
            if stillness.look() >= STUCK:
                return ScriptEnd(Reason.WAITING, wanted)
        return self._late()

    def to_end(self) -> ScriptEnd:
        """Let the program run to its end; give up when it requires a key that nobody gives."""
        console = self.console
        stillness = Stillness(console.machine)
        while console.running:
            if self._left <= 0:
                return self._late()
            console.resume(seconds=min(SLICE, self._left))
            answered = self._ask()
            if stillness.look() >= STUCK or (console.waits and not answered):
                return ScriptEnd(Reason.WAITING)
        return DONE

    def snap(self, name: str) -> None:
        """Keep the 24 rows of the screen under a name; a second snap of that name replaces them."""
        self.screens[name] = tuple(self.console.screen.rows)
        if self.when_snapped is not None:
            self.when_snapped(name)

    def _press(self, *presses: Press) -> ScriptEnd:
        """Press keys one after the other until all have been taken."""
        console = self.console
        for press in presses:
            if not self._patient:
                self._tap(press.key, press.hold, press.gap)
                continue
            self._settle()
            console.machine.keyboard.press(press.key, press.hold, press.gap)
            # `between_keys` is called when this key has been taken, before the next one is given.
            if self._between_keys is not None and not console.take_keys(self._left):
                return self._untaken(press)
        return DONE if console.take_keys(self._left) else self._untaken(*presses[-1:])

    def _untaken(self, *presses: Press) -> ScriptEnd:
        """The end of a script whose key nobody has taken."""
        if self.console.busy:
            return self._late()
        # A compiled program looks for CLEAR by itself, and its prompt takes no keys.
        if self.console.stopped_at is not None and find_key(presses[-1].key) == find_key("CLEAR"):
            return DONE
        keys = " ".join("ENTER" if press.key == "\n" else press.key for press in presses)
        return ScriptEnd(Reason.REFUSED, f"the program has ended, and nobody takes the key {keys}")

    def _tap(self, key: str, hold: int, gap: int) -> None:
        """Press a key for `hold` frames, seen or not, and let `gap` frames pass without it."""
        self.console.hold(key)
        self._wait(hold)
        self.console.release(key)
        self._wait(gap)

    def _wait(self, frames: int) -> None:
        """Let frames pass, one by one as they did while the script was recorded: where CLEAR stops
        a program depends on these stops. For an impatient player they count from the cycle at
        which the step was due, even if a statement has gone beyond it.
        """
        if self._patient:
            for _ in range(frames):
                self.console.wait(1)
        else:
            self._due += frames * FRAME
            self.console.clock.schedule(self._due, self._look_now)
            self.console.advance_to(self._due)

    def go_on_from_here(self) -> None:
        """Let the next step of an impatient player be due now, if the clock has gone further."""
        self._due = max(self._due, self.console.clock.cycles)

    def _look_now(self) -> None:
        self._seen = tuple(self.console.screen.rows)

    @property
    def _left(self) -> float:
        """Seconds of machine time that are left."""
        return self.max_seconds - self.console.clock.seconds

    def _ask(self) -> bool:
        """Let the answering function look at the screen; tell whether it typed something."""
        before = self.console.clock.cycles
        if self._between_keys is not None:
            self._between_keys(self.console)
        return self.console.clock.cycles != before

    def _settle(self) -> None:
        """If there is an answering function, let time pass until the program waits for a key."""
        console = self.console
        if self._between_keys is None:
            return
        scans = console.machine.keyboard.idle_scans
        for _ in range(PATIENCE):
            if console.machine.keyboard.idle_scans > scans or not console.running:
                break
            console.wait(LOOK)
        self._ask()

    def _late(self) -> ScriptEnd:
        return ScriptEnd(Reason.LATE, f"more than {self.max_seconds:g} seconds of machine time")


class SeenScreen:
    """The screen of the last look, and where a cursor blinks on it."""

    def __init__(self, screen: bytes) -> None:
        self._screen = screen
        self._blinks: tuple[int, int] | None = None
        """Its place, and the character that it covers."""

    def again(self, screen: bytes) -> bool:
        """Tell whether the screen is still the same, but for a cursor known to blink there."""
        if screen == self._screen:
            return True
        before, self._screen = self._screen, screen
        pairs = enumerate(zip(screen, before, strict=True))
        changed = [(at, pair) for at, pair in pairs if pair[0] != pair[1]]
        known, self._blinks = self._blinks, None
        if len(changed) == 1 and CURSOR in changed[0][1]:
            at, pair = changed[0]
            self._blinks = at, pair[0] + pair[1] - CURSOR
        return self._blinks is not None and self._blinks == known


def _parts(step: Step) -> Iterable[Step]:
    """A step key by key."""
    return map(Press, step.text) if isinstance(step, Type) else (step,)
