"""CALL INIT, LOAD, LINK and PEEK as the statements use them, and the object code that LOAD takes.

Source: recorded cases; the tags are described in `assembler.tagged`. Code goes to the first free
address of low memory, names below the last free one; the two may not meet.

Statements leave bytes at >8300 to >8317, where machine code may keep bytes of its own; everything
else there stays as code left it. Recorded in answers 18-8 for a PRINT of one character, one `&` of
two strings and one HCHAR; what longer ones leave follows from the purpose of the cells. `settle`
writes these bytes, only when a program is about to look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import CODE_NAME, CODE_PROGRAM_NAME, PRINT_WIDTH
from ti99tools.base.codes import FILE_BLOCK, INIT_MARK, INITIALIZED, STRINGS_START
from ti99tools.base.cycles.code import TAG_CYCLES
from ti99tools.base.xberrors import XBError
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.addresses import ENTRY, FAC, FIRST_FREE, LAST_FREE
from ti99tools.computer.machinecode.consoleroutines import address_text, not_loaded, not_peeked
from ti99tools.computer.machinecode.entries import ReadLine
from ti99tools.computer.machinecode.running import PATIENCE, Engine, Remarks, named
from ti99tools.computer.machinecode.utilities import MOST, LinkArgument
from ti99tools.computer.numbers.rnd import RandomState
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.clock import Pause, ScheduledEvent
from ti99tools.hardware.machine.cpu_memory import (
    FREE_END,
    HIGH_MEMORY,
    HOOK,
    TABLE_START,
    Cell,
    Memory,
    home,
)
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.pab import OPEN, READ, IOFailure, Mode, OpenRequest

TAGS = "0125679ABC8"
DIGITS = 4
"""The tags of object code that LOAD takes, and the hexadecimal digits after them."""
_HEX = frozenset(b"0123456789ABCDEF")
_NO_TAGS = {
    "3": "a REF, which CALL LOAD does not take: EQU the address",
    "4": "a REF, which CALL LOAD does not take: EQU the address",
    "\1": "compressed object code: assemble it uncompressed",
}
"""Tags of other loaders, and what to do."""
_NO_ROOM = "is too much: low memory has no room for it"


class ObjectLoader:
    """Puts object code into memory, record by record."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._base = self._at = memory.word(FIRST_FREE)
        self.ended = False
        """Set once the last record was seen."""
        self.tags = self.records = 0

    def record(self, data: bytes) -> None:
        """Take one record.

        Raises XBError: UNRECOGNIZED CHARACTER, DATA ERROR (checksum) or MEMORY FULL.
        """
        text = iter(data)
        self.records += 1
        checksum = 0
        for tag in text:
            self.tags += 1
            checksum += tag
            if tag == ord(":"):
                self.ended = True
                return
            if tag == ord("F"):
                return
            if chr(tag) not in TAGS:
                found = _NO_TAGS.get(chr(tag), "no object code")
                raise self._refused(xb.UNRECOGNIZED_CHARACTER, f"has {found}")
            value, digits = _value(text)
            if value is None:
                raise self._refused(xb.UNRECOGNIZED_CHARACTER, "has no object code")
            if tag == ord("7") and (checksum + value) & 0xFFFF:
                raise self._refused(xb.DATA_ERROR, "has another checksum: it is damaged")
            checksum += digits + self._do(chr(tag), value, text)

    def _refused(self, code: int, why: str) -> XBError:
        return XBError(code, detail=f"record {self.records} of the file {why}")

    def _do(self, tag: str, value: int, text: Iterator[int]) -> int:
        """Carry out a tag; returns the sum of the characters of its name."""
        match tag:
            case "0":
                self._program(value)
                return sum(_taken(text, CODE_PROGRAM_NAME))
            case "5" | "6":
                name = _taken(text, CODE_NAME)
                self._define(bytes(name), value + self._base * (tag == "5"))
                return sum(name)
            case "9" | "A":
                self._at = (value + self._base * (tag == "A")) & 0xFFFF
            case "B" | "C":
                self._word(value + self._base * (tag == "C"))
        return 0

    def _program(self, length: int) -> None:
        """Take room in low memory."""
        self._base = self._at = self._memory.word(FIRST_FREE)
        end = (self._base + length + 1) & ~1
        if end > self._memory.word(LAST_FREE):
            raise self._refused(xb.MEMORY_FULL, _NO_ROOM)
        self._memory.set_word(FIRST_FREE, end)

    def _define(self, name: bytes, address: int) -> None:
        """Enter a name into the table."""
        memory = self._memory
        place = memory.word(LAST_FREE) - ENTRY
        if place <= memory.word(FIRST_FREE):
            raise self._refused(xb.MEMORY_FULL, _NO_ROOM)
        memory.store(place, name + (address & 0xFFFF).to_bytes(2, "big"))
        memory.set_word(LAST_FREE, place)

    def _word(self, value: int) -> None:
        self._memory.set_word(self._at, value & 0xFFFF)
        self._at = (self._at + 2) & 0xFFFF


