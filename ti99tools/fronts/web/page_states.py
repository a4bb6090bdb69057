"""Saved states of the play room: a program's disks and the player's keys, played again when loaded.

A state has no picture of the memory: it is what was there at the start, and every key with its
cycle. So it is small, and another version of ti99tools can load it. It compares the screen, the
variables and the disks at the end with those of the state, and tells if they differ.

`StateCalls` are the functions of the bridge about them.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

from ti99tools import __version__
from ti99tools.app.target import Target
from ti99tools.base.errors import TIError
from ti99tools.base.packed import Bounds, unzipped, zipped
from ti99tools.fronts.web.page_disks import PageDisks, ProgramDrives
from ti99tools.fronts.web.page_run import CompiledRun, PageRun, screen_dots
from ti99tools.fronts.web.projects import Projects
from ti99tools.fronts.web.recording import MORE, Input, Recording
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, NEVER
from ti99tools.hardware.machine.drives import DRIVES
from ti99tools.hardware.machine.keycodes import find_key

FORM = 1
"""The form of the archive that `State.packed` writes."""
LARGEST = 4_000_000
"""The most bytes of a saved state."""
_BOUNDS = Bounds(total=16 << 20, entries=250)
_FACTS = "state.json"
_KEYS = "keys.txt"

Disk = tuple[bytes, dict[str, Any] | None]
"""A disk as it was at the start of a run, and its origin: see `PageDisks.origin`."""


@dataclass(frozen=True)
class Start:
    """What a run began with."""

    project: str
    main: str
    files: Mapping[str, str]
    disks: Mapping[str, Disk]

    @classmethod
    def of(cls, project: str, main: str, files: Mapping[str, str], disks: PageDisks) -> Start:
        """The start of a run that begins now."""
        contents = {
            drive: (image.to_bytes(), disks.origin(drive)) for drive, image in disks.images.items()
        }
        return cls(project, main, files, contents)

    def drives(self) -> PageDisks:
        """The disks again, as they were."""
        disks = PageDisks()
        for drive, (data, origin) in self.disks.items():
            disks.restore(drive, origin, data)
        return disks


@dataclass(frozen=True)
class State:
    """A moment of a run, the cycle `end`, and how to come to it.

    `seen` is the digest of what is there then; `version` is that of the ti99tools that saved it.
    """

    start: Start
    inputs: tuple[Input, ...]
    end: int
    seen: str = ""
    version: str = __version__

    @classmethod
    def now(cls, run: PageRun, start: Start) -> State:
        """The state of a run. Raises TIError if the run cannot be played again."""
        recording = run.engine.recording
        recording.settle()
        spoiled = recording.spoiled
        if len(recording.inputs) > MOST:
            spoiled = f"more than {MOST:,} keys were pressed since it was started"
        if spoiled:
            raise TIError(f"this cannot be saved: {spoiled}", remedy="Reset starts it again")
        return cls(start, tuple(recording.inputs), recording.now, digest(run))

    def facts(self) -> dict[str, Any]:
        """What the page shows of it."""
        return {"project": self.start.project, "version": self.version, "end": self.end}

    def packed(self) -> bytes:
        """The state as a ZIP archive. Raises TIError if it is too large."""
        start = self.start
        facts = {
            "form": FORM,
            "version": self.version,
            "project": start.project,
            "main": start.main,
            "end": self.end,
            "seen": self.seen,
            "origins": {drive: origin for drive, (_, origin) in start.disks.items()},
        }
        files = {_FACTS: json.dumps(facts).encode(), _KEYS: write_inputs(self.inputs).encode()}
        files |= {f"files/{name}": text.encode() for name, text in start.files.items()}
        files |= {f"disks/{drive}": image for drive, (image, _) in start.disks.items()}
        data = zipped(files)
        if len(data) > LARGEST:
            problem = f"the state has {len(data):,} bytes, the limit is {LARGEST:,}"
            raise TIError(problem, remedy="take out disks that the program does not use")
        return data

    @classmethod
    def unpacked(cls, data: bytes) -> State:
        """Read what `packed` wrote. Raises TIError for anything else."""
        if len(data) > LARGEST:
            raise _damaged()
        parts = dict(unzipped(data, _BOUNDS))
        try:
            facts = json.loads(parts[_FACTS])
            if facts["form"] != FORM:
                raise TIError(
                    "this state was saved by another version of ti99tools, whose form is not known",
                    remedy=f"load it in version {facts['version']}",
                )
            files = {
                name.removeprefix("files/"): content.decode()
                for name, content in parts.items()
                if name.startswith("files/")
            }
            disks = {
                drive: (parts[f"disks/{drive}"], origin)
                for drive, origin in facts["origins"].items()
                if drive in DRIVES
            }
            start = Start(str(facts["project"]), str(facts["main"]), files, disks)
            end, seen, version = int(facts["end"]), str(facts["seen"]), str(facts["version"])
            inputs = tuple(read_inputs(parts[_KEYS].decode()))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _damaged() from error
        return cls(start, inputs, end, seen, version)


def _damaged() -> TIError:
    return TIError("this is not a saved state, or it is damaged", remedy="take another copy of it")


def digest(run: PageRun) -> str:
    """What is there in a run: picture, variables, and disks."""
    console = run.console
    hasher = sha256(screen_dots(console.machine.picture().vdp()))
    if console.execution is not None:
        hasher.update(repr(sorted(console.variables.everything().items())).encode())
    for drive, image in sorted(console.disks.items()):
        hasher.update(drive.encode() + image.to_bytes())
    return hasher.hexdigest()


MOST = 100_000
"""The most inputs of a state: about ten hours of play."""
LEAP = 5 * CPU_HZ
"""The most cycles that pass between two looks at the host's clock."""


