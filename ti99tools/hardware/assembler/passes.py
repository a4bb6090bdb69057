"""One pass over the lines: the place of each, the symbols, the words of output.

Both passes do the same; the first one finds the values of symbols that are defined below their use.
R0 to R15 are registers, except those that are labels of the source.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace

from ti99tools.base.errors import SourceError
from ti99tools.hardware.assembler.expressions import REGISTERS, Field, Segment, Spot, Value, Word
from ti99tools.hardware.assembler.lines import Line

END_OF_MEMORY = 0x10000


@dataclass(slots=True)
class Row:
    """What became of a line: its address or value, and its words or bytes."""

    line: Line
    shown: Value | None = None
    words: list[Word] = field(default_factory=list)
    octets: list[int] = field(default_factory=list)


class Pass:
    """One pass. `before` has the symbols of the first pass; None in that pass itself.

    `labels` are the names of all labels of the source.
    """

    def __init__(self, before: dict[str, Value] | None, labels: Set[str]) -> None:
        self.before = before
        self.registers = {name: at for name, at in REGISTERS.items() if name not in labels}
        self.symbols: dict[str, Value] = {}
        self.extended: dict[str, int] = {}
        self.spot = Spot(0, Segment.RELOCATABLE)
        self.length = 0
        """Bytes of relocatable code."""
        self.words: dict[Spot, Word] = {}
        self.rows: list[Row] = []
        self.errors: list[SourceError] = []
        self.notes: list[SourceError] = []
        """What is not right but accepted."""
        self.name = ""
        self.definitions: dict[str, Field] = {}
        self.references: list[str] = []
        self.entry: Value | None = None
        self._places: dict[str, Line] = {}
        self._reached = {segment: Spot(0, segment) for segment in Segment}

    @property
    def row(self) -> Row:
        """The row of the line that is being assembled."""
        return self.rows[-1]

    def field(self, line: Line) -> Field:
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
        later = self.before.get(name)
        return None if later is None else later

    def label(self, line: Line, value: Value | None = None) -> None:
        """Give the line's label, if it has one, a value (default: the spot). Raises SourceError."""
        name = line.label
        if not name:
            return
        if name in self._places:
            first = self._places[name]
            remedy = f"the other is in {first.file}:{first.number}; rename one"
            raise line.error(f"{name} is defined twice", remedy, 1)
        self._places[name] = line
        self.symbols[name] = value if value is not None else self.spot.value

    def label_anyway(self, line: Line) -> None:
        """Define the label of a line with a mistake, so that its uses are not mistakes too."""
        if line.label and line.label not in self._places:
            self._places[line.label] = line
            self.symbols[line.label] = replace(self.spot.value, known=False)

    def reached(self, segment: Segment) -> Spot:
        """Where the code of a segment has come to."""
        return self._reached[segment]

    def place(self, line: Line, spot: Spot) -> None:
        """Go to a spot. Raises SourceError for one outside memory."""
        if not 0 <= spot.address <= END_OF_MEMORY:
            raise line.error("the code goes beyond the end of memory", "begin it lower")
        self.spot = self._reached[spot.segment] = spot
        if spot.segment is Segment.RELOCATABLE:
            self.length = max(self.length, spot.address)

    def skip(self, line: Line, count: int) -> None:
        """Move on by some bytes. Raises SourceError."""
        self.place(line, Spot(self.spot.address + count, self.spot.segment))

    def even(self, line: Line) -> None:
        """Go to the next even address."""
        self.skip(line, self.spot.address % 2)

    def put(self, line: Line, words: list[Word]) -> None:
        """Put words at the spot, which is even. Raises SourceError."""
        # The listing shows the address before the words.
        if self.spot.address % 2 == 0 and self.row.shown is None:
            self.row.shown = self.spot.value
        for word in words:
            start = self.spot
            self.skip(line, 2)
            self.row.words.append(word)
            if start.segment.written:
                self.words[start] = word

    def put_bytes(self, line: Line, octets: bytes) -> None:
        """Put bytes at the spot. Raises SourceError.

        The other byte of the word stays as it is; TI's assembler sets it to 0 after AORG and RORG.
        """
        self.row.shown = self.spot.value
        self.row.octets.extend(octets)
        for octet in octets:
            address, segment = self.spot.address, self.spot.segment
            self.skip(line, 1)
            if not segment.written:
                continue
            spot = Spot(address & ~1, segment)
            word = self.words.get(spot, Word(0)).value
            word = word & 0xFF00 | octet if address & 1 else word & 0xFF | octet << 8
            self.words[spot] = Word(word)
