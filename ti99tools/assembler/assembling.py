"""Assembling a source: two passes, then memory, object code and listing from what came out."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ti99tools.assembler.directives import DIRECTIVES, check_definitions
from ti99tools.assembler.encoding import PSEUDO, Encoder
from ti99tools.assembler.lines import Line, Sources, check_label
from ti99tools.assembler.listing import listing
from ti99tools.assembler.passes import Pass, Row
from ti99tools.assembler.tagged import ObjectCode
from ti99tools.assembler.values import Segment, Spot, Value, Word
from ti99tools.base.errors import SourceError, TIError, together
from ti99tools.base.hostio import read_text
from ti99tools.cpu.instructions import BY_NAME

OPERATIONS = sorted({*BY_NAME, *PSEUDO, *DIRECTIVES})


@dataclass(frozen=True)
class Image:
    """Bytes from an address on; what lies between pieces of code is 0."""

    address: int
    data: bytes


@dataclass(frozen=True)
class Assembled:
    """What a source came to.

    `words` are by spot, in order of the source; `symbols` by name in capital letters; `length` is
    that of the relocatable code in bytes.
    """

    name: str
    words: dict[Spot, Word]
    symbols: dict[str, Value]
    definitions: tuple[str, ...]
    references: tuple[str, ...]
    entry: Value | None
    length: int
    rows: tuple[Row, ...]

    @property
    def relocatable(self) -> bool:
        """Tell whether there is code whose place is chosen when it is loaded."""
        return any(spot.segment is Segment.RELOCATABLE for spot in self.words)

    def address_of(self, symbol: str, base: int = 0) -> int:
        """The address of a symbol with relocatable code at `base`. Raises KeyError."""
        value = self.symbols[symbol.upper()]
        return (value.number + value.bases * base) & 0xFFFF

    def memory(self, base: int = 0) -> dict[int, int]:
        """Even address → word, relocatable code at `base`. Raises TIError when REF is used."""
        found: dict[int, int] = {}
        for spot, word in self.words.items():
            if word.external:
                remedy = f"write {word.external} EQU and its address"
                raise TIError(f"{word.external} is in other code", remedy=remedy)
            start = base if spot.segment is Segment.RELOCATABLE else 0
            value = word.value + (base if word.relocatable else 0)
            found[(spot.address + start) & 0xFFFF] = value & 0xFFFF
        return found

    def image(self, base: int = 0) -> Image:
        """The memory from the first to the last word. Raises TIError for REF, or without code."""
        if base % 2:
            raise TIError(f"the base >{base:04X} is odd", remedy="use an even address")
        words = self.memory(base)
        if not words:
            raise TIError("no code", remedy="the source has no instruction and no data")
        first, last = min(words), max(words)
        places = range(first, last + 2, 2)
        return Image(first, b"".join(words.get(at, 0).to_bytes(2, "big") for at in places))

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


def assemble(text: str, file: str = "source", folder: Path | None = None) -> Assembled:
    """Assemble a source; COPY reads files in `folder` (None: none).

    Raises SourceError with all mistakes in it.
    """
    lines: list[Line] = []
    errors: list[SourceError] = []
    try:
        for line in Sources(folder).lines(text, file):
            lines.append(line)
    except SourceError as error:
        errors.append(error)
    first = _run(lines, None)
    second = _run(lines, first.symbols)
    errors += [*first.errors, *second.errors]
    if not first.errors:
        errors += check_definitions(second)
    if errors:
        raise together(_in_order(errors))
    return Assembled(
        second.name,
        second.words,
        second.symbols,
        tuple(second.definitions),
        tuple(second.references),
        second.entry,
        second.length,
        tuple(second.rows),
    )


def assemble_file(path: Path) -> Assembled:
    """Assemble a file; COPY reads files in its folder. Raises TIError."""
    return assemble(read_text(path), str(path), path.parent)


def _run(lines: list[Line], before: dict[str, Value] | None) -> Pass:
    run = Pass(before)
    for line in lines:
        run.rows.append(Row(line))
        try:
            _line(run, line)
        except SourceError as error:
            run.errors.append(error)
    return run


def _line(run: Pass, line: Line) -> None:
    check_label(line)
    name = line.operation
    if not name:
        run.label(line)
        if line.label:
            run.row.shown = run.spot.value
    elif name in DIRECTIVES:
        DIRECTIVES[name](run, line)
    elif name in BY_NAME or name in run.extended:
        run.even(line)
        run.label(line)
        run.put(line, Encoder(run.field(line), run.spot).encoded(name, run.extended))
    elif name in PSEUDO:
        run.even(line)
        run.label(line)
        run.put(line, [Word(PSEUDO[name])])
    else:
        near = get_close_matches(name, OPERATIONS, 1)
        remedy = f"did you mean {near[0]}?" if near else "use an instruction or a directive"
        raise line.error(f"unknown operation {name[:20]}", remedy, line.operation_column)


def _in_order(errors: list[SourceError]) -> list[SourceError]:
    """Each mistake once, those of one file by line; what both passes found is told once."""
    unique = {(str(error.place), error.problem): error for error in reversed(errors)}
    found = [error for error in errors if unique.get((str(error.place), error.problem)) is error]
    return sorted(found, key=lambda error: (error.place.line or 0, error.place.column or 0))