def write_inputs(inputs: Iterable[Input]) -> str:
    """The text of inputs, one a line: its cycle, what it is, and its values."""
    lines = (json.dumps([each.cycle, each.what, *each.values]) for each in inputs)
    return "".join(f"{line}\n" for line in lines)


def read_inputs(text: str) -> list[Input]:
    """Read the text of inputs. Raises TIError for anything else."""
    inputs = [_input(line) for line in text.splitlines()]
    if len(inputs) > MOST or any(one.cycle > other.cycle for one, other in pairwise(inputs)):
        raise _damaged()
    return inputs


def _input(line: str) -> Input:
    cycle, what, *values = json.loads(line)
    if type(cycle) is not int or not 0 <= cycle < NEVER:
        raise _damaged()
    if what in ("hold", "release", "press"):
        (key,) = values
        find_key(str(key))
    elif what != "joystick" or not _is_joystick(*values):
        raise _damaged()
    return Input(what, tuple(values), cycle)


def _is_joystick(unit: object, x: object, y: object, fire: object) -> bool:
    ways = (-4, 0, 4)
    return unit in (1, 2) and x in ways and y in ways and fire in (False, True)


class Replay:
    """A run, just started, that is given the inputs of another up to the moment `end`."""

    def __init__(self, recording: Recording, inputs: Iterable[Input], end: int) -> None:
        self._recording = recording
        self._begun = recording.clock.cycles
        self._end = max(end, self._begun)
        self._ahead = deque(each for each in inputs if each.cycle <= self._end)

    @property
    def share(self) -> float:
        """The share of the time that has passed, less than 1 before the end."""
        done = self._recording.clock.cycles - self._begun
        return min(0.99, done / max(1, self._end - self._begun))

    def work(self, seconds: float, now: Callable[[], float]) -> bool:
        """Work for about `seconds` of the host's clock `now`; tell whether the end is reached."""
        until = now() + seconds
        while self._ahead:
            one = self._ahead[0]
            if not self._come_to(one.cycle, one.singly, lambda: now() >= until):
                return False
            self._recording.do(one.what, *one.values)
            self._ahead.popleft()
        return self._come_to(self._end, MORE, lambda: now() >= until)

    def _come_to(self, cycle: int, frames: int, over: Callable[[], bool]) -> bool:
        """Let time pass up to a moment, the last `frames` one by one; tell whether that was done
        before the time was `over`.
        """
        recording, clock = self._recording, self._recording.clock
        # How often a key that is held repeats in a line depends on the stops, too.
        singly = cycle - frames * FRAME if not recording.holds else clock.cycles
        while clock.cycles < singly:
            if over():
                return False
            recording.advance_to(min(singly, clock.cycles + LEAP))
        for left in reversed(range(max(1, -((clock.cycles - cycle) // FRAME)))):
            if clock.cycles < cycle - left * FRAME or not left:
                recording.advance_to(cycle - left * FRAME)
        return True


@dataclass
class Return:
    """A state that is being played again, beside the run that is on the screen."""

    state: State
    disks: PageDisks
    run: PageRun
    now: Callable[[], float] = time.perf_counter
    replay: Replay = field(init=False)

    def __post_init__(self) -> None:
        self.run.start()
        self.replay = Replay(self.run.engine.recording, self.state.inputs, self.state.end)

    @classmethod
    def to(
        cls, state: State, target: Target, now: Callable[[], float] = time.perf_counter
    ) -> Return:
        """Begin to play a state of a target."""
        disks = state.start.drives()
        return cls(state, disks, PageRun(target, disks.images), now)

    def work(self, seconds: float, owned: PageDisks) -> dict[str, Any]:
        """Go on for `seconds` of the host: the `share` that is done, and whether all is (`done`).

        At the end `same` tells whether everything is as it was when the state was saved, and `lost`
        which files the program's present drives, `owned`, have from play and would lose.
        """
        if not self.replay.work(seconds, self.now):
            return {"done": False, "share": self.replay.share}
        same = self.state.seen in ("", digest(self.run))
        lost = [asdict(each) for each in owned.lost_for(self.disks)]
        return {"done": True, "share": 1.0, "same": same, "lost": lost, **self.state.facts()}

    def take(self) -> PageRun:
        """The run from here on, with no key down."""
        self.run.engine.recording.let_go()
        return self.run


Answer = Any
"""A JSON value, or a pair of one and bytes."""


class StateCalls:
    """What a bridge knows of the run on its console, and of a state that is being loaded."""

    _projects: Projects
    _disks: ProgramDrives
    _owner: str
    """The program whose disks are in the drives of the console."""
    _run: PageRun | CompiledRun | None
    _start: Start | None
    """What the run began with, if it can be played again."""
    _return: Return | None

    def on_state_save(self) -> Answer:
        """The present moment of what runs: its facts, and its bytes for `on_state_load`."""
        state = self._state()
        return state.facts(), state.packed()

    def on_state_load(self, blob: bytes) -> Answer:
        """Begin to play a state again; `on_return_work` does it, what runs goes on meanwhile."""
        state = State.unpacked(blob)
        start = state.start
        self._projects.put(start.project, start.files)
        self._return = Return.to(state, self._projects.target(start.project, start.main))
        return {**state.facts(), "files": start.files}

    def on_rewind(self, seconds: float) -> Answer:
        """Begin to play what runs again, up to some seconds of machine time before now."""
        run, state = self._present, self._state()
        assert isinstance(run, PageRun)
        assert run.target is not None
        end = max(0, state.end - round(seconds * CPU_HZ))
        self._return = Return.to(replace(state, end=end, seen=""), run.target)

    def _state(self) -> State:
        """The state of what runs. Raises TIError if there is none."""
        run = self._present
        if self._start is None or not isinstance(run, PageRun):
            raise TIError(
                "only what runs in Extended BASIC, without debugger, can be saved",
                remedy="start it with Run or Play",
            )
        return State.now(run, self._start)

    def on_return_work(self, seconds: float) -> Answer:
        """Go on playing again: see `Return.work`."""
        back = self._returning
        return back.work(seconds, self._disks[back.state.start.project])

    def on_return_take(self) -> Answer:
        """Put what was played again in the place of what runs, its disks into the drives."""
        back, self._return = self._returning, None
        owner = back.state.start.project
        self._disks[owner].take_over(back.disks)
        self._run, self._owner, self._start = back.take(), owner, back.state.start
        return self._run.state()

    def on_return_drop(self) -> Answer:
        """Leave what runs as it is."""
        self._return = None

    @property
    def _returning(self) -> Return:
        if self._return is None:
            raise TIError("no state is being loaded", remedy="load one first")
        return self._return

    @property
    def _present(self) -> PageRun | CompiledRun:
        if self._run is None:
            raise TIError("nothing runs", remedy="run a program first")
        return self._run
