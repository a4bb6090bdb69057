"""Recorded programs, changed at random: other constants, statements moved, or put into IF or SUB.

They do what nobody wrote down: what the compiler does with them is what the console does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from tests.compiler.randomedges import NUMBERS, TEXTS
from tests.compiler.recordedcases import recorded
from ti99tools.base import tokens as tk
from ti99tools.base.errors import TIError
from ti99tools.language.program.editor import Editor
from ti99tools.language.program.program import Program

_FILES = (
    *("lang-control", "lang-errors", "lang-subs", "lang-data", "lang-strings", "lang-vars"),
    *("lang-misc", "lang-asked", "screen-print", "screen-using", "fuzz", "prog-missed"),
)
_WITHOUT = re.compile(
    r"KEY|JOYST|INPUT|ACCEPT|RANDOMIZE *(::|$)|OPEN|PEEK|LOAD|LINK|MOTION|SPRITE|POS|\bRUN\b|INIT",
    re.MULTILINE,
)
"""What is compared elsewhere, or depends on time."""
_PART = re.compile(
    r'"(?:[^"]|"")*"|[0-9]+\.?[0-9]*(?:E[+-]?[0-9]+)?|\.[0-9]+|[A-Z@_][A-Z0-9@_]*\$?|::|[<>]=|<>|.'
)
_WHOLE_LINES = ("REM", "!", "DATA", "IMAGE")
_NOT_MOVED = re.compile(r"(SUB|SUBEND|SUBEXIT|DEF|DIM|OPTION|FOR|NEXT|IF|END|STOP|RETURN|ON|GO)")
_LINE_FOLLOWS = {"GOTO", "GOSUB", "THEN", "ELSE", "RESTORE", "BREAK", "ERROR", "RETURN", "USING"}
_ALIKE = (
    ("+", "-", "*", "/", "^"), ("=", "<", ">", "<=", ">=", "<>"), (",", ";", ":"),
    ("AND", "OR", "XOR"), ("ABS", "INT", "SGN", "SQR", "LOG", "ATN"), ("HCHAR", "VCHAR"),
    ("MAX", "MIN"), ("ASC", "LEN", "VAL"), ("PRINT", "DISPLAY"),
)  # fmt: skip
_WORDS = {word.strip() for word in tk.KEYWORDS.values()}
_CONDITIONS = ("A", "A=B", "A>B", "NOT A", "1", "0", 'A$=""', "(A>1)+(B<2)", "A=1 OR B=2", "I-1")
_LOOPS = ("1 TO 2", "3 TO 1 STEP -1", "0 TO 1 STEP .5", "2 TO 1", "1 TO A", "32766 TO 32768")
_HANDLER = (
    "ON ERROR {n}::N9=N9+1::IF N9>9 THEN END::CALL ERR(E0,E1,E2,E3)::PRINT E0;E3::RETURN NEXT"
)
_ADDED = (
    "ON WARNING NEXT", "ON WARNING STOP", "CALL CLEAR", "TRACE", "OPTION BASE 1", "RESTORE",
    "PRINT", "STOP", "DIM Z(3)", "CALL SCREEN(5)", "PRINT A;B:A$", "READ A", "READ A$", "RETURN",
    "BREAK", "CALL GCHAR(24,3,A)", "A=A+1", 'A$=A$&"X"', "CALL ERR(A,B)", "GOTO 9", "I=I+1",
)  # fmt: skip


@dataclass
class _Line:
    number: int
    statements: list[str]


@cache
def _listings() -> tuple[str, ...]:
    """The programs that are changed."""
    found = (held.listing for held in recorded(*_FILES))
    return tuple(dict.fromkeys(one for one in found if not _WITHOUT.search(one)))


def _parts(text: str) -> list[str]:
    return _PART.findall(text)


def _statements(text: str) -> list[str]:
    """The statements of a line."""
    if text.startswith(_WHOLE_LINES):
        return [text]
    found = [""]
    for part in _parts(text):
        if part == "::":
            found.append("")
        else:
            found[-1] += part
    return [one.strip() for one in found]


def _lines(listing: str) -> list[_Line]:
    """The lines that the editor takes."""
    editor = Editor()
    for row in listing.splitlines():
        try:
            editor.enter(row)
        except TIError:
            continue
    rows = editor.program.listing().splitlines() if editor.program else ()
    return [_Line(int(number), _statements(text)) for number, _, text in map(_split, rows)]


def _split(row: str) -> tuple[str, str, str]:
    return row.partition(" ")


class MutantMaker:
    """Makes a program of a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(f"mutants {seed}")
        self._own: list[_Line] = []

    def program(self) -> str:
        """Its listing, without lines that the editor refuses."""
        r = self._random
        ways: tuple[Callable[[], object], ...] = (
            *(self._constant,) * 6, *(self._alike,) * 3, self._swap, self._double, self._other,
            *(self._in_if,) * 2, *(self._in_for,) * 2, *(self._in_sub,) * 2, *(self._add,) * 3,
            self._handle,
        )  # fmt: skip
        self._own = []
        while not self._own:
            self._own = _lines(r.choice(_listings()))
        for _ in range(r.choice((1, 2, 2, 3, 4, 6))):
            r.choice(ways)()
        made = "".join(f"{one.number} {'::'.join(one.statements)}\n" for one in self._own)
        return "".join(f"{one.number} {'::'.join(one.statements)}\n" for one in _lines(made))

    def _any(self, lines: Iterable[_Line], moved: bool = False) -> tuple[list[str], int] | None:
        """A statement: those of its line, and its index. `moved`: one that can be elsewhere."""
        found = [
            (line.statements, at)
            for line in lines
            for at, text in enumerate(line.statements)
            if text and not text.startswith(_WHOLE_LINES)
            if not moved or not (_NOT_MOVED.match(text) or "THEN" in text or "ELSE" in text)
        ]
        return self._random.choice(found) if found else None

    def _part(self, of: Callable[[list[str], int], object], new: Callable[[str], str]) -> None:
        """Change a part of a statement."""
        if (place := self._any(self._own)) is None:
            return
        statements, at = place
        parts = _parts(statements[at])
        if found := [n for n in range(len(parts)) if of(parts, n)]:
            n = self._random.choice(found)
            parts[n] = new(parts[n])
            statements[at] = "".join(parts)

    def _constant(self) -> None:
        def is_one(parts: list[str], at: int) -> bool:
            before = [part for part in parts[:at] if part not in (" ", ",")]
            follows = bool(before) and (before[-1] in _LINE_FOLLOWS or before[-1].isdigit())
            return parts[at][0] == '"' or (parts[at][0].isdigit() and not follows)

        self._part(is_one, lambda old: self._random.choice(TEXTS if old[0] == '"' else NUMBERS))

    def _alike(self) -> None:
        def group(part: str) -> tuple[str, ...]:
            return next((each for each in _ALIKE if part in each), ())

        self._part(lambda parts, at: group(parts[at]), lambda old: self._random.choice(group(old)))

    def _swap(self) -> None:
        first, second = self._any(self._own), self._any(self._own)
        if first and second:
            (one, at), (other, there) = first, second
            one[at], other[there] = other[there], one[at]

    def _double(self) -> None:
        self._insert(self._own)

    def _other(self) -> None:
        """Put a statement of another program into it."""
        self._insert(_lines(self._random.choice(_listings())))

    def _insert(self, lines: Iterable[_Line]) -> None:
        found, place = self._any(lines), self._any(self._own)
        if found and place:
            place[0].insert(place[1], found[0][found[1]])

    def _add(self) -> None:
        if place := self._any(self._own):
            place[0].insert(place[1], self._random.choice(_ADDED))

    def _in_if(self) -> None:
        if place := self._any(self._own, moved=True):
            statements, at = place
            made = f"IF {self._random.choice(_CONDITIONS)} THEN {statements[at]}"
            if self._random.random() < 0.5 and (other := self._any(self._own, moved=True)):
                made += f" ELSE {other[0][other[1]]}"
            statements[at] = made

    def _in_for(self) -> None:
        if place := self._any(self._own, moved=True):
            statements, at = place
            name = self._random.choice(("I", "J", "A"))
            loop = f"FOR {name}={self._random.choice(_LOOPS)}"
            statements[at : at + 1] = [loop, statements[at], f"NEXT {name}"]

    def _in_sub(self) -> None:
        """Put a statement into a SUB whose parameters are its simple variables."""
        name = f"Q{len(self._own)}"
        if (place := self._any(self._own, moved=True)) is None:
            return
        statements, at = place
        parts = [*_parts(statements[at]), ""]
        pairs = pairwise(parts)
        simple = (one for one, after in pairs if one[:1].isalpha() and after != "(")
        names = [*dict.fromkeys(one for one in simple if one not in _WORDS)]
        if parts[0] == "CALL":
            names = [one for one in names if one != parts[2]]
        given = [one if self._random.random() < 0.8 else f"({one})" for one in names]
        body, statements[at] = statements[at], _with(f"CALL {name}", given)
        self._append([_with(f"SUB {name}", names)], [body], ["SUBEND"])

    def _handle(self) -> None:
        """Add a handler of errors, unless SUBs are at the end."""
        if "SUBEND" not in self._own[-1].statements:
            number = self._own[-1].number + 20
            self._append(["END"], _HANDLER.format(n=number).split("::"))
            self._own[0].statements.insert(0, f"ON ERROR {number}")

    def _append(self, *lines: list[str]) -> None:
        for statements in lines:
            self._own.append(_Line(self._own[-1].number + 10, statements))


def _with(text: str, names: list[str]) -> str:
    return f"{text}({','.join(names)})" if names else text


def is_settled(listing: str) -> bool:
    """Tell whether nothing in a program depends on time, or takes keys or files."""
    return bool(listing) and not _WITHOUT.search(listing) and bool(Program.from_listing(listing))
