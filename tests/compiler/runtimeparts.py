"""Parts of the runtime run alone: assembled, a routine called, its registers looked at."""

from __future__ import annotations

import re
from collections.abc import Callable

from ti99tools.compiler.linking import EQUATES
from ti99tools.compiler.runtimefiles import needed, runtime_source
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.machinecode.addresses import Returned
from ti99tools.hardware.assembler.assembling import Assembled, assemble

WORKSPACE, RUNTIME_WORKSPACE = 0x8320, 0x838C
_CALLER, _BACK = 0xFE00, 0xFF00
_BLWP = 0x0420
_MOST_CYCLES = 2_000_000
_EMPTY = bytes((0xAA, 1, 0, 0)) + bytes(8188)


class _Failed(Exception):
    """A routine has ended with an error."""


class _Skipped(Exception):
    """A routine has returned one word further."""


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
        source += "SCOPES EQU  >3600\nMARKS  EQU  >3700\nMAIN   EQU  >3900\n"
        source += "RAMLO  EQU  >3A00\nRAMHI  EQU  >3A00\nARRLO  EQU  >3A00\nARRHI  EQU  >3A00\n"
        named = {name for part in chosen for name in part.names}
        messages = sorted(name for name in named if re.fullmatch(r"M\d+", name))
        source += "".join(f"{name:<6} EQU  >38{at:02X}\n" for at, name in enumerate(messages))
        source += "STACK  EQU  >3B00\nHEAPLO EQU  >0958\nBEYOND EQU  1\n       AORG >A000\n"
        source += runtime_source(chosen) + "       END\n"
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
        found = {"r10": 0x3C00, "r11": _BACK, **registers}
        return self._run(RUNTIME_WORKSPACE, self.address(label), _BACK, found)

    def enter(self, label: str, *data: int, **registers: int) -> list[int]:
        """BLWP to an entry from the program's workspace, with words of data after the call; its
        registers afterwards.
        """
        for at, word in enumerate((_BLWP, self.address(label), *data)):
            self.bus.load_word(_CALLER + 2 * at, word)
        self.bus.load_word(RUNTIME_WORKSPACE + 20, 0x3C00)
        return self._run(WORKSPACE, _CALLER, _CALLER + 4 + 2 * len(data), registers)

    def skips(self, label: str, **registers: int) -> bool:
        """BL to a routine; tell whether it returns to the second word after the call."""

        def skipped(_: object) -> None:
            raise _Skipped

        self.console.engine.cpu.traps[_BACK + 2] = skipped
        try:
            self.call(label, **registers)
        except _Skipped:
            return True
        return False

    def fails(self, label: str, **registers: int) -> bool:
        """BL to a routine; tell whether it ends with an error."""
        return self._fails(lambda: self.call(label, **registers))

    def ends(self, label: str, *data: int, **registers: int) -> bool:
        """BLWP to an entry; tell whether it ends with an error."""
        return self._fails(lambda: self.enter(label, *data, **registers))

    def _fails(self, work: Callable[[], object]) -> bool:
        def failed(_: object) -> None:
            raise _Failed

        self.console.engine.cpu.traps[self.address("FAILR")] = failed
        try:
            work()
        except _Failed:
            return True
        return False

    def _run(self, workspace: int, start: int, back: int, registers: dict[str, int]) -> list[int]:
        cpu, bus = self.console.engine.cpu, self.bus
        for name, value in registers.items():
            bus.load_word(workspace + 2 * int(name[1:]), value & 0xFFFF)

        def returned(_: object) -> None:
            raise Returned

        cpu.traps[back] = returned
        cpu.wp, cpu.pc, cpu.st = workspace, start, 0
        try:
            cpu.run(bus.cycles + _MOST_CYCLES)
        except Returned:
            return bus.words_at(workspace, 16)
        raise AssertionError("the routine does not return")
