"""Extended BASIC's utilities, which machine code calls by BLWP, and the arguments of LINK.

NUMASG … ERR take their arguments in the caller's R0 to R2. Each function does its work at once. Its
cycles, including BLWP and the return, are measured with code and workspace in the 32K.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ti99tools.base import xberrors as xb
from ti99tools.base.codes import FILE_BLOCK, KEY_CODE, KEY_UNIT
from ti99tools.base.cycles import code as cycles
from ti99tools.base.record import Record
from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_SUBSCRIPT, STRING_NUMBER_MISMATCH, XBError
from ti99tools.computer.machinecode.addresses import (
    FAC,
    GPL_STATUS,
    JOYSTICK_Y,
    UTILITY_WORKSPACE,
    CodeError,
)
from ti99tools.computer.machinecode.consoleroutines import ROUTINES, number_at, put_number
from ti99tools.computer.numbers.forms import to_bytes
from ti99tools.computer.numbers.radix import Value, overflowed
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.core import EVEN
from ti99tools.hardware.machine.cpu_memory import MODE
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.screen import BLANK
from ti99tools.hardware.machine.vdp import ADDRESS_MASK, OFFSET, VDP

MOST = 16
"""Arguments of a LINK; one more is a BAD ARGUMENT (recorded)."""
NUMBER, STRING, NUMBER_VARIABLE, STRING_VARIABLE, NUMBER_ARRAY, STRING_ARRAY = range(6)
"""The kinds that code finds from >8300 on."""


class LinkArgument(Record):
    """One argument: a value, which is that when LINK began, or a variable or array.

    `base` is the number of an array's first element, as set by OPTION BASE. Anything else has only
    an element 0. Source: recorded answers (15-10, 18-9).
    """

    kind: int
    value: Value = 0
    read: Callable[[], Value] | None = None
    assign: Callable[[Value], None] | None = None
    elements: list[Value] | None = None
    base: int = 0

    @property
    def is_string(self) -> bool:
        """Tell whether it is a string, or strings."""
        return bool(self.kind & 1)

    @property
    def left(self) -> bytes:
        """What its evaluation leaves in the last two bytes of FAC: a string's length, or the end of
        a number (recorded: 0 for whole ones).
        """
        if self.elements is not None or self.kind == NUMBER_VARIABLE:
            return bytes(2)
        value = self.value
        if isinstance(value, str):
            return len(value).to_bytes(2, "big")
        return to_bytes(value)[-2:]

    def get(self, element: int) -> Value:
        """Its value; of an array, that of an element.

        BAD SUBSCRIPT for a missing element, BAD ARGUMENT for an element of something that is not an
        array.
        """
        if self.elements is not None:
            return self.elements[self._within(element)]
        self._must_be_simple(element)
        return self.value if self.read is None else self.read()

    def set(self, element: int, value: Value) -> None:
        """Assign to it; BAD ARGUMENT for an expression, and the errors of `get`."""
        if self.elements is not None:
            self.elements[self._within(element)] = value
            return
        self._must_be_simple(element)
        if self.assign is not None:
            self.assign(value)
        else:
            raise XBError(BAD_ARGUMENT)

    def _within(self, element: int) -> int:
        assert self.elements is not None
        if not self.base <= element < self.base + len(self.elements):
            raise XBError(BAD_SUBSCRIPT)
        return element - self.base

    @staticmethod
    def _must_be_simple(element: int) -> None:
        if element:
            raise XBError(BAD_ARGUMENT)


def chosen(arguments: list[LinkArgument], number: int, string: bool) -> LinkArgument:
    """The argument with a number from 1; BAD ARGUMENT without one, a mismatch for another kind."""
    if not 1 <= number <= len(arguments):
        raise XBError(BAD_ARGUMENT)
    argument = arguments[number - 1]
    if argument.is_string != string:
        raise XBError(STRING_NUMBER_MISMATCH)
    return argument


CODES = {
    2: 10, 3: 14, 4: 16, 5: 17, 6: 19, 7: 24, 8: 25, 9: 28, 10: 36, 11: 39, 12: 40, 13: 43, 14: 44,
    15: 47, 16: 48, 17: 49, 18: 51, 19: 54, 20: 57, 21: 56, 22: 60, 23: 61, 24: 62, 25: 67, 26: 69,
    27: 70, 28: 74, 29: 78, 30: 79, 31: 81, 32: 83, 33: 84, 34: 109, 36: 130, 37: 135, 39: 97,
    40: 20,
}  # fmt: skip
"""ERR's code → the number that CALL ERR gives; other codes do nothing."""

SKIPPED = {"XMLLNK": 1}
"""Utility → number of words after the call that are its operands."""
NO_KEY = 0xFF
NEW_KEY = 0x20
"""What KSCAN gives without a key, and the bit of the status for one that is new."""
UNITS = range(6)
_STICKS = (1, 2)


