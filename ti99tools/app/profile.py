"""Where the real console would spend its time, by line and in machine code.

Machine code is measured by calls of LINK, and in cycles from each label to the next.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.app.consoles import started, with_source
from ti99tools.app.run import Ending, Headless, Outcome
from ti99tools.app.target import Target
from ti99tools.base.cycles.code import MENU_CYCLES
from ti99tools.base.cycles.console import BOOT_CYCLES
from ti99tools.base.errors import TIError
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.asking import shown_memory
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.following import following
from ti99tools.computer.console.keyscript import Step
from ti99tools.computer.console.player import SeenScreen
from ti99tools.computer.console.profiling import Profile, profiling
from ti99tools.computer.console.session import Console
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.machinecode import names
from ti99tools.computer.machinecode.utilities import LinkArgument
from ti99tools.hardware.assembler.assembling import assemble_file
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.listing.listing import Line, list_tokens
from ti99tools.language.listing.numbered import to_text
from ti99tools.language.program.program import Program

UTILITIES = "utilities of Extended BASIC"
ELSEWHERE = "code without a label"


@dataclass(frozen=True, slots=True)
class CodeRow:
    """A label: its address, how often LINK called it, seconds spent from it to the next label."""

    label: str
    address: int
    calls: int
    seconds: float


@dataclass
class CodeTimes:
    """Cycles of machine code by address, and calls of LINK by address."""

    cycles: Counter[int] = field(default_factory=Counter)
    calls: Counter[int] = field(default_factory=Counter)

    def rows(self, labels: Mapping[str, int]) -> list[CodeRow]:
        """The labels that took time: first those that LINK called, then the others; longest first.

        `labels`: name → address.
        """
        ordered = sorted(labels.items(), key=lambda item: item[1])
        starts = [address for _, address in ordered]
        spent: Counter[tuple[str, int]] = Counter()
        for address, cycles in self.cycles.items():
            if not cycles:
                continue
            at = bisect_right(starts, address) - 1
            if addresses.UTILITY_CODE <= address < addresses.FREE_AFTER_INIT:
                spent[UTILITIES, addresses.UTILITY_CODE] += cycles
            else:
                spent[ordered[at] if at >= 0 else (ELSEWHERE, 0)] += cycles
        rows = [
            CodeRow(name, address, self.calls[address], cycles / CPU_HZ)
            for (name, address), cycles in spent.most_common()
        ]
        return sorted(rows, key=lambda row: not row.calls)


@contextmanager
def code_times(console: Console) -> Iterator[CodeTimes]:
    """Count the time of machine code that runs in the body of the `with` statement.

    The code is executed instruction by instruction, which takes longer on the host.
    """
    code = console.computer.workspace.runtime.code
    times = CodeTimes()
    begin = code.started

    def started(entry: int, arguments: list[LinkArgument]) -> None:
        times.calls[entry & 0xFFFE] += 1
        cpu, bus = code.engine.cpu, code.engine.bus

        def run(until: int) -> None:
            while bus.cycles < until:
                at, before = cpu.pc, bus.cycles
                try:
                    cpu.step()
                finally:
                    times.cycles[at] += bus.cycles - before

        code.engine.execute = run
        begin(entry, arguments)

    code.started = started
    try:
        yield times
    finally:
        code.started = begin
        if code.in_use:
            code.engine.execute = code.engine.cpu.run


def labels_of(console: AnyConsole, source: Path | None = None) -> dict[str, int]:
    """The names in LINK's table, and the labels of a source that has at least one of them.

    Raises TIError for a source that cannot be assembled.
    """
    memory = console.machine.memory
    labels: dict[str, int] = {}
    if memory.in_use and memory.initialized:
        for name, address in names(memory, addresses.NAMES_END):
            labels.setdefault(name.decode("latin-1").rstrip(), address)
    if source is None:
        return labels
    code = assemble_file(source, library_folder())
    there = next((name for name in code.definitions if name in labels), None)
    if there is None:
        return labels
    base = labels[there] - code.address_of(there)
    offsets = {name: value for name, value in code.symbols.items() if value.bases}
    return labels | {name: (value.number + base) & 0xFFFF for name, value in offsets.items()}


@dataclass(frozen=True)
class ProfileRow:
    """A line: its share of the time (0–1), its seconds, how often it ran, its place and text."""

    line: int
    share: float
    seconds: float
    times: int
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class StartUp:
    """Seconds of machine time from the start to the first look for a key, or to the end.

    `console`: Extended BASIC itself, up to DSK1.LOAD; `load`: loading programs; `prescan`: their
    pre-scans; `lines`: their statements. Of a `cartridge`, `console` is its loader.
    """

    cartridge: bool
    console: float
    load: float
    prescan: float
    lines: float

    @property
    def seconds(self) -> float:
        """Those of all four together."""
        return self.console + self.load + self.prescan + self.lines


class StartWatch:
    """Notes the start-up of a console that has not been started yet.

    `before`: cycles that the console itself takes before it loads a program.
    """

    def __init__(self, console: AnyConsole, before: int) -> None:
        self._console = console
        self._boot = before
        self._begin = console.clock.cycles
        self._found: StartUp | None = None

    def note(self, cycle: int | None = None) -> None:
        """Take the first look for a key, of which the caller tells, as the end of the start-up.

        `cycle` is that of another end; None: now.
        """
        if self._found is None:
            self._note(self._console.clock.cycles if cycle is None else cycle)

    def _note(self, end: int) -> None:
        console = self._console
        prescan = console.computer.workspace.scan_cycles if isinstance(console, Console) else 0
        load = console.loading_cycles - prescan
        elapsed = end - self._begin
        lines = max(0, elapsed - self._boot - load - prescan)
        parts = (n / CPU_HZ for n in (self._boot, load, prescan, lines))
        self._found = StartUp(not isinstance(console, Console), *parts)

    @property
    def startup(self) -> StartUp:
        """The start-up, or the time so far if the program has not looked for a key."""
        self.note()
        assert self._found is not None
        return self._found


class WaitWatch:
    """Watches looks for a key: calls `mark` at the first of those that find nothing new.

    `looked` is called at each. What the screen shows makes them new, but for a cursor that blinks,
    and keys that were given.
    """

    def __init__(self, console: AnyConsole, looked: Callable[[], None]) -> None:
        self._console = console
        self._looked = looked
        self._screen = SeenScreen(console.screen.codes)
        self._rest: object = None
        self.mark: Callable[[], None] | None = None
        self._listen()

    def _listen(self) -> None:
        self._console.machine.keyboard.tell_look(self._look)

    def _look(self) -> None:
        self._looked()
        if self.mark is not None:
            self._console.machine.sync()
            vdp = self._console.machine.vdp
            codes = self._console.screen.codes
            rest = shown_memory(vdp.ram)[len(codes) :], bytes(vdp.registers)
            same = self._screen.again(codes)
            if not same or rest != self._rest:
                self._rest = rest
                self.mark()
        self._listen()


_WAITS = (Ending.WAITING, Ending.LATE_ASKING)


@dataclass(frozen=True)
class ProfileReport:
    """The start-up, the lines that took most time, and the whole run's seconds of machine time.

    `waited`: seconds at the end in which the program only waited for a key; they count nowhere.
    """

    startup: StartUp
    rows: tuple[ProfileRow, ...]
    seconds: float
    outcome: Outcome
    code: tuple[CodeRow, ...] = ()
    """Labels of machine code, longest time first."""
    waited: float = 0.0

    @property
    def complete(self) -> bool:
        """Tell whether the run got as far as it could with the keys that it had."""
        waits = self.outcome.ending in _WAITS and not self.outcome.text
        return self.outcome.ok or (waits and self.outcome.step is None)


_NO_LINES = "only what it compiles has a table of lines"


def _before_loading(target: Target) -> int:
    """The cycles of the console itself."""
    if target.cartridge is not None:
        return MENU_CYCLES
    return BOOT_CYCLES if target.program is None else 0


def _lines(program: Program | None, target: Target) -> Iterable[Line]:
    """The lines of the program that ran, as far as they are known."""
    if program is not None:
        return program.lines
    return target.source.lines() if target.source is not None else ()


@contextmanager
def _timing(console: AnyConsole) -> Iterator[tuple[Profile, CodeTimes]]:
    """Time the lines, and the machine code that they LINK."""
    if isinstance(console, CartridgeConsole):
        with following(console.engine) as whole:
            yield whole, CodeTimes()
    else:
        assert isinstance(console, Console)
        with profiling(console) as whole, code_times(console) as times_of_code:
            yield whole, times_of_code


def profile(
    headless: Headless, steps: Sequence[Step], top: int, code: Path | None = None
) -> ProfileReport:
    """Run a target and time its lines; `top` of them are kept, longest first.

    `code` is an assembly source whose labels are reported. Raises TIError.
    """
    console = headless.console
    target = headless.target = with_source(headless.target)
    watch = StartWatch(console, _before_loading(target))
    target.start(console)
    looks = WaitWatch(console, lambda: watch.note() if console.running else None)
    with _timing(console) as (whole, times_of_code):
        looks.mark = whole.mark
        outcome = headless.run(steps)
    watch.note(whole.left)
    if target.cartridge is None and console.engine is not None and console.engine.alone:
        problem = (
            f"{target.name}: a compiled program that a disk starts is not profiled by its lines"
        )
        raise TIError(problem, remedy="profile its cartridge, which does the same")
    if not whole.total and target.cartridge is not None:
        raise TIError(f"{target.name}: no program of ti99tools compile ran", remedy=_NO_LINES)
    counted = whole.before if whole.before and outcome.ending in _WAITS else whole
    total = counted.total or 1
    tokens = {line.number: line.tokens for line in _lines(console.program, target)}
    other = started(target, console)
    rows = (
        ProfileRow(
            line=number,
            share=cycles / total,
            seconds=cycles / CPU_HZ,
            times=times,
            place=other or str(target.where(number)),
            text=to_text(list_tokens(tokens.get(number, b""))),
        )
        for number, cycles, times in counted.by_line()[:top]
    )
    labels = times_of_code.rows(labels_of(console, code))
    waited = (whole.total - counted.total) / CPU_HZ
    rest = tuple(rows), total / CPU_HZ, outcome, tuple(labels), waited
    return ProfileReport(watch.startup, *rest)
