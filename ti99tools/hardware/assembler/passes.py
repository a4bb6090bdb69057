"""One pass over the lines: addresses, symbols and words, and what each directive does.

Both passes do the same; the first one finds the values of symbols that are defined below their use.
R0 to R15 are registers, except those that are labels of the source.

What TI's Editor/Assembler accepts is accepted here with a note: surplus operands, a DEF without a
label, an END in a copied file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from ti99tools.base.errors import SourceError
from ti99tools.hardware.assembler.encoding import Reference, reference, word_of
from ti99tools.hardware.assembler.operands import (
    REGISTERS,
    Field,
    Segment,
    Spot,
    Value,
    Word,
    signed,
)
from ti99tools.hardware.assembler.source_lines import LINES_KEPT, AssemblyLine, copied_name

END_OF_MEMORY = 0x10000


@dataclass(slots=True)
class LineResult:
    """The result of a line: its spot, or the value of EQU, and its words or bytes."""

    line: AssemblyLine
    spot: Spot | None = None
    equal: Value | None = None
    words: Sequence[Word] = ()
    octets: bytes = b""

    @property
    def value(self) -> Value | None:
        """Its address or value."""
        return self.equal if self.spot is None else self.spot.value


def memory_of(rows: Iterable[LineResult]) -> dict[Spot, Word]:
    """The words of all lines by their spots, in the order of the source.

    The other byte of the word with a single one stays as it is; after AORG and RORG it becomes 0,
    as TI's assembler has it.
    """
    memory: dict[Spot, Word] = {}
    moved = False
    for row in rows:
        moved |= row.line.operation in _ORIGINS
        if row.spot is None or not (row.words or row.octets):
            continue
        address, segment = row.spot
        if segment.written:
            for at, word in enumerate(row.words):
                memory[Spot(address + 2 * at, segment)] = word
            for at, octet in enumerate(row.octets, address):
                spot = Spot(at & ~1, segment)
                old = 0 if moved else memory.get(spot, Word(0)).value
                moved = False
                memory[spot] = Word(old & 0xFF00 | octet if at & 1 else old & 0xFF | octet << 8)
        moved = False
    return memory


class Pass:
    """One pass. `before` has the symbols of the first pass; None in that pass itself.

    `labels` are the names of all labels of the source. The first pass has one row for all lines.
    """

    def __init__(self, before: dict[str, Value] | None, labels: Set[str]) -> None:
        self.before = before
        self.registers = {name: at for name, at in REGISTERS.items() if name not in labels}
        self.symbols: dict[str, Value] = {}
        self.extended: dict[str, int] = {}
        self.spot = Spot(0, Segment.RELOCATABLE)
        self.rows: list[LineResult] = []
        self.errors: list[SourceError] = []
        self.notes: list[SourceError] = []
        """Mistakes that are accepted."""
        self.name = ""
        self.definitions: dict[str, AssemblyLine] = {}
        """Each name of a DEF, and its line from there on."""
        self.references: list[str] = []
        self.entry: Value | None = None
        self._places: dict[str, AssemblyLine] = {}
        self._reached = {segment: Spot(0, segment) for segment in Segment}

    @property
    def length(self) -> int:
        """Bytes of relocatable code: where it ended last, as TI's assembler counts them."""
        return self._reached[Segment.RELOCATABLE].address

    @property
    def row(self) -> LineResult:
        """The row of the line that is being assembled."""
        return self.rows[-1]

    def field(self, line: AssemblyLine) -> Field:
        """The operand field of a line at the present spot."""
        return Field(line, self.lookup, self.spot.value)

    def lookup(self, name: str) -> Value | None:
        """A symbol: a register, one of this pass, or of the first; unknown in the first pass."""
        if name in self.registers:
            return Value(self.registers[name])
        if name in self.symbols:
            return self.symbols[name]
        if self.before is None:
            return Value(0, known=False)
        return self.before.get(name)

    def label(self, line: AssemblyLine, value: Value | None = None) -> None:
        """Give the line's label, if it has one, a value (default: the spot). Raises SourceError."""
        name = line.label
        if not name:
            return
        if name in self._places:
            first = self._places[name]
            remedy = f"the other is in {first.file}:{first.number}; rename one"
            raise line.error(f"{name} is defined twice", remedy, 1)
        if (other := self.symbols.get(name)) is not None and other.external:
            raise line.error(f"{name} is a REF", "remove that, or rename the label", 1)
        self._places[name] = line
        self.symbols[name] = value if value is not None else self.spot.value

    def label_anyway(self, line: AssemblyLine) -> None:
        """Define the label of a line with a mistake, so that its uses are not mistakes too."""
        if line.label and line.label not in self._places:
            self._places[line.label] = line
            self.symbols[line.label] = self.spot.value._replace(known=False)

    def reached(self, segment: Segment) -> Spot:
        """Where the code of a segment has ended so far."""
        return self._reached[segment]

    def place(self, line: AssemblyLine, spot: Spot) -> None:
        """Go to a spot. Raises SourceError for one outside memory."""
        if not 0 <= spot.address <= END_OF_MEMORY:
            raise line.error("the code goes beyond the end of memory", "begin it lower")
        self.spot = self._reached[spot.segment] = spot

    def skip(self, line: AssemblyLine, count: int) -> None:
        """Move on by some bytes. Raises SourceError."""
        self.place(line, Spot(self.spot.address + count, self.spot.segment))

    def even(self, line: AssemblyLine) -> None:
        """Go to the next even address."""
        if self.spot.address % 2:
            self.skip(line, 1)

    def put(self, line: AssemblyLine, words: Sequence[Word]) -> None:
        """Put words at the spot, which is even. Raises SourceError."""
        address, segment = self.spot
        row = self.rows[-1]
        row.spot, row.words = self.spot, words
        address += 2 * len(words)
        if address > END_OF_MEMORY:
            self.place(line, Spot(address, segment))
        self.spot = self._reached[segment] = Spot(address, segment)

    def put_bytes(self, line: AssemblyLine, octets: bytes) -> None:
        """Put bytes at the spot. Raises SourceError."""
        self.row.spot, self.row.octets = self.spot, octets
        self.skip(line, len(octets))


