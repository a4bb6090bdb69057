"""A program in memory and on disk: line number table, line memory; PROGRAM, long form, MERGE.

Memory grows downward from `top`: the lines, each put below the one typed before it, and under them
the line number table, four bytes a line (line number, address of the byte after the line's length
byte) in descending order of line numbers. A line is its length (tokens + 1), its tokens and 00.
Example, `100 END` alone: line memory 02 8B 00 at FFE5–FFE7, table 0064 FFE6 at FFE1.

A PROGRAM file is a head of four words and that memory; the long form (INT/VAR 254) has a head of
five in its first record and the memory in further records. Checksum = table start XOR table end,
negated when PROTECTED. Source: recorded SAVE files and real program files, in which lines lie in
any order and dead bytes occur; both are kept.

MERGE is a DIS/VAR 163 file with a line in each record: line number (2 bytes), tokens, 00; the last
record is FF FF. `100 END` is 00 64 8B 00. Source: recorded SAVE …,MERGE files.

In a container or on a disk, the type of a file tells its form. Bare bytes are first tried as a
PROGRAM file, by its checksum, and then as records; both are too strict to match by chance.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ti99tools.base.decoding import foreign, is_text
from ti99tools.base.errors import ProgramError, TIError
from ti99tools.base.record import Record
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.numbered import is_numbered
from ti99tools.language.listing.tokenize import MAX_LINE_BYTES, MAX_LINE_NUMBER

if TYPE_CHECKING:
    from ti99tools.media.disk.tifile import DiskFile

PROGRAM_TOP = 0x37D7
"""Top of memory in PROGRAM files that a console with the disk controller writes."""
LONG_TOP = 0xFFE7
"""Top of the 32K's high memory, as the long form has it."""
LONG_MARK = 0xABCD
LONG_BYTES = LONG_MARK.to_bytes(2, "big")
LONG_RECORD = 254
"""Record length of the long form."""
MAX_BODY = 24_487
"""Most bytes of table and line memory that OLD accepts (at 24,488: I/O ERROR 20)."""
MAX_PROGRAM_BODY = 11_584
"""Most bytes of table and line memory that SAVE writes as PROGRAM."""

_REMEDY = "the file is damaged or not an Extended BASIC program"

PROGRAM_HEAD = ("check", "end", "start", "top")
"""Head of a PROGRAM file: checksum, end and start of the line number table, top of memory."""
LONG_HEAD = ("mark", "start", "end", "check", "top")
"""First record of the long form."""
ENTRY = ("number", "address")
"""An entry of the line number table: the line's number, and the address of its first token."""
_ENTRY = struct.Struct(f">{len(ENTRY)}H")


def head_size(names: tuple[str, ...]) -> int:
    """The size of a head of these words, in bytes."""
    return 2 * len(names)


def read_head(names: tuple[str, ...], data: bytes) -> Any:
    """The words at the start of `data`, which is long enough, as attributes.

    Words have their high byte first. They are read by a construct of these names but written
    without it: `tokenize` writes a head in every run, and construct takes 15 ms to load.
    """
    return _declared(names).parse(data)


def read_table(data: bytes) -> list[tuple[int, int]]:
    """The entries of the line number table `data`."""
    return list(_table().parse(data))


def written_head(names: tuple[str, ...], words: Mapping[str, int]) -> bytes:
    """These words of `words`, one after another."""
    return struct.pack(f">{len(names)}H", *(words[name] for name in names))


def written_table(entries: Iterable[tuple[int, int]]) -> bytes:
    """The line number table of `entries`."""
    return b"".join(itertools.starmap(_ENTRY.pack, entries))


@cache
def _declared(names: tuple[str, ...]) -> Any:
    from construct import Int16ub, Struct

    return Struct(*(name / Int16ub for name in names))


@cache
def _table() -> Any:
    """Parse all entries at once: an Array of them would take 8 µs a line, this takes .1."""
    from construct import ExprAdapter, GreedyBytes

    return ExprAdapter(
        GreedyBytes,
        lambda data, _: list(_ENTRY.iter_unpack(data)),
        lambda entries, _: written_table(entries),
    )


