"""Program lines while they are worked on, and what is known of a program before it is changed.

Keys of given lines are their numbers; rows that a pass adds have keys from `NEW_KEYS` on, above any
line number. Numbers are assigned at the end: see `lines.numbered`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.codes import INTERRUPT_FLAGS
from ti99tools.base.record import Record
from ti99tools.language.analysis import Analysis, analysis_of
from ti99tools.language.listing.listing import NAME, Element, commas_in, scan
from ti99tools.language.prescan import Scan

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


class Row(Record):
    """A line: its key, its tokens (references are keys), and the given lines it holds."""

    key: int
    tokens: bytes
    parts: tuple[Part, ...] = ()

    @property
    def first(self) -> int:
        """The first token; 0 for a name or an empty line."""
        token = self.tokens[0] if self.tokens else 0
        return token if token >= 0x80 else 0


class Rows(Record):
    """A program in order: rows added `front`, the `main` program, and its `subs`."""

    main: tuple[Row, ...]
    subs: tuple[Row, ...] = ()
    front: tuple[Row, ...] = ()
    next_key: int = NEW_KEYS

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
        rows = [Row(self.next_key + at, line) for at, line in enumerate(tokens)]
        return replace(self, next_key=self.next_key + len(rows)), rows


def rows_of(lines: Sequence[tuple[int, bytes]]) -> Rows:
    """The rows of a program; the first line that begins with SUB begins the subprograms."""
    rows = [Row(number, tokens, (Part(number, tokens),)) for number, tokens in lines]
    at = next((i for i, row in enumerate(rows) if row.first == t.SUB), len(rows))
    return Rows(tuple(rows[:at]), tuple(rows[at:]))


def split(parts: tuple[Part, ...], statements: int) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts of a row that is split after some `statements` of its first part."""
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
    joined_lines: list[bytes] = []
    for line in lines:
        if joined_lines and len(joined_lines[-1]) + 1 + len(line) <= ROOM:
            joined_lines[-1] += bytes([t.STATEMENT_SEP]) + line
        else:
            joined_lines.append(line)
    return joined_lines


MEMORY_CALLS = frozenset(("LOAD", "LINK", "INIT", "PEEK"))
"""Subprograms by which a program may look at its own lines in memory."""
NAME_TABLE = {"8196", *map(str, range(0x3F00, 0x4000))}
"""Where LOAD enters the names of routines."""
PLAIN_CELLS = (0x8378, 0x8379, 0x837A, 0x837B, INTERRUPT_FLAGS)
"""Cells that say nothing about the program: random byte, frames, sprites, video status, flags."""
LOW_MEMORY = range(0x2000, 0x4000)
"""Memory without program lines."""
ERR_LINE = 4
"""The argument of CALL ERR that gives a line number."""


class Facts(Record):
    """What is known of a program, and what forbids some changes.

    `refused` says why nothing may be changed. `tells_lines`: the program learns or shows its own
    line numbers (CALL ERR with four arguments, TRACE), so that they must stay.
    """

    program: Analysis
    refused: str = ""
    tells_lines: bool = False
    switched: bool = False
    """Set when the program switches the pre-scan itself."""
    hot: tuple[str, ...] = ()
    """Names of the main program known to be looked up most, as they are called now."""

    @property
    def scan(self) -> Scan:
        """The tables of the pre-scan: scopes and their names."""
        return self.program.scanned.scan


def facts_of(lines: Sequence[tuple[int, bytes]], routines: Collection[str]) -> Facts:
    """The facts of a program; `routines` of machine code are known not to look at it."""
    program = analysis_of(lines)
    stopped = program.scanned
    if stopped.error is not None:
        error = f"{xb.TEXTS[stopped.error]} IN {stopped.line}"
        return Facts(program, f"RUN would stop with {error} before the first statement")
    entered = any("INIT" in called(line) for _, line in lines)
    for number, line in lines:
        if MEMORY_CALLS & set(called(line)) and not _leaves_alone(line, routines, entered):
            return Facts(program, f"line {number} may look at the program in memory")
        if not _begins_with_sub(line):
            return Facts(program, f"SUB in line {number} is not at its beginning")
    return facts_after(lines)


def facts_after(lines: Sequence[tuple[int, bytes]], hot: tuple[str, ...] = ()) -> Facts:
    """The facts of a program after a pass, which was not refused before it."""
    return Facts(
        analysis_of(lines),
        tells_lines=any(_tells_lines(line) for _, line in lines),
        switched=any(_switches(line) for _, line in lines),
        hot=hot,
    )


def _leaves_alone(line: bytes, routines: Collection[str], entered: bool) -> bool:
    """Tell whether all calls of INIT, LOAD, LINK and PEEK in a line leave the program alone.

    They do if they serve known routines, or concern only cells that have no part in it; LOAD of
    such a cell counts in a program that has `entered` machine code by CALL INIT.
    """
    elements = list(scan(line))
    for at, element in enumerate(elements):
        if element.token != t.CALL or element is elements[-1]:
            continue
        name = elements[at + 1].text
        if name not in MEMORY_CALLS or name == "INIT":
            continue
        first = elements[at + 3].text if at + 3 < len(elements) else ""
        if routines and (first in routines or (name == "LOAD" and first in NAME_TABLE)):
            continue
        if not _concerns_cells(name, elements[at + 3 :], entered):
            return False
    return True


def _concerns_cells(name: str, arguments: list[Element], entered: bool) -> bool:
    """Tell whether a call of PEEK or LOAD with these arguments is about harmless cells."""
    negative = bool(arguments) and arguments[0].token == t.MINUS
    given = arguments[negative:]
    if not given or given[0].token != t.UNQUOTED or not given[0].text.isdecimal():
        return False
    address = (-int(given[0].text) if negative else int(given[0].text)) & 0xFFFF
    after = [element.token for element in given[1:]]
    one = after[0:1] == [t.COMMA] and after[2:3] == [t.RPAREN]
    if name == "PEEK":
        return address in LOW_MEMORY or (one and address in PLAIN_CELLS)
    return name == "LOAD" and entered and one and address == INTERRUPT_FLAGS


def _begins_with_sub(line: bytes) -> bool:
    """Tell whether each SUB of the line begins it, or belongs to GO SUB."""
    return all(a.token == t.GO for a, b in pairwise(scan(line)) if b.token == t.SUB)


def _switches(line: bytes) -> bool:
    return any(
        element.token in (t.BANG, t.REM) and element.data[:3].upper() in (b"@P-", b"@P+")
        for element in scan(line)
    )


def _tells_lines(line: bytes) -> bool:
    if words(line) & {t.TRACE, t.UNTRACE}:
        return True
    elements = list(scan(line))
    return any(
        element.token == t.CALL and _is_err(elements[at + 1 :])
        for at, element in enumerate(elements)
    )


def _is_err(after: list[Element]) -> bool:
    """Tell whether CALL is followed by ERR with an argument for the line number."""
    return bool(after) and after[0].data == b"ERR" and commas_in(after[1:]) >= ERR_LINE - 1
