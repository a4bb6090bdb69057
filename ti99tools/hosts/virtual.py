"""Our console as a host: no ROMs, hundreds of times faster than the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ti99tools.base.errors import TIError
from ti99tools.console.session import Console
from ti99tools.console.stillness import Stillness
from ti99tools.hosts.disklog import with_files
from ti99tools.hosts.host import Job, Played
from ti99tools.trace.keyscript import (
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Type,
    Until,
    Wait,
)

READY = "* READY *"
WAITS = "the program waits for a key"
"""How a session begins what it says when the keys have run out."""
FRAMES_A_SECOND, AFTER_READY = 60, 30
LOOK, HASTY = 4, 40
"""Frames between looks at the screen: as the recordings were made, and to save time."""
PATIENCE = 3000
"""Looks until a key is given all the same."""
SLICE = 5.0
"""Seconds of machine time between looks whether anything still happens."""
STUCK = 12
"""Slices in which all stays the same, a key being looked for, until we give up."""


class Virtual:
    """See `Host`."""

    name = "virtual"

    def missing(self) -> str:
        """Nothing ever is."""
        return ""

    def play(self, job: Job) -> Played:
        """Boot the disk and follow the steps; the log is read even if the game never closed it."""
        image = with_files(job.disk, job.files)
        console = Console({"DSK1": image}, max_seconds=job.max_seconds, watched=True)
        session = Session(console, job.max_seconds, look=HASTY)
        console.boot()
        problem = session.follow(job.steps)
        session.snap("final")
        console.close_files()
        records = image.read(job.log).records if job.log in image else None
        seconds = console.clock.seconds
        return Played(records, session.screens, seconds, problem, console.reached)


class Session:
    """A console following a script.

    `asked` may type something when the screen asks for it (a game's seed): it is called whenever
    the program waits for a key, before a key of the script is given. `look` is the number of
    frames between looks at keyboard and screen.
    """

    def __init__(
        self,
        console: Console,
        max_seconds: float,
        asked: Callable[[Console], None] | None = None,
        look: int = LOOK,
    ) -> None:
        self.console = console
        self.max_seconds = max_seconds
        self.screens: dict[str, tuple[str, ...]] = {}
        self.when_snapped: Callable[[str], None] | None = None
        """Called, if set, with the name of each screen that is remembered."""
        self._asked = asked
        self._look = look

    def follow(self, steps: Iterable[Step]) -> str:
        """Do all steps; what went wrong, or an empty text."""
        for step in steps:
            try:
                problem = self.do(step)
            except TIError as error:
                problem = str(error)
            if not problem and self.console.error is not None:
                problem = f"the program stopped: {self.console.error}"
            if problem:
                return problem
        return ""

    def do(self, step: Step) -> str:
        """Do one step; what went wrong, or an empty text."""
        console = self.console
        match step:
            case Until(text):
                return self.until(text)
            case Type(text):
                for character in text if self._asked else (text,):
                    self.settle()
                    console.machine.keyboard.type(character)
                    if not self.drain():
                        return self.late()
            case Press(key, hold, gap):
                self.settle()
                console.machine.keyboard.press(key, hold, gap)
                if not self.drain():
                    return self.late()
            case Hold(key):
                console.machine.keyboard.key_down(key)
            case Release(key):
                console.machine.keyboard.let_go(key)
            case Joystick(unit, x, y, fire):
                console.machine.keyboard.set_joystick(unit, x, y, fire)
            case Wait(frames):
                console.wait(frames)
            case Rest(frames):
                return self.rest(frames)
            case Snap(name):
                self.snap(name)
        return ""

    def rest(self, frames: int) -> str:
        """Let time pass until the screen has stayed the same for so many frames."""
        console = self.console
        same, screen = 0, console.screen.codes
        while same < frames:
            console.wait(self._look)
            same = same + self._look if console.screen.codes == screen else 0
            screen = console.screen.codes
            if console.clock.seconds >= self.max_seconds:
                return self.late()
        return ""

    def until(self, text: str | None) -> str:
        """Let time pass until a text is there; gives up when nothing happens any more."""
        console = self.console
        wanted = READY if text is None else text
        watch = Watch(console)
        while console.clock.seconds < self.max_seconds:
            if self.shows(wanted):
                console.wait(AFTER_READY if text is None else 0)
                return ""
            if not console.running:
                return f"the program ended, and never showed {wanted}"
            self.ask()
            if watch.stuck():
                return f"{WAITS}, and never showed {wanted}"
        return self.late()

    def shows(self, text: str) -> bool:
        """Let a slice of time pass, or less when `text` comes to stand in a row of the screen."""
        for _ in range(round(SLICE * FRAMES_A_SECOND / self._look)):
            if self.console.screen.shows(text):
                return True
            self.console.wait(self._look)
        return False

    def drain(self) -> bool:
        """Let time pass until all keys have been taken; False when that takes too long."""
        console = self.console
        if self._look == HASTY:
            return console.take_keys(self.max_seconds - console.clock.seconds)
        while not console.machine.keyboard.rested:
            console.wait(self._look)
            if console.clock.seconds >= self.max_seconds:
                return False
        return True

    def to_end(self) -> str:
        """Let the program go to its end; gives up when it wants a key that nobody gives."""
        console = self.console
        watch = Watch(console)
        while console.running:
            if console.clock.seconds >= self.max_seconds:
                return self.late()
            left = self.max_seconds - console.clock.seconds
            console.resume(seconds=min(SLICE, left))
            asked = self.ask()
            if watch.stuck() or (console.waits and not asked):
                return WAITS
        return ""

    def ask(self) -> bool:
        """Let who answers look at the screen; whether something was typed."""
        before = self.console.clock.cycles
        if self._asked is not None:
            self._asked(self.console)
        return self.console.clock.cycles != before

    def settle(self) -> None:
        """When somebody wants to answer: let time pass until the program waits for a key."""
        console = self.console
        if self._asked is None:
            return
        scans = console.machine.keyboard.idle_scans
        for _ in range(PATIENCE):
            if console.machine.keyboard.idle_scans > scans or not console.running:
                break
            console.wait(LOOK)
        self.ask()

    def late(self) -> str:
        """The remark for a session that took too long."""
        return f"more than {self.max_seconds:g} seconds of machine time"

    def snap(self, name: str) -> None:
        """Remember the screen."""
        self.screens[name] = tuple(self.console.screen.rows)
        if self.when_snapped is not None:
            self.when_snapped(name)


class Watch:
    """Notices when a program only looks for a key: nothing is seen or heard, and scans go on."""

    def __init__(self, console: Console) -> None:
        self._stillness = Stillness(console.machine)
        self._unchanged = 0

    def stuck(self) -> bool:
        """Whether that has been so for `STUCK` slices of time, this being called after each."""
        self._unchanged = self._unchanged + 1 if self._stillness.look() else 0
        return self._unchanged >= STUCK


def host() -> Virtual:
    """The host."""
    return Virtual()