Directive = Callable[[Pass, AssemblyLine], None]
_ORIGINS = frozenset({"AORG", "RORG", "DORG"})
NAME_LENGTH = 6
"""Most characters of a name in object code."""


def _origin(segment: Segment) -> Directive:
    """AORG, RORG and DORG: where the code goes on; without an address, where that segment last
    ended.
    """

    def directive(run: Pass, line: AssemblyLine) -> None:
        field = run.field(line)
        if field.ended and segment is not Segment.DUMMY:
            run.place(line, run.reached(segment))
        else:
            value = field.early("the address")
            field.end()
            if value.bases and segment is Segment.ABSOLUTE:
                remedy = "use a number, or RORG"
                raise line.error("the address depends on where the code will be", remedy)
            dummy = Segment.DUMMY_RELOCATABLE if value.bases else Segment.DUMMY
            chosen = dummy if segment is Segment.DUMMY else segment
            run.place(line, Spot(value.number & 0xFFFF, chosen))
        run.label(line)
        run.row.spot = run.spot

    return directive


def _equ(run: Pass, line: AssemblyLine) -> None:
    """EQU: a symbol for a value that is known above."""
    if not line.label:
        raise line.error("EQU without a label", "write NAME EQU value", 1)
    field = run.field(line)
    value = field.early("the value")
    _no_more(run, field)
    run.label(line, value)
    run.row.equal = value


def _data(run: Pass, line: AssemblyLine) -> None:
    """DATA: words."""
    run.even(line)
    run.label(line)
    if run.before is None and "'" not in line.operands:  # the first pass only counts them
        run.put(line, (Word(0),) * (line.operands.count(",") + 1))
        return
    if (words := _plain_words(run, line.operands)) is None:
        field = run.field(line)
        words = [word_of(field.expression())]
        while field.take(","):
            # `$` in DATA is the address of the operand, not of the line.
            field.move(2)
            words.append(word_of(field.expression()))
        field.end()
    run.put(line, words)


