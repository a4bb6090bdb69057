"""Programs that ran on the recording machine between two addresses, with the cycles they took.

The sources are among those of the assembler's tests. The utilities that they call are traps here,
which take the time that the recording machine's utilities take.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.processor import Processor

START, DONE = 0x3006, 0x3000
RECORDED = {
    "code-prog-sieve": 9_086_672,
    "code-prog-sort": 9_457_808,
    "code-prog-maze": 706_774,
    "code-prog-plasma": 6_097_000,
}
"""Program → cycles from START to DONE on the recording machine."""
VSBW, VMBW, XMLLNK, NUMASG = 0x2020, 0x2024, 0x2018, 0x2008
COSTS: dict[int, Callable[[int], int]] = {
    VSBW: lambda count: 492,
    VMBW: lambda count: 432 + 92 * count,
    XMLLNK: lambda count: 996,
    NUMASG: lambda count: 2174,
}
"""Utility → its cycles, the BLWP with them; `count` is R2."""
BLWP_CYCLES = 50
WORKSPACE, CODE = 0x83A0, 0x0100


@lru_cache
def source(name: str) -> str:
    file = Path(__file__).parents[1] / "assembler" / "recorded.jsonl"
    cases = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return "\n".join(next(case["source"] for case in cases if case["id"] == name))


def utility(vector: int) -> Callable[[Processor], None]:
    """A trap that takes the utility's time and returns, past the word of an XMLLNK."""

    def trap(processor: Processor) -> None:
        wp, pc, st = (processor.register(number) for number in (13, 14, 15))
        count = int.from_bytes(bytes(processor.bus.peek(wp + 4 + half) for half in (0, 1)), "big")
        processor.bus.cycles += COSTS[vector](count) - BLWP_CYCLES
        processor.wp, processor.pc, processor.st = wp, pc + 2 * (vector == XMLLNK), st

    return trap


def loaded(processor: Processor, name: str) -> Processor:
    """Put a program into a machine, at its start."""
    bus = processor.bus
    for address, word in assemble(source(name)).memory().items():
        bus.load(address, word.to_bytes(2, "big"))
    for vector in COSTS:
        entry = CODE + vector - 0x2000
        bus.load(vector, WORKSPACE.to_bytes(2, "big") + entry.to_bytes(2, "big"))
        processor.traps[entry] = utility(vector)
    processor.pc, processor.wp = START, 0x83E0
    return processor


def cycles(processor: Processor, name: str, frame: int = 50_064) -> int:
    """Run a program frame by frame; the cycles until it is done."""
    done: list[int] = []

    def stop(processor: Processor) -> None:
        done.append(processor.bus.cycles)
        processor.bus.cycles += frame

    loaded(processor, name).traps[DONE] = stop
    while not done:
        assert processor.bus.cycles < 2 * RECORDED[name], "the program does not end"
        processor.run(processor.bus.cycles + frame)
    return done[0]
