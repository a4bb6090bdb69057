"""Recorded single instructions of the processor, one value each: state, memory, cycles.

`doubt` names places where the recording machine is known to differ from the chip; there the chip's
figure passes as well (`cycles+4`, `cycles-4`), or the range that TI's manual gives (`92-124`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ti99tools.conformance.outcome import Difference
from ti99tools.cpu.bus import Bus
from ti99tools.cpu.processor import Processor

PAGE = 256
"""Words compared at a time."""
REGISTERS = ("pc", "wp", "st")
_MORE = re.compile(r"cycles([+-]\d+)")
_RANGE = re.compile(r"cycles (\d+)-(\d+)")
_REGISTER = re.compile(r"R\+1: TMS9900 adds 2")


def differences(data: dict[str, Any]) -> list[Difference]:
    """Execute the instruction and hold everything that it did against the recording."""
    bus = Bus()
    for address, word in _words(data["mem"]).items():
        bus.load(address, word.to_bytes(2, "big"))
    processor = Processor(bus)
    for name in REGISTERS:
        setattr(processor, name, int(data[name], 16))
    before = list(bus.words)
    processor.step()
    return list(_found(data, processor, _changes(before, bus.words)))


def _changes(before: list[int], after: list[int]) -> dict[int, int]:
    """Address → word, where two memories differ."""
    pages = range(0, len(before), PAGE)
    return {
        2 * index: after[index]
        for page in pages
        if before[page : page + PAGE] != after[page : page + PAGE]
        for index in range(page, page + PAGE)
        if before[index] != after[index]
    }


def _found(
    data: dict[str, Any], processor: Processor, changed: dict[int, int]
) -> Iterator[Difference]:
    after, doubts = data["after"], data.get("doubt", [])
    for name in REGISTERS:
        ours = f"{getattr(processor, name):04X}"
        if ours != after[name]:
            yield _difference(name.upper(), after[name], ours)
    expected = _words(after["changed"])
    if any(_REGISTER.fullmatch(doubt) for doubt in doubts):
        changed = {at: word - (word == expected.get(at, 0) + 1) for at, word in changed.items()}
    if changed != expected:
        yield _difference("memory", _shown(expected), _shown(changed))
    cycles = processor.bus.cycles
    if cycles not in _cycles(data["cycles"], doubts):
        yield _difference("cycles", str(data["cycles"]), str(cycles))


def _cycles(recorded: int, doubts: list[str]) -> set[int]:
    """The cycles that pass."""
    passing = {recorded}
    for doubt in doubts:
        if match := _MORE.fullmatch(doubt):
            passing.add(recorded + int(match[1]))
        elif match := _RANGE.fullmatch(doubt):
            least, most = int(match[1]), int(match[2])
            passing |= set(range(recorded, recorded + most - least + 1))
    return passing


def _words(words: dict[str, str]) -> dict[int, int]:
    return {int(address, 16): int(word, 16) for address, word in words.items()}


def _shown(words: dict[int, int]) -> str:
    return " ".join(f"{at:04X}={word:04X}" for at, word in sorted(words.items())) or "unchanged"


def _difference(where: str, theirs: str, ours: str) -> Difference:
    return Difference(where, (f"real machine  {theirs}", f"ours          {ours}"))