def _plain_words(run: Pass, operands: str) -> list[Word] | None:
    """The words of DATA with numbers and symbols only, and numbers added to these."""
    words = []
    for item in _items(operands):
        value = Value(0) if not item.symbol else run.lookup(item.symbol)
        if value is None or value.external or not value.known:
            return None
        words.append(Word((value.number + item.more) & 0xFFFF, bool(value.bases)))
    return words or None


@lru_cache(maxsize=LINES_KEPT)
def _items(operands: str) -> Sequence[Reference]:
    """The words of DATA, numbers without a symbol; none if there is anything else."""
    found = []
    for place, text in enumerate(operands.split(",")):
        if number := _NUMBER.fullmatch(text):
            item = Reference(place, "", int(number[1], 16) if number[1] else int(text))
        elif symbol := reference(place, text):
            item = symbol
        else:
            return ()
        if abs(item.more) > 0xFFFF:
            return ()
        found.append(item)
    return found


_NUMBER = re.compile(r">([0-9A-Fa-f]{1,4})|-?[0-9]{1,5}")
_OCTETS = re.compile(r"[0-9]{1,3}(?:,[0-9]{1,3})*")


def _byte(run: Pass, line: AssemblyLine) -> None:
    """BYTE: bytes from -128 to 255."""
    run.label(line)
    octets = (
        [int(each) for each in line.operands.split(",")] if _OCTETS.fullmatch(line.operands) else []
    )
    if not octets or max(octets) > 0xFF:
        field = run.field(line)
        octets = [_octet(field)]
        while field.take(","):
            field.move(1)
            octets.append(_octet(field))
        field.end()
    run.put_bytes(line, bytes(octets))


def _octet(field: Field) -> int:
    start = field.at
    number = field.absolute("the byte")
    # FF80h to FFFFh are negative bytes too, if an expression was computed modulo 65536.
    if not -128 <= number <= 255 and not -128 <= signed(number) < 0:
        raise field.error(f"{number} does not fit into a byte", "use -128 to 255", start)
    return number & 0xFF


def _text(run: Pass, line: AssemblyLine) -> None:
    """TEXT: characters, of which none means a byte 0; a minus before the quote negates the last
    one.
    """
    run.label(line)
    field = run.field(line)
    negated = field.take("-")
    text = field.string()
    if text is None:
        raise field.error("TEXT without a text", "write TEXT 'HELLO'")
    field.end()
    if any(ord(character) > 0xFF for character in text):
        raise line.error("a character of more than 8 bits", "use BYTE for its code")
    # TI's assembler makes the empty text one byte 0.
    octets = bytearray(text or "\0", "latin-1")
    if negated:
        octets[-1] = -octets[-1] & 0xFF
    run.put_bytes(line, bytes(octets))


def _bss(run: Pass, line: AssemblyLine) -> None:
    """BSS: room, with its label at the start."""
    run.label(line)
    run.row.spot = run.spot
    run.skip(line, _size(run, line))


def _bes(run: Pass, line: AssemblyLine) -> None:
    """BES: room, with its label after the end."""
    run.skip(line, _size(run, line))
    run.label(line)
    run.row.spot = run.spot


def _size(run: Pass, line: AssemblyLine) -> int:
    field = run.field(line)
    value = field.early("the size")
    _no_more(run, field)
    if not value.absolute or value.number < 0:
        raise line.error(f"a size of {value.number}", "use the number of bytes")
    return value.number


def _even(run: Pass, line: AssemblyLine) -> None:
    """EVEN: the next even address."""
    run.even(line)
    run.label(line)
    run.row.spot = run.spot


def _def(run: Pass, line: AssemblyLine) -> None:
    """DEF: names that the object code exports."""
    run.label(line)
    for name, operand in _names(run, line):
        run.definitions.setdefault(name, operand.line)


def _ref(run: Pass, line: AssemblyLine) -> None:
    """REF: names that other object code exports."""
    run.label(line)
    for name, operand in _names(run, line):
        if name in run.symbols and name not in run.references:
            raise operand.error(f"{name} is defined here", "remove the REF", 0)
        run.symbols[name] = Value(0, external=name)
        if name not in run.references:
            run.references.append(name)


