"""Accesses to ports: their order and the cycles of the instruction, as recorded."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor

CASES = json.loads((Path(__file__).parent / "ports.json").read_text(encoding="utf-8"))
PLACES = {"pad": (0x8340, 0x8300, 0x8380), "high": (0xB000, 0xD000, 0xE000)}
"""Name → where code, workspace and data were."""
WITHOUT = re.compile(r" \(.*?\)")
"""What is said of registers in the text of an instruction."""


class Watched(Bus):
    """A bus that keeps the accesses."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def read(self, address: int) -> int:
        self.seen.append(f"r{address & 0xFFFE:04X}")
        return super().read(address)

    def write(self, address: int, value: int) -> None:
        self.seen.append(f"w{address & 0xFFFE:04X}")
        super().write(address, value)


def prepared(processor: Processor, case: dict[str, Any]) -> int:
    """The machine before the instruction; where it goes on after it."""
    code = PLACES[case["code"]][0]
    _, workspace, data = PLACES[case["workspace"]]
    bus, text = processor.bus, case["op"]
    image = assemble(f" AORG >{code:04X}\n {WITHOUT.sub('', text)}\n").image()
    bus.load(code, image.data)
    registers = {2: data}
    for number, value in re.findall(r"R(\d+)=([0-9A-F]{4})", text):
        registers[int(number)] = int(value, 16)
    for number, value in registers.items():
        bus.load(workspace + 2 * number, value.to_bytes(2, "big"))
    processor.pc, processor.wp = code, workspace
    return code + len(image.data)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['op']} {c['code']}-{c['workspace']}")
def test_an_access(case: dict[str, Any]) -> None:
    bus = Watched()
    processor = Processor(bus)
    prepared(processor, case)
    processor.step()
    assert bus.seen == case["accesses"]
    assert bus.cycles == case["cycles"]


def test_compiled_accesses_take_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ti99tools.hardware.cpu.jit.compiled.OFTEN", 1)
    for case in CASES:
        processor = CompiledProcessor()
        after = prepared(processor, case)
        seen: list[int] = []

        def stop(processor: Processor, seen: list[int] = seen) -> None:
            seen.append(processor.bus.cycles)
            processor.bus.cycles = 10_000

        processor.traps[after] = stop
        processor.run(9_000)
        assert seen == [case["cycles"]] and processor.traces == 1, case
