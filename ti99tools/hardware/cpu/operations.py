"""What each instruction does: one function for each mnemonic or group, by the rows of the data
manual.

A function receives the instruction word and gives what it does to a core. The word has been fetched
then, and the base cycles of the table are already counted.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.hardware.cpu import core as status
from ti99tools.hardware.cpu.core import (
    EVEN,
    LAE,
    LAEC,
    LAECO,
    MASK,
    ODD,
    OVERFLOW,
    PARITY,
    XOP_BIT,
    Core,
    general,
)
from ti99tools.hardware.cpu.crubits import ldcr, sbo, sbz, stcr, tb

NOT_LAE, NOT_LAEP = ~LAE, ~(LAE | PARITY)

Execute = Callable[[Core], None]
Operation = Callable[[int], Execute]
"""Instruction word → what it does. Its operands are looked at once, not each time."""


def _taking(operation: Callable[[Core, int], None]) -> Operation:
    """An instruction that looks at its word each time."""

    def of(word: int) -> Execute:
        return lambda core: operation(core, word)

    return of


def _source(word: int, byte: bool = False) -> Callable[[Core], int]:
    return general(word & 0x3F, byte)


def _target(word: int, byte: bool = False) -> Callable[[Core], int]:
    return general(word >> 6 & 0x3F, byte)


# Two general operands


def _mov(word: int) -> Execute:
    source, target = _source(word), _target(word)

    def execute(core: Core) -> None:
        bus = core.bus
        value = bus.read(source(core))
        bus.write(target(core), value)
        core.st = core.st & NOT_LAE | status.against_zero(value)

    return execute


def _movb(word: int) -> Execute:
    source, target = _source(word, True), _target(word, True)

    def execute(core: Core) -> None:
        bus = core.bus
        byte = bus.read_byte(source(core))
        bus.write_byte(target(core), byte)
        core.st = core.st & NOT_LAEP | status.against_zero(byte << 8) | ODD[byte]

    return execute


def _c(word: int) -> Execute:
    first, second = _source(word), _target(word)

    def execute(core: Core) -> None:
        value = core.bus.read(first(core))
        core.st = core.st & NOT_LAE | status.compare(value, core.bus.read(second(core)))

    return execute


def _cb(word: int) -> Execute:
    first, second = _source(word, True), _target(word, True)

    def execute(core: Core) -> None:
        byte = core.bus.read_byte(first(core))
        flags = status.compare(byte << 8, core.bus.read_byte(second(core)) << 8)
        core.st = core.st & NOT_LAEP | flags | ODD[byte]

    return execute


Arithmetic = Callable[[int, int], tuple[int, int]]


def _set_ones(source: int, target: int) -> tuple[int, int]:
    return source | target, status.against_zero(source | target)


def _set_zeros(source: int, target: int) -> tuple[int, int]:
    result = target & ~source
    return result, status.against_zero(result)


def _words(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines two words."""
    kept = ~replaced

    def of(word: int) -> Execute:
        source, target = _source(word), _target(word)

        def execute(core: Core) -> None:
            bus = core.bus
            value = bus.read(source(core))
            address = target(core)
            result, flags = arithmetic(value, bus.read(address))
            bus.write(address, result)
            core.st = core.st & kept | flags

        return execute

    return of