class ProgramImage(Record):
    """Line memory and where the lines are in it.

    `table`: (line number, distance of the line's first token from the end of memory), ascending;
    `memory`: everything between the table and the top, dead bytes included; `top`: the address in
    the file it came from, None when built here; `tail`: bytes of the file after the top.
    """

    table: tuple[tuple[int, int], ...]
    memory: bytes
    top: int | None = None
    tail: bytes = b""

    @classmethod
    def build(cls, lines: Iterable[Line]) -> ProgramImage:
        """Lay `lines` out in the order they are typed: each below the one before."""
        chunks: list[bytes] = []
        table = []
        size = 0
        for line in lines:
            chunk = bytes([len(line.tokens) + 1]) + line.tokens + b"\0"
            size += len(chunk)
            chunks.append(chunk)
            table.append((line.number, size - 1))
        return cls(tuple(sorted(table)), b"".join(reversed(chunks)))

    @property
    def body(self) -> int:
        """Bytes of table and line memory: what the program takes of the machine's memory."""
        return head_size(ENTRY) * len(self.table) + len(self.memory)

    def lines(self) -> tuple[Line, ...]:
        """The lines, ascending. Raises ProgramError where an entry of the table points at none."""
        return tuple(Line(number, self._tokens(number, back)) for number, back in self.table)

    def in_memory_order(self) -> tuple[int, ...]:
        """Line numbers from the top of memory down: as they were typed."""
        return tuple(n for n, _ in sorted(self.table, key=lambda entry: entry[1]))

    def without(self, number: int) -> ProgramImage:
        """The memory after the line `number` is deleted: what lies below it moves up."""
        back = dict(self.table).get(number)
        if back is None:
            return self
        start = len(self.memory) - back - 1
        end = start + 1 + self.memory[start]
        low = len(self.memory) - end
        others = [(n, b) for n, b in self.table if n != number]
        if any(low < b <= back or b > back > b - self._length(b) for _, b in others):
            # Two lines share bytes (no editor does that): moving would tear the other one apart.
            rest = (n for n in self.in_memory_order() if n != number)
            lines = {line.number: line for line in self.lines()}
            return ProgramImage.build(lines[n] for n in rest)
        size = end - start
        table = tuple((n, b - size if b > back else b) for n, b in others)
        return ProgramImage(table, self.memory[:start] + self.memory[end:])

    def with_line(self, line: Line) -> ProgramImage:
        """The memory after `line` is entered: an old one is removed, the new one lies lowest."""
        rest = self.without(line.number)
        chunk = bytes([len(line.tokens) + 1]) + line.tokens + b"\0"
        table = (*rest.table, (line.number, len(rest.memory) + len(chunk) - 1))
        return ProgramImage(tuple(sorted(table)), chunk + rest.memory)

    def _length(self, back: int) -> int:
        return self.memory[len(self.memory) - back - 1]

    def _tokens(self, number: int, back: int) -> bytes:
        start = len(self.memory) - back
        if not 1 <= start < len(self.memory):
            raise _damaged(f"line {number} lies outside the program")
        end = start + self.memory[start - 1] - 1
        if end < start or end >= len(self.memory) or self.memory[end]:
            raise _damaged(f"line {number} has no end")
        return self.memory[start:end]

    def to_program(self, *, protected: bool = False, top: int = PROGRAM_TOP) -> bytes:
        """The PROGRAM file with its memory ending at `top`."""
        head = self._head(top, protected)
        return written_head(PROGRAM_HEAD, head) + self.below(top)

    def to_long(self, *, protected: bool) -> tuple[bytes, ...]:
        """The records of the INT/VAR 254 file with the memory ending at `LONG_TOP`."""
        head = written_head(LONG_HEAD, self._head(LONG_TOP, protected))
        memory = self.below(LONG_TOP)
        parts = [memory[i : i + LONG_RECORD] for i in range(0, len(memory), LONG_RECORD)]
        return (head, *parts)

    def below(self, top: int) -> bytes:
        """Line number table and line memory as they lie below the address `top`."""
        entries = ((n, top + 1 - back) for n, back in reversed(self.table))
        return written_table(entries) + self.memory

    def _head(self, top: int, protected: bool) -> dict[str, int]:
        """The words of the heads of both forms."""
        if not self.table:
            raise ProgramError("there is no line to save", remedy="enter one")
        end = top - len(self.memory)
        start = top + 1 - self.body
        if start < 0:
            raise ProgramError("the program does not fit below its top of memory")
        # SAVE …,PROTECTED negates the checksum; nothing else marks the file.
        check = -(start ^ end) & 0xFFFF if protected else start ^ end
        return {"mark": LONG_MARK, "check": check, "start": start, "end": end, "top": top}


