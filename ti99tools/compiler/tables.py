"""The tables and the constants of a program's code, as rows of assembly language, and low memory.

Low memory has what a program has there, and tables and constants that it leaves room for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ti99tools.base.errors import TIError
from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import byte_rows, bytes_of
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import function_table
from ti99tools.compiler.emit.sections import Constants, Section, cell_bytes
from ti99tools.compiler.kinds import WIDTHS, WORD
from ti99tools.hardware.machine.clock import FRAME


def tables(emission: Emission, section: Section) -> str:
    """The tables of a section: lines and scopes by address, for messages, and the names of SUBs;
    where control goes on after errors; the uses of DEFs.
    """
    end = section.suffix
    if section.short is not None:
        rows = [section.short.index]
    else:
        rows = [f"LINES{end}", *_lines(section), "       DATA >FFFF"]
    rows.append(f"SCOPES{end}")
    for label, scope in section.scopes:
        number = emission.code.subs.index(scope) if scope else None
        names = "0,0" if number is None else f"SN{number}{end},SR{number}"
        rows.append(f"       DATA {label},{names}")
    rows.append("       DATA >FFFF")
    there = {scope for _, scope in section.scopes}
    for number, name in enumerate(emission.code.subs):
        if name in there or not emission.banked:
            rows.append(text_row(f"SN{number}{end}", name))
    if "CAUGHT" in emission.out.used and section.short is None:
        rows += section.resumes
    if "INDEF" in emission.out.used:
        rows += function_table(section)
    return "\n".join(rows) + "\n"


def _lines(section: Section) -> Iterator[str]:
    """The lines by address."""
    last = 0
    for mark in section.marks:
        line = mark.spot[0]
        if line != last:
            yield f"       DATA {mark.label},{line}"
            last = line


def constants(own: Constants) -> str:
    """Constants that lie together."""
    return numbers(own) + texts(own.texts)


def numbers(own: Constants) -> str:
    """Constants that are not texts."""
    rows = [_labelled(label, f"DATA {value}") for value, label in own.words.items()]
    rows += [_labelled(label, f"DATA {_words(data)}") for data, label in own.cells.items()]
    for (low, high, error), label in own.limits.items():
        rows.append(_labelled(label, f"DATA {low},{high},M{error}"))
    return _joined(rows)


def texts(labels: Mapping[str, str]) -> str:
    """Constant texts with their labels."""
    return _joined([text_row(label, text) for text, label in labels.items()])


def data(emission: Emission) -> tuple[str, str, str]:
    """The items of DATA; if they are texts, the table that finds them, and equates that come after
    both.
    """
    if emission.code.data_lines:
        items, found, begin = _data_lines(emission.code)
        return _joined(items), _joined(found), _joined(begin)
    rows = ["DATAS", *_items(emission), "DATEND"]
    if emission.code.whole:
        rows += _sought(emission)
    return _joined(rows), "", ""


def _sought(emission: Emission) -> list[str]:
    """For each line with DATA of numbers: where the next one's begin, the time to find it."""
    code = emission.code
    width = WIDTHS[emission.kinds.data]
    ends = [f"DATAS+{width * begin}" for begin in code.data_begins[1:]]
    found = zip([*ends, "DATEND"], code.data_sought, strict=False)
    return ["DATSKT", *(f"       DATA {end},{_frames(cycles)}" for end, cycles in found)]


def _frames(cycles: int) -> str:
    """Frames and cycles as operands."""
    return ",".join(map(str, divmod(cycles, FRAME)))


