"""Random code and workspaces anywhere: in ROM, on ports and cards, at the ends of memory, over each
other; with traps in its middle, CRU devices, and memory that somebody else changes as it runs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.cpu.randomcode import Chatter
from ti99tools.hardware.cpu import bus as bus_map
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.core import Core
from ti99tools.hardware.cpu.instructions import BY_NAME, INSTRUCTIONS, Format, Instruction
from ti99tools.hardware.cpu.processor import Processor

RAM = (0x2000, 0x2600, 0x3FE0, 0x8300, 0x83A0, 0xA000, 0xFFC0, 0x8100, 0x80F0)
ANYWHERE = (*RAM, 0x0000, 0x4000, 0x7FF0, 0x9800, 0x9FF0, 0xFFFE)
HANDLERS = (0xB000, 0x8360, 0x3000)
PORTS = (0x8400, 0x8401, 0x8800, 0x8802, 0x8C00, 0x8C02, 0x9000, 0x9400, 0x9800, 0x9C02)
EDGES = (0x8000, 0x7FFF, 0xFFFF, 0x8001, 1, 0x0100, 0xFF00, 0x80, 0x7F)
RARE = {"XOP", "LREX", "CKON", "CKOF", "IDLE", "RSET", "RTWP", "BLWP", "X", "LIMI"}
COMMON = [row for row in INSTRUCTIONS if row.name not in RARE]
XOP_VECTORS = range(0x40, 0x80, 4)


class Lines:
    """CRU bits that answer by a rule, and all that was sent to them."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int]] = []

    def read_bit(self, number: int) -> int:
        return (number * 7 >> 2 ^ len(self.sent)) & 1

    def write_bit(self, number: int, value: int) -> None:
        self.sent.append((number, value))


class Machine:
    """A machine made from a seed: the same for both forms of the processor."""

    def __init__(self, seed: int, form: type[Processor]) -> None:
        rng = Random(seed)
        self.lines, self.hits = Lines(), list[int]()
        self.processor = form(Bus(expansion=rng.random() < 0.9), self.lines)
        self.code, self.data = rng.choice(RAM), rng.choice(ANYWHERE)
        self.workspaces = [
            (rng.choice(ANYWHERE) + rng.choice((0, 0, 1, 6))) & 0xFFFF for _ in range(3)
        ]
        self.port = Chatter(self.processor)
        for first in range(bus_map.SOUND, 0xA000, 0x400):
            self.processor.bus.connect(first, self.port)
        self._fill(rng)
        code = self._words(rng)
        self._put(self.code, code)
        if rng.random() < 0.4:
            place = self.code + 2 * rng.randrange(1, len(code))
            self.processor.traps[place & 0xFFFF] = self._trap
        cpu = self.processor
        cpu.pc, cpu.wp, cpu.st = self.code, self.workspaces[0] & 0xFFFE, rng.getrandbits(16)

    def _put(self, address: int, words: Sequence[int]) -> None:
        data = b"".join((word & 0xFFFF).to_bytes(2, "big") for word in words)
        self.processor.bus.load(address & 0xFFFE, data)

    def _fill(self, rng: Random) -> None:
        """Registers, data, vectors."""
        handler = rng.choice(HANDLERS)
        for workspace in self.workspaces:
            self._put(workspace, [self._value(rng) for _ in range(17)])
        self.processor.bus.load(self.data, rng.randbytes(70))
        self._put(0, [self.workspaces[0], self.code, rng.choice(self.workspaces), handler])
        for vector in XOP_VECTORS:
            self._put(vector, [rng.choice(self.workspaces), rng.choice((self.code, handler))])
        self._put(handler, [BY_NAME["INC"].code | rng.randrange(16), BY_NAME["RTWP"].code])

    def _value(self, rng: Random) -> int:
        near = (self.data + rng.randrange(-8, 60), self.code + rng.randrange(120))
        pools = (range(20), near, EDGES, PORTS, (rng.getrandbits(16),))
        return rng.choice(rng.choice(pools)) & 0xFFFF

    def _words(self, rng: Random) -> list[int]:
        words: list[int] = []
        size = rng.choice((8, 30, 80))
        while len(words) < size:
            row = rng.choice(COMMON if rng.random() < 0.94 else INSTRUCTIONS)
            words += self._instruction(rng, row, len(words) + 8)
        return [*words, BY_NAME["B"].code | 0x20, self.code]

    def _instruction(self, rng: Random, row: Instruction, size: int) -> list[int]:
        word = row.code | rng.getrandbits(row.format.bits)
        if row.format is Format.JUMP:
            return [row.code | rng.choice((-1, 1)) * rng.randrange(1, 14) & 0xFF]
        if row.name in ("B", "BL") and rng.random() < 0.7:
            return [row.code | 0x20, self.code + 2 * rng.randrange(size)]
        if row.name == "LWPI":
            return [word, rng.choice(self.workspaces)]
        return [word, *(self._value(rng) for _ in range(rng.choice((0, 1, 1, 2))))]

    def _trap(self, core: Core) -> None:
        self.hits.append(core.bus.cycles)
        core.bus.cycles += 10
        core.pc = self.code if len(self.hits) % 3 else (core.pc + 2) & 0xFFFE

    @property
    def state(self) -> tuple[object, ...]:
        """All that can be seen of the machine."""
        cpu = self.processor
        registers = (cpu.pc, cpu.wp, cpu.st, cpu.bus.cycles, cpu.pending, cpu.request)
        return registers, cpu.bus.words, self.port.seen, self.hits, self.lines.sent