Memory = tuple[ProgramImage, bool]
"""The memory of a program file, and whether it is protected."""


def entered(lines: Iterable[Line]) -> ProgramImage:
    """The memory after lines are entered in the order given; the last of one number counts.

    ProgramError for numbers outside 1–32767, empty or too long lines, and when memory is too small.
    """
    memory: dict[int, Line] = {}
    for line in lines:
        memory.pop(line.number, None)
        memory[line.number] = check_line(line)
    image = ProgramImage.build(memory.values())
    if image.body > MAX_BODY:
        raise ProgramError(
            f"the program has {image.body} bytes, memory holds {MAX_BODY}: "
            f"{image.body - MAX_BODY} too many",
            remedy="shorten it or split it and chain with RUN",
        )
    return image


def parse_program(data: bytes) -> Memory:
    """Read a PROGRAM file."""
    size = head_size(PROGRAM_HEAD)
    if len(data) < size:
        raise _damaged(f"a PROGRAM file has at least {size} bytes")
    return _parse(PROGRAM_HEAD, data)


def from_records(records: Sequence[bytes]) -> Memory:
    """The memory in the records of a long or MERGE file, and whether it is protected.

    Raises ProgramError for records without a line.
    """
    if is_long(records):
        return parse_long(records)
    lines = parse_merge(records)
    if not lines:
        raise ProgramError("there is no line in the program", remedy="enter one")
    return entered(lines), False


def is_long(records: Sequence[bytes]) -> bool:
    """Tell whether `records` begin as a long program does."""
    size = head_size(LONG_HEAD)
    return bool(records) and len(records[0]) == size and records[0][:2] == LONG_BYTES


def parse_long(records: Sequence[bytes]) -> Memory:
    """Read the records of a long (INT/VAR 254) program file."""
    size = head_size(LONG_HEAD)
    if not records or len(records[0]) != size:
        raise _damaged(f"a long program begins with a record of {size} bytes")
    if records[0][:2] != LONG_BYTES:
        raise _damaged("a long program begins with ABCD")
    return _parse(LONG_HEAD, b"".join(records))


def _parse(form: tuple[str, ...], file: bytes) -> Memory:
    """The memory in a file that begins with the words of `form`."""
    head, data = read_head(form, file), file[head_size(form) :]
    start, end, top = head.start, head.end, head.top
    if head.check not in (start ^ end, -(start ^ end) & 0xFFFF):
        other = foreign(file)
        if other is not None:
            raise ProgramError(
                f"it is {other.what}, not an Extended BASIC program", remedy=other.remedy
            )
        raise _damaged("the checksum is wrong")
    count, odd = divmod(end + 1 - start, head_size(ENTRY))
    if odd or count < 0 or end > top:
        raise _damaged("the line number table has an impossible length")
    if not count:
        raise ProgramError("there is no line in the program")
    size = top + 1 - start
    if size > MAX_BODY:
        raise ProgramError(f"the program has {size} bytes, memory holds {MAX_BODY}")
    if len(data) < size:
        raise _damaged(f"{size - len(data)} of {size} bytes are missing")
    after = end + 1 - start
    entries = read_table(data[:after])
    # The machine's search for a line relies on this order.
    if not all(a > b for (a, _), (b, _) in itertools.pairwise(entries)):
        raise _damaged("the line number table is not in descending order")
    if not 1 <= entries[-1][0] <= entries[0][0] <= MAX_LINE_NUMBER:
        raise _damaged("a line number is not within 1–32767")
    table = tuple((number, top + 1 - address) for number, address in reversed(entries))
    image = ProgramImage(table, data[after:size], top, data[size:])
    image.lines()
    return image, head.check != start ^ end


def check_line(line: Line) -> Line:
    """The line itself if a program can hold it, else ProgramError."""
    if not 1 <= line.number <= MAX_LINE_NUMBER:
        raise ProgramError(f"line number {line.number} is not within 1–{MAX_LINE_NUMBER}")
    if not line.tokens:
        raise ProgramError(f"line {line.number} is empty")
    if len(line.tokens) > MAX_LINE_BYTES:
        raise ProgramError(
            f"line {line.number} has {len(line.tokens)} bytes of tokens",
            remedy=f"split it: a line holds {MAX_LINE_BYTES}",
        )
    return line


def _damaged(problem: str) -> ProgramError:
    return ProgramError(problem, remedy=_REMEDY)


