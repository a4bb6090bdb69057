"""One pass over the lines: where each is, what the symbols are, which words come out.

Both passes do the same; the first finds the values of symbols that stand below their use.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ti99tools.assembler.expressions import REGISTERS, Field
from ti99tools.assembler.lines import Line
from ti99tools.assembler.values import Segment, Spot, Value, Word
from ti99tools.base.errors import SourceError

END_OF_MEMORY = 0x10000


@dataclass(slots=True)
class Row:
    """What a line came to: its address or value, and the words or bytes that it put there."""

    line: Line
    shown: Value | None = None
    words: list[Word] = field(default_factory=list)
    octets: list[int] = field(default_factory=list)


class Pass:
    """One pass. `before` has the symbols of the pass before; None in the first."""

    def __init__(self, before: dict[str, Value] | None) -> None:
        self.before = before
        self.symbols: dict[str, Value] = {}
        self.extended: dict[str, int] = {}
        self.spot = Spot(0, Segment.RELOCATABLE)
        self.length = 0
        """Bytes of relocatable code."""
        self.words: dict[Spot, Word] = {}
        self.rows: list[Row] = []
        self.errors: list[SourceError] = []
        self.name = ""
        self.definitions: dict[str, Field] = {}
        self.references: list[str] = []
        self.entry: Value | None = None
        self._places: dict[str, Line] = {}

    @property
    def row(self) -> Row:
        """The row of the line that is being assembled."""
        return self.rows[-1]

    def field(self, line: Line) -> Field:
        """The operand field of a line at the present spot."""
        return Field(line, self.lookup, self.spot.value)

    def lookup(self, name: str) -> Value | None:
        """A symbol: of this pass, or of the pass before; unknown in the first pass."""
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
        if name in REGISTERS:
            raise line.error(f"{name} is a register", "choose another label", 1)
        if name in self._places:
            first = self._places[name]
            remedy = f"the other is in {first.file}:{first.number}; rename one"
            raise line.error(f"{name} is defined twice", remedy, 1)
        self._places[name] = line
        self.symbols[name] = value if value is not None else self.spot.value

    def place(self, line: Line, spot: Spot) -> None:
        """Go to a spot. Raises SourceError for one outside memory."""
        if not 0 <= spot.address <= END_OF_MEMORY:
            raise line.error("the code goes beyond the end of memory", "begin it lower")
        self.spot = spot
        if spot.segment is Segment.RELOCATABLE:
            self.length = max(self.length, spot.address)

    def skip(self, line: Line, count: int) -> None:
        """Go on by some bytes. Raises SourceError."""
        self.place(line, Spot(self.spot.address + count, self.spot.segment))

    def even(self, line: Line) -> None:
        """Go to the next even address."""
        self.skip(line, self.spot.address % 2)

    def put(self, line: Line, words: list[Word]) -> None:
        """Put words at the spot, which is even. Raises SourceError."""
        if self.spot.address % 2 == 0 and self.row.shown is None:
            self.row.shown = self.spot.value
        for word in words:
            start = self.spot
            self.skip(line, 2)
            self.row.words.append(word)
            if start.segment is not Segment.DUMMY:
                self.words[start] = word

    def put_bytes(self, line: Line, octets: bytes) -> None:
        """Put bytes at the spot. Raises SourceError."""
        self.row.shown = self.spot.value
        self.row.octets.extend(octets)
        for octet in octets:
            address, segment = self.spot.address, self.spot.segment
            self.skip(line, 1)
            if segment is Segment.DUMMY:
                continue
            spot = Spot(address & ~1, segment)
            word = self.words.get(spot, Word(0)).value
            word = word & 0xFF00 | octet if address & 1 else word & 0xFF | octet << 8
            self.words[spot] = Word(word)