def _value(text: Iterator[int]) -> tuple[int | None, int]:
    """Four hexadecimal digits: their value, None if they are others, and the characters' sum."""
    digits = _taken(text, DIGITS)
    value = int(bytes(digits), 16) if _HEX.issuperset(digits) else None
    return value, sum(digits)


def _taken(text: Iterator[int], count: int) -> list[int]:
    """The next characters; spaces after the end of a record."""
    return [next(text, ord(" ")) for _ in range(count)]


def names(memory: Memory, limit: int) -> Iterable[tuple[bytes, int]]:
    """The table of names from its start up to an address: each name and its address."""
    for place in range(memory.word(LAST_FREE), limit, ENTRY):
        name = bytes(memory.peek(place + n) for n in range(CODE_NAME))
        yield name, memory.word(place + CODE_NAME)


CELLS = range(0x8300, 0x8318)
TARGET, SOURCE, ADDRESS = 0x8300, FILE_BLOCK, 0x8316
"""Words of PEEK: where the byte goes, and twice where it comes from."""
MODE, PLACE_IN_ROW, SHOWN_AT, LENGTH = 0x8302, 0x8306, 0x8308, 0x830C
"""Words of PRINT and of strings; the byte after `PLACE_IN_ROW` is the width of a row."""
_PRINTING, _DRAWING = 0x8000, 3
_THIRD, _THIRD_TONE = 2, 0xC000
_BOTTOM_ROW = 23 * 32 + 2
"""Where in video memory the row of PRINT begins."""


class Leftovers:
    """Notes what statements leave, and writes it into memory when a program looks."""

    def __init__(self, memory: Memory, video: bytearray) -> None:
        self._memory = memory
        self._video = video
        self._bytes: dict[int, int] = {}

    def printed(self, column: int) -> None:
        """Note that a PRINT has ended with `column` columns of its row filled."""
        self._word(MODE, _PRINTING)
        self._word(PLACE_IN_ROW, (column + 1) << 8 | PRINT_WIDTH)
        self._word(SHOWN_AT, _BOTTOM_ROW + column)

    def string(self, length: int) -> None:
        """Note that a string of `length` characters was shown, or had another appended to it."""
        self._word(LENGTH, length)

    def filed(self, number: int, operation: int) -> None:
        """Note that a file was used: where its block is, and what matters in it (see `BlockError`).

        A file's block is part of what OPEN takes of the room for strings; here all have one place,
        just above the strings.
        """
        block = self._memory.word(STRINGS_START) + 1
        self._word(FILE_BLOCK, block)
        self._video[block : block + 6] = bytes((0, 0, number, 0, operation, 0))

    def loaded(self) -> None:
        """Note that CALL LOAD has read a file, whose block is all zero (recorded: I/O ERROR 00)."""
        self.filed(0, 0)

    def sounded(self, periods: Sequence[int]) -> None:
        """Note that CALL SOUND has played tones: the bytes of the third are kept (recorded: >C000
        where there is none).
        """
        period = periods[_THIRD] if len(periods) > _THIRD else 0
        self._word(FILE_BLOCK, _THIRD_TONE | (period & 0x0F) << 8 | period >> 4)

    def drawn(self) -> None:
        """Note that HCHAR has drawn."""
        self._bytes[MODE] = _DRAWING

    def peeking(self, address: int) -> None:
        """Note that PEEK is about to read a byte: PEEK itself leaves bytes, too."""
        if home(address) not in CELLS:
            return
        self._word(TARGET, FAC + 1)
        self._word(SOURCE, address)
        self._word(ADDRESS, address)
        self.settle()

    def settle(self) -> None:
        """Write what was left."""
        for address, value in self._bytes.items():
            self._memory.poke(address, value)
        self._bytes.clear()

    def _word(self, address: int, value: int) -> None:
        self._bytes[address], self._bytes[address + 1] = value >> 8 & 0xFF, value & 0xFF


