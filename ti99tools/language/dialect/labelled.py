"""Sources of other tools, with labels in place of line numbers, turned into a numbered listing.

The form is that of xbas99 (xdt99's manual, "label mode"): a label stands alone at the start of a
row and ends in a colon, every other row begins with a space and becomes a line of its own. Jumps
name labels, with or without @; a label that begins with % belongs to its SUB. Labels and variables
are different things, so PRIME can be both. `\\xA1` and `\\d161` in a string are characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ti99tools.base.decoding import tidy
from ti99tools.base.errors import Place, SourceError, together
from ti99tools.language.listing.numbered import to_text
from ti99tools.language.listing.tokenize import (
    MAX_LINE_BYTES,
    MAX_LINE_NUMBER,
    EntryError,
    tokenize_line,
)

_LABEL = re.compile(r"(%?[A-Za-z_][A-Za-z0-9_]*):\s*$")
_BEFORE_MORE = re.compile(r"(%?[A-Za-z_][A-Za-z0-9_]*):(?!:)(?=\s*\S)")
_PIECE = re.compile(
    r'(?P<text>"(?:[^"]|"")*"?)|(?P<word>[@%]?[A-Za-z_@\[\]\\][A-Za-z0-9_@\[\]\\]*\$?)'
    r"|(?P<space>\s+)|(?P<separator>::)|(?P<sign>[^\s])"
)
_AS_IT_IS = re.compile(r"\s*(?:REM\b|!|DATA\b|IMAGE\b)", re.IGNORECASE)
_CODE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|d([0-9]{3})|(\\)(?=[xd]))")
_LONGEST = 1000
"""Most characters of a row; no line of the console's editor is as long."""
_ALWAYS = ("GOTO", "GOSUB")
"""Words after which a label follows, or several with commas between."""
_SOMETIMES = ("THEN", "ELSE", "RESTORE", "RETURN", "ERROR", "BREAK", "UNBREAK", "USING")
"""Words after which a label may follow."""
_LISTED = ("GOTO", "GOSUB", "BREAK", "UNBREAK")
_WHOLE = ("ELSE", "::", "!", "", ":", ",")
"""What follows a label that is the whole of a jump; `PRIME=1` is a statement."""


@dataclass(frozen=True)
class Piece:
    """A word, string or sign of a row, and its column, counted from 1."""

    kind: str
    text: str
    column: int


@dataclass
class _Row:
    """A row that becomes a line: its number, its pieces, and the SUB of each."""

    place: Place
    number: int
    pieces: list[Piece]
    scopes: list[str] = field(default_factory=list)


def numbered(
    text: str, file: str | None = None, *, start: int = 100, step: int = 10
) -> list[tuple[str, Place]]:
    """The numbered lines of a labelled source, each with the row that it comes from.

    Lines are numbered from `start` in steps of `step`. Raises SourceError with all mistakes:
    unknown labels, labels defined twice, rows that begin in column 1, lines the editor refuses.
    """
    return _Labelled(text, file, start, step).lines()


class _Labelled:
    """A source on its way: rows, and the numbers of its labels by SUB and name."""

    def __init__(self, text: str, file: str | None, start: int, step: int) -> None:
        self._file = file
        self._errors: list[SourceError] = []
        self._labels: dict[tuple[str, str], int] = {}
        self._places: dict[tuple[str, str], Place] = {}
        self._rows = list(self._read(tidy(text), start, step))

    def lines(self) -> list[tuple[str, Place]]:
        """See `numbered`. Raises SourceError."""
        lines = [(self._line(row), row.place) for row in self._rows]
        for line, place in lines:
            self._enter(line, place)
        if self._errors:
            raise together(sorted(self._errors, key=lambda error: error.place.line or 0))
        if not lines:
            raise SourceError(
                "the source is empty", remedy="write a program", place=Place(self._file)
            )
        return lines

    def _wrong(self, place: Place, problem: str, remedy: str) -> None:
        self._errors.append(SourceError(problem, remedy=remedy, place=place))

    def _read(self, text: str, start: int, step: int) -> Iterator[_Row]:
        number, scope = start, ""
        for count, row in enumerate(text.split("\n"), 1):
            if not row.strip():
                continue
            place = Place(self._file, count, 1)
            if len(row) > _LONGEST:
                problem = f"a row of {len(row)} characters"
                self._wrong(place, problem, "divide it: the editor takes lines of 5 screen rows")
                continue
            label = _LABEL.match(row)
            if label is not None:
                self._define(label[1].upper(), scope, number, place)
                continue
            before = _BEFORE_MORE.match(row)
            if before is not None:
                remedy = f"write it in the next row, and {before[1]}: alone"
                self._wrong(place, f"a statement after the label {before[1]}", remedy)
                self._define(before[1].upper(), scope, number, place)
                row = " " * before.end() + row[before.end() :]
            elif not row[0].isspace():
                remedy = "begin it with a space; a label stands alone and ends in a colon"
                self._wrong(place, "the row begins in column 1 and is no label", remedy)
            if number > MAX_LINE_NUMBER:
                remedy = "begin with a smaller number, or take smaller steps"
                self._wrong(place, f"line number {number}", remedy)
                return
            labelled = _Row(place, number, list(_pieces(row)))
            scope = _scoped(labelled, scope)
            yield labelled
            number += step

    def _define(self, name: str, scope: str, number: int, place: Place) -> None:
        if name.startswith("%") and not scope:
            remedy = "write the label without %, or put it into a SUB"
            self._wrong(place, f"{name} outside a SUB", remedy)
        key = (scope if name.startswith("%") else "", name)
        if key in self._labels:
            first = self._places[key].line
            self._wrong(place, f"the label {name} is there twice", f"the other is in row {first}")
        self._labels[key] = number
        self._places[key] = place

    def _line(self, row: _Row) -> str:
        """The numbered line of a row."""
        given = [piece.text for piece in row.pieces]
        for at in _targets(row.pieces):
            number = self._number(row, at)
            if number is not None:
                given[at] = str(number)
        return f"{row.number} " + "".join(given).strip()

    def _number(self, row: _Row, at: int) -> int | None:
        """The line number of the label at a place where a jump may lead; None if it is none."""
        piece = row.pieces[at]
        name = piece.text.upper()
        bare = name.removeprefix("@")
        scope = row.scopes[at] if name.startswith("%") else ""
        number = self._labels.get((scope, bare))
        after = _after(row.pieces, at)
        before = _word_before(row.pieces, at)
        if number is not None and (after in _WHOLE or name[0] in "@%"):
            return number
        certain = name[0] in "@%" or before in _ALWAYS
        if certain and number is None:
            self._wrong(
                Place(self._file, row.place.line, piece.column),
                f"no label {bare}",
                f"write a row {bare}: before the line that is meant",
            )
        return None

    def _enter(self, line: str, place: Place) -> None:
        """Collect what the editor refuses in a line without other mistakes."""
        if any(error.place.line == place.line for error in self._errors):
            return
        try:
            tokenize_line(line, limit=MAX_LINE_BYTES)
        except EntryError as error:
            from ti99tools.language.remedies.statements import advised

            self._wrong(place, error.problem, advised(error).remedy)


