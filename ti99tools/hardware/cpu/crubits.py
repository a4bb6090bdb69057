"""Instructions for the CRU: single bits, or 1 to 16 bits at a time."""

from __future__ import annotations

from ti99tools.hardware.cpu.core import EQ, LAE, LINES, ODD, PARITY, Core, against_zero, general

_STCR_MORE = {8: 2, 16: 18}


def stcr_more(count: int) -> int:
    """Additional cycles of STCR for a number of bits: 0 below 8 bits, 16 for 9-15 bits."""
    return _STCR_MORE.get(count, 0 if count < 8 else 16)


def base(core: Core) -> int:
    """The number of the CRU bit that R12 selects."""
    return core.register(12) >> 1 & LINES


def displacement(word: int) -> int:
    """The distance of a single-bit instruction's bit from the one that R12 selects."""
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
    core.set_status(EQ, EQ if core.cru.read_bit(_bit(core, word)) else 0)


def ldcr(core: Core, word: int) -> None:
    """Send bits of a byte (up to 8) or a word, the lowest first; the whole operand is compared with
    0.

    With count 0 (16 bits) *R+ adds 1 to the register, as recorded; TI's manual says 2.
    """
    field = word >> 6 & 15
    count = field or 16
    core.bus.cycles += 2 * count
    byte = count <= 8
    address = general(word & 0x3F, field <= 8)(core)
    value = core.bus.read_byte(address) if byte else core.bus.read(address)
    core.send(base(core), count, value)
    _judge(core, value, byte)


def stcr(core: Core, word: int) -> None:
    """Fetch bits into a byte (up to 8) or a word, the lowest first; the others become 0.

    Count 0 as in LDCR.
    """
    field = word >> 6 & 15
    count = field or 16
    core.bus.cycles += stcr_more(count)
    byte = count <= 8
    address = general(word & 0x3F, field <= 8)(core)
    value = core.receive(base(core), count)
    if byte:
        core.bus.write_byte(address, value)
    else:
        core.bus.write(address, value)
    _judge(core, value, byte)


def _judge(core: Core, value: int, byte: bool) -> None:
    if byte:
        core.set_status(LAE | PARITY, against_zero(value << 8) | ODD[value])
    else:
        core.set_status(LAE, against_zero(value))
