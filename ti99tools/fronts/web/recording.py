"""What a console of the page was given from outside, and when: another one can be given the same.

A run depends on nothing but its program, its disks and what is recorded here. So the debugger goes
back by a new run that is given the same; what it takes is this list, and no picture of memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ti99tools.app.debug.halting import Halting
from ti99tools.app.realtime import Playable
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.machine import Machine

SINGLE, MORE = 12, 120
"""Frames before an input that pass one by one, when it comes and when it comes again: for most
keys, and for CLEAR and the end of a record, which show exactly where the program is. For where a
program can stop, within lines that nothing jumps to, depends on the stops before.
"""
STOPPING = ("CLEAR", "QUIT")
"""Keys that stop a program."""


Moment = tuple[int, int]
"""Cycles: what a console was last to reach, and where the clock then stood."""
NEVER_YET = (-1, -1)


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that a console was given.

    `count` is the number of the statement before which the program stood; 0 if it ran, and then
    `cycle` is the moment.
    """

    what: str
    values: tuple[Any, ...]
    cycle: int
    count: int = 0

    @property
    def singly(self) -> int:
        """The frames before it that pass one by one."""
        stops = self.what == "hold" and str(self.values[0]).upper() in STOPPING
        return MORE if stops else SINGLE


class Recording:
    """A console whose inputs are recorded, or repeated: those in `ahead` come by themselves.

    `acts` are the things that can be done to it, by name; `done` has been done to it, up to
    `moment`. A new input takes the place of all that are ahead.
    """

    def __init__(
        self,
        console: Playable,
        acts: Mapping[str, Callable[..., None]],
        halting: Halting | None = None,
        ahead: Iterable[Input] = (),
        done: Iterable[Input] = (),
        moment: Moment = NEVER_YET,
    ) -> None:
        self._console = console
        self._acts: dict[str, Callable[..., None]] = {
            "hold": console.hold,
            "release": console.release,
            "joystick": console.joystick,
            **acts,
        }
        self._halting = halting
        self._done: list[Input] = list(done)
        self._ahead: deque[Input] = deque(ahead)
        self._down: set[str] = set()
        self._moved: set[int] = set()
        self.spoiled = ""
        """Why the inputs do not lead to what the console is now; empty if they do."""
        self._singly = MORE
        """Frames that have passed one by one since time last passed in any other way."""
        self._to, self._stood = moment
        for one in self._done:
            self._follow(one)
        self._expect()

    @property
    def inputs(self) -> list[Input]:
        """All inputs, those ahead included."""
        return [*self._done, *self._ahead]

    @property
    def done(self) -> Sequence[Input]:
        """Those that have come."""
        return tuple(self._done)

    @property
    def moment(self) -> Moment:
        """What the console was last to reach, and where the clock then stood."""
        return self._to, self._stood

    @property
    def is_ahead(self) -> bool:
        """Tell whether inputs are still to come by themselves."""
        return bool(self._ahead)

    # -- the console, as a player sees it -------------------------------------------------

    @property
    def machine(self) -> Machine:
        """The machine that is recorded."""
        return self._console.machine

    @property
    def clock(self) -> Clock:
        """Machine time, in cycles of 3 MHz since power-on."""
        return self._console.clock

    @property
    def loading_cycles(self) -> int:
        """Cycles that loading programs has taken."""
        return self._console.loading_cycles

    def hold(self, key: str) -> None:
        """A key goes down."""
        self.do("hold", key)

    def release(self, key: str) -> None:
        """A key goes up."""
        self.do("release", key)

    def joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """Put a joystick into a position."""
        self.do("joystick", unit, x, y, fire)

    def advance_to(self, cycle: int) -> None:
        """Work until the clock has reached a cycle; what is ahead happens on the way.

        The last frames before an input pass one by one as they did, and only they: there the clock
        may be left up to a frame before the cycle.
        """
        while self._ahead and not self._ahead[0].count:
            one = self._ahead[0]
            begin = one.cycle - one.singly * FRAME
            if begin > cycle:
                break
            passed = 0 if self.now < begin else (self.now - begin) // FRAME + 1
            moment = min(one.cycle, begin + passed * FRAME)
            if moment > cycle:
                return
            self._work_to(moment)
            if moment == one.cycle:
                self._repeat()
        self._work_to(cycle)

    def _work_to(self, cycle: int) -> None:
        self._console.advance_to(cycle)
        self._stood = self.clock.cycles
        self._to = min(cycle, self._stood)
        self._singly += 1

    @property
    def now(self) -> int:
        """The moment that the console was last to reach; the clock may be past it."""
        cycles = self.clock.cycles
        return self._to if cycles == self._stood else cycles

    @property
    def holds(self) -> bool:
        """Tell whether a key is held."""
        return bool(self._down)

    def hurried(self) -> None:
        """Note that time has passed otherwise than frame by frame."""
        self._singly = 0

    def settle(self, frames: int = MORE) -> None:
        """Let at least so many frames pass one by one, if they have not."""
        while self._singly < frames and self._halting is None:
            self._work_to(self.now + FRAME)

    # -- inputs ---------------------------------------------------------------------------

    def do(self, what: str, *values: Any) -> None:
        """Do something now. Raises what the act raises; then nothing is recorded."""
        self._drop_ahead()
        self._do_now(what, *values)

    def note(self, what: str, *values: Any) -> None:
        """Record something that has just been done."""
        self._drop_ahead()
        self._done.append(self._input(what, values))

    def _do_now(self, what: str, *values: Any) -> None:
        self.settle(Input(what, values, 0).singly)
        one = self._input(what, values)
        self._act(one)
        self._done.append(one)

    def let_go(self) -> None:
        """Release whatever is still held: nobody's fingers are on it."""
        for key in sorted(self._down):
            self._do_now("release", key)
        for unit in sorted(self._moved):
            self._do_now("joystick", unit, 0, 0, False)

    def _input(self, what: str, values: tuple[Any, ...]) -> Input:
        count = 0 if self._halting is None else self._halting.standing_at
        return Input(what, values, self.now, count)

    def _act(self, one: Input) -> None:
        self._acts[one.what](*one.values)
        self._follow(one)

    def _follow(self, one: Input) -> None:
        """Note which keys are down, and which joysticks have moved."""
        if one.what == "hold":
            self._down.add(one.values[0])
        elif one.what == "release":
            self._down.discard(one.values[0])
        elif one.what == "joystick":
            self._moved.add(one.values[0])

    def _drop_ahead(self) -> None:
        """Forget what is ahead, and let go of what it would have let go of later."""
        if not self._ahead:
            return
        self._ahead.clear()
        self._expect()
        self.let_go()

    # -- inputs again ---------------------------------------------------------------------

    def arrived(self) -> bool:
        """After a halt: repeat what was done before this statement; tell whether it stays there."""
        halting = self._halting
        assert halting is not None
        here = halting.standing_at
        if halting.wait_at != here:
            return True
        while self._ahead and self._ahead[0].count == here:
            self._repeat()
        return halting.decide()

    def _repeat(self) -> None:
        one = self._ahead.popleft()
        self._act(one)
        self._done.append(one)
        self._expect()

    def _expect(self) -> None:
        """Let the console stop before the statement at which the next input comes."""
        if self._halting is not None:
            self._halting.wait_at = self._ahead[0].count if self._ahead else 0
