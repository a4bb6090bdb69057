"""The instructions that reach the CRU: single bits, and 1 to 16 bits at a time."""

from __future__ import annotations

from ti99tools.cpu import status
from ti99tools.cpu.core import Core
from ti99tools.cpu.status import LAE, ODD, PARITY

LINES = 0x0FFF
"""Bits there are: 12 address lines."""
STCR_MORE = {8: 2, 16: 18}
"""Cycles that STCR takes more than for fewer than 8 bits, by the count; 9-15 bits take 16."""


def base(core: Core) -> int:
    """The number of the CRU bit that R12 names."""
    return core.register(12) >> 1 & LINES


def displacement(word: int) -> int:
    """How far from the bit that R12 names the bit of a single-bit instruction is."""
    return (word & 0xFF ^ 0x80) - 0x80


def _bit(core: Core, word: int) -> int:
    return (base(core) + displacement(word)) & LINES


def sbo(core: Core, word: int) -> None:
    """Set a bit to one."""
    core.cru.write_bit(_bit(core, word), 1)


def sbz(core: Core, word: int) -> None:
    """Set a bit to zero."""
    core.cru.write_bit(_bit(core, word), 0)


def tb(core: Core, word: int) -> None:
    """Test a bit: EQ is its value."""
    core.set_status(status.EQ, status.EQ if core.cru.read_bit(_bit(core, word)) else 0)


def ldcr(core: Core, word: int) -> None:
    """Send bits of a byte (up to 8) or a word, the lowest first; the whole is compared with 0.

    With count 0 (16 bits) *R+ adds 1 to the register, as recorded; TI's manual says 2.
    """
    field = word >> 6 & 15
    count = field or 16
    core.bus.cycles += 2 * count
    byte = count <= 8
    address = core.operand(word, field <= 8)
    value = core.bus.read_byte(address) if byte else core.bus.read(address)
    first = base(core)
    for place in range(count):
        core.cru.write_bit((first + place) & LINES, value >> place & 1)
    _judge(core, value, byte)


def stcr(core: Core, word: int) -> None:
    """Fetch bits into a byte (up to 8) or a word, the lowest first; the others become 0.

    Count 0 as in LDCR.
    """
    field = word >> 6 & 15
    count = field or 16
    core.bus.cycles += STCR_MORE.get(count, 0 if count < 8 else 16)
    byte = count <= 8
    address = core.operand(word, field <= 8)
    first = base(core)
    value = 0
    for place in range(count):
        value |= core.cru.read_bit((first + place) & LINES) << place
    if byte:
        core.bus.write_byte(address, value)
    else:
        core.bus.write(address, value)
    _judge(core, value, byte)


def _judge(core: Core, value: int, byte: bool) -> None:
    if byte:
        core.set_status(LAE | PARITY, status.against_zero(value << 8) | ODD[value])
    else:
        core.set_status(LAE, status.against_zero(value))
