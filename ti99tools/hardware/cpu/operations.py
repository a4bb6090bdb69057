"""What each instruction does: one function for each mnemonic or group, by the rows of the data
manual.

A function receives the core and the instruction word, which has been fetched; the base cycles of
the table are already counted. Instructions for the CRU take single bits, or 1 to 16 bits at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.hardware.cpu import core as status
from ti99tools.hardware.cpu.core import (
    EVEN,
    LAE,
    LAEC,
    LAECO,
    LINES,
    MASK,
    ODD,
    OVERFLOW,
    PARITY,
    XOP_BIT,
    Core,
)

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
    core.set_status(status.EQ, status.EQ if core.cru.read_bit(_bit(core, word)) else 0)


def ldcr(core: Core, word: int) -> None:
    """Send bits of a byte (up to 8) or a word, the lowest first; the whole operand is compared with
    0.

    With count 0 (16 bits) *R+ adds 1 to the register, as recorded; TI's manual says 2.
    """
    field = word >> 6 & 15
    count = field or 16
    core.bus.cycles += 2 * count
    byte = count <= 8
    address = core.operand(word, field <= 8)
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
    address = core.operand(word, field <= 8)
    value = core.receive(base(core), count)
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


Operation = Callable[[Core, int], None]

# Two general operands


def _mov(core: Core, word: int) -> None:
    value = core.bus.read(core.operand(word, False))
    core.bus.write(core.operand(word >> 6, False), value)
    core.set_status(LAE, status.against_zero(value))


def _movb(core: Core, word: int) -> None:
    byte = core.bus.read_byte(core.operand(word, True))
    core.bus.write_byte(core.operand(word >> 6, True), byte)
    core.set_status(LAE | PARITY, status.against_zero(byte << 8) | ODD[byte])


def _c(core: Core, word: int) -> None:
    source = core.bus.read(core.operand(word, False))
    target = core.bus.read(core.operand(word >> 6, False))
    core.set_status(LAE, status.compare(source, target))


def _cb(core: Core, word: int) -> None:
    source = core.bus.read_byte(core.operand(word, True))
    target = core.bus.read_byte(core.operand(word >> 6, True))
    core.set_status(LAE | PARITY, status.compare(source << 8, target << 8) | ODD[source])


Arithmetic = Callable[[int, int], tuple[int, int]]


def _set_ones(source: int, target: int) -> tuple[int, int]:
    return source | target, status.against_zero(source | target)


def _set_zeros(source: int, target: int) -> tuple[int, int]:
    result = target & ~source
    return result, status.against_zero(result)


def _words(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines two words."""

    def operation(core: Core, word: int) -> None:
        source = core.bus.read(core.operand(word, False))
        address = core.operand(word >> 6, False)
        result, flags = arithmetic(source, core.bus.read(address))
        core.bus.write(address, result)
        core.set_status(replaced, flags)

    return operation