def _names(run: Pass, line: AssemblyLine) -> list[tuple[str, Field]]:
    """Names of at most six characters, each with the field that begins after it."""
    field = run.field(line)
    names = []
    while True:
        start = field.at
        name = field.name()
        if len(name) > NAME_LENGTH:
            remedy = f"use {NAME_LENGTH} characters at most"
            raise field.error(f"{name} is too long for object code", remedy, start)
        names.append((name, field))
        if not field.take(","):
            break
    field.end()
    return names


def _idt(run: Pass, line: AssemblyLine) -> None:
    """IDT: the name of the object code, at most 8 characters."""
    run.label(line)
    name = run.field(line).string()
    if name is None or len(name) > 8 or not name.isascii():
        raise line.error("IDT without a name of up to 8 characters", "write IDT 'NAME'")
    run.name = name


def _dxop(run: Pass, line: AssemblyLine) -> None:
    """DXOP: a name for an extended operation."""
    run.label(line)
    field = run.field(line)
    name = field.name()
    field.comma()
    number = field.early("the number").number
    field.end()
    if not 0 <= number <= 15:
        raise line.error(f"an extended operation {number}", "use 0 to 15")
    run.extended[name] = number


def _end(run: Pass, line: AssemblyLine) -> None:
    """END: the last line; it may name where the program starts."""
    run.label(line)
    # TI's assembler accepts it, too. Whoever splits a source may not expect it, hence the note.
    if line.depth:
        remedy = "remove it, where more lines are to follow"
        run.notes.append(line.error("END in a copied file ends the whole source", remedy, 1))
    field = run.field(line)
    if field.ended:
        return
    value = field.expression()
    if value.external:
        raise line.error("the program starts in other code", "name a label of this source")
    run.entry = value


def _copy(run: Pass, line: AssemblyLine) -> None:
    """COPY: the copied lines follow this one."""
    copied_name(line)
    run.label(line)


def _nothing(run: Pass, line: AssemblyLine) -> None:
    """TITL, PAGE, LIST, UNL: no effect, the listing is always whole.

    PSEG to CEND, LOAD and SREF: TI's assembler takes them too, and its loader knows nothing of
    segments and secondary references.
    """
    run.label(line)


DIRECTIVES: dict[str, Directive] = {
    "AORG": _origin(Segment.ABSOLUTE),
    "RORG": _origin(Segment.RELOCATABLE),
    "DORG": _origin(Segment.DUMMY),
    "EQU": _equ,
    "DATA": _data,
    "BYTE": _byte,
    "TEXT": _text,
    "BSS": _bss,
    "BES": _bes,
    "EVEN": _even,
    "DEF": _def,
    "REF": _ref,
    "IDT": _idt,
    "DXOP": _dxop,
    "END": _end,
    "COPY": _copy,
    **dict.fromkeys(("TITL", "PAGE", "LIST", "UNL"), _nothing),
    **dict.fromkeys(("PSEG", "PEND", "DSEG", "DEND", "CSEG", "CEND", "LOAD", "SREF"), _nothing),
}


def check_definitions(run: Pass) -> list[SourceError]:
    """The mistakes in the names of DEF, once all symbols are known.

    A name without a label is dropped, with a note: SFIRST, SLAST and SLOAD, which a program that
    saves memory looks for, often lack one.
    """
    wrong = []
    for name, line in list(run.definitions.items()):
        value = run.symbols.get(name)
        if value is None:
            del run.definitions[name]
            problem = f"{name} is not defined, and left out of the object code"
            run.notes.append(
                line.error(problem, "add the label, or remove the DEF", line.column_of(0))
            )
        elif value.external:
            wrong.append(line.error(f"{name} is a REF", "remove the DEF", line.column_of(0)))
    return wrong


def _no_more(run: Pass, field: Field) -> None:
    """Note surplus operands, which are ignored. Raises SourceError for anything else."""
    if field.rest.startswith(","):
        note = field.error(f"{field.rest[:20]} is ignored", "remove it")
        run.notes.append(note)
    else:
        field.end()