class Caller(Protocol):
    """What a utility works on."""

    @property
    def machine(self) -> Machine: ...

    @property
    def bus(self) -> Bus: ...

    @property
    def arguments(self) -> list[LinkArgument]: ...

    def looked(self) -> None: ...


Utility = Callable[[Caller], int]
"""Does the work and returns its cycles."""


_R13, _R14 = UTILITY_WORKSPACE + 26 >> 1, UTILITY_WORKSPACE + 28 >> 1
"""Words of memory: the caller's workspace, and where it goes on."""


def _registers(bus: Bus, count: int) -> list[int]:
    """The caller's registers from R0 on."""
    return bus.words_at(bus.words[_R13] & EVEN, count)


def _element(caller: Caller, string: bool) -> tuple[LinkArgument, int]:
    bus = caller.bus
    element, number = bus.words_at(bus.words[_R13] & EVEN, 2)
    return chosen(caller.arguments, number, string), element


def numasg(caller: Caller) -> int:
    """Assign the number in FAC to an argument."""
    argument, element = _element(caller, string=False)
    value = number_at(caller.bus, FAC)
    if overflowed(value):
        value = value.value_after_warning
    argument.set(element, value)
    return cycles.NUMASG if argument.elements is None else cycles.NUMASG_ELEMENT


def numref(caller: Caller) -> int:
    """Put a numeric argument into FAC."""
    argument, element = _element(caller, string=False)
    value = argument.get(element)
    assert not isinstance(value, str)
    put_number(caller.bus, FAC, value)
    if argument.read is None:
        return cycles.NUMREF_VALUE
    return cycles.NUMREF if argument.elements is None else cycles.NUMREF_ELEMENT


def strasg(caller: Caller) -> int:
    """Assign the string in the buffer (a length byte and its characters) to an argument."""
    argument, element = _element(caller, string=True)
    buffer = _registers(caller.bus, 3)[2]
    length = caller.bus.peek(buffer)
    text = caller.bus.bytes_at(buffer + 1, length).decode("latin-1")
    argument.set(element, text)
    return cycles.STRASG + cycles.STRASG_CHARACTER * length


def strref(caller: Caller) -> int:
    """Put a string argument into the buffer, whose first byte gives the room. STRING TRUNCATED."""
    argument, element = _element(caller, string=True)
    value = argument.get(element)
    assert isinstance(value, str)
    buffer = _registers(caller.bus, 3)[2]
    if len(value) > caller.bus.peek(buffer):
        raise XBError(xb.STRING_TRUNCATED)
    caller.bus.load(buffer, (len(value), *value.encode("latin-1")))
    return cycles.STRREF + cycles.STRREF_CHARACTER * len(value)


def xmllnk(caller: Caller) -> int:
    """Call a routine for numbers; the word after the call names it."""
    bus = caller.bus
    at = bus.words[_R14]
    name = bus.word_at(at)
    bus.load_word(UTILITY_WORKSPACE + 28, (at + 2) & 0xFFFF)
    if name not in ROUTINES:
        raise CodeError(
            f"machine code at >{at:04X} calls the console's routine >{name:04X} by XMLLNK, "
            "which is not part of this console",
            remedy="use " + ", ".join(f">{entry:04X}" for entry in ROUTINES),
        )
    ROUTINES[name](bus, caller.machine.vdp)
    return cycles.XMLLNK_ROUTINES[name]


def kscan(caller: Caller) -> int:
    """Scan the keyboard in the unit that >8374 names."""
    caller.looked()
    bus, keyboard = caller.bus, caller.machine.keyboard
    unit = bus.peek(KEY_UNIT)
    # A key that is found sets register 1 from the copy, which the code may have changed.
    caller.machine.vdp.mode = bus.peek(MODE)
    code, status = keyboard.scan(unit if unit in UNITS else 0)
    x, y = keyboard.joystick(unit)
    bus.load_byte(KEY_CODE, code & NO_KEY)
    if unit in _STICKS:
        bus.load(JOYSTICK_Y, (y & 0xFF, x & 0xFF))
    new = NEW_KEY if status == 1 else 0
    bus.load_byte(GPL_STATUS, bus.peek(GPL_STATUS) & ~NEW_KEY & 0xFF | new)
    # Units 3 to 5 say how keys are read from now on; the console clears the byte then.
    if unit > 2:
        bus.load_byte(KEY_UNIT, 0)
    return cycles.KSCAN_UNITS.get(unit, cycles.KSCAN)


def vsbw(caller: Caller) -> int:
    """Write a byte to video memory: address in R0, the byte in the high half of R1."""
    address, value = _registers(caller.bus, 2)
    caller.machine.vdp.ram[address & ADDRESS_MASK] = value >> 8
    return cycles.VSBW


