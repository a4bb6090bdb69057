"""Assembling a source: two passes, and then memory, object code and a listing.

The listing has a row for each line (line number, address, words, source), and the symbols at its
end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ti99tools.base.errors import SourceError, TIError, suggestion, together
from ti99tools.base.hostio import read_text
from ti99tools.base.record import Record
from ti99tools.hardware.assembler.encoding import PSEUDO, Encoder, Reference
from ti99tools.hardware.assembler.operands import REGISTERS, Segment, Spot, Value, Word
from ti99tools.hardware.assembler.passes import (
    DIRECTIVES,
    END_OF_MEMORY,
    LineResult,
    Pass,
    check_definitions,
    memory_of,
)
from ti99tools.hardware.assembler.source_lines import AssemblyLine, Sources, check_label
from ti99tools.hardware.assembler.tagged import ObjectCode
from ti99tools.hardware.cpu.instructions import BY_NAME, Format

SYMBOLS_A_LINE = 4


def listing(rows: Iterable[LineResult], symbols: Mapping[str, Value]) -> str:
    """The listing as a text. A quote after an address or word means that it is relative to the
    start of the code.
    """
    lines = [line for row in rows for line in _row(row)]
    if symbols:
        lines += ["", "Symbols", *_symbols(symbols)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(row: LineResult) -> Iterator[str]:
    cells = [_word(word) for word in row.words] or [_pair(row.octets, at) for at in _pairs(row)]
    where = "" if row.value is None else _address(row.value)
    first = cells[0] if cells else ""
    yield f"{row.line.number:5} {where:5} {first:5} {row.line.text}"
    step = 2
    for number, cell in enumerate(cells[1:], 1):
        at = "" if row.value is None else _address(row.value, number * step)
        yield f"{'':5} {at:5} {cell}"


def _pairs(row: LineResult) -> range:
    return range(0, len(row.octets), 2)


def _pair(octets: bytes, at: int) -> str:
    return "".join(f"{octet:02X}" for octet in octets[at : at + 2])


def _address(value: Value, more: int = 0) -> str:
    return f"{(value.number + more) & 0xFFFF:04X}" + ("'" if value.bases else "")


def _word(word: Word) -> str:
    return f"{word.value:04X}" + ("'" if word.relocatable else "*" if word.external else "")


def _symbols(symbols: Mapping[str, Value]) -> Iterator[str]:
    width = max(map(len, symbols))
    cells = [
        f"{name:{width}} {'REF' if value.external else _address(value):6}"
        for name, value in sorted(symbols.items())
    ]
    for at in range(0, len(cells), SYMBOLS_A_LINE):
        yield "  ".join(cells[at : at + SYMBOLS_A_LINE])


OPERATIONS = sorted({*BY_NAME, *PSEUDO, *DIRECTIVES})
ALONE = frozenset(PSEUDO) | {name for name, each in BY_NAME.items() if each.format is Format.ALONE}
"""Instructions without operands."""
_LEFT_OUT = "leave it out, and put each part into a file of its own"
XAS99 = {
    "AUTO": "write the words with DATA, each with a label",
    "BANK": _LEFT_OUT,
    "BCOPY": "write the bytes of the file with BYTE",
    "FLOA": "write the eight bytes of the number with BYTE",
    "SAVE": _LEFT_OUT,
    "STRI": "write BYTE and the length, then TEXT",
    "XORG": "use DORG for the labels, and let the program copy the code there",
}
"""Directives of xas99 alone, and what to write."""


class MemoryImage(Record):
    """Bytes from an address on; gaps between pieces of code are 0."""

    address: int
    data: bytes


@dataclass(frozen=True)
class Assembled:
    """The result of assembling a source.

    `symbols` are by name in capital letters; `length` is that of the relocatable code in bytes;
    `notes` report mistakes that are accepted.
    """

    name: str
    symbols: dict[str, Value]
    definitions: tuple[str, ...]
    references: tuple[str, ...]
    entry: Value | None
    length: int
    rows: tuple[LineResult, ...]
    notes: tuple[str, ...]

    @cached_property
    def words(self) -> dict[Spot, Word]:
        """The words by spot, in the order of the source."""
        return memory_of(self.rows)

    def address_of(self, symbol: str, base: int = 0) -> int:
        """The address of a symbol with relocatable code at `base`. Raises KeyError."""
        value = self.symbols[symbol.upper()]
        return (value.number + value.bases * base) & 0xFFFF

    def memory(self, base: int = 0) -> dict[int, int]:
        """Even address → word, with relocatable code at `base`. Raises TIError if a REF is used."""
        words: dict[int, int] = {}
        for spot, word in self.words.items():
            if word.external:
                row = next(row for row in self.rows if word in row.words)
                remedy = f"write {word.external} EQU and its address"
                raise row.line.error(f"{word.external} is in other code", remedy)
            start = base if spot.segment is Segment.RELOCATABLE else 0
            if spot.address + start >= END_OF_MEMORY:
                problem = f"the code goes beyond the end of memory from >{base:04X} on"
                raise TIError(problem, remedy="use a lower base")
            value = word.value + (base if word.relocatable else 0)
            words[spot.address + start] = value & 0xFFFF
        return words

    def image(self, base: int = 0) -> MemoryImage:
        """The memory from the first to the last word. Raises TIError for a REF, and when there is
        no code.
        """
        if base % 2:
            raise TIError(f"the base >{base:04X} is odd", remedy="use an even address")
        words = self.memory(base)
        if not words:
            raise TIError("no code", remedy="the source has no instruction and no data")
        first, last = min(words), max(words)
        places = range(first, last + 2, 2)
        return MemoryImage(first, b"".join(words.get(at, 0).to_bytes(2, "big") for at in places))

    def block(self, base: int = 0) -> bytes:
        """The relocatable code from its start to its end, BSS included, for whoever keeps it at
        `base`. Raises TIError as `image` does, and for code after AORG.
        """
        for row in self.rows:
            fixed = row.spot is not None and row.spot.segment is Segment.ABSOLUTE
            if fixed and (row.words or row.octets):
                remedy = "leave AORG out: the code goes to the top of memory"
                raise row.line.error("AORG fixes where the code lies", remedy, 1)
        image = self.image(base)
        code = bytes(image.address - base) + image.data
        return code.ljust(self.length + 1 & ~1, b"\0")

    @property
    def object_code(self) -> ObjectCode:
        """The tagged object code."""
        return ObjectCode(
            self.name,
            self.length,
            self.words,
            {name: self.symbols[name] for name in self.definitions},
            self.references,
            self.entry,
        )

    def listing(self) -> str:
        """The source with addresses and words, and the symbols."""
        return listing(self.rows, self.symbols)


def assemble(
    text: str,
    file: str = "source",
    folder: Path | None = None,
    library: Path | None = None,
    relaxed: bool = False,
) -> Assembled:
    """Assemble a source; COPY reads files in `folder` (None: none), `"<NAME>"` in `library`.

    In `relaxed` sources operands may have single spaces; two, a tab or `;` begin the comment.

    Raises SourceError with all mistakes, in the order of the lines.
    """
    lines: list[AssemblyLine] = []
    errors: list[SourceError] = []
    sources = Sources(folder, library, relaxed)
    try:
        for line in sources.lines(text, file):
            lines.append(line)
    except SourceError as error:
        errors.append(error)
    code = _passes(tuple(lines), sources, errors)
    return Assembled(
        code.name,
        dict(code.symbols),
        tuple(code.definitions),
        tuple(code.references),
        code.entry,
        code.length,
        tuple(code.rows),
        tuple(map(str, _in_order([*sources.notes, *code.notes], lines))),
    )


_RUNS: dict[tuple[AssemblyLine, ...], Pass] = {}
"""Lines without a mistake → their second pass: a game is built again with the same twins."""
_MOST_RUNS = 16
"""Sources after which the table begins anew."""


def _passes(lines: tuple[AssemblyLine, ...], sources: Sources, errors: list[SourceError]) -> Pass:
    """The second pass over all lines. Raises SourceError with `errors` and all other mistakes."""
    known = _RUNS.get(lines)
    if known is not None and not errors and not sources.errors:
        return known
    # The first pass finds the labels that are defined below their use, the second one uses them.
    first = _run(lines, None)
    second = _run(lines, first.symbols)
    reported = {(error.place.file, error.place.line) for error in first.errors}
    # A second mistake in the same line often follows from the first.
    errors = [*errors, *sources.errors, *first.errors]
    errors += [e for e in second.errors if (e.place.file, e.place.line) not in reported]
    # After mistakes a label may be missing for no other reason.
    if not (first.errors or second.errors):
        errors += check_definitions(second)
    if errors:
        raise together(_in_order(errors, lines))
    if len(_RUNS) >= _MOST_RUNS:
        _RUNS.clear()
    _RUNS[lines] = second
    return second


def assemble_file(path: Path, library: Path | None = None, relaxed: bool = False) -> Assembled:
    """Assemble a file, see `assemble`; COPY reads files in its folder, or in `library`.

    Raises TIError.
    """
    return assemble(read_text(path), str(path), path.parent, library, relaxed)


def _run(lines: Sequence[AssemblyLine], before: dict[str, Value] | None) -> Pass:
    run = Pass(before, {line.label for line in lines})
    for line in lines:
        if before is not None or not run.rows:
            run.rows.append(LineResult(line))
        try:
            _line(run, line)
        except SourceError as error:
            run.errors.append(error)
            # Without its label every use of the line would be an error too.
            run.label_anyway(line)
    return run


def _line(run: Pass, line: AssemblyLine) -> None:
    if line.label:
        check_label(line)
    name = line.operation
    if not name:
        run.label(line)
        if line.label:
            run.row.spot = run.spot
        if line.label in ALONE:
            run.notes.append(_in_column_1(line))
    elif name in DIRECTIVES:
        DIRECTIVES[name](run, line)
    elif name in BY_NAME or name in run.extended:
        # Instructions lie at even addresses: an odd byte before one is skipped, as TI's assembler
        # does.
        run.even(line)
        run.label(line)
        run.put(line, _encoded(run, line))
    elif name in PSEUDO:
        run.even(line)
        run.label(line)
        run.put(line, [Word(PSEUDO[name])])
    else:
        if line.label in OPERATIONS and (len(line.label) > 1 or not name.isalnum()):
            raise _in_column_1(line)
        remedy = suggestion(name, OPERATIONS, "use an instruction or a directive")
        if name[0] == ".":
            remedy = "write what its lines give: there are no macros and no conditions"
        remedy = XAS99.get(name, remedy)
        raise line.error(f"unknown operation {name[:20]}", remedy, line.operation_column)


def _in_column_1(line: AssemblyLine) -> SourceError:
    return line.error(f"{line.label} in column 1 is a label", "put a space before it", 1)


class _Known(Record):
    """An instruction as it was encoded before: what its words are elsewhere follows from symbols.

    `references`, `target`, `depends`: see `Encoder`. The number of words is always the same.
    """

    words: tuple[Word, ...]
    references: tuple[Reference, ...]
    target: Reference | None
    depends: bool

    def at(self, run: Pass) -> Sequence[Word] | None:
        """The words at the place of a pass; None if they have to be worked out."""
        if run.before is None or not (self.depends or self.references or self.target):
            return self.words
        if self.depends:
            return None
        words = [*self.words]
        for place, symbol, more in self.references:
            value = run.lookup(symbol)
            if value is None or value.external or not value.known:
                return None
            words[place] = Word((value.number + more) & 0xFFFF, bool(value.bases))
        if self.target is not None:
            value = run.lookup(self.target.symbol)
            if value is None or value.external or not value.known:
                return None
            distance = value.number + self.target.more - run.spot.address - 2
            here = value.bases == run.spot.segment.moves
            if not here or distance & 1 or not -256 <= distance <= 254:
                return None
            words[0] = Word(words[0].value & 0xFF00 | distance // 2 & 0xFF)
        return words


_KNOWN: dict[tuple[str, str], _Known] = {}
"""Operation and operands → the instruction. Sources have few different ones, and a compiled program
has most of its own from the runtime.
"""
_MOST_KNOWN = 20_000
"""Entries after which the table begins anew."""


def _encoded(run: Pass, line: AssemblyLine) -> Sequence[Word]:
    """The words of an instruction; in the first pass only their number counts."""
    key = line.operation, line.operands
    # A label may be called R1, and DXOP gives an operation another meaning.
    usual = len(run.registers) == len(REGISTERS) and not run.extended
    known = _KNOWN.get(key) if usual else None
    if known is not None and (found := known.at(run)) is not None:
        return found
    field = run.field(line)
    encoder = Encoder(field, run.spot, run.notes)
    words = encoder.encoded(line.operation, run.extended)
    if usual:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        references = tuple(encoder.references)
        _KNOWN[key] = _Known(tuple(words), references, encoder.target, field.depends)
    return words


def _in_order(errors: list[SourceError], lines: Sequence[AssemblyLine]) -> list[SourceError]:
    """Each mistake once, in the order of the lines; one that both passes found is reported once."""
    if not errors:
        return errors
    places: dict[tuple[str | None, int | None], int] = {}
    for index, line in enumerate(lines):
        places.setdefault((line.file, line.number), index)
    unique = {(str(error.place), error.problem): error for error in reversed(errors)}
    once = [error for error in errors if unique.get((str(error.place), error.problem)) is error]

    def rank(error: SourceError) -> tuple[int, int]:
        place = error.place
        return places.get((place.file, place.line), len(lines)), place.column or 0

    return sorted(once, key=rank)
