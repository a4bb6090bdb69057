"""The console's routines that code enters by BL and B: numbers, functions by GPL, CLEAR.

Entries called by BL return by R11 of the workspace; those for numbers work in workspace >83E0. GPL
is entered at >0060 with a GROM address in R6 of >83E0. Its routine returns to a GROM address on the
stack that >8373 points to: at those in `RETURNS` a branch through a word of memory stands, which
code sets beforehand. Source: measured on the console.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ti99tools.base.codes import KEY_CODE
from ti99tools.base.cycles.code import CLEAR_LOOKED, GPL_CALL, GPL_ROUTINES, GPL_STACKED
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.addresses import CodeError
from ti99tools.computer.machinecode.consoleroutines import (
    CFI,
    CSN,
    FADD,
    FCOMP,
    FDIV,
    FMUL,
    FSUB,
    GPL,
    ROUTINES,
    TONES,
    call,
)
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.core import EQ, LAECO, LGT, Core
from ti99tools.hardware.machine.cpu_memory import MOVING_SPRITES, GromPort
from ti99tools.hardware.machine.machine import Machine

GPL_ENTRY, CLEAR_ENTRY = 0x0060, 0x0020
"""Where the ROM goes on with GPL, and where it looks for CLEAR."""
SUB_STACK = 0x8373
"""The low byte of the pointer to GPL's stack of return addresses."""
RETURNS: Mapping[int, tuple[bytes, int]] = {
    0x1264: (b"\x0f\xf0", 0x8300),
    0x0379: (b"\x0f\xf0", 0x8300),
    0x176C: (b"\x0f\x27", 0x200E),
}
"""GROM address that GPL routines return to → its bytes, and the word that the branch goes through.
"""
PUSH_WORD, POP_WORD = 0x0050, 0x166C
"""Words of ROM that hold the addresses of two routines: save GPL's address, and return to it."""
PUSH, POP = 0x0AD0, 0x0AD4
"""These routines (the addresses are ours)."""
_BY_BL = (FADD, FSUB, FMUL, FDIV, FCOMP, CSN, CFI)
"""The routines for numbers that code also calls by BL, without XMLLNK."""
_FUNCTION_COLUMN, _FUNCTION_ROW = 0, 4
_FOUR_COLUMN, _FOUR_ROW = 3, 4
"""Where the two keys of CLEAR, FCTN and 4, are in the matrix of the keyboard."""

READ_LINE = 0x2858
"""A routine of TI BASIC's GROM that programs of the community's compiler call for INPUT and ACCEPT:
a line is typed on the screen. What it takes and leaves follows from how they use it.
"""
FIRST_CELL, AFTER_LAST, LAST_CELL = 0x8320, 0x832A, 0x835E
"""Words in which it gets the place of the first character and of the last that may be typed, and
leaves that of the first (a scroll moves it) and the one after the last that was typed.
"""
ReadLine = Callable[[int, int], tuple[int, int, int]]
"""Takes the first and the last place; returns the first, the one after the last, and the key that
ended the line. Raises Pause while it waits for a key; call it again to go on.
"""

AtItsTime = Callable[[Core, Callable[[], int]], None]
"""Does something that takes cycles, with the console's clock set to the processor's."""