MERGE_RECORD = 163
"""Record length of a MERGE file."""
END = b"\xff\xff"
"""The last record of a MERGE file."""

_FILES = {("PROGRAM", 0), ("INT/VAR", LONG_RECORD), ("DIS/VAR", MERGE_RECORD)}
"""Types and record lengths of the files of programs on a disk."""


class NoProgramFile(ProgramError):
    """A file of a type that holds no program."""


def parse_merge(records: Sequence[bytes]) -> tuple[Line, ...]:
    """Read MERGE records in the order of the file; ProgramError unless they end with FF FF."""
    if not records or records[-1] != END:
        raise ProgramError("a MERGE file ends with the record FF FF", remedy="it may be cut off")
    lines = []
    for index, record in enumerate(records[:-1]):
        if len(record) < 4 or len(record) > MERGE_RECORD or record[-1]:
            raise ProgramError(
                f"record {index} is not a program line",
                remedy="the file is damaged or not in MERGE form",
            )
        lines.append(check_line(Line(int.from_bytes(record[:2], "big"), record[2:-1])))
    return tuple(lines)


def merge_records(lines: Iterable[Line]) -> tuple[bytes, ...]:
    """The records of `lines`; ProgramError for a line too long for DIS/VAR 163."""
    records = []
    for line in lines:
        record = line.number.to_bytes(2, "big") + line.tokens + b"\0"
        if len(record) > MERGE_RECORD:
            raise ProgramError(
                f"line {line.number} is too long for the MERGE form",
                remedy=f"split it: {MERGE_RECORD - 3} bytes of tokens fit",
            )
        records.append(record)
    return (*records, END)


def in_container(file: DiskFile) -> str | Memory:
    """The program in a TI file of the host, or the text of a listing.

    Raises ProgramError for a file of another form.
    """
    return _listing(file) or _contained(file)


def bare_content(data: bytes) -> Memory | tuple[bytes, ...]:
    """What a program file without a container holds: a PROGRAM file's program, or the records of a
    long or MERGE file.

    Raises ProgramError for bytes of another form.
    """
    try:
        return parse_program(data)
    except TIError as error:
        return _bare_records(data, error)


def in_file(file: DiskFile) -> Memory:
    """The program in a file of a disk. Raises NoProgramFile for one of another type or length."""
    if (file.type.label, file.recl) not in _FILES:
        raise NoProgramFile(f"a {file.type.label} {file.recl} file", remedy="name a program")
    return _contained(file)


def _contained(file: DiskFile) -> Memory:
    """The program in a TI file; record lengths do not count, some tools leave them out."""
    if file.type.label == "PROGRAM":
        return parse_program(file.data)
    if not file.type.variable:
        raise ProgramError(
            "a file of fixed records is not a program",
            remedy="choose a program file; object code is loaded with CALL LOAD, from a disk",
        )
    if file.type.label == "DIS/VAR" and all(map(is_text, file.records)):
        raise ProgramError("a text, and no listing", remedy="choose a program file")
    return from_records(file.records)


def file_of_records(name: str, records: tuple[bytes, ...]) -> DiskFile:
    """The TI file of a long or MERGE program by its records."""
    from ti99tools.media.disk.tifile import DiskFile

    if records[-1] == END:
        return DiskFile.display_var(name, records, MERGE_RECORD)
    return DiskFile.internal_var(name, records)


def _listing(file: DiskFile) -> str | None:
    """The text of a listing as LIST writes it; None for another file."""
    if file.type.label != "DIS/VAR" or not all(map(is_text, file.records)):
        return None
    text = "".join(row.decode("latin-1") + "\n" for row in file.records)
    return text if is_numbered(text) else None


def _bare_records(data: bytes, problem: TIError) -> tuple[bytes, ...]:
    """The records of a long or MERGE file without a container.

    Raises what is wrong with them if they begin as the long form does, else `problem`.
    """
    from ti99tools.media.disk import records

    for read in (records.bare, _unbroken):
        try:
            found = read(data)
            if found and (found[-1] == END or found[0][:2] == LONG_BYTES):
                return found
        except TIError as error:
            if data[1:3] == LONG_BYTES and read is records.bare:
                problem = error
    raise problem


def _unbroken(data: bytes) -> tuple[bytes, ...]:
    """Records without sectors; those of the long form may all claim the full length."""
    from ti99tools.media.disk import records

    return records.unbroken(data, LONG_RECORD if data[1:3] == LONG_BYTES else 0)