def _joined(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def _labelled(label: str, rest: str) -> str:
    """A row with a label, which has one of its own if it is long."""
    return f"{label:<6} {rest}" if len(label) <= 6 else f"{label}\n       {rest}"


def _items(emission: Emission) -> list[str]:
    """The items of DATA as numbers."""
    if emission.kinds.data == WORD:
        return [f"       DATA {item}" for item in emission.code.data]
    return [f"       DATA {_words(cell_bytes(item))}" for item in emission.code.data]


def _data_lines(code: ir.Code) -> tuple[list[str], list[str], list[str]]:
    """Lines with DATA in the order of the console's memory, each below the one before; a table of
    where their items begin; where READ begins.
    """
    rows: list[str] = []
    labels: list[str] = []
    for tokens, begin in reversed(code.data_lines):
        if code.data_wander:
            rows += byte_rows((len(tokens) + 1, *tokens[:begin]))
        if begin is not None:
            labels.insert(0, f"DI{len(labels)}")
            rows.append(labels[0])
            rows += byte_rows((*tokens[begin:], 0))
        elif code.data_wander:
            rows.append("       BYTE 0")
    labels.append("0")
    first = code.first_data
    found = ["DATTAB", f"       DATA {','.join(labels)}"]
    if code.whole:
        found += ["DATSKT", *(f"       DATA {_frames(cycles)}" for cycles in code.data_sought)]
    where = [f"DATFST EQU  {labels[first]}", f"DATNXT EQU  DATTAB+{2 * first + 2}"]
    return [*rows, "DATLIM", "       EVEN"], found, where


def _words(data: bytes) -> str:
    return ",".join(f">{data[n]:02X}{data[n + 1]:02X}" for n in range(0, len(data), 2))


def text_row(label: str, text: str) -> str:
    """A text: its length, its bytes."""
    data = [len(text), *text.encode("latin-1")]
    rows = [_labelled(label, f"BYTE {','.join(map(str, data[:16]))}")]
    rows += [
        f"       BYTE {','.join(map(str, data[n : n + 16]))}" for n in range(16, len(data), 16)
    ]
    rows.append("       EVEN")
    return "\n".join(rows)


LOW, LOW_END = 0x2000, 0x4000
STACK_BYTES = 400
"""The stack of GOSUB and FOR has at least these bytes; it gets what is left of low memory."""
TEXT_BYTES = 1280
"""Bytes of the buffer in which texts are made: one may begin up to 512 bytes from its start, and
grow by twice 255; one of a variable may be fetched after it."""


class LowMemory:
    """Low memory while it is allocated: from its beginning on, and constants from its end down.

    Arrays and constants leave room for `stack` bytes of the stack, of which the program uses
    `deepest` (0: all that there are).
    """

    def __init__(self, stack: int, deepest: int) -> None:
        self.at = LOW
        self.cleared = LOW
        """Where the part ends that is 0 when a program begins."""
        self.end = LOW_END
        """Where constants begin."""
        self.stack = stack
        self._deepest = deepest
        self._rows: list[str] = []

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return self.end - self.at

    def take(self, label: str, size: int) -> None:
        """Allocate some bytes at an even address. Raises TIError if too few are left."""
        size += size & 1
        if size > self.room:
            raise TIError(
                "the variables of the compiled program do not fit into low memory",
                remedy="use fewer variables",
            )
        self._rows.append(f"{label:<6} EQU  >{self.at:04X}\n")
        self.at += size

    def note(self, label: str) -> None:
        """Give the next address a name."""
        self._rows.append(f"{label:<6} EQU  >{self.at:04X}\n")

    def finish(self) -> None:
        """Allocate the buffer for texts, and the stack, which gets what is left."""
        self.cleared = self.at
        self.take("TXTBUF", TEXT_BYTES)
        self.take("STACK", max(self.room, STACK_BYTES))

    def keep(self, source: str, most: int) -> tuple[str, str]:
        """Put those parts of a source that fit at the end, `most` bytes or less; what is there, and
        the rest.

        The parts begin at labels, and may lie anywhere.
        """
        here, rest = [], []
        free = min(most, self.room - TEXT_BYTES - self.stack)
        parts = [(bytes_of(part), part) for part in _parts(source)]
        # The largest first: small ones fill what these leave.
        for size, part in sorted(parts, key=lambda each: -each[0]):
            if size <= free:
                free -= size
                self.end -= size
                here.append(part)
            else:
                rest.append(part)
        return "".join(here), "".join(rest)

    def equates(self) -> str:
        """All addresses that a program knows by name."""
        last = self.end - 4  # of the stack: two words for a loop or GOSUB, checked before
        if self._deepest:
            last = min(last, self.cleared + TEXT_BYTES + self._deepest)
        ends = (("STKEND", last), ("RAMLO", LOW), ("RAMHI", self.cleared))
        rows = [f"{label:<6} EQU  >{address:04X}\n" for label, address in ends]
        return "".join((*self._rows, *rows))


def _parts(source: str) -> Iterator[str]:
    """The rows of a source from each label to the next one."""
    part: list[str] = []
    for row in source.splitlines(keepends=True):
        if part and not row.startswith(" "):
            yield "".join(part)
            part = []
        part.append(row)
    if part:
        yield "".join(part)


def place_arrays(low: LowMemory, sizes: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Allocate the arrays that fit; return the others, with their sizes in bytes.

    Small ones come before large ones, so that most are in low memory.
    """
    high = []
    for label, size in sorted(sizes, key=lambda each: each[1]):
        if low.room >= size + TEXT_BYTES + low.stack:
            low.take(label, size)
        else:
            high.append((label, size))
    return high
