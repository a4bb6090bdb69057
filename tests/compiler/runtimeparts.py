"""Parts of the runtime run alone: assembled, a routine called, its registers looked at."""

from __future__ import annotations

from ti99tools.compiler.linking import EQUATES, needed
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.machinecode.addresses import Returned
from ti99tools.hardware.assembler.assembling import Assembled, assemble

RUNTIME_WORKSPACE = 0x838C
_MOST_CYCLES = 2_000_000
_EMPTY = bytes((0xAA, 1, 0, 0)) + bytes(8188)


class Part:
    """The parts that define some labels, in a console's memory."""

    def __init__(self, *labels: str) -> None:
        source, at = EQUATES, 0x2000
        chosen = needed(set(labels))
        for part in chosen:
            for label, size in part.memory:
                source += f"{label:<6} EQU  >{at:04X}\n"
                at += int(size)
        source += "RTBEG  EQU  >FFFF\nTXTBUF EQU  >3000\nTSECND EQU  >3500\nLINES  EQU  >3600\n"
        source += "SCOPES EQU  >3600\nMARKS  EQU  >3700\nM10    EQU  >3800\nM54    EQU  >3800\n"
        source += "M79    EQU  >3800\nM39    EQU  >3800\nM74    EQU  >3800\nMAIN   EQU  >3900\n"
        source += "RAMLO  EQU  >3A00\nRAMHI  EQU  >3A00\nARRLO  EQU  >3A00\nARRHI  EQU  >3A00\n"
        source += "STACK  EQU  >3B00\n       AORG >A000\n"
        source += "".join("\n".join(part.code) + "\n" for part in chosen) + "       END\n"
        self.assembled: Assembled = assemble(source)
        self.console = CartridgeConsole(_EMPTY)
        self.bus = self.console.engine.bus
        image = self.assembled.image()
        self.bus.load(image.address, image.data)

    def address(self, label: str) -> int:
        """Where a label is."""
        return self.assembled.address_of(label)

    def call(self, label: str, **registers: int) -> list[int]:
        """BL to a routine in the runtime's workspace; the registers afterwards."""
        cpu, bus = self.console.engine.cpu, self.bus
        back = 0xFF00
        for name, value in {"r10": 0x3C00, "r11": back, **registers}.items():
            bus.load_word(RUNTIME_WORKSPACE + 2 * int(name[1:]), value & 0xFFFF)

        def returned(_: object) -> None:
            raise Returned

        cpu.traps[back] = returned
        cpu.wp, cpu.pc, cpu.st = RUNTIME_WORKSPACE, self.address(label), 0
        try:
            cpu.run(bus.cycles + _MOST_CYCLES)
        except Returned:
            return bus.words_at(RUNTIME_WORKSPACE, 16)
        raise AssertionError(f"{label} does not return")