def _bytes(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines two bytes: as words with the bytes in their high halves."""
    kept = ~(replaced | PARITY)

    def of(word: int) -> Execute:
        source, target = _source(word, True), _target(word, True)

        def execute(core: Core) -> None:
            bus = core.bus
            byte = bus.read_byte(source(core))
            address = target(core)
            wide, flags = arithmetic(byte << 8, bus.read_byte(address) << 8)
            bus.write_byte(address, wide >> 8)
            core.st = core.st & kept | flags | ODD[wide >> 8]

        return execute

    return of


# A general operand and a register


def _coc(core: Core, word: int) -> None:
    source = core.bus.read(_source(word)(core))
    core.set_status(status.EQ, 0 if source & ~core.register(word >> 6 & 15) else status.EQ)


def _czc(core: Core, word: int) -> None:
    source = core.bus.read(_source(word)(core))
    core.set_status(status.EQ, 0 if source & core.register(word >> 6 & 15) else status.EQ)


def _xor(core: Core, word: int) -> None:
    source = core.bus.read(_source(word)(core))
    address = core.at(word >> 6 & 15)
    value = source ^ core.bus.read(address)
    core.bus.write(address, value)
    core.set_status(LAE, status.against_zero(value))


def _mpy(core: Core, word: int) -> None:
    source = core.bus.read(_source(word)(core))
    number = word >> 6 & 15
    product = source * core.register(number)
    core.bus.write(core.at(number), product >> 16)
    core.bus.write(core.at(number + 1), product & 0xFFFF)


DIV_OVERFLOW_SAVES = 76
"""Cycles that DIV saves when the quotient does not fit."""


def _div(core: Core, word: int) -> None:
    divisor = core.bus.read(_source(word)(core))
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
    source = _source(word)(core)
    core.bus.read(source)
    core.switch(0x40 + 4 * (word >> 6 & 15))
    core.bus.write(core.at(11), source)
    core.set_status(XOP_BIT, XOP_BIT)


# One general operand


def _changed(change: Callable[[int], tuple[int, int]], replaced: int) -> Operation:
    """An instruction that reads a word, changes it and writes it back."""
    kept = ~replaced

    def of(word: int) -> Execute:
        operand = _source(word)

        def execute(core: Core) -> None:
            address = operand(core)
            result, flags = change(core.bus.read(address))
            core.bus.write(address, result)
            core.st = core.st & kept | flags

        return execute

    return of


def _swapped(value: int) -> tuple[int, int]:
    return value >> 8 | (value & 0xFF) << 8, 0


def _inverted(value: int) -> tuple[int, int]:
    return value ^ 0xFFFF, status.against_zero(value ^ 0xFFFF)


ABS_NEGATIVE_MORE = 2


def _abs(core: Core, word: int) -> None:
    address = _source(word)(core)
    value = core.bus.read(address)
    core.set_status(LAECO, status.against_zero(value) | (OVERFLOW if value == 0x8000 else 0))
    if value & 0x8000:
        core.bus.cycles += ABS_NEGATIVE_MORE
        core.bus.write(address, -value & 0xFFFF)


def _b(word: int) -> Execute:
    operand = _source(word)

    def execute(core: Core) -> None:
        target = operand(core)
        core.bus.read(target)
        core.pc = target & EVEN

    return execute


def _bl(word: int) -> Execute:
    operand = _source(word)

    def execute(core: Core) -> None:
        target = operand(core)
        core.bus.read(target)
        core.bus.write(core.at(11), core.pc)
        core.pc = target & EVEN

    return execute


def _blwp(core: Core, word: int) -> None:
    core.switch(_source(word)(core))


def _x(core: Core, word: int) -> None:
    core.pending = core.bus.read(_source(word)(core))


# Immediate words


def _li(word: int) -> Execute:
    offset = 2 * (word & 15)

    def execute(core: Core) -> None:
        value = core.fetch()
        core.bus.write(core.wp + offset & 0xFFFF, value)
        core.st = core.st & NOT_LAE | status.against_zero(value)

    return execute


def _immediate(arithmetic: Arithmetic, replaced: int) -> Operation:
    """An instruction that combines a word with a register."""
    kept = ~replaced

    def of(word: int) -> Execute:
        offset = 2 * (word & 15)

        def execute(core: Core) -> None:
            source = core.fetch()
            address = core.wp + offset & 0xFFFF
            result, flags = arithmetic(source, core.bus.read(address))
            core.bus.write(address, result)
            core.st = core.st & kept | flags

        return execute

    return of


def _and(source: int, target: int) -> tuple[int, int]:
    return source & target, status.against_zero(source & target)


def _ci(word: int) -> Execute:
    offset = 2 * (word & 15)

    def execute(core: Core) -> None:
        value = core.fetch()
        register = core.bus.read(core.wp + offset & 0xFFFF)
        core.st = core.st & NOT_LAE | status.compare(register, value)

    return execute


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
    kept = ~replaced

    def of(word: int) -> Execute:
        given, offset = word >> 4 & 15, 2 * (word & 15)

        def execute(core: Core) -> None:
            bus, count = core.bus, given
            if not count:
                bus.cycles += 8
                count = core.register(0) & 15 or 16
            bus.cycles += 2 * count
            address = core.wp + offset & 0xFFFF
            result, flags = shifted(bus.read(address), count)
            bus.write(address, result)
            core.st = core.st & kept | flags

        return execute

    return of


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
    def of(word: int) -> Execute:
        distance = displaced(0, word)

        def execute(core: Core) -> None:
            if condition(core.st):
                core.bus.cycles += more
                core.pc = core.pc + distance & 0xFFFF

        return execute

    return of


OPERATIONS: dict[str, Operation] = {
    "SZC": _words(_set_zeros, LAE), "SZCB": _bytes(_set_zeros, LAE),
    "S": _words(status.subtract, LAECO), "SB": _bytes(status.subtract, LAECO),
    "C": _c, "CB": _cb,
    "A": _words(status.add, LAECO), "AB": _bytes(status.add, LAECO),
    "MOV": _mov, "MOVB": _movb,
    "SOC": _words(_set_ones, LAE), "SOCB": _bytes(_set_ones, LAE),
    "COC": _taking(_coc), "CZC": _taking(_czc), "XOR": _taking(_xor),
    "MPY": _taking(_mpy), "DIV": _taking(_div), "XOP": _taking(_xop),
    "LDCR": _taking(ldcr), "STCR": _taking(stcr),
    "SBO": _taking(sbo), "SBZ": _taking(sbz), "TB": _taking(tb),
    "SRA": _shift(status.shift_right_arithmetic, LAEC),
    "SRL": _shift(status.shift_right_logical, LAEC),
    "SLA": _shift(status.shift_left, LAECO), "SRC": _shift(status.rotate_right, LAEC),
    "BLWP": _taking(_blwp), "B": _b, "X": _taking(_x), "BL": _bl, "ABS": _taking(_abs),
    "CLR": _changed(lambda _value: (0, 0), 0), "SETO": _changed(lambda _value: (0xFFFF, 0), 0),
    "NEG": _changed(lambda value: status.subtract(value, 0), LAECO),
    "INV": _changed(_inverted, LAE), "SWPB": _changed(_swapped, 0),
    "INC": _changed(lambda value: status.add(1, value), LAECO),
    "INCT": _changed(lambda value: status.add(2, value), LAECO),
    "DEC": _changed(lambda value: status.subtract(1, value), LAECO),
    "DECT": _changed(lambda value: status.subtract(2, value), LAECO),
    "LI": _li, "AI": _immediate(status.add, LAECO), "CI": _ci,
    "ANDI": _immediate(_and, LAE), "ORI": _immediate(_set_ones, LAE),
    "STWP": _taking(_stwp), "STST": _taking(_stst), "LWPI": _taking(_lwpi), "LIMI": _taking(_limi),
    "RSET": _taking(_rset), "RTWP": _taking(_rtwp),
    **{name: _jump(when, 0 if name == "JMP" else TAKEN_MORE) for name, when in CONDITIONS.items()},
    **dict.fromkeys(("IDLE", "CKON", "CKOF", "LREX"), _taking(_nothing)),
    "ILLEGAL": _taking(_illegal),
}  # fmt: skip
"""Mnemonic → what it does."""
