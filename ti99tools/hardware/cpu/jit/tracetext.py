"""Python text for traces: the frame of the function, operands, memory, status bits, exits.

The function `run(c, st, until)` receives cycles, status and the time it may run to; it returns
where the run goes on (PC, and WP shifted left by 16), cycles and status. It does nothing when the
trace might take longer. Memory in words is `m`; `X` and `Y` map an address to its word for reads
and writes (-1: a port, or watched code), `W` has the waits. After an access outside plain memory it
returns at the end of the instruction if an interrupt is requested or code has changed.

Status bits are kept as expressions until something needs them. The bits of a group are either in
the variable `st`, or an expression of local variables that are not assigned again. `packed` is an
expression of the whole status register.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ti99tools.hardware.cpu.bus import CARD_LINES, MOST_WAIT, Bus
from ti99tools.hardware.cpu.core import AGT, CARRY, EQ, LAE, LGT, LINES, OVERFLOW, PARITY
from ti99tools.hardware.cpu.jit.sametexts import marked, marked_word

GENERIC = {
    "JLT": "not {0} & 0x6000",
    "JLE": "not {0} & 0x8000 or {0} & 0x2000",
    "JEQ": "{0} & 0x2000",
    "JHE": "{0} & 0xA000",
    "JGT": "{0} & 0x4000",
    "JNE": "not {0} & 0x2000",
    "JL": "not {0} & 0xA000",
    "JH": "{0} & 0xA000 == 0x8000",
}
"""Jump → its condition on status bits."""
ZERO = {
    "JLT": "{0} & 0x8000",
    "JLE": "not {0}",
    "JEQ": "not {0}",
    "JHE": "True",
    "JGT": "0 < {0} < 0x8000",
    "JNE": "{0}",
    "JL": "False",
    "JH": "{0}",
}
"""Jump → its condition after a comparison of a word with 0."""
PAIR = {
    "JLT": "{0} ^ 0x8000 < {1} ^ 0x8000",
    "JLE": "{0} <= {1}",
    "JEQ": "{0} == {1}",
    "JHE": "{0} >= {1}",
    "JGT": "{0} ^ 0x8000 > {1} ^ 0x8000",
    "JNE": "{0} != {1}",
    "JL": "{0} < {1}",
    "JH": "{0} > {1}",
}
"""Jump → its condition after a comparison of two words."""
SINGLE = {
    "JOC": (CARRY, ""),
    "JNC": (CARRY, "not "),
    "JNO": (OVERFLOW, "not "),
    "JOP": (PARITY, ""),
}


class Flags:
    """Where each group of status bits is, at one place of a trace."""

    def __init__(self) -> None:
        self._groups: dict[int, str] = {}
        self._condition: tuple[dict[str, str], tuple[str, ...]] = GENERIC, ("st",)

    def copy(self) -> Flags:
        """A copy for another branch."""
        other = Flags()
        other._groups, other._condition = dict(self._groups), self._condition
        return other

    def zero(self, word: str) -> None:
        """L> A> EQ: a word compared with 0."""
        self._groups[LAE] = f"Z[{marked_word(word)}]"
        self._condition = ZERO, (word,)

    def pair(self, first: str, second: str) -> None:
        """L> A> EQ: two words compared."""
        self._groups[LAE] = (
            f"({EQ} if {first} == {second} else ({LGT} if {first} > {second} else 0)"
            f" | ({AGT} if {first} ^ 0x8000 > {second} ^ 0x8000 else 0))"
        )
        self._condition = PAIR, (first, second)

    def bits(self, variable: str) -> None:
        """L> A> EQ: in a variable, as bits."""
        self._groups[LAE] = variable
        self._condition = GENERIC, (variable,)

    def set(self, group: int, expression: str) -> None:
        """C, OV or OP: an expression of its bit."""
        self._groups[group] = expression

    def lae(self) -> str:
        """An expression of L> A> EQ."""
        return self._groups.get(LAE, f"(st & {LAE})")

    def condition(self, jump: str) -> str:
        """An expression that is true when a jump is taken."""
        if jump in SINGLE:
            group, negation = SINGLE[jump]
            return f"{negation}({self._groups.get(group, f'st & {group}')})"
        forms, values = self._condition
        return forms[jump].format(*values)

    def packed(self) -> str:
        """An expression of the whole status register."""
        if not self._groups:
            return "st"
        # The bits that no group holds are still in `st`: interrupt mask, and those not set since.
        unchanged = 0xFFFF & ~sum(self._groups)
        return " | ".join([f"st & {unchanged}", *self._groups.values()])


NAMES = "P, U, B, R, N, X, Y, W, m, Z, ODD"
"""What the text refers to by name: parameters with defaults, which Python finds faster than
globals.
"""


@dataclass(frozen=True, slots=True)
class Operand:
    """A general operand; its address is known (`address`) or in a variable."""

    address: int = -1
    variable: str = ""


@dataclass
class TraceText:
    """The text of one function while it grows."""

    bus: Bus
    key: int
    flags: Flags = field(default_factory=Flags)
    lines: list[str] = field(default_factory=list)
    written: set[int] = field(default_factory=set)
    """Words of memory that are written without checking whether they are code."""
    cycles: int = 0
    """Cycles that are known but not yet added to `c`."""
    worst: int = 0
    """Cycles that may be added to those known."""
    wp: int = 0
    loops: bool = False
    """Set when it ends where it begins."""
    extras: list[tuple[int, int]] = field(default_factory=list)
    """Words of the instruction that are still to be read: address and word."""
    _quiet: bool = True
    """Set while nothing is written or called on the way from the head to this place."""
    _rests: bool = False
    """Set when a way round the loop is quiet."""
    _names: int = 0
    _depth: int = 2
    _slow: str = ""
    _look: int | None = None
    """The line that checks whether there is time for what follows it; None: the head of the
    function.
    """
    _count: tuple[int, str] | None = None
    """The line that skips rounds of a counting loop, and the rounds that it has."""
    _head: int = 0
    """Cycles that may pass between the head and the next check."""

    def name(self, prefix: str) -> str:
        """A variable that is not in use."""
        self._names += 1
        return f"{prefix}{self._names}"

    def emit(self, line: str, deeper: int = 0) -> None:
        """Add a line of Python, indented as the text is now, or `deeper`."""
        self.lines.append("    " * (self._depth + deeper) + line)

    def variable(self, expression: str, prefix: str = "v") -> str:
        """A new variable with the value of an expression."""
        name = self.name(prefix)
        self.emit(f"{name} = {expression}")
        return name

    def fetch(self, address: int) -> None:
        """Count the fetch of a word of code."""
        self.cycles += self.bus.waits[self.bus.reads[address]]

    # Registers

    def register_index(self, number: int) -> int:
        """The word of memory that holds a register."""
        return self.bus.reads[(self.wp + 2 * number) & 0xFFFF]

    def register(self, number: int) -> str:
        """An expression of a register, with its access counted."""
        index = self.register_index(number)
        self.cycles += self.bus.waits[index]
        return f"m[{marked(index)}]"

    def writes(self, *indexes: int) -> None:
        """Note words of memory that are written unchecked."""
        self.written.update(indexes)
        self._quiet = False

    def set_register(self, number: int, expression: str) -> None:
        """Write a workspace register; `expression` is a word."""
        index = self.register_index(number)
        self.cycles += self.bus.waits[index]
        self.writes(index)
        self.emit(f"m[{marked(index)}] = {marked_word(expression)}")

    # Operands

    def extra(self) -> int:
        """The next word after the instruction word, with its fetch counted."""
        address, word = self.extras.pop(0)
        self.fetch(address)
        return word

    def operand(self, bits: int, byte: bool = False) -> Operand:
        """The general operand of six bits, with the cycles and side effects of its mode."""
        mode, number = bits >> 4 & 3, bits & 15
        if mode == 0:
            return Operand((self.wp + 2 * number) & 0xFFFF)
        if mode == 2:
            self.cycles += 8
            extra = self.extra()
            if not number:
                return Operand(extra)
            return Operand(
                variable=self.variable(f"{self.register(number)} + {marked(extra)} & 65535")
            )
        address = self.variable(self.register(number), "a")
        self.cycles += 4
        if mode == 3:
            step = 1 if byte else 2
            self.cycles += 2 * step
            self.set_register(number, f"{address} + {step} & 65535")
        return Operand(variable=address)

    def read(self, operand: Operand) -> str:
        """A variable with the word at an operand."""
        if not operand.variable:
            return self._read_known(operand.address)
        value, index = self.name("v"), self.name("i")
        self.worst += MOST_WAIT
        self.emit(f"{index} = X[{operand.variable}]")
        self.emit(f"if {index} >= 0: {value} = m[{index}]; c += W[{index}]")
        self.emit("else:")
        self._call(f"{value} = R({operand.variable})", 1)
        return value

    def read_byte(self, operand: Operand) -> str:
        """A variable with the byte at an operand."""
        word = self.read(operand)
        return self.variable(self._half(operand, word), "b")

    def write(self, operand: Operand, value: str) -> None:
        """Write a word; `value` is an expression of 16 bits."""
        self._quiet = False
        if not operand.variable:
            self._write_known(operand.address, value)
            return
        index = self.name("i")
        self.worst += MOST_WAIT
        self.emit(f"{index} = Y[{operand.variable}]")
        self.emit(f"if {index} >= 0: m[{index}] = {value}; c += W[{index}]")
        self.emit("else:")
        self._call(f"N({operand.variable}, {value})", 1)

    def guarded_write(self, operand: Operand, value: str) -> None:
        """Write a word in a branch, one level deeper."""
        self._depth += 1
        self.write(operand, value)
        self._depth -= 1

    def write_byte(self, operand: Operand, value: str) -> None:
        """Write a byte: the word is read first."""
        word = self.read(operand)
        if operand.variable:
            high, low = f"{word} & 255 | {value} << 8", f"{word} & 65280 | {value}"
            self.write(operand, f"({low} if {operand.variable} & 1 else {high})")
        elif operand.address & 1:
            self.write(operand, f"{word} & 65280 | {value}")
        else:
            self.write(operand, f"{word} & 255 | {value} << 8")

    def _half(self, operand: Operand, word: str) -> str:
        if operand.variable:
            return f"{word} & 255 if {operand.variable} & 1 else {word} >> 8"
        return f"{word} & 255" if operand.address & 1 else f"{word} >> 8"

    def _read_known(self, address: int) -> str:
        index = self.bus.reads[address]
        if index >= 0:
            self.cycles += self.bus.waits[index]
            return self.variable(f"m[{marked(index)}]")
        value = self.name("v")
        self.worst += MOST_WAIT
        self._call(f"{value} = R({marked(address)})", 0)
        return value

    def _write_known(self, address: int, value: str) -> None:
        index = self.bus.writes[address]
        if index >= 0:
            self.cycles += self.bus.waits[index]
            self.writes(index)
            self.emit(f"m[{marked(index)}] = {marked_word(value)}")
            return
        self.worst += MOST_WAIT
        self._call(f"N({marked(address)}, {marked_word(value)})", 0)

    def _call(self, call: str, deeper: int) -> None:
        """Go through the bus, which counts the cycles of the access by itself."""
        self._slow = self._slow or "sometimes"
        # `q` tells at the end of the instruction whether to leave, `p` at that of a round that it
        # depends on more than memory.
        mark, known = "; q = P.stale or P.request is not None; p = 1", self.cycles
        self.emit(f"B.cycles = c + {known}; {call}; c = B.cycles - {known}{mark}", deeper)

    def set_bit(self, displacement: int, value: int) -> None:
        """Set the CRU bit at a displacement from the one that R12 selects; the trace ends here."""
        number = f"({self._cru_base()}) + {displacement} & {LINES}"
        self.emit(f"B.cycles = c + {self.cycles}; P.cru.write_bit({number}, {value})")
        self._slow = "always"

    def send(self, count: int, value: str) -> None:
        """Send bits of a value to the CRU; the trace ends here if they are a card's."""
        first = self.variable(self._cru_base(), "n")
        self.emit(f"B.cycles = c + {self.cycles}; P.send({first}, {count}, {value})")
        self.emit(f"if {first} + {count} > {CARD_LINES}: q = 1")
        self._slow = self._slow or "sometimes"

    def receive(self, count: int) -> str:
        """A variable with bits of the CRU; the trace ends here, since others may see that look."""
        first = self._cru_base()
        value = self.name("v")
        self.emit(f"B.cycles = c + {self.cycles}; {value} = P.receive({first}, {count})")
        self._slow = "always"
        return value

    def _cru_base(self) -> str:
        """An expression of the number of the CRU bit that R12 selects."""
        self._quiet = False
        return f"{self.register(12)} >> 1 & {LINES}"

    # Exits

    def leave(self, where: str, more: int = 0, deeper: int = 0) -> None:
        """Return: `where` is an expression of PC."""
        known = where.isdecimal()
        to = marked(int(where) | self.wp << 16) if known else f"{where} | {self.wp << 16}"
        self.emit(f"return {to}, c + {self.cycles + more}, {self.flags.packed()}", deeper)

    def switch(self, pc: str, wp: str, status: str) -> None:
        """Return with another workspace; all arguments are expressions of words."""
        self.emit(f"return {pc} & 65534 | ({wp} & 65534) << 16, c + {self.cycles}, {status}")

    def jump(self, target: int, more: int, deeper: int) -> None:
        """Go to a known address: round the loop when the trace begins there."""
        if target | self.wp << 16 != self.key:
            self.leave(str(target), more, deeper)
            return
        self.loops = True
        self._end_count(self.cycles + more)
        self.emit(f"c += {self.cycles + more}", deeper)
        packed = self.flags.packed()
        if self._quiet:
            self._rest(packed, deeper)
        elif packed != "st":
            self.emit(f"st = {packed}", deeper)
        # `last` leaves time for the longest way to the next check.
        self.emit("if c < last: continue", deeper)
        self.emit(f"return {marked(self.key)}, c, st", deeper)

    def count(self, number: int, change: int) -> None:
        """Begin a loop that only adds `change`, 1 or -1, to a register until that is 0.

        All its rounds take the same time. Those before the last are skipped at once, as far as
        there is time: the last one sets the status as it would after the others.
        """
        index = self.register_index(number)
        register = f"m[{marked(index)}]"
        rounds = f"{register} - 1 & 65535" if change < 0 else f"65535 - {register}"
        self._count = len(self.lines), rounds
        self.emit("")
        self.emit(f"{register} = {register} + {change} * n & 65535")

    @property
    def counting(self) -> bool:
        """Tell whether a loop that only counts has begun and not ended."""
        return self._count is not None

    def look_again(self, place: int) -> None:
        """Go on at a place after a loop only if there is time for what follows the loop.

        So the loop has to leave time for one of its rounds, and for nothing else.
        """
        self._end_look()
        self.worst = 0
        self._begin_look(place)

    def _end_count(self, cycles: int) -> None:
        """Fix the time that a round of a counting loop takes."""
        if self._count is not None:
            at, rounds = self._count
            self.lines[at] += f"n = min({rounds}, (last - 1 - c) // {cycles}); c += {cycles} * n"
            self._count = None

    def _rest(self, packed: str, deeper: int) -> None:
        """End a quiet round.

        If it has not changed the status either, the rounds that follow are the same for as long as
        there is time: they depend only on memory and status (a LIMI leaves the trace if an
        interrupt is requested). They are skipped at once, because a program that waits for a frame
        does little else.
        """
        self._rests = True
        self.emit(f"s = {packed}", deeper)
        self.emit("if s == st and c < last and not p: c += (last - c) // (c - h) * (c - h)", deeper)
        self.emit("st = s", deeper)

    @contextmanager
    def way(self, target: int, more: int) -> Iterator[None]:
        """Write the branch of a jump, one level deeper; it is entered only if there is time."""
        cycles, worst, wp, flags, look = self.cycles, self.worst, self.wp, self.flags, self._look
        quiet = self._quiet
        # `worst` begins anew: the branch has a check of its own.
        self.cycles, self.worst, self.flags = cycles + more, 0, flags.copy()
        self._depth += 1
        self._begin_look(target)
        yield
        self._end_look()
        self._depth -= 1
        self.cycles, self.worst, self.wp, self.flags = cycles, worst, wp, flags
        self._look, self._quiet = look, quiet

    def _begin_look(self, target: int) -> None:
        """Leave for a place unless there is time for what is written from now on."""
        self._look = len(self.lines)
        self.emit("")
        self.leave(str(target), deeper=1)

    def _end_look(self) -> None:
        """Fix the time needed for what was written since the last check."""
        total = self.worst + self.cycles
        if self._look is None:
            self._head = total
        else:
            self.lines[self._look] += f"if c >= until - {total}:"

    def call(self, place: int, back: int) -> None:
        """Call the trap at a place (PC | WP << 16); leave unless it returns to the expected
        address.
        """
        self._end_look()
        self._quiet = False
        resumed = back | self.wp << 16
        self.emit(
            f"if U(c + {self.cycles}, {self.flags.packed()}, {marked(place)}, {marked(resumed)}):"
        )
        self.emit("return P.pc | P.wp << 16, B.cycles, P.st", 1)
        self.emit("c = B.cycles")
        self.cycles = self.worst = 0
        self._begin_look(back)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Write a branch that leaves the trace, one level deeper; only its `worst` time counts."""
        cycles, slow = self.cycles, self._slow
        self._depth += 1
        yield
        self._depth -= 1
        self.cycles, self._slow = cycles, slow

    def end_instruction(self, after: int) -> bool:
        """Return if the instruction may have met a port or code; tell whether it always returns."""
        slow, self._slow = self._slow, ""
        if slow == "sometimes":
            self.emit("if q:")
            self.leave(str(after), deeper=1)
        elif slow == "always":
            self.leave(str(after))
        return slow == "always"

    def text(self) -> str:
        """The whole function; the time it may take is known now."""
        self._end_look()
        head = (
            f"def run(c, st, until, {NAMES}):",
            f"    last = until - {self._head}",
            f"    if c >= last: return {marked(self.key)}, c, st",
            "    q = 0",
            "    while True:",
            *(("        h = c; p = 0",) if self._rests else ()),
        )
        return "\n".join([*head, *self.lines])
