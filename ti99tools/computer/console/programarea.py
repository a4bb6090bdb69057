"""Program, symbols and strings as they lie in memory.

Line number table and lines end at >FFE7 in high memory, for CALL PEEK, CALL LOAD and machine code.
They are written there when one of these looks, and read back when pointers or bytes have changed:
LIST, RUN and SAVE then see the changes. A running program keeps the lines that RUN found; a remark
is made when it has changed them.

In video memory the symbol table and the buffers of open files lie from >37D7 downwards, the strings
below them; the stack grows from >0958 upwards. Only the pointers are modelled, not the bytes.
Source: SIZE as recorded gives both ends, a recorded PEEK where strings begin.

SIZE reports the bytes free for the stack and for the program. Symbols and values exist once a
program or a line without a number has run; before that only the program's lines take room.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from struct import pack, unpack
from typing import Protocol

from ti99tools.base.codes import STACK_TOP, STRINGS_START
from ti99tools.base.errors import ProgramError
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.heap import Heap
from ti99tools.hardware.machine.cpu_memory import TABLE_START, Cell, Memory
from ti99tools.language.prescan.symbols import HIGH_SPACE, OTHER_FRAME, STRING_OVERHEAD, VIDEO_SPACE
from ti99tools.language.program.memory_image import (
    LONG_TOP,
    PROGRAM_HEAD,
    ProgramImage,
    parse_program,
    written_head,
)
from ti99tools.language.program.program import Program

CURRENT_LINE = 0x832E
"""Points at the second word of the running line's entry in the line number table."""
PROTECTION = 0x8345
"""Its highest bit: the program is protected."""
HIGHEST_VIDEO, MEMORY_TOP = 0x8370, 0x8384
"""The last byte that strings may use in video memory, and programs in the memory expansion."""
RETURN_TO = 0x8326
"""Where the console goes on after the end of a program."""
RUN_AGAIN, RUN_UNSCANNED = 0x649B, 0xA004
"""RUN, and RUN without the pre-scan; the time of the pre-scan is taken here in both."""
RESEQUENCE, REFUSED = 0x6488, 0x6495
"""RES with its usual numbers, and an address that gives SYNTAX ERROR IN 0. Both (100,136 and
100,149) are recorded; that RES renumbers the lines is known from users' lists of addresses.
"""
VIDEO_TOP = 0x37D7
"""Where strings begin while the disk controller has room for three files, as at power-on."""
_PROTECTED = 0x80
_ENTRY = 4
"""Bytes of an entry of the line number table: the number, and where the tokens are."""
_HIGH = 0xA000


class Holder(Protocol):
    """Whoever holds the program in memory."""

    program: Program | None

    @property
    def line(self) -> int | None:
        """The number of the line that runs, None if none does."""
        ...

    @property
    def values(self) -> int:
        """Bytes that numeric values take in high memory."""
        ...

    @property
    def spared(self) -> int:
        """Bytes of video memory that the disk controller has released; negative if it has taken
        more.
        """
        ...

    def poked(self, program: Program | None) -> None:
        """Take over a program that has been changed in memory."""
        ...


