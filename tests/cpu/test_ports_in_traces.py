"""Traces that meet ports go on after an access, unless code has changed or an interrupt waits."""

import pytest

from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.bus import VDP_READ, VDP_WRITE, Bus
from ti99tools.hardware.cpu.jit import compiled
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor

COPY = f"""\
       AORG >3000
AGAIN  LI   R1,>2100
       LI   R4,>{VDP_READ:04X}
       LI   R5,>{VDP_WRITE:04X}
       MOVB *R4,*R1+
       MOVB *R4,*R1+
       MOVB *R4,*R1+
       MOVB @>{VDP_READ:04X},*R1+
       MOVB R1,*R5
       MOVB R1,@>{VDP_WRITE:04X}
       INC  R6
       JMP  AGAIN
"""


class Counting:
    """A port whose byte counts the accesses."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def read(self, address: int) -> int:
        self.seen.append(-1)
        return len(self.seen) & 0xFF

    def write(self, address: int, value: int) -> None:
        self.seen.append(value)


def both(source: str) -> tuple[Processor, CompiledProcessor]:
    """A program in both forms, with a port that counts."""
    image = assemble(source).image()
    made = Processor(Bus()), CompiledProcessor(Bus())
    for processor in made:
        port = Counting()
        processor.bus.connect(VDP_READ, port)
        processor.bus.connect(VDP_WRITE, port)
        processor.bus.load(image.address, image.data)
        processor.pc, processor.wp = image.address, 0x8320
    return made


def hold(plain: Processor, quick: CompiledProcessor, until: int) -> None:
    """Run both to a time, and compare them."""
    for processor in (plain, quick):
        processor.run(until)
    assert quick.bus.words == plain.bus.words
    assert (quick.pc, quick.st, quick.bus.cycles) == (plain.pc, plain.st, plain.bus.cycles)


def test_a_loop_that_copies_from_and_to_ports_is_few_traces() -> None:
    plain, quick = both(COPY)
    hold(plain, quick, 200_000)
    assert quick.register(6) > 500
    assert quick.traces < 4, "more begin where the processor was stopped"
    for until in range(205_000, 400_000, 5_003):
        hold(plain, quick, until)


def test_a_loop_that_only_looks_at_a_port_sees_each_of_its_bytes() -> None:
    source = f" AORG >3000\n LI R4,>{VDP_READ:04X}\n LI R2,>F000\nL CB *R4,R2\n JNE L\n INC R6\n"
    plain, quick = both(source + " JMP L\n")
    for until in range(5_000, 400_000, 5_003):
        hold(plain, quick, until)
    assert quick.traces
    assert quick.register(6) > 10


def test_code_after_an_instruction_of_the_interpreter_is_compiled() -> None:
    _, quick = both(" AORG >3000\n LI R2,>0583\nL X R2\n INC R4\n INC R5\n JMP L\n")
    quick.run(100_000)
    assert quick.traces == 1


@pytest.mark.parametrize("operand", ["*R1", "@CODE"])
def test_code_that_a_trace_changes_is_seen_at_once(
    operand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """INC R7 and DEC R7 by turns, just after the word was written."""
    monkeypatch.setattr(compiled, "OFTEN", 2)
    source = f""" AORG >3000
 LI R1,CODE
 LI R2,>0607
L MOV R2,{operand}
CODE INC R7
 XOR R3,R2
 JMP L
"""
    plain, quick = both(source)
    for processor in (plain, quick):
        processor.bus.load(0x8326, b"\x03\x80")  # R3: what INC and DEC differ in
        processor.run(3_000)
    assert quick.bus.words == plain.bus.words
    assert quick.register(7) in (0, 0xFFFF)
