"""Where the time of machine code goes: calls of LINK, and cycles by label."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.assembler.assembling import assemble_file
from ti99tools.console.session import Console
from ti99tools.machine.clock import CPU_HZ
from ti99tools.machinecode import places
from ti99tools.machinecode.arguments import Argument
from ti99tools.machinecode.objectfile import names

UTILITIES = "utilities of Extended BASIC"
ELSEWHERE = "code without a label"


@dataclass(frozen=True, slots=True)
class CodeRow:
    """A label: its address, how often it was called by LINK, seconds spent from it to the next."""

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
        """The labels that took time: those that LINK called, then the others, the longest first.

        `labels` are names and addresses.
        """
        ordered = sorted(labels.items(), key=lambda item: item[1])
        starts = [address for _, address in ordered]
        spent: Counter[tuple[str, int]] = Counter()
        for address, cycles in self.cycles.items():
            if not cycles:
                continue
            at = bisect_right(starts, address) - 1
            if places.UTILITY_CODE <= address < places.FREE_AFTER_INIT:
                spent[UTILITIES, places.UTILITY_CODE] += cycles
            else:
                spent[ordered[at] if at >= 0 else (ELSEWHERE, 0)] += cycles
        rows = [
            CodeRow(name, address, self.calls[address], cycles / CPU_HZ)
            for (name, address), cycles in spent.most_common()
        ]
        return sorted(rows, key=lambda row: not row.calls)


@contextmanager
def code_times(console: Console) -> Iterator[CodeTimes]:
    """Count what machine code takes that runs in the body of the `with` statement.

    It is executed instruction by instruction, so that all takes longer on the host.
    """
    code = console.computer.workspace.runtime.code
    found = CodeTimes()
    begin = code.started

    def started(entry: int, arguments: list[Argument]) -> None:
        found.calls[entry & 0xFFFE] += 1
        cpu, bus = code.engine.cpu, code.engine.bus

        def run(until: int) -> None:
            while bus.cycles < until:
                at, before = cpu.pc, bus.cycles
                try:
                    cpu.step()
                finally:
                    found.cycles[at] += bus.cycles - before

        code.engine.execute = run
        begin(entry, arguments)

    code.started = started
    try:
        yield found
    finally:
        code.started = begin
        if code.in_use:
            code.engine.execute = code.engine.cpu.run


def labels_of(console: Console, source: Path | None = None) -> dict[str, int]:
    """The names in LINK's table, and the labels of a source of which one name is there.

    Raises TIError for a source that cannot be assembled.
    """
    memory = console.machine.memory
    found: dict[str, int] = {}
    if memory.in_use and memory.initialized:
        for name, address in names(memory, places.NAMES_END):
            found.setdefault(name.decode("latin-1").rstrip(), address)
    if source is None:
        return found
    code = assemble_file(source)
    there = next((name for name in code.definitions if name in found), None)
    if there is None:
        return found
    base = found[there] - code.address_of(there)
    offsets = {name: value for name, value in code.symbols.items() if value.bases}
    return found | {name: (value.number + base) & 0xFFFF for name, value in offsets.items()}
