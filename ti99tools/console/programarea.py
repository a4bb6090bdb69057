"""The program as it lies in high memory, for CALL PEEK, CALL LOAD and machine code.

Line number table and lines end at >FFE7. They are written into memory when somebody looks, and
read back when the pointers or the bytes have been changed: LIST, RUN and SAVE then see what is
there. A program that runs keeps its lines as RUN found them; it is remarked when it changed them.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from struct import pack, unpack
from typing import Protocol

from ti99tools.base.errors import ProgramError
from ti99tools.machine.cpu_memory import TABLE_START, Cell, Memory
from ti99tools.program.image import LONG_TOP, Image, parse_program
from ti99tools.program.program import Program

CURRENT_LINE, TABLE_END = 0x832E, 0x8332
PROTECTION = 0x8345
HIGHEST_VIDEO, MEMORY_TOP = 0x8370, 0x8384
RETURN_TO = 0x8326
"""Where the console goes on after a program's end; `RUN_AGAIN` starts it anew."""
RUN_AGAIN, RUN_UNSCANNED = 0x649B, 0xA004
"""RUN, and RUN without the pre-scan, whose time is taken here all the same."""
VIDEO_TOP = 0x37D7
_PROTECTED = 0x80
_ENTRY = 4
_HIGH = 0xA000


class Holder(Protocol):
    """Who has the program in memory."""

    program: Program | None

    @property
    def line(self) -> int | None:
        """The number of the line that runs, None if none does."""
        ...

    @property
    def values(self) -> int:
        """Bytes that numeric values take in high memory."""
        ...

    def poked(self, program: Program | None) -> None:
        """Take a program in place of the one in memory; it has been changed there."""
        ...


class ProgramArea:
    """Shows a holder's program in memory, and takes back what is changed there."""

    def __init__(self, memory: Memory, holder: Holder) -> None:
        self._memory = memory
        self._holder = holder
        self._shown: Program | None = None
        self._words: list[int] = []
        self._first = 0
        self.moved = False
        self._pointers: bytearray | None = None
        """Start and end of the table as they were set, until they are taken."""
        self.remarks: list[str] = []
        memory.show = self.show
        self._show_cells()

    def _show_cells(self) -> None:
        cells, follow = self._memory.cells, self._memory.follow
        follow(TABLE_START, self._pointer_words, count=2)
        for n in range(4):
            cells[TABLE_START + n] = cells[TABLE_START + n]._replace(write=self._writer(n))
        follow(HIGHEST_VIDEO, lambda: (VIDEO_TOP,))
        follow(MEMORY_TOP, self._limits, count=2)
        follow(CURRENT_LINE, lambda: (self._current(),), self._move)
        cells[PROTECTION] = Cell(self._protection, self._protect)

    def _pointer_words(self) -> tuple[int, ...]:
        if self._pointers is None:
            return self._table()
        return unpack(">2H", self._pointers)

    def _limits(self) -> tuple[int, int]:
        """The top of memory, and the last address that neither program nor numeric values take."""
        return LONG_TOP, self._table()[0] - 1 - self._holder.values

    def _writer(self, n: int):  # type: ignore[no-untyped-def]
        def write(value: int) -> None:
            if self._pointers is None:
                self._pointers = bytearray(pack(">2H", *self._table()))
            self._pointers[n] = value

        return write

    def _table(self) -> tuple[int, int]:
        """First and last address of the line number table."""
        program = self._holder.program
        if program is None or not program.lines:
            return LONG_TOP, LONG_TOP
        image = program.image
        end = LONG_TOP - len(image.memory)
        return end + 1 - _ENTRY * len(image.table), end

    def _current(self) -> int:
        """The address of the second word of the running line's entry."""
        program, number = self._holder.program, self._holder.line
        start, _ = self._table()
        if program is None or number is None:
            return 0
        table = program.image.table
        later = len(table) - bisect_right(table, number, key=itemgetter(0))
        return start + _ENTRY * later + 2

    def _move(self, value: int) -> None:
        self.moved = True

    @property
    def ended(self) -> bool:
        """Tell whether machine code has made the last line of the table the one that runs.

        Any other line is remarked: the program goes on where it was. Asked once.
        """
        if not self.moved:
            return False
        self.moved = False
        if self._memory.bus.word_at(CURRENT_LINE) == self._table()[0] + 2:
            return True
        self.remarks.append("another line was poked as the one that runs: it goes on where it was")
        return False

    def _protection(self) -> int:
        program = self._holder.program
        return _PROTECTED if program is not None and program.protected else 0

    def _protect(self, value: int) -> None:
        program = self._holder.program
        if program is not None and program.protected != bool(value & _PROTECTED):
            self._holder.poked(program.with_protection(not program.protected))

    @property
    def runs_again(self) -> bool:
        """Tell whether the console's end of a program was poked to be RUN; it is so once."""
        memory = self._memory
        place = memory.word(RETURN_TO) if memory.in_use else 0
        if not place:
            return False
        memory.set_word(RETURN_TO, 0)
        if place not in (RUN_AGAIN, RUN_UNSCANNED):
            self.remarks.append(
                f"the end of the program was poked to be >{place:04X}: only RUN (100,155) is here"
            )
        return place in (RUN_AGAIN, RUN_UNSCANNED)

    def show(self) -> None:
        """Have the program lie in memory."""
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
        data = program.image.to_program(top=LONG_TOP)[8:]
        self._memory.bus.guard(range(0))
        self._memory.bus.load(start, data)
        self._guard()

    def _guard(self) -> None:
        """Hear of changes of table and lines from now on."""
        start, _ = self._table()
        bus, place = self._memory.bus, range(start >> 1, (LONG_TOP + 1) >> 1)
        bus.guard(place)
        self._first = place.start
        self._words = bus.words[place.start : place.stop]

    def take(self) -> None:
        """Take what was changed: other pointers, other bytes of table or lines."""
        pointers, self._pointers = self._pointers, None
        if self._shown is not self._holder.program:
            self._pointers = None
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
        """The program that the memory holds; None when it holds none."""
        if start >= LONG_TOP or end + 1 - start < _ENTRY:
            return None
        bus = self._memory.bus
        data = bytes(bus.peek(address) for address in range(start, LONG_TOP + 1))
        head = b"".join(v.to_bytes(2, "big") for v in (start ^ end, end, start, LONG_TOP))
        try:
            image, _ = parse_program(head + data)
            lines = image.lines()
        except ProgramError as error:
            self.remarks.append(f"the program in memory was changed and is none now: {error}")
            return self._holder.program
        before = self._holder.program
        protected = before is not None and before.protected
        assert lines
        return Program(Image(image.table, image.memory), protected=protected)

    def _replace(self, program: Program | None) -> None:
        if program is not self._holder.program:
            self._holder.poked(program)
        self._shown = self._holder.program
        self._guard()
