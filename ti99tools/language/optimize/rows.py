"""Program lines being worked on: a row has a key, which references to it use.

Keys of given lines are their numbers; rows that a pass adds have keys from `NEW_KEYS` on, above any
line number. Numbers are assigned at the end: see `lines.numbered`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import NAME, Element, scan

# Above 32767, so that a key is never mistaken for a line number.
NEW_KEYS = 40_000
ROOM = 158
"""Most token bytes of a line in the editor."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a given line contributed to a row: its number, and its tokens as they were.

    Of a split line these are the statements from `first` on, counted from 0.
    """

    number: int
    tokens: bytes
    first: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its key, its tokens (references are keys), and the given lines it holds."""

    key: int
    tokens: bytes
    parts: tuple[Part, ...] = ()

    @property
    def first(self) -> int:
        """The first token; 0 for a name or an empty line."""
        token = self.tokens[0] if self.tokens else 0
        return token if token >= 0x80 else 0


@dataclass(frozen=True, slots=True)
class Rows:
    """A program in order: rows added `front`, the `main` program, and its `subs`."""

    main: tuple[Row, ...]
    subs: tuple[Row, ...] = ()
    front: tuple[Row, ...] = ()
    next_key: int = NEW_KEYS
    unused: frozenset[int] = field(default_factory=frozenset)

    def __iter__(self) -> Iterator[Row]:
        yield from self.front
        yield from self.main
        yield from self.subs

    def map(self, change: Callable[[Row], Row]) -> Rows:
        """The rows, each changed."""
        return replace(
            self,
            main=tuple(map(change, self.main)),
            subs=tuple(map(change, self.subs)),
            front=tuple(map(change, self.front)),
        )

    def with_keys(self, tokens: Sequence[bytes]) -> tuple[Rows, list[Row]]:
        """New rows of these tokens, not placed yet, and the rows with their keys taken."""
        made = [Row(self.next_key + at, line) for at, line in enumerate(tokens)]
        return replace(self, next_key=self.next_key + len(made)), made


def rows_of(lines: Sequence[tuple[int, bytes]]) -> Rows:
    """The rows of a program; the first line that begins with SUB begins the subprograms."""
    rows = [Row(number, tokens, (Part(number, tokens),)) for number, tokens in lines]
    at = next((i for i, row in enumerate(rows) if row.first == t.SUB), len(rows))
    return Rows(tuple(rows[:at]), tuple(rows[at:]))


def split(parts: tuple[Part, ...], statements: int) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts of a row that is split after so many statements of its first part."""
    part = parts[0]
    places = [e.start for e in scan(part.tokens) if e.token == t.STATEMENT_SEP]
    if len(places) < statements:
        return (part,), parts[1:]
    at = places[statements - 1]
    rest = Part(part.number, part.tokens[at + 1 :], part.first + statements)
    return (replace(part, tokens=part.tokens[:at]),), (rest, *parts[1:])


def bodies(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The lines of each SUB; what follows its SUBEND belongs to it."""
    body: list[Row] = []
    for row in rows:
        if row.first == t.SUB and body:
            yield body
            body = []
        body.append(row)
    if body:
        yield body


def references(tokens: bytes) -> Iterator[Element]:
    """The line numbers that a line names."""
    return (e for e in scan(tokens) if e.token == t.LINE_NUMBER and len(e.data) == 2)


def retargeted(tokens: bytes, new: Callable[[int], int]) -> bytes:
    """The tokens with each reference changed."""
    changed = bytearray(tokens)
    for element in references(tokens):
        at = element.start + 1
        changed[at : at + 2] = new(element.line_number).to_bytes(2, "big")
    return bytes(changed)


def reference(key: int) -> bytes:
    """A reference to the row with this key."""
    return bytes([t.LINE_NUMBER]) + key.to_bytes(2, "big")


def names(tokens: bytes) -> Iterator[Element]:
    """The names of variables, arrays and functions in a line."""
    return (element for element in scan(tokens) if element.token == NAME)


def called(tokens: bytes) -> Iterator[str]:
    """The subprograms that a line calls."""
    before = 0
    for element in scan(tokens):
        if before == t.CALL and element.token in (t.UNQUOTED, NAME):
            yield element.text
        before = element.token


def words(tokens: bytes) -> frozenset[int]:
    """The tokens that occur in a line, whatever data they carry."""
    return frozenset(element.token for element in scan(tokens))


def joined(lines: Sequence[bytes]) -> list[bytes]:
    """Statements joined by `::` into as few lines as hold them."""
    found: list[bytes] = []
    for line in lines:
        if found and len(found[-1]) + 1 + len(line) <= ROOM:
            found[-1] += bytes([t.STATEMENT_SEP]) + line
        else:
            found.append(line)
    return found
