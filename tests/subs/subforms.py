"""A SUB in both forms, called with random values; what a call leaves in the scratch pad."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from ti99tools.app.twin_proof import Case, Harness
from ti99tools.computer.console.session import Console
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.games.making.twins import Twins
from ti99tools.language.dialect import generate
from ti99tools.language.dialect.declarations import Twin
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source


@dataclass(frozen=True)
class Proved:
    """A SUB that is compiled, a CALL of it, and what makes the values of a case."""

    name: str
    source: str
    call: str
    before: str
    case: Callable[[Random], dict[str, int | float | str]]
    wanted: tuple[str, ...]

    def cases(self, count: int, seed: int) -> Iterator[Case]:
        """Random cases."""
        dice = Random(seed)
        return (self.case(dice) for _ in range(count))

    def differ(self, folder: Path, count: int, seed: int = 49) -> list[object]:
        """The cases in which the two forms differ."""
        path = folder / f"{self.name}.xb"
        path.write_text(self.source)
        basic = Harness(path, self.before, self.call, native=False)
        native = Harness(path, self.before, self.call, native=True)
        found: list[object] = []
        for case in self.cases(count, seed):
            both = [harness.run(case, self.wanted) for harness in (basic, native)]
            if both[0] != both[1]:
                found.append((case, *both))
        return found


def program_of(source: str) -> Program:
    """The program of a source, with its compiled SUBs."""
    twins = Twins(Path())
    listing = generate(source, "sub.xb", root=Path(), native=twins.entered)
    return with_code(Program.of(Source.of_generated(listing)), twins.code)


def loaded(source: str) -> Console:
    """A console with the program of a source, not begun."""
    console = Console()
    console.load(program_of(source))
    return console


def pads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, bytes]]:
    """The scratch pad before and after each LINK from here on."""
    found: list[tuple[bytes, bytes]] = []
    begun: list[bytes] = []
    start, end = MachineCode._start, MachineCode._end

    def pad(code: MachineCode) -> bytes:
        return code.engine.bus.bytes_at(0x8300, 256)

    def started(code: MachineCode, entry: int, arguments: Sequence[object]) -> None:
        start(code, entry, arguments)  # type: ignore[arg-type]
        begun.append(pad(code))

    def ended(code: MachineCode) -> None:
        if begun:
            found.append((begun.pop(), pad(code)))
        end(code)

    monkeypatch.setattr(MachineCode, "_start", started)
    monkeypatch.setattr(MachineCode, "_end", ended)
    return found


def link_cycles(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The cycles of each LINK from here on: from its first instruction to its return."""
    found: list[int] = []
    begun: list[int] = []
    start, end = MachineCode._start, MachineCode._end

    def started(code: MachineCode, entry: int, arguments: Sequence[object]) -> None:
        start(code, entry, arguments)  # type: ignore[arg-type]
        begun.append(code.engine.machine.clock.cycles)

    def ended(code: MachineCode) -> None:
        if begun:
            found.append(code.engine.machine.clock.cycles - begun.pop())
        end(code)

    monkeypatch.setattr(MachineCode, "_start", started)
    monkeypatch.setattr(MachineCode, "_end", ended)
    return found


def noted_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of machine code that is made from here on, without what enters its names."""
    found: list[int] = []
    entered = Twins.entered

    def noted(twins: Twins, wanted: Sequence[Twin]) -> str:
        text = entered(twins, wanted)
        found.append(twins.compiled_bytes or len(twins.code))
        return text

    monkeypatch.setattr(Twins, "entered", noted)
    return found
