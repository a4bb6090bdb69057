"""Where the real console would spend its time: a run, its time for each line of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.console.computer import BOOT_CYCLES
from ti99tools.console.profiling import profiling
from ti99tools.console.session import Console
from ti99tools.machine.clock import CPU_HZ
from ti99tools.source.listing import list_tokens
from ti99tools.source.numbered import to_text
from ti99tools.tasks.codetimes import CodeRow, code_times, labels_of
from ti99tools.tasks.headless import Headless, Outcome
from ti99tools.trace.keyscript import Step


@dataclass(frozen=True)
class Row:
    """A line: its share of the time (0–1), seconds, how often it ran, its place and text."""

    line: int
    share: float
    seconds: float
    times: int
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class StartUp:
    """Seconds from the start to the first look for a key, or to the end, and of what.

    `console`: Extended BASIC itself, up to DSK1.LOAD; `load`: programs from disk; `prescan`: before
    their first statements; `lines`: their statements.
    """

    console: float
    load: float
    prescan: float
    lines: float

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.console + self.load + self.prescan + self.lines


class StartWatch:
    """Notes the start-up of a console that has not been started yet."""

    def __init__(self, console: Console, from_disk: bool) -> None:
        self._console = console
        self._boot = BOOT_CYCLES if from_disk else 0
        self._begin = console.clock.cycles
        self._found: StartUp | None = None
        console.machine.keyboard.tell_look(self._note)

    def _note(self) -> None:
        workspace = self._console.computer.workspace
        load, prescan = workspace.store.loading_cycles, workspace.scan_cycles
        taken = self._console.clock.cycles - self._begin
        lines = max(0, taken - self._boot - load - prescan)
        self._found = StartUp(*(n / CPU_HZ for n in (self._boot, load, prescan, lines)))

    @property
    def startup(self) -> StartUp:
        """The start-up, up to now if nobody has looked for a key."""
        if self._found is None:
            self._note()
        assert self._found is not None
        return self._found


@dataclass(frozen=True)
class Profile:
    """The start-up, the lines that took most time, and the seconds of the whole run."""

    startup: StartUp
    rows: tuple[Row, ...]
    seconds: float
    outcome: Outcome
    code: tuple[CodeRow, ...] = ()
    """Labels of machine code, the longest first."""


def profile(
    headless: Headless, steps: Sequence[Step], top: int, code: Path | None = None
) -> Profile:
    """Run a target and time its lines; `top` of them are kept, the longest first.

    `code` is a source in assembly language whose labels are told. Raises TIError.
    """
    watch = StartWatch(headless.console, headless.target.program is None)
    headless.target.start(headless.console)
    with profiling(headless.console) as taken, code_times(headless.console) as times_of_code:
        outcome = headless.run(steps)
    total = taken.total or 1
    program = headless.console.program
    tokens = {line.number: line.tokens for line in (program.lines if program else ())}
    rows = (
        Row(
            line=number,
            share=cycles / total,
            seconds=cycles / CPU_HZ,
            times=times,
            place=str(headless.target.where(number)),
            text=to_text(list_tokens(tokens.get(number, b""))),
        )
        for number, cycles, times in taken.by_line()[:top]
    )
    labels = times_of_code.rows(labels_of(headless.console, code))
    return Profile(watch.startup, tuple(rows), total / CPU_HZ, outcome, tuple(labels))