class ProgramArea:
    """Shows a holder's program in memory, and takes over what is changed there."""

    def __init__(self, memory: Memory, holder: Holder) -> None:
        self._memory = memory
        self._holder = holder
        self._shown: Program | None = None
        self._measured: Program | None = None
        self._ends = LONG_TOP, LONG_TOP
        """What `_table` has found for this program."""
        self._entries: dict[int, int] = {}
        """Number of a line of it that ran → what `_current` was then."""
        self._words: list[int] = []
        self._first = 0
        self.moved = False
        self._pointers: bytearray | None = None
        """Start and end of the table as the program has set them, until they are taken over."""
        self._poked_limits: bytearray | None = None
        """What the program has put in their place."""
        self.remarks: list[str] = []
        memory.show = self.show
        self._show_cells()

    def _show_cells(self) -> None:
        cells, follow = self._memory.cells, self._memory.follow
        follow(TABLE_START, self._pointer_words, count=2)
        for n in range(4):
            cells[TABLE_START + n] = cells[TABLE_START + n]._replace(write=self._writer(n))
        follow(HIGHEST_VIDEO, lambda: (VIDEO_TOP + self._holder.spared,))
        follow(MEMORY_TOP, self._limits, count=2)
        for n in range(4):
            at = MEMORY_TOP + n
            cells[at] = cells[at]._replace(write=self._limit_writer(n))
        follow(CURRENT_LINE, lambda: (self._current(),), self._move)
        cells[PROTECTION] = Cell(self._protection, self._protect)

    def _pointer_words(self) -> tuple[int, ...]:
        if self._pointers is None:
            return self._table()
        return unpack(">2H", self._pointers)

    def _limits(self) -> tuple[int, int]:
        """The top of memory, and the last address that neither program nor numeric values use."""
        if self._poked_limits is not None:
            return unpack(">2H", self._poked_limits)
        return LONG_TOP, self._table()[0] - 1 - self._holder.values

    def _limit_writer(self, n: int):  # type: ignore[no-untyped-def]
        def write(value: int) -> None:
            if self._poked_limits is None:
                self._poked_limits = bytearray(pack(">2H", *self._limits()))
            before = self._limits()[0]
            self._poked_limits[n] = value
            # Code that makes a program in memory writes there what is there already.
            if before == LONG_TOP != self._limits()[0]:
                self.remarks.append(
                    f"CALL LOAD at >{MEMORY_TOP:04X} (-31868) (limits of memory): with 0 there "
                    "only PROGRAM files are loaded, nothing else follows from it"
                )

        return write

    @property
    def expanded(self) -> bool:
        """Tell whether there is high memory, as >8384 says: 0 where there is none."""
        return self._memory.expansion and self._limits()[0] != 0

    def restore_limits(self) -> None:
        """Set the limits of memory as NEW does."""
        self._poked_limits = None

    def _writer(self, n: int):  # type: ignore[no-untyped-def]
        def write(value: int) -> None:
            if self._pointers is None:
                self._pointers = bytearray(pack(">2H", *self._table()))
            self._pointers[n] = value

        return write

    def _table(self) -> tuple[int, int]:
        """First and last address of the line number table."""
        if self._holder.program is not self._measured:
            self._measure(self._holder.program)
        return self._ends

    def _measure(self, program: Program | None) -> None:
        """Find the table of a program."""
        self._measured = program
        self._ends = LONG_TOP, LONG_TOP
        self._entries = {}
        if program is None or not program.lines:
            return
        image = program.image
        end = LONG_TOP - len(image.memory)
        self._ends = end + 1 - _ENTRY * len(image.table), end

    def _current(self) -> int:
        """The address of the second word of the running line's entry."""
        program, number = self._holder.program, self._holder.line
        start, _ = self._table()
        if program is None or number is None:
            return 0
        known = self._entries.get(number)
        if known is None:
            table = program.image.table
            later = len(table) - bisect_right(table, number, key=itemgetter(0))
            known = self._entries[number] = start + _ENTRY * later + 2
        return known

    def _move(self, _value: int) -> None:
        self.moved = True

    @property
    def ended(self) -> bool:
        """Tell whether the program's last line was poked as the one that runs; reset by reading.

        For any other line a remark is made, and the program goes on where it was.
        """
        if not self.moved:
            return False
        self.moved = False
        if self._memory.bus.word_at(CURRENT_LINE) == self._table()[0] + 2:
            return True
        self.remarks.append(
            "another line was poked as the one that runs: the program goes on where it was"
        )
        return False

    def _protection(self) -> int:
        program = self._holder.program
        return _PROTECTED if program is not None and program.protected else 0

    def _protect(self, value: int) -> None:
        program = self._holder.program
        if program is not None and program.protected != bool(value & _PROTECTED):
            self._holder.poked(program.with_protection(not program.protected))

    def taken_end(self) -> int:
        """The address where the console was poked to go on after the program's end, and reset it.
        0: with READY.
        """
        memory = self._memory
        place = memory.word(RETURN_TO) if memory.in_use else 0
        if not place:
            return 0
        memory.set_word(RETURN_TO, 0)
        if place in (RUN_AGAIN, RUN_UNSCANNED, RESEQUENCE, REFUSED):
            return place
        self.remarks.append(
            f"the end of the program was poked to lead to >{place:04X}: only RUN (100,155 or "
            "160,4) and RES (100,136) are supported"
        )
        return 0

    def show(self) -> None:
        """Put the program into memory."""
        program = self._holder.program
        if program is self._shown or not self._memory.expansion:
            return
        self._shown = program
        if program is None or not program.lines:
            self._words = []
            return
        start, _ = self._table()
        if start <= _HIGH:
            return
        data = program.image.below(LONG_TOP)
        self._memory.bus.guard(range(0))
        self._memory.bus.load(start, data)
        self._guard()

    def _guard(self) -> None:
        """Report changes of table and lines from now on."""
        start, _ = self._table()
        bus, place = self._memory.bus, range(start >> 1, (LONG_TOP + 1) >> 1)
        bus.guard(place)
        self._first = place.start
        self._words = bus.words[place.start : place.stop]

    def take(self) -> None:
        """Take over what was changed: other pointers, other bytes of table or lines."""
        pointers, self._pointers = self._pointers, None
        if pointers is None and not self._bytes_changed():
            return
        start, end = self._table()
        if pointers is not None:
            start = int.from_bytes(pointers[:2], "big")
            end = int.from_bytes(pointers[2:], "big")
        self._replace(self._read(start, end))

    def _bytes_changed(self) -> bool:
        bus = self._memory.bus
        if self._shown is not self._holder.program or not self._words or not bus.touched:
            return False
        bus.touched = False
        words = bus.words
        return words[self._first : self._first + len(self._words)] != self._words

    def _read(self, start: int, end: int) -> Program | None:
        """The program in memory; None when there is none."""
        if start >= LONG_TOP or end + 1 - start < _ENTRY:
            return None
        bus = self._memory.bus
        data = bytes(bus.peek(address) for address in range(start, LONG_TOP + 1))
        words = {"check": start ^ end, "end": end, "start": start, "top": LONG_TOP}
        head = written_head(PROGRAM_HEAD, words)
        try:
            image, _ = parse_program(head + data)
            lines = image.lines()
        except ProgramError as error:
            self.remarks.append(f"what is in memory after a change is not a program: {error}")
            return self._holder.program
        before = self._holder.program
        protected = before is not None and before.protected
        assert lines
        return Program(ProgramImage(image.table, image.memory), protected=protected)

    def _replace(self, program: Program | None) -> None:
        if program is not self._holder.program:
            self._holder.poked(program)
        self._shown = self._holder.program
        self._guard()


