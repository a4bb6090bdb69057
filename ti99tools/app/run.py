"""A target on the headless console: its disks, devices, script, seed and outcome.

Devices are cassettes in the recorders, and host files at PIO and RS232.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from ti99tools.app.consoles import console_for, where_now, with_source
from ti99tools.app.disk_contents import programs_on
from ti99tools.app.failure import Failure
from ti99tools.app.run_drives import Mounts, mounted
from ti99tools.app.source import OutputKind, apart, keep_others, spare
from ti99tools.app.target import Target, find_target
from ti99tools.base.basic import AUTOSTART
from ti99tools.base.decoding import foreign, is_memory_image
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import check_output, read_bytes, read_text, write_atomically
from ti99tools.base.record import Record
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import (
    Asked,
    Rest,
    Snap,
    Step,
    Type,
    Until,
    Wait,
    parse,
    places,
    unescape,
)
from ti99tools.computer.console.player import Reason, ScriptEnd, ScriptPlayer
from ti99tools.computer.console.waiting import whereabouts
from ti99tools.computer.interp.run.signals import OutOfRange, Unplayable
from ti99tools.computer.machinecode.addresses import CodeError
from ti99tools.computer.numbers.radix import Value
from ti99tools.hardware.machine.ports import Port
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.tape.cassette import Cassette, cassette_at


class Wires(Record):
    """What to connect: WAV files as cassettes, files for output, and one for input at RS232.

    With `replace` a recording replaces the contents of a cassette.
    """

    cs1: Path | None = None
    cs2: Path | None = None
    pio: Path | None = None
    rs232: Path | None = None
    rs232_in: Path | None = None
    replace: bool = False

    @property
    def any(self) -> bool:
        """Tell whether there is anything to connect."""
        return self != Wires(replace=self.replace)

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files of the computer that are connected; None where nothing is."""
        return (self.cs1, self.cs2, self.pio, self.rs232, self.rs232_in)

    def connect(self, target: Path | None = None, others: bool = False) -> Connections:
        """Open the files and devices. Raises TIError, also when a file is the target itself.

        `others`: the run writes further files to which `replace` may apply.
        """
        connections = Connections()
        apart(*self.files)
        for name, tape in (("CS1", self.cs1), ("CS2", self.cs2)):
            if tape is not None:
                _check(tape, target)
                connections[name] = cassette_at(name, tape, self.replace)
                connections.files[name] = tape
        # --replace with nothing to replace would silently do nothing.
        if self.replace and not (connections or others or self.pio or self.rs232):
            problem = "no cassette or file that could be replaced"
            raise TIError(problem, remedy="name one")
        for name, file in (("PIO", self.pio), ("RS232", self.rs232)):
            if file is not None:
                _check(file, target)
                keep_others(file, kind=OutputKind.PRINTED, replace=self.replace)
                connections[name] = Port()
                connections.files[name] = file
        if self.rs232_in is not None:
            incoming = read_bytes(self.rs232_in)
            connections["RS232"] = Port(incoming)
        return connections


def _check(file: Path, target: Path | None) -> None:
    check_output(file)
    if target is not None:
        spare(target, file)


