"""Random programs that loop, reach ports, jump, call, and write into their own code."""

from __future__ import annotations

from random import Random

from ti99tools.hardware.cpu import bus as bus_map
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.instructions import INSTRUCTIONS, Format, Instruction
from ti99tools.hardware.cpu.processor import Processor

CODE, DATA, SIZE = 0xA000, 0xC000, 40
RARE = {"XOP", "LREX", "CKON", "CKOF", "IDLE", "RSET", "LWPI", "X", "RTWP", "BLWP", "STST", "LIMI"}
PORTS = (0x8400, 0x8800, 0x8802, 0x8C00, 0x8C02, 0x9000, 0x9400, 0x9800, 0x9802, 0x9C00, 0x9C02)
WORKSPACES = (0x8320, 0x83E0, 0x2600, 0xD001)
HANDLER = 0xB000


class Chatter:
    """A port that gives bytes by a rule, keeps what it gets, and may ask for an interrupt."""

    def __init__(self, processor: Processor) -> None:
        self.processor = processor
        self.seen: list[tuple[int, int, int]] = []

    def read(self, address: int) -> int:
        self.seen.append((self.processor.bus.cycles, address, -1))
        if len(self.seen) % 7 == 0:
            self.processor.request = None
        return len(self.seen) * 37 & 0xFF

    def write(self, address: int, value: int) -> None:
        self.seen.append((self.processor.bus.cycles, address, value))
        if len(self.seen) % 5 == 0:
            self.processor.request = 1


def address(rng: Random) -> int:
    """Where an operand may be: mostly data, sometimes registers, ports, code, anywhere."""
    kind = rng.random()
    if kind < 0.6:
        return DATA + rng.randrange(64)
    if kind < 0.75:
        return rng.choice((0x8300, 0x8000, 0x8100)) + rng.randrange(256)
    if kind < 0.85:
        return rng.choice(PORTS)
    if kind < 0.93:
        return CODE + rng.randrange(4 * SIZE)
    return rng.randrange(0x10000)


def general(rng: Random, more: list[int]) -> int:
    """A general operand; its word is put to the others."""
    mode = rng.choice((0, 0, 1, 2, 3))
    number = rng.randrange(16)
    if mode == 2:
        number = rng.choice((0, 0, number))
        more.append(address(rng) if not number else rng.randrange(-8, 8) & 0xFFFF)
    return mode << 4 | number


def instruction(rng: Random, row: Instruction, at: int) -> list[int]:
    """The words of an instruction."""
    more: list[int] = []
    match row.format:
        case Format.TWO:
            source = general(rng, more)
            return [row.code | general(rng, more) << 6 | source, *more]
        case Format.JUMP:
            target = rng.randrange(-at // 2, SIZE - at // 2)
            return [row.code | max(-100, min(100, target)) & 0xFF]
        case Format.ONE if row.name in ("B", "BL") and rng.random() < 0.8:
            return [row.code | 0x20, CODE + 2 * rng.randrange(SIZE)]
        case Format.IMMEDIATE:
            return [row.code | rng.randrange(16), rng.choice((address(rng), rng.randrange(9)))]
        case Format.WORD:
            chosen = rng.choice(WORKSPACES) if row.name == "LWPI" else rng.randrange(3)
            return [row.code, chosen]
        case Format.REGISTER | Format.CRU | Format.XOP:
            return [row.code | rng.randrange(16) << 6 | general(rng, more), *more]
        case Format.ONE:
            return [row.code | general(rng, more), *more]
    return [row.code | rng.getrandbits(row.format.bits)]


def words(rng: Random) -> list[int]:
    """A program of about `SIZE` instructions that begins again at its end."""
    common = [row for row in INSTRUCTIONS if row.name not in RARE]
    code: list[int] = []
    while len(code) < SIZE:
        row = rng.choice(common if rng.random() < 0.95 else INSTRUCTIONS)
        code += instruction(rng, row, 2 * len(code))
    return [*code, 0x0460, CODE]


def start(processor: Processor, seed: str) -> Chatter:
    """Put a program and everything it needs into a machine."""
    rng, bus = Random(seed), processor.bus
    vector = [0x83C0, HANDLER]
    code = [*words(rng)]
    pieces = {
        0: [0x2600, CODE, *vector],
        0x40: [0x2620, CODE] * 16,
        CODE: code,
        HANDLER: [0x0580 | rng.randrange(4), 0x0380],
    }
    for place, content in pieces.items():
        bus.load(place, b"".join(word.to_bytes(2, "big") for word in content))
    bus.load(DATA, rng.randbytes(64))
    for workspace in WORKSPACES:
        registers = [rng.choice((address(rng), rng.randrange(5))) for _ in range(16)]
        bus.load(workspace & ~1, b"".join(word.to_bytes(2, "big") for word in registers))
    port = Chatter(processor)
    for first in range(bus_map.SOUND, 0xA000, 0x400):
        bus.connect(first, port)
    processor.pc, processor.wp, processor.st = CODE, WORKSPACES[0], rng.randrange(0x10000)
    return port


def snapshot(processor: Processor, bus: Bus) -> tuple[int, ...]:
    """The registers and the clock."""
    pending = -1 if processor.pending is None else processor.pending
    return processor.pc, processor.wp, processor.st, bus.cycles, pending