STACK_BASE = 0x8324
"""Points at the bottom of the stack in video memory, which `BASE` is."""
BASE = 0x0958


class Owner(Protocol):
    """Whoever holds the memory of strings and stack."""

    running: bool

    @property
    def heap(self) -> Heap | None:
        """The heap of the program in memory; None when no program has run."""
        ...


class StringArea:
    """Keeps the pointers to strings and stack in CPU memory up to date."""

    def __init__(self, memory: Memory, owner: Owner) -> None:
        self._owner = owner
        memory.follow(STRINGS_START, self.strings, count=3)
        memory.follow(STACK_BASE, lambda: (BASE,))
        memory.follow(STACK_TOP, lambda: (self.stack(),))

    def strings(self) -> tuple[int, int, int]:
        """The highest byte that strings may use, the highest one still free, and the text of the
        newest string (0 before there is one).
        """
        heap = self._owner.heap
        if heap is None:
            return VIDEO_TOP, VIDEO_TOP, 0
        start = VIDEO_TOP - heap.fixed
        end = start - heap.bytes_made
        return start, end, 0 if end == start else end + STRING_OVERHEAD

    def stack(self) -> int:
        """The top of the stack, with the entry of a CALL that reads it (recorded: answers 18-8)."""
        heap = self._owner.heap
        if heap is None:
            return BASE
        return BASE + heap.stack + (OTHER_FRAME if self._owner.running else 0)


def free_memory(
    program: Program | None, execution: Execution | None, besides: int
) -> tuple[int, int]:
    """Bytes of stack free, and bytes of program space free.

    `besides` are further bytes of video memory in use, counted only before anything has run.
    """
    lines = 0 if program is None else program.size
    if execution is None:
        return VIDEO_SPACE - besides, HIGH_SPACE - lines
    return execution.heap.free, HIGH_SPACE - lines - execution.heap.memory.values