class Connections(dict[str, "Cassette | Port"]):
    """Device name → what is connected to it; `files` are the host files that `write` writes."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, Path] = {}

    def write(self) -> None:
        """Write the files: cassettes only if recorded on, the output of ports always."""
        for name, file in self.files.items():
            thing = self[name]
            if isinstance(thing, Port):
                write_atomically(file, bytes(thing.output))
            elif thing.recorded:
                write_atomically(file, thing.sound())


_LOOKS = Until | Asked | Wait | Rest | Snap
"""Steps that end a run when they come last in a script."""


class Ending(Enum):
    """How a run ended."""

    ENDED = "the program ended"
    STOPPED = "a break stopped the program, or a warning under ON WARNING STOP"
    RUNNING = "the run stopped where it was meant to, the program goes on"
    ERROR = "the program stopped with an error"
    WAITING = "the program waits for a key that nobody gives"
    LATE = "the machine time is over"
    LATE_ASKING = "the machine time is over, and the program waits for a key"
    REFUSED = "a step of the script cannot be done"


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and after how many seconds of machine time.

    `line` is the program's line number, `place` where that was written, if known. `text` is the
    text of the error or warning, the one that never appeared on the screen, or a note on a step.
    `step` is the index of the step that was not done, `variables` the values of the variables in
    the statement that failed. `question` is the prompt of a cassette recorder that is waiting,
    `unconnected` the port that an OPEN names and that nothing is connected to.
    """

    ending: Ending
    seconds: float
    text: str = ""
    line: int | None = None
    place: Place | None = None
    step: int | None = None
    variables: Mapping[str, Value] = field(default_factory=dict)
    question: str = ""
    unconnected: str = ""

    @property
    def ok(self) -> bool:
        """Tell whether the run got as far as intended."""
        return self.ending in (Ending.ENDED, Ending.STOPPED, Ending.RUNNING)


def steps_of(script: Path | None, keys: str | None, until: str | None) -> list[Step]:
    """The steps of a script file, then of keys (`\\n` is ENTER), then of a text to wait for."""
    steps: list[Step] = parse(read_text(script), str(script)) if script else []
    if keys is not None:
        steps.append(Type(unescape(keys)))
    if until is not None:
        steps.append(Until(until))
    return steps


def origins_of(script: Path) -> list[str]:
    """The place and text of each step of a script: `p.keys:2: until FOO`."""
    text = read_text(script)
    steps = zip(places(text, str(script)), parse(text, str(script)), strict=True)
    return [f"{place}: {step}" for place, step in steps]


def starts_nothing(target: Target, steps: Sequence[object]) -> Sequence[str] | None:
    """The programs on a target's disk if none starts automatically, nor by a key; else None.

    Steps that only look at the screen, and wait for no text, need no program.
    """
    waits = any(isinstance(step, Until) and step.text for step in steps)
    if steps and not (waits and all(isinstance(step, _LOOKS) for step in steps)):
        return None
    if target.disk is None or AUTOSTART in target.disk:
        return None
    if target.program is not None or target.cartridge is not None:
        return None
    return tuple(programs_on(target.disk))


def without_programs(target: Target, command: str) -> str:
    """What a file is on a disk that has no program, if that is known, and how it starts; or empty.

    `command` is what the target was given to.
    """
    disk = target.disk
    assert disk is not None
    for name in disk.names():
        with suppress(TIError):
            data = disk.read(name).data
            kind = foreign(data)
            if kind is not None:
                starts = f"; ti99tools {command} {target.name} {name} starts it"
                return f"{name} is {kind.what}{starts if is_memory_image(data) else ''}"
    return ""


class RunRequest(Record):
    """How a target is run, and for how long.

    `program` names one on its disk, `disks` are put into the drives, `seed` answers the target's
    question for one, `basic` is the profile of a later Extended BASIC. The run does the steps of
    `script`, types `keys`, and waits for the text `until`. It ends after `max_seconds` of machine
    time at the latest.
    """

    program: str | None = None
    keys: str | None = None
    script: Path | None = None
    until: str | None = None
    max_seconds: float = 600.0
    disks: Mounts = ()
    seed: int | None = None
    basic: str = ""

    def steps(self) -> list[Step]:
        """The steps of script, keys and `until`. Raises TIError for a script with a mistake."""
        return steps_of(self.script, self.keys, self.until)