def _pieces(row: str) -> Iterator[Piece]:
    """The pieces of a row; a comment, DATA and IMAGE are one piece to its end."""
    at, first = 0, True
    while at < len(row):
        if (first and _AS_IT_IS.match(row, at)) or row[at] == "!":
            yield Piece("rest", _characters(row[at:]), at + 1)
            return
        match = _PIECE.match(row, at)
        assert match is not None
        kind = match.lastgroup or ""
        text = _characters(match[0]) if kind == "text" else match[0]
        yield Piece(kind, text, at + 1)
        if kind != "space":
            first = kind == "separator"
        at = match.end()


def _characters(text: str) -> str:
    """A text with the characters that its codes stand for."""

    def character(match: re.Match[str]) -> str:
        if match[3]:
            return "\\"
        return to_text(chr(int(match[1], 16) if match[1] else min(int(match[2]), 255)))

    return _CODE.sub(character, text)


def _scoped(row: _Row, scope: str) -> str:
    """Put the SUB of each piece into the row; returns that of the next row."""
    words = [piece.text.upper() if piece.kind == "word" else "" for piece in row.pieces]
    for at, word in enumerate(words):
        if word == "SUB" and _word_before(row.pieces, at) != "GO":
            following = (each for each in words[at + 1 :] if each)
            scope = next(following, "")
        row.scopes.append(scope)
        if word == "SUBEND":
            scope = ""
    return scope


def _targets(pieces: list[Piece]) -> Iterator[int]:
    """The places of words that may be labels."""
    opened = ""
    for at, piece in enumerate(pieces):
        if piece.kind == "space":
            continue
        word = piece.text.upper()
        if opened and piece.kind == "word" and word not in ("STOP", "NEXT", "TO", "SUB"):
            yield at
        keeps = opened in _LISTED and (
            word == "," or (piece.kind == "word" and not _jumps(pieces, at))
        )
        jump = _jumps(pieces, at) if piece.kind == "word" else ""
        opened = jump or (opened if keeps else "")


def _jumps(pieces: list[Piece], at: int) -> str:
    """The word at a place if labels may follow it: GO TO is GOTO; else an empty string."""
    word = pieces[at].text.upper()
    if word in ("TO", "SUB") and _word_before(pieces, at) == "GO":
        return f"GO{word}"
    return word if word in (*_ALWAYS, *_SOMETIMES) else ""


def _word_before(pieces: list[Piece], at: int) -> str:
    """The piece before, in capitals; GO TO and a list of labels count as their GOTO or GOSUB."""
    before = [piece.text.upper() for piece in pieces[:at] if piece.kind != "space"]
    while len(before) > 2 and before[-1] == "," and re.fullmatch(r"@?%?\w+", before[-2]):
        del before[-2:]
    if before[-2:-1] == ["GO"] and before[-1] in ("TO", "SUB"):
        return f"GO{before[-1]}"
    return before[-1] if before else ""


def _after(pieces: list[Piece], at: int) -> str:
    """The piece after, in capitals; empty at the end, and before a comment."""
    for piece in pieces[at + 1 :]:
        if piece.kind == "rest":
            return ""
        if piece.kind != "space":
            return piece.text.upper()
    return ""