def vmbw(caller: Caller) -> int:
    """Copy bytes from memory (address in R1, count in R2) to video memory (address in R0)."""
    bus, ram = caller.bus, caller.machine.vdp.ram
    at, source, count = bus.words_at(bus.words[_R13] & EVEN, 3)
    at &= ADDRESS_MASK
    data = bus.bytes_at(source, count)
    # As a rule one slice does; past the end the address wraps round.
    if at + count <= len(ram):
        ram[at : at + count] = data
    else:
        for n, byte in enumerate(data, at):
            ram[n & ADDRESS_MASK] = byte
    return cycles.VMBW + cycles.VMBW_BYTE * count


def vsbr(caller: Caller) -> int:
    """Read the byte of video memory at R0 into the high half of R1."""
    bus = caller.bus
    byte = caller.machine.vdp.ram[_registers(bus, 1)[0] & ADDRESS_MASK]
    bus.load_byte(bus.words[_R13] + 2, byte)
    return cycles.VSBR


def vmbr(caller: Caller) -> int:
    """Copy bytes from video memory (address in R0) to memory (R1); the count is in R2."""
    ram, at, target, count = _block(caller)
    # In pieces: the count may be 65535, and video memory wraps round at 16 KB.
    for first in range(0, count, 0x1000):
        n = min(0x1000, count - first)
        data = [ram[(at + first + i) & ADDRESS_MASK] for i in range(n)]
        _store(caller.bus, target + first & 0xFFFF, data)
    return cycles.VMBR + cycles.VMBR_BYTE * count


def vwtr(caller: Caller) -> int:
    """Write a register of the video processor: number and value are the bytes of R0."""
    number, value = divmod(_registers(caller.bus, 1)[0], 256)
    caller.machine.vdp.registers[number & 7] = value
    return cycles.VWTR


class BlockError(XBError):
    """An I/O error that machine code has raised: Extended BASIC looks in the file's block for more.

    The word at >8304 says where in video memory the block is: byte 2 is the file's number, byte 4
    the operation, byte 5 the error in its top three bits. The address is sent to the video
    processor as it is, and one from >8000 on sets a register there (recorded: after CALL SOUND it
    is >C000, and register 0 becomes 2, or 5 where no ON ERROR is in force).
    """

    def __init__(self, vdp: VDP, block: int) -> None:
        super().__init__(xb.IO_ERROR, io_code=0)
        self._vdp = vdp
        self._block = block

    def met(self, handled: bool) -> None:
        """Look for the file's number, or for operation and error, which the message shows."""
        if handled:
            self.file = self._byte(_FILE)
        else:
            self.io_code = 10 * self._byte(_OPERATION) + (self._byte(_FLAGS) >> 5)

    def _byte(self, place: int) -> int:
        address = self._block + place & 0xFFFF
        if address & _SETS_REGISTER:
            self._vdp.registers[address >> 8 & 7] = address & 0xFF
        # No address to read from was set up: what was read ahead is a blank of the message's row.
        return BLANK + OFFSET if address > ADDRESS_MASK else self._vdp.ram[address]


_FILE, _OPERATION, _FLAGS = 2, 4, 5
"""Bytes of the block where a file's number, the operation and its error are."""
_SETS_REGISTER = 0x8000
"""An address with this bit is none for the video processor: its low byte goes to a register."""


def err(caller: Caller) -> int:
    """End the LINK with the error whose code is in the high byte of R0; see `CODES`."""
    error = coded(caller, _registers(caller.bus, 1)[0] >> 8)
    if error is not None:
        raise error
    return cycles.ERR


def coded(caller: Caller, number: int) -> XBError | None:
    """The error of one of ERR's codes; None for a number that is none."""
    code = CODES.get(number)
    if code is None:
        return None
    if code == xb.IO_ERROR:
        return BlockError(caller.machine.vdp, caller.bus.word_at(FILE_BLOCK))
    return XBError(code, severity=9 if code == xb.INPUT_ERROR else None)


def _block(caller: Caller) -> tuple[bytearray, int, int, int]:
    """Video memory, the address in it, the address in memory, and how many bytes."""
    target, source, count = _registers(caller.bus, 3)
    return caller.machine.vdp.ram, target & ADDRESS_MASK, source, count


def _store(bus: Bus, address: int, data: list[int]) -> None:
    """Write bytes where memory can be written."""
    for at, byte in enumerate(data, address):
        if bus.writable(at):
            bus.load_byte(at, byte)


TABLE: dict[str, Utility] = {
    "NUMASG": numasg,
    "NUMREF": numref,
    "STRASG": strasg,
    "STRREF": strref,
    "XMLLNK": xmllnk,
    "KSCAN": kscan,
    "VSBW": vsbw,
    "VMBW": vmbw,
    "VSBR": vsbr,
    "VMBR": vmbr,
    "VWTR": vwtr,
    "ERR": err,
}