@dataclass
class Headless:
    """A console with its disks and a target to run."""

    target: Target
    console: AnyConsole
    player: ScriptPlayer
    images: Mapping[str, DiskImage]

    @classmethod
    def of(
        cls,
        name: str,
        request: RunRequest,
        real_drives: bool = False,
        watched: bool = False,
        connections: Connections | None = None,
        randomize: int = 0,
    ) -> Headless:
        """Open the target and the disks; `randomize` is that of `Console`. Raises TIError."""
        target = find_target(name, request.program, request.basic)
        images = mounted(target, request.disks)
        console = console_for(
            target, images, request.max_seconds, connections, real_drives,
            watched=watched, randomize=randomize,
        )  # fmt: skip
        player = ScriptPlayer(console, request.max_seconds, target.answer(request.seed))
        return cls(target, console, player, images)

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Do the steps.

        The run stops after the last one if that waits or looks. Otherwise, and without steps, the
        program goes on to its end.
        """
        try:
            end = self.player.follow(steps)
            # After keys, or without steps, the program goes on to its own end.
            if end.done and not (steps and isinstance(steps[-1], _LOOKS)):
                end = self.player.to_end()
        except (Unplayable, CodeError) as error:
            place = str(self._where(error.line)) if error.line is not None else ""
            end = ScriptEnd(Reason.REFUSED, f"{place}: {error}" if place else str(error))
        except OutOfRange as error:
            if error.line is None:
                raise
            return self._out_of_range(error, error.line)
        return replace(self._outcome(end), step=end.step)

    def _out_of_range(self, error: OutOfRange, line: int) -> Outcome:
        """The end of a run in which a value was outside its RANGE."""
        place = self.target.where(line, error.offset)
        text = f"{error.held}; {error.remedy}"
        return Outcome(Ending.ERROR, self.console.clock.seconds, text, line, place)

    def _outcome(self, end: ScriptEnd) -> Outcome:
        console = self.console
        if console.error is not None or not end.done:
            self.target = with_source(self.target)
        seconds = console.clock.seconds
        if console.error is not None:
            failure = self.failure
            return Outcome(
                Ending.ERROR,
                seconds,
                failure.text(),
                console.error.line,
                failure.place(),
                variables=failure.variables(),
                unconnected=failure.unconnected,
            )
        if end.done:
            if console.running:
                return Outcome(Ending.RUNNING, seconds)
            return self._stop(seconds) or Outcome(Ending.ENDED, seconds)
        if end.reason not in (Reason.LATE, Reason.WAITING):
            return Outcome(Ending.REFUSED, seconds, str(end))
        question = self._asked()
        position = whereabouts(console)
        ending = Ending.WAITING
        if end.reason is Reason.LATE:
            ending = Ending.LATE_ASKING if position and position.asks else Ending.LATE
        text = end.text if ending is Ending.WAITING else ""
        if position is None:
            return Outcome(ending, seconds, text, question=question)
        place = self._where(position.line, position.offset)
        return Outcome(ending, seconds, text, position.line, place, question=question)

    def _stop(self, seconds: float) -> Outcome | None:
        """The outcome of a break or a warning that stopped the program; None if none did."""
        console = self.console
        line, offset, text = console.stopped_at, console.stopped_offset, ""
        if console.stopping_warning is not None:
            text, line, offset = console.stopping_warning
        if line is None:
            return None
        return Outcome(Ending.STOPPED, seconds, text, line, self._where(line, offset))

    def _asked(self) -> str:
        """The prompt of a device: the last row that begins like one; empty if none does."""
        # Without a waiting device, such a row was printed by the program.
        if not self.console.machine.conversations:
            return ""
        rows = (" ".join(row.split()) for row in reversed(self.console.screen.rows))
        return next((row for row in rows if row.startswith("* ")), "")

    @property
    def failure(self) -> Failure:
        """The error that has ended the run."""
        return Failure(self.target, self.console, self.images)

    def _where(self, line: int, offset: int = 0) -> Place:
        return where_now(self.target, self.console, line, offset)


def generated_code(console: AnyConsole) -> Iterable[str]:
    """The generated Python that ran for the program, one text for each of its parts."""
    if console.execution is not None:
        for unit in console.execution.compiler.files.values():
            yield f"# {unit.name}\n{unit.source}"
