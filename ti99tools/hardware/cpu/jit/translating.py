"""Each instruction as Python text: what `operations` does, with all known values inserted.

A function adds the text of one step. The order of accesses and cycles is that of the interpreter.
Branches (B, BL, BLWP, RTWP) and the place where a step goes on are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ti99tools.hardware.cpu.core import CARRY, EQ, EVEN, LAE, MASK, OVERFLOW, PARITY
from ti99tools.hardware.cpu.crubits import displacement, stcr_more
from ti99tools.hardware.cpu.jit.sametexts import marked
from ti99tools.hardware.cpu.jit.traces import Step
from ti99tools.hardware.cpu.jit.tracetext import Operand, TraceText
from ti99tools.hardware.cpu.operations import (
    ABS_NEGATIVE_MORE,
    CONDITIONS,
    DIV_OVERFLOW_SAVES,
    TAKEN_MORE,
    displaced,
)


def branch(text: TraceText, step: Step) -> None:
    """Add the text of B."""
    place = text.operand(step.words[0])
    if step.back is not None:
        _come_back(text, place, step.back)
        return
    text.read(place)
    if not _fixed(step):
        text.leave(_target(place.address, place.variable))


def _come_back(text: TraceText, place: Operand, back: int) -> None:
    """B *R11: mostly to the place after the call."""
    text.emit(f"if {place.variable} & {EVEN} != {marked(back)}:")
    with text.aside():
        text.read(place)
        text.leave(_target(place.address, place.variable))
    text.fetch(back)


def branch_and_link(text: TraceText, step: Step) -> None:
    """Add the text of BL."""
    place = text.operand(step.words[0])
    text.read(place)
    text.set_register(11, str(step.after))
    if not _fixed(step):
        text.leave(_target(place.address, place.variable))


def switch_workspace(text: TraceText, step: Step) -> None:
    """Add the text of BLWP."""
    place = text.operand(step.words[0])
    if step.vector is not None:
        _switch(text, place.address, step)
        return
    wp = text.variable(f"{text.read(place)} & {EVEN}", "a")
    for number, value in ((13, str(text.wp)), (14, str(step.after)), (15, text.flags.packed())):
        address = text.variable(f"{wp} + {2 * number} & 65535", "a")
        text.write(Operand(variable=address), value)
    if place.variable:
        pc = text.read(Operand(variable=text.variable(f"{place.variable} + 2 & 65535", "a")))
    else:
        pc = text.read(Operand((place.address + 2) & 0xFFFF))
    text.switch(pc, wp, text.flags.packed())


def _switch(text: TraceText, vector: int, step: Step) -> None:
    """BLWP with a known vector."""
    assert step.vector is not None
    wp, pc = step.vector
    text.fetch(vector)
    for number, value in ((13, str(text.wp)), (14, str(step.after)), (15, text.flags.packed())):
        text.write(Operand((wp + 2 * number) & 0xFFFF), value)
    text.fetch((vector + 2) & 0xFFFF)
    if step.resumes is None:
        text.wp = wp
    else:
        text.call(pc | wp << 16, step.resumes)


def switch_back(text: TraceText, _step: Step) -> None:
    """Add the text of RTWP."""
    wp, pc, status = (text.variable(text.register(number)) for number in (13, 14, 15))
    text.switch(pc, wp, status)


def _fixed(step: Step) -> bool:
    """Tell whether a branch goes to a fixed @address."""
    return step.row.name in ("B", "BL") and step.words[0] & 0x3F == 0x20


def _target(address: int, variable: str) -> str:
    return f"{variable} & {EVEN}" if variable else str(address & EVEN)


def leaves(step: Step) -> bool:
    """Tell whether the target of a step is only known at run time."""
    name = step.row.name
    if name in ("B", "BL"):
        return step.back is None and not _fixed(step)
    return name == "RTWP" or (name == "BLWP" and step.vector is None)


def goes_on(step: Step) -> int:
    """Where a step goes on when it does not jump."""
    if step.row.name == "JMP":
        return displaced(step.after, step.words[0])
    if step.vector is not None:
        return step.vector[1] if step.resumes is None else step.resumes
    if step.back is not None:
        return step.back
    return step.words[1] & EVEN if _fixed(step) else step.after


REGISTER_ONLY = 0x30
"""The bits of a general operand that are 0 if it is a register."""
Translator = Callable[[TraceText, Step], None]


def _set_sum(text: TraceText, source: str, target: str, total: str, result: str) -> None:
    """Status of result = target + source; bit 16 of the total is the carry."""
    text.flags.zero(result)
    text.flags.set(CARRY, f"({total} >> 4 & {CARRY})")
    overflow = f"(({source} ^ {result}) & ({target} ^ {result})) >> 4 & {OVERFLOW}"
    text.flags.set(OVERFLOW, f"({overflow})")


def _add(text: TraceText, source: str, target: str) -> str:
    total = text.variable(f"{target} + {source}", "t")
    result = text.variable(f"{total} & 65535", "r")
    _set_sum(text, source, target, total, result)
    return result


def _subtract(text: TraceText, source: str, target: str) -> str:
    total = text.variable(f"{target} - {source} + 65536", "t")
    result = text.variable(f"{total} & 65535", "r")
    text.flags.zero(result)
    text.flags.set(CARRY, f"({total} >> 4 & {CARRY})")
    overflow = f"(({target} ^ {source}) & ({target} ^ {result})) >> 4 & {OVERFLOW}"
    text.flags.set(OVERFLOW, f"({overflow})")
    return result


def _logical(form: str) -> Callable[[TraceText, str, str], str]:
    """Words combined bit by bit: `{0}` is the source, `{1}` the target."""

    def combined(text: TraceText, source: str, target: str) -> str:
        result = text.variable(form.format(source, target), "r")
        text.flags.zero(result)
        return result

    return combined


_or, _and, _xor = (_logical(form) for form in ("{0} | {1}", "{0} & {1}", "{0} ^ {1}"))
_clear = _logical("{1} & ~{0}")
Combination = Callable[[TraceText, str, str], str]


def _words(combination: Combination) -> Translator:
    def translate(text: TraceText, step: Step) -> None:
        source = text.read(text.operand(step.words[0]))
        place = text.operand(step.words[0] >> 6)
        text.write(place, combination(text, source, text.read(place)))

    return translate


def _bytes(combination: Combination) -> Translator:
    def translate(text: TraceText, step: Step) -> None:
        source = text.read_byte(text.operand(step.words[0], True))
        wide = text.variable(f"{source} << 8")
        place = text.operand(step.words[0] >> 6, True)
        target = text.variable(f"{text.read_byte(place)} << 8")
        result = text.variable(f"{combination(text, wide, target)} >> 8", "b")
        text.write_byte(place, result)
        text.flags.set(PARITY, f"ODD[{result}]")

    return translate


def _mov(text: TraceText, step: Step) -> None:
    value = text.read(text.operand(step.words[0]))
    text.write(text.operand(step.words[0] >> 6), value)
    text.flags.zero(value)


def _movb(text: TraceText, step: Step) -> None:
    byte = text.read_byte(text.operand(step.words[0], True))
    text.write_byte(text.operand(step.words[0] >> 6, True), byte)
    text.flags.zero(f"{byte} << 8")
    text.flags.set(PARITY, f"ODD[{byte}]")


def _c(text: TraceText, step: Step) -> None:
    source = text.read(text.operand(step.words[0]))
    text.flags.pair(source, text.read(text.operand(step.words[0] >> 6)))


def _cb(text: TraceText, step: Step) -> None:
    source = text.read_byte(text.operand(step.words[0], True))
    target = text.read_byte(text.operand(step.words[0] >> 6, True))
    first, second = text.variable(f"{source} << 8"), text.variable(f"{target} << 8")
    text.flags.pair(first, second)
    text.flags.set(PARITY, f"ODD[{source}]")


def _compared_bits(form: str) -> Translator:
    """COC and CZC: EQ when no bit of the form is set."""

    def translate(text: TraceText, step: Step) -> None:
        source = text.read(text.operand(step.words[0]))
        register = text.register(step.words[0] >> 6 & 15)
        left = form.format(source, register)
        # L> and A> stay as they were.
        unchanged = f"{text.flags.lae()} & {LAE & ~EQ}"
        text.flags.bits(text.variable(f"{unchanged} | (0 if {left} else {EQ})", "l"))

    return translate


def _xor_register(text: TraceText, step: Step) -> None:
    source = text.read(text.operand(step.words[0]))
    number = step.words[0] >> 6 & 15
    target = text.variable(text.register(number))
    text.set_register(number, _xor(text, source, target))


def _mpy(text: TraceText, step: Step) -> None:
    source = text.read(text.operand(step.words[0]))
    number = step.words[0] >> 6 & 15
    product = text.variable(f"{source} * {text.register(number)}", "t")
    text.set_register(number, f"{product} >> 16")
    text.set_register(number + 1, f"{product} & 65535")


def _div(text: TraceText, step: Step) -> None:
    divisor = text.read(text.operand(step.words[0]))
    number = step.words[0] >> 6 & 15
    high = text.variable(text.register(number))
    overflow = text.name("o")
    before = text.cycles
    text.emit(f"if {divisor} <= {high}: {overflow} = {OVERFLOW}")
    text.emit("else:")
    low = text.register(number + 1)
    indexes = [text.register_index(number), text.register_index(number + 1)]
    text.cycles += sum(text.bus.waits[index] for index in indexes)
    text.writes(*indexes)
    places = ", ".join(f"m[{marked(index)}]" for index in indexes)
    text.emit(f"{places} = divmod({high} << 16 | {low}, {divisor}); {overflow} = 0", 1)
    saved = text.cycles - before + DIV_OVERFLOW_SAVES
    # The cycles are counted as if all were done; an overflow ends early.
    text.emit(f"if {overflow}: c -= {saved}")
    text.flags.set(OVERFLOW, overflow)


def _constant(combination: Combination, number: int) -> Translator:
    """INC, INCT, DEC, DECT."""

    def translate(text: TraceText, step: Step) -> None:
        place = text.operand(step.words[0])
        text.write(place, combination(text, str(number), text.read(place)))

    return translate


def _stored(form: str) -> Translator:
    """An instruction that changes a word and no status: `{0}` is the word."""

    def translate(text: TraceText, step: Step) -> None:
        place = text.operand(step.words[0])
        text.write(place, form.format(text.read(place)))

    return translate


def _inv(text: TraceText, step: Step) -> None:
    place = text.operand(step.words[0])
    result = text.variable(f"{text.read(place)} ^ 65535", "r")
    text.write(place, result)
    text.flags.zero(result)


def _neg(text: TraceText, step: Step) -> None:
    place = text.operand(step.words[0])
    text.write(place, _subtract(text, text.read(place), "0"))


def _abs(text: TraceText, step: Step) -> None:
    place = text.operand(step.words[0])
    value = text.read(place)
    before = text.cycles
    result = text.variable(f"-{value} & 65535 if {value} & 32768 else {value}", "r")
    text.flags.zero(value)
    text.flags.set(CARRY, "0")
    text.flags.set(OVERFLOW, f"({OVERFLOW} if {value} == 32768 else 0)")
    # Only a negative number is written back, and a port or code notices a write.
    if place.variable or text.bus.writes[place.address] < 0:
        text.worst += ABS_NEGATIVE_MORE
        text.emit(f"if {value} & 32768:")
        text.emit(f"c += {ABS_NEGATIVE_MORE}", 1)
        text.guarded_write(place, result)
        return
    text.write(place, result)
    text.cycles, more = before, text.cycles - before + ABS_NEGATIVE_MORE
    text.worst += more
    text.emit(f"if {value} & 32768: c += {more}")


def _li(text: TraceText, step: Step) -> None:
    value = str(text.extra())
    text.set_register(step.words[0] & 15, value)
    text.flags.zero(value)


def _immediate(combination: Combination) -> Translator:
    def translate(text: TraceText, step: Step) -> None:
        source = marked(text.extra())
        number = step.words[0] & 15
        target = text.variable(text.register(number))
        text.set_register(number, combination(text, source, target))

    return translate


def _ci(text: TraceText, step: Step) -> None:
    value = text.extra()
    text.flags.pair(text.variable(text.register(step.words[0] & 15)), str(value))


def _stwp(text: TraceText, step: Step) -> None:
    text.set_register(step.words[0] & 15, str(text.wp))


def _stst(text: TraceText, step: Step) -> None:
    text.set_register(step.words[0] & 15, text.flags.packed())


def _lwpi(text: TraceText, _step: Step) -> None:
    text.wp = text.extra() & EVEN


def _limi(text: TraceText, step: Step) -> None:
    mask = text.extra() & MASK
    text.emit(f"st = st & {0xFFFF & ~MASK} | {mask}")
    # The caller of the trace checks whether the requested interrupt passes the new mask.
    text.emit("if P.request is not None:")
    text.leave(str(step.after), deeper=1)


def _nothing(text: TraceText, step: Step) -> None:
    """JMP: the trace goes on at its target."""


def _bit(value: int) -> Translator:
    """SBO and SBZ."""
    return lambda text, step: text.set_bit(displacement(step.words[0]), value)


def _ldcr(text: TraceText, step: Step) -> None:
    field, count, byte = _bits_moved(step)
    text.cycles += 2 * count
    place = text.operand(step.words[0], field <= 8)
    value = text.read_byte(place) if byte else text.read(place)
    text.send(count, value)
    _judge(text, value, byte)


def _stcr(text: TraceText, step: Step) -> None:
    field, count, byte = _bits_moved(step)
    text.cycles += stcr_more(count)
    place = text.operand(step.words[0], field <= 8)
    value = text.receive(count)
    (text.write_byte if byte else text.write)(place, value)
    _judge(text, value, byte)


def _bits_moved(step: Step) -> tuple[int, int, bool]:
    """The field of LDCR or STCR, the number of bits, and whether the operand is a byte."""
    field = step.words[0] >> 6 & 15
    count = field or 16
    return field, count, count <= 8


def _judge(text: TraceText, value: str, byte: bool) -> None:
    text.flags.zero(f"{value} << 8" if byte else value)
    if byte:
        text.flags.set(PARITY, f"ODD[{value}]")


def _jump(text: TraceText, step: Step) -> None:
    target = displaced(step.after, step.words[0])
    text.emit(f"if {text.flags.condition(step.row.name)}:")
    if not step.way:
        counted = text.counting
        text.jump(target, TAKEN_MORE, 1)
        if counted and text.loops:
            text.look_again(step.after)
        return
    with text.way(target, TAKEN_MORE):
        translate(text, step.way)


def _shift(form: str, carry: str, overflow: str = "") -> Translator:
    """A shift of `{0}` by `{1}`; `form` gives a wide result, and `carry` the part of it (`{2}`)
    that is C.
    """

    def translate(text: TraceText, step: Step) -> None:
        count = str(step.words[0] >> 4 & 15)
        if count == "0":
            text.cycles += 8
            count = text.variable(f"{text.register(0)} & 15 or 16", "n")
            text.emit(f"c += 2 * {count}")
            # By R0: 1 to 16 places, two cycles each.
            text.worst += 32
        else:
            text.cycles += 2 * int(count)
        number = step.words[0] & 15
        value = text.variable(text.register(number))
        wide = text.variable(form.format(value, count), "t")
        result = text.variable(f"{wide} & 65535", "r")
        text.set_register(number, result)
        text.flags.zero(result)
        text.flags.set(CARRY, f"({carry.format(value, count, wide)})")
        if overflow:
            text.flags.set(OVERFLOW, f"({overflow.format(value, count)})")

    return translate


SIGNED = "(({0} ^ 32768) - 32768)"
SLA_OVERFLOW = f"0 if ({{0}} << 1) >> (16 - {{1}}) in (0, (2 << {{1}}) - 1) else {OVERFLOW}"

TRANSLATORS: dict[str, Translator] = {
    "SZC": _words(_clear), "SZCB": _bytes(_clear), "S": _words(_subtract), "SB": _bytes(_subtract),
    "C": _c, "CB": _cb, "A": _words(_add), "AB": _bytes(_add), "MOV": _mov, "MOVB": _movb,
    "SOC": _words(_or), "SOCB": _bytes(_or),
    "COC": _compared_bits("{0} & ~{1}"), "CZC": _compared_bits("{0} & {1}"),
    "XOR": _xor_register, "MPY": _mpy, "DIV": _div,
    "SRA": _shift(f"{SIGNED} >> {{1}}", f"({SIGNED} >> {{1}} - 1 & 1) << 12"),
    "SRL": _shift("{0} >> {1}", "({0} >> {1} - 1 & 1) << 12"),
    "SLA": _shift("{0} << {1}", f"{{2}} >> 4 & {CARRY}", SLA_OVERFLOW),
    "SRC": _shift("({0} | {0} << 16) >> {1}", f"{{2}} >> 3 & {CARRY}"),
    "B": branch, "BL": branch_and_link, "BLWP": switch_workspace, "RTWP": switch_back,
    "CLR": _stored("0"), "SETO": _stored("65535"), "INV": _inv, "NEG": _neg,
    "INC": _constant(_add, 1), "INCT": _constant(_add, 2),
    "DEC": _constant(_subtract, 1), "DECT": _constant(_subtract, 2),
    "SWPB": _stored("{0} >> 8 | ({0} & 255) << 8"), "ABS": _abs,
    "LI": _li, "AI": _immediate(_add), "ANDI": _immediate(_and), "ORI": _immediate(_or),
    "CI": _ci, "STWP": _stwp, "STST": _stst, "LWPI": _lwpi, "LIMI": _limi, "JMP": _nothing,
    "SBO": _bit(1), "SBZ": _bit(0), "LDCR": _ldcr, "STCR": _stcr,
    **{name: _jump for name in CONDITIONS if name != "JMP"},
}  # fmt: skip
"""Mnemonic → its text; the others are left to the interpreter."""


_COUNTS = {"INC": 1, "DEC": -1}


def begin(text: TraceText, steps: Sequence[Step]) -> None:
    """Begin a trace; if it is a loop that only counts, it skips most of its rounds."""
    first, second = (*steps[:2], None, None)[:2]
    if first is None or second is None or first.row.name not in _COUNTS or second.way:
        return
    word = first.words[0]
    back = displaced(second.after, second.words[0])
    if word & REGISTER_ONLY == 0 and second.row.name == "JNE" and back == first.address:
        text.count(word & 15, _COUNTS[first.row.name])


def translate(text: TraceText, steps: Sequence[Step]) -> None:
    """Add the steps of a trace, and the way on from its end."""
    for step in steps:
        places = range(step.address + 2, step.after, 2)
        text.extras = list(zip(places, step.words[1:], strict=True))
        text.fetch(step.address)
        text.cycles += step.row.cycles
        TRANSLATORS[step.row.name](text, step)
        # What follows a sure return is never reached.
        if text.end_instruction(goes_on(step)):
            return
    last = steps[-1]
    if not leaves(last):
        text.jump(goes_on(last), 0, 0)