class Entries:
    """The routines, on a machine's memory."""

    def __init__(
        self, machine: Machine, bus: Bus, at_its_time: AtItsTime, sounds: Callable[[], None]
    ) -> None:
        """`sounds` is called when a tone has begun."""
        self._machine = machine
        self._bus = bus
        self._sounds = sounds
        self.read_line: ReadLine | None = None
        """Lets a line be typed, where there is Extended BASIC."""
        self._at_its_time = at_its_time

    def traps(self) -> dict[int, Callable[[Core], None]]:
        """Address → the routine."""
        numbers = {entry: self._number_routine(entry) for entry in _BY_BL}
        others = {GPL_ENTRY: self._gpl, CLEAR_ENTRY: self._clear, PUSH: self._push, POP: self._pop}
        return {**numbers, **others}

    @staticmethod
    def words() -> dict[int, int]:
        """Address in ROM → a word there that code reads."""
        return {PUSH_WORD: PUSH, POP_WORD: POP}

    def _number_routine(self, entry: int) -> Callable[[Core], None]:
        """A routine for numbers called by BL."""
        assert entry in ROUTINES

        def trap(cpu: Core) -> None:
            if cpu.wp != addresses.GPL_WORKSPACE:
                raise CodeError(
                    f"the console's routine >{entry:04X} is called with workspace >{cpu.wp:04X}",
                    remedy="LWPI >83E0 before it",
                )
            self._at_its_time(cpu, lambda: call(entry, self._bus, self._machine.vdp))
            self._return(cpu)

        return trap

    def _return(self, cpu: Core) -> None:
        cpu.pc = self._bus.word_at(cpu.at(11)) & 0xFFFE

    def _clear(self, cpu: Core) -> None:
        """Set EQ if CLEAR is down. The other bits are as recorded for a keyboard at rest."""

        def looked() -> int:
            down = self._machine.keyboard.break_pressed()
            cpu.st = cpu.st & ~LAECO | (EQ if down else LGT)
            return CLEAR_LOOKED

        self._at_its_time(cpu, looked)
        self._return(cpu)

    def _push(self, cpu: Core) -> None:
        """Put GPL's address on its stack; R4 becomes the stack's pointer."""
        bus = self._bus
        depth = bus.peek(SUB_STACK) + 2 & 0xFF
        bus.load_byte(SUB_STACK, depth)
        bus.load_word(0x8300 + depth, 0)
        self._stacked(cpu, depth)

    def _pop(self, cpu: Core) -> None:
        """Take GPL's address off its stack: it means nothing here."""
        depth = self._bus.peek(SUB_STACK)
        self._bus.load_byte(SUB_STACK, depth - 2 & 0xFF)
        self._stacked(cpu, depth)

    def _stacked(self, cpu: Core, depth: int) -> None:
        self._bus.load_word(cpu.at(4), depth)
        self._at_its_time(cpu, lambda: GPL_STACKED)
        self._return(cpu)

    def _type_line(self) -> None:
        """Let a line be typed; sprites and sounds go on meanwhile, as they do under BASIC."""
        assert self.read_line is not None
        bus, machine = self._bus, self._machine
        machine.sprites.moving = bus.peek(MOVING_SPRITES)
        machine.sprites.let_go()
        machine.sound.let_go()
        try:
            places = bus.word_at(FIRST_CELL), bus.word_at(LAST_CELL)
            first, after, key = self.read_line(*places)
        finally:
            machine.sprites.hold()
            machine.sound.hold()
        bus.load_word(FIRST_CELL, first)
        bus.load_word(AFTER_LAST, after)
        bus.load_byte(KEY_CODE, key)

    def _gpl(self, cpu: Core) -> None:
        """A routine of GPL: R6 of workspace >83E0 says which."""
        bus = self._bus
        routine = bus.word_at(addresses.GPL_WORKSPACE + 12)
        depth = bus.peek(SUB_STACK)
        back = bus.word_at(0x8300 + depth)
        lines = routine == READ_LINE and self.read_line is not None
        known = routine in GPL or routine in TONES or lines
        if not known or cpu.wp != addresses.GPL_WORKSPACE:
            raise CodeError(
                f"machine code calls GPL at >{routine:04X}, which is not part of this console",
                remedy="an emulator with the console's ROMs has it; code of your own can use "
                + ", ".join(f">{entry:04X}" for entry in sorted({*GPL, *TONES})),
            )
        if back not in RETURNS:
            raise CodeError(
                f"machine code calls GPL at >{routine:04X} and has it return to >{back:04X}, where "
                "this console has nothing",
                remedy="let it return to " + ", ".join(f">{place:04X}" for place in RETURNS),
            )

        def done() -> int:
            if routine in GPL:
                GPL[routine](bus, self._machine.vdp)
            elif lines:
                self._type_line()
            else:
                TONES[routine](self._machine.sound)
                self._sounds()
            return GPL_ROUTINES[routine] + GPL_CALL

        self._at_its_time(cpu, done)
        bus.load_byte(SUB_STACK, depth - 2 & 0xFF)
        cpu.pc = bus.word_at(RETURNS[back][1]) & 0xFFFE


class ReturningGrom(GromPort):
    """The GROM port with the bytes that a program may check before it calls GPL."""

    def read(self, address: int) -> int:
        """A byte of GROM, or of its address."""
        for first, (data, _) in RETURNS.items():
            if not address & 2 and first <= self._address < first + len(data):
                value = data[self._address - first]
                self._address += 1
                return value
        return super().read(address)