_OBJECT_FILE = OpenRequest(Mode.INPUT, variable=False, record_length=80)
_NAME_NOT_FOUND = (0x0200, 0x2500, 0xC800, addresses.ERROR_CODE, 0x0460, addresses.ERROR_EXIT)
"""LI R0,>2500 / MOV R0,@>8322 / B to where Extended BASIC takes the error."""
FILE_NUMBER = 3
"""What CALL ERR gives as file number when LOAD cannot read a file."""


class MachineCode:
    """Machine code on a machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._memory = machine.memory
        self._engine: Engine | None = None
        self._tick: ScheduledEvent | None = None
        self.patience = PATIENCE
        """Cycles that code may go on without an interrupt or a look at the keyboard."""
        self.remarks = Remarks()
        self.started: Callable[[int, list[LinkArgument]], None] = self._start
        """Prepares the code of a LINK; a profiler puts its own function here."""
        self.read_line: ReadLine | None = None
        """Lets a line be typed for code; whoever has a line editor puts it here."""
        self.when_alone: Callable[[], None] = lambda: None
        """Called when a compiled program begins that has replaced the one in Extended BASIC."""
        self.leftovers = Leftovers(self._memory, machine.vdp.ram)
        """What statements leave where machine code may keep bytes of its own."""
        self.random: RandomState | None = None
        """RND's X; the console puts it here."""
        self._memory.when_made = self._follow_hook

    def loaded(self, address: int) -> None:
        """Make a remark if CALL LOAD wrote a cell of the console where that has no effect."""
        cells = self._memory.cells
        at = home(address)
        if at >= HIGH_MEMORY:
            self._look_at_values("LOAD", at)
        elif at not in cells or cells[at].write is None:
            self._tell(not_loaded(at, ()))

    def peeked(self, address: int, value: int) -> None:
        """Make a remark if CALL PEEK read a cell of the console that is not kept up to date."""
        at = home(address)
        if at >= HIGH_MEMORY:
            self._look_at_values("PEEK", at)
        elif not value:
            self._tell(not_peeked(at, self._memory.cells))

    def _look_at_values(self, word: str, address: int) -> None:
        """Make a remark for the room of numeric variables: their values are not in memory."""
        memory = self._memory
        if memory.word(FREE_END) < address < memory.word(TABLE_START):
            self.remarks.add(
                f"CALL {word} at {address_text(address)}: numeric variables lie there on the "
                "machine, but not here"
            )

    def _tell(self, text: str) -> None:
        if text:
            self.remarks.add(text)

    @property
    def engine(self) -> Engine:
        """The processor with its memory and traps, made when it is first used."""
        if self._engine is None:
            self._engine = Engine(self._machine, self.remarks.add)
            self._engine.entries.read_line = self.read_line
            self._engine.when_alone = lambda: self.when_alone()
        return self._engine

    @property
    def in_use(self) -> bool:
        """Tell whether there is a processor yet."""
        return self._engine is not None

    @property
    def linking(self) -> bool:
        """Tell whether LINK's code is under way."""
        return self._engine is not None and self._engine.running

    @property
    def alone(self) -> bool:
        """Tell whether a compiled program runs that has replaced the one in Extended BASIC."""
        return self._engine is not None and self._engine.alone

    @property
    def ready(self) -> bool:
        """Tell whether LOAD and LINK find the mark that INIT leaves."""
        return self._memory.expansion and self._memory.initialized

    def initialize(self) -> None:
        """CALL INIT: put utilities into low memory and clear the table of names.

        SYNTAX ERROR without the expansion.
        """
        memory = self._memory
        if not memory.expansion:
            raise XBError(xb.SYNTAX_ERROR)
        bus = self.engine.bus
        bus.load(addresses.INIT_FROM, bytes(addresses.INIT_TO - addresses.INIT_FROM))
        for address, value in (
            (addresses.LINKED, addresses.NAME_SEARCH),
            (addresses.FIRST_FREE, addresses.FREE_AFTER_INIT),
            (addresses.LAST_FREE, addresses.NAMES_END),
            (INIT_MARK, INITIALIZED),
        ):
            memory.set_word(address, value)
        for number in range(len(addresses.UTILITIES)):
            memory.set_word(addresses.VECTORS + 4 * number, addresses.UTILITY_WORKSPACE)
            memory.set_word(addresses.VECTORS + 4 * number + 2, addresses.UTILITY_CODE + 4 * number)
        bus.load_words(addresses.NOT_FOUND, _NAME_NOT_FOUND)

    def load(self, name: str) -> None:
        """CALL LOAD of a file of object code. Raises XBError: I/O ERROR, and those of `record`."""
        clock = self._machine.clock
        try:
            file = self._machine.drives.open(name, _OBJECT_FILE)
        except IOFailure as failure:
            raise _io_error(OPEN, failure) from None
        loader = ObjectLoader(self._memory)
        number = tags = 0
        try:
            while not loader.ended:
                loader.record(file.read(number))
                clock.advance(TAG_CYCLES * (loader.tags - tags))
                number, tags = number + 1, loader.tags
            file.close()
            self.leftovers.loaded()
        except IOFailure as failure:
            raise _io_error(READ, failure) from None
        except XBError:
            file.close()
            raise

    def link(self, name: str, arguments: list[LinkArgument]) -> None:
        """Prepare the code of a name for `run`. Raises BAD ARGUMENT, SUBPROGRAM NOT FOUND.

        FAC gets the name, and what the last argument has left after it.
        """
        if not 1 <= len(name) <= CODE_NAME or len(arguments) > MOST:
            raise XBError(xb.BAD_ARGUMENT)
        wanted = name.encode("latin-1").ljust(CODE_NAME)
        entry = self._find(wanted)
        left = arguments[-1].left if arguments else len(name).to_bytes(2, "big")
        self._memory.bus.load(FAC, wanted + left)
        if entry is None:
            raise XBError(xb.SUBPROGRAM_NOT_FOUND)
        self.started(entry, arguments)

    def _start(self, entry: int, arguments: list[LinkArgument]) -> None:
        self.leftovers.settle()
        self._memory.publish()
        if self.random is not None:
            self.random.publish()
        self.engine.patience = self.patience
        self.engine.start(entry, arguments)

    def _find(self, name: bytes) -> int | None:
        """What a LINK runs: the address of a name in the table, the newest first.

        If a program has put another address at >2000, that is run, whatever the name is. A copy of
        another console's low memory points to that console's search, which lies where the utilities
        do.
        """
        bus = self._memory.bus
        linked = bus.word_at(addresses.LINKED)
        if linked and not addresses.UTILITY_WORKSPACE <= linked < addresses.UTILITY_END:
            return linked
        return named(bus, name)

    def run(self) -> None:
        """Run the code that LINK has prepared. Raises Pause; call it again to go on."""
        try:
            self.engine.go_on()
        except Pause:
            raise
        except BaseException:
            self._end()
            raise
        self._end()

    def _end(self) -> None:
        self.engine.stop()
        self._memory.take()
        if self.random is not None:
            self.random.take()
        self._watch_frames()

    # -- the hook while BASIC runs --------------------------------------------------------

    def _follow_hook(self, bus: Bus) -> None:
        """Watch for a CALL LOAD that changes the hook."""
        for address in (HOOK, HOOK + 1):
            self._memory.cells[address] = Cell(
                lambda at=address: bus.peek(at),  # type: ignore[misc]
                lambda value, at=address: self._hooked(bus, at, value),  # type: ignore[misc]
            )

    def _hooked(self, bus: Bus, address: int, value: int) -> None:
        bus.load_byte(address, value)
        self._watch_frames()

    def _watch_frames(self) -> None:
        """Serve each interrupt as long as there is a hook, or a sound list of machine code."""
        due = self.engine.interrupts.hook or self._memory.list_timer
        if due and self._tick is None:
            clock = self._machine.clock
            self._tick = clock.schedule(clock.next_interrupt, self._serve)

    def _serve(self) -> None:
        self._tick = None
        engine, clock = self.engine, self._machine.clock
        if not engine.running:
            memory = self._memory
            memory.publish()
            if memory.list_timer:
                engine.interrupts.play()
                engine.interrupts.settle()
            if engine.interrupts.hook:
                clock.take(engine.hook_once())
            memory.take()
        self._watch_frames()


def _io_error(operation: int, failure: IOFailure) -> XBError:
    return XBError(xb.IO_ERROR, io_code=10 * operation + failure.code, file=FILE_NUMBER)