def _bytes(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines two bytes: as words with the bytes in their high halves."""

    def operation(core: Core, word: int) -> None:
        source = core.bus.read_byte(core.operand(word, True))
        address = core.operand(word >> 6, True)
        wide, flags = arithmetic(source << 8, core.bus.read_byte(address) << 8)
        core.bus.write_byte(address, wide >> 8)
        core.set_status(replaced | PARITY, flags | ODD[wide >> 8])

    return operation


# A general operand and a register


def _coc(core: Core, word: int) -> None:
    source = core.bus.read(core.operand(word, False))
    core.set_status(status.EQ, 0 if source & ~core.register(word >> 6 & 15) else status.EQ)


def _czc(core: Core, word: int) -> None:
    source = core.bus.read(core.operand(word, False))
    core.set_status(status.EQ, 0 if source & core.register(word >> 6 & 15) else status.EQ)


def _xor(core: Core, word: int) -> None:
    source = core.bus.read(core.operand(word, False))
    address = core.at(word >> 6 & 15)
    value = source ^ core.bus.read(address)
    core.bus.write(address, value)
    core.set_status(LAE, status.against_zero(value))


def _mpy(core: Core, word: int) -> None:
    source = core.bus.read(core.operand(word, False))
    number = word >> 6 & 15
    product = source * core.register(number)
    core.bus.write(core.at(number), product >> 16)
    core.bus.write(core.at(number + 1), product & 0xFFFF)


DIV_OVERFLOW_SAVES = 76
"""Cycles that DIV saves when the quotient does not fit."""


def _div(core: Core, word: int) -> None:
    divisor = core.bus.read(core.operand(word, False))
    number = word >> 6 & 15
    high = core.register(number)
    if divisor <= high:
        core.bus.cycles -= DIV_OVERFLOW_SAVES
        core.set_status(OVERFLOW, OVERFLOW)
        return
    quotient, rest = divmod(high << 16 | core.register(number + 1), divisor)
    core.bus.write(core.at(number), quotient)
    core.bus.write(core.at(number + 1), rest)
    core.set_status(OVERFLOW, 0)


def _xop(core: Core, word: int) -> None:
    source = core.operand(word, False)
    core.bus.read(source)
    core.switch(0x40 + 4 * (word >> 6 & 15))
    core.bus.write(core.at(11), source)
    core.set_status(XOP_BIT, XOP_BIT)


# One general operand


def _changed(change: Callable[[int], tuple[int, int]], replaced: int) -> Operation:
    """An instruction that reads a word, changes it and writes it back."""

    def operation(core: Core, word: int) -> None:
        address = core.operand(word, False)
        result, flags = change(core.bus.read(address))
        core.bus.write(address, result)
        core.set_status(replaced, flags)

    return operation


def _swapped(value: int) -> tuple[int, int]:
    return value >> 8 | (value & 0xFF) << 8, 0


def _inverted(value: int) -> tuple[int, int]:
    return value ^ 0xFFFF, status.against_zero(value ^ 0xFFFF)


ABS_NEGATIVE_MORE = 2


def _abs(core: Core, word: int) -> None:
    address = core.operand(word, False)
    value = core.bus.read(address)
    core.set_status(LAECO, status.against_zero(value) | (OVERFLOW if value == 0x8000 else 0))
    if value & 0x8000:
        core.bus.cycles += ABS_NEGATIVE_MORE
        core.bus.write(address, -value & 0xFFFF)


def _b(core: Core, word: int) -> None:
    target = core.operand(word, False)
    core.bus.read(target)
    core.pc = target & EVEN


def _bl(core: Core, word: int) -> None:
    target = core.operand(word, False)
    core.bus.read(target)
    core.bus.write(core.at(11), core.pc)
    core.pc = target & EVEN


def _blwp(core: Core, word: int) -> None:
    core.switch(core.operand(word, False))


def _x(core: Core, word: int) -> None:
    core.pending = core.bus.read(core.operand(word, False))


# Immediate words


def _li(core: Core, word: int) -> None:
    value = core.fetch()
    core.bus.write(core.at(word & 15), value)
    core.set_status(LAE, status.against_zero(value))


def _immediate(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines a word with a register."""

    def operation(core: Core, word: int) -> None:
        source = core.fetch()
        address = core.at(word & 15)
        result, flags = arithmetic(source, core.bus.read(address))
        core.bus.write(address, result)
        core.set_status(replaced, flags)

    return operation


def _and(source: int, target: int) -> tuple[int, int]:
    return source & target, status.against_zero(source & target)


def _ci(core: Core, word: int) -> None:
    value = core.fetch()
    core.set_status(LAE, status.compare(core.register(word & 15), value))


def _stwp(core: Core, word: int) -> None:
    core.bus.write(core.at(word & 15), core.wp)


def _stst(core: Core, word: int) -> None:
    core.bus.write(core.at(word & 15), core.st)


def _lwpi(core: Core, _word: int) -> None:
    core.wp = core.fetch() & EVEN


def _limi(core: Core, _word: int) -> None:
    core.set_status(MASK, core.fetch() & MASK)


# Shifts


def _shift(shifted: Callable[[int, int], tuple[int, int]], replaced: int) -> Operation:
    """A shift by the count in the instruction; if that is 0, by R0 (16 if R0 is 0 too)."""

    def operation(core: Core, word: int) -> None:
        count = word >> 4 & 15
        if not count:
            core.bus.cycles += 8
            count = core.register(0) & 15 or 16
        core.bus.cycles += 2 * count
        address = core.at(word & 15)
        result, flags = shifted(core.bus.read(address), count)
        core.bus.write(address, result)
        core.set_status(replaced, flags)

    return operation


# No operand


def _rset(core: Core, _word: int) -> None:
    core.set_status(MASK, 0)


def _rtwp(core: Core, _word: int) -> None:
    wp = core.register(13)
    pc = core.register(14)
    core.st = core.register(15)
    core.wp, core.pc = wp & EVEN, pc & EVEN


def _nothing(core: Core, word: int) -> None:
    """IDLE, CKON, CKOF, LREX and words that are not instructions: the console ignores them."""


def _illegal(cpu: Core, word: int) -> None:
    """Report a word that is not an instruction, if anybody asked for it."""
    if cpu.on_illegal is not None:
        cpu.on_illegal(word)


# Jumps

CONDITIONS: dict[str, Callable[[int], bool]] = {
    "JMP": lambda _st: True,
    "JLT": lambda st: not st & (status.AGT | status.EQ),
    "JLE": lambda st: not st & status.LGT or bool(st & status.EQ),
    "JEQ": lambda st: bool(st & status.EQ),
    "JHE": lambda st: bool(st & (status.LGT | status.EQ)),
    "JGT": lambda st: bool(st & status.AGT),
    "JNE": lambda st: not st & status.EQ,
    "JNC": lambda st: not st & status.CARRY,
    "JOC": lambda st: bool(st & status.CARRY),
    "JNO": lambda st: not st & OVERFLOW,
    "JL": lambda st: not st & (status.LGT | status.EQ),
    "JH": lambda st: bool(st & status.LGT) and not st & status.EQ,
    "JOP": lambda st: bool(st & PARITY),
}
"""Mnemonic → whether the jump is taken for a given status."""
TAKEN_MORE = 2
"""Additional cycles of a conditional jump that is taken."""


def displaced(pc: int, word: int) -> int:
    """The target of a jump; `pc` is that of the next instruction."""
    words = word & 0xFF
    return (pc + 2 * (words - 0x100 if words & 0x80 else words)) & 0xFFFF


def _jump(condition: Callable[[int], bool], more: int) -> Operation:
    def operation(core: Core, word: int) -> None:
        if condition(core.st):
            core.bus.cycles += more
            core.pc = displaced(core.pc, word)

    return operation


OPERATIONS: dict[str, Operation] = {
    "SZC": _words(_set_zeros, LAE), "SZCB": _bytes(_set_zeros, LAE),
    "S": _words(status.subtract, LAECO), "SB": _bytes(status.subtract, LAECO),
    "C": _c, "CB": _cb,
    "A": _words(status.add, LAECO), "AB": _bytes(status.add, LAECO),
    "MOV": _mov, "MOVB": _movb,
    "SOC": _words(_set_ones, LAE), "SOCB": _bytes(_set_ones, LAE),
    "COC": _coc, "CZC": _czc, "XOR": _xor, "MPY": _mpy, "DIV": _div, "XOP": _xop,
    "LDCR": ldcr, "STCR": stcr, "SBO": sbo, "SBZ": sbz, "TB": tb,
    "SRA": _shift(status.shift_right_arithmetic, LAEC),
    "SRL": _shift(status.shift_right_logical, LAEC),
    "SLA": _shift(status.shift_left, LAECO), "SRC": _shift(status.rotate_right, LAEC),
    "BLWP": _blwp, "B": _b, "X": _x, "BL": _bl, "ABS": _abs,
    "CLR": _changed(lambda _value: (0, 0), 0), "SETO": _changed(lambda _value: (0xFFFF, 0), 0),
    "NEG": _changed(lambda value: status.subtract(value, 0), LAECO),
    "INV": _changed(_inverted, LAE), "SWPB": _changed(_swapped, 0),
    "INC": _changed(lambda value: status.add(1, value), LAECO),
    "INCT": _changed(lambda value: status.add(2, value), LAECO),
    "DEC": _changed(lambda value: status.subtract(1, value), LAECO),
    "DECT": _changed(lambda value: status.subtract(2, value), LAECO),
    "LI": _li, "AI": _immediate(status.add, LAECO), "CI": _ci,
    "ANDI": _immediate(_and, LAE), "ORI": _immediate(_set_ones, LAE),
    "STWP": _stwp, "STST": _stst, "LWPI": _lwpi, "LIMI": _limi,
    "RSET": _rset, "RTWP": _rtwp,
    **{name: _jump(when, 0 if name == "JMP" else TAKEN_MORE) for name, when in CONDITIONS.items()},
    **dict.fromkeys(("IDLE", "CKON", "CKOF", "LREX"), _nothing),
    "ILLEGAL": _illegal,
}  # fmt: skip
"""Mnemonic → what it does."""
