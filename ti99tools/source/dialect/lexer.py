"""Words, numbers, texts and symbols of a source line, each with its place.

The rules are the editor's (see source/tokenize): a name is scanned to its end, then looked up.
What follows DATA and IMAGE is one raw lexeme; `!` and REM end the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.mistakes import Report, strictly
from ti99tools.source.tokenize import COMMANDS, MAX_NAME, instead_of

KEYWORDS = frozenset(word for word in t.TOKENS if word[0].isalpha())
EDITOR_COMMANDS = frozenset(COMMANDS)
"""Refused by the editor wherever they stand in a program line."""

_WORD = re.compile(r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*\$?")
_SUBPROGRAM = re.compile(r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*")
_NUMBER = re.compile(r"[0-9.](?:[0-9.]|E[+-]?|e[+-]?(?=[0-9]))*")
_STRING = re.compile(r'"(?:[^"]|"")*"')
_SYMBOLS = ("::", *"!,;:()&=<>+-*/^#")


class Kind(Enum):
    """What a lexeme is."""

    KEYWORD = "keyword"
    NAME = "name"
    SUBPROGRAM = "subprogram's name"
    NUMBER = "number"
    STRING = "text"
    SYMBOL = "symbol"
    RAW = "raw text"
    LABEL = "label"
    """A reference; `text` is the label's key."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One word or symbol; names and keywords in capitals, texts with their quotes."""

    kind: Kind
    text: str
    place: Place
    constant: bool = False
    """Came in place of a constant's name."""

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords or names."""
        return self.kind in (Kind.KEYWORD, Kind.NAME) and self.text in words

    def is_symbol(self, *symbols: str) -> bool:
        """Whether it is one of these symbols."""
        return self.kind is Kind.SYMBOL and self.text in symbols


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the source, continuation lines joined to it.

    `parts` has, for each piece, the index in `text` where it begins and its place.
    """

    text: str
    parts: tuple[tuple[int, Place], ...]

    def place(self, index: int) -> Place:
        """Where character `index` (0-based) of the text stands in the files."""
        start, place = next(p for p in reversed(self.parts) if p[0] <= index or p[0] == 0)
        return Place(place.file, place.line, (place.column or 1) + index - start)

    def error(self, index: int, problem: str, remedy: str) -> SourceError:
        """An error at character `index`."""
        return SourceError(problem, remedy=remedy, place=self.place(index))


def source_line(text: str, place: Place) -> SourceLine:
    """A line that consists of one piece."""
    return SourceLine(text, ((0, place),))


_LABEL = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*:(?!:)")
_TAKE_COLON = ("PRINT", "DISPLAY", "ACCEPT")
"""Statements that a colon may follow at once."""


def split_label(line: SourceLine, report: Report = strictly) -> tuple[Lexeme | None, int]:
    """The label that a line begins with, if any, and the index behind its colon.

    Reports a label that is a word of Extended BASIC.
    """
    match = _LABEL.match(line.text)
    name = match.group(1).upper() if match else ""
    if match is None or name in _TAKE_COLON:
        return None, 0
    if name in KEYWORDS or name in EDITOR_COMMANDS:
        problem = f"{name} is a word of Extended BASIC"
        report(line.error(match.start(1), problem, "choose another label"))
        return None, match.end()
    return Lexeme(Kind.NAME, name, line.place(match.start(1))), match.end()


def lex(line: SourceLine, start: int = 0, report: Report = strictly) -> list[Lexeme]:
    """The lexemes of a line from character `start` on, without comments.

    Reports an unclosed text, a stray character and a name of over 15 characters, and goes on as if
    the text were closed, the character not there, the name allowed.
    """
    text = line.text
    found: list[Lexeme] = []
    index = start

    def put(kind: Kind, value: str, end: int) -> int:
        found.append(Lexeme(kind, value, line.place(index)))
        return end

    while index < len(text):
        char = text[index]
        if char in " \t":
            index += 1
        elif char == '"':
            match = _STRING.match(text, index)
            if match is None:
                report(line.error(index, "unmatched quotes", 'close the text with "'))
                index = put(Kind.STRING, text[index:].rstrip() + '"', len(text))
            else:
                index = put(Kind.STRING, match.group(), match.end())
        elif found and found[-1].is_word("CALL", "SUB") and _is_subprogram(found):
            match = _SUBPROGRAM.match(text, index)
            if match is None:
                report(line.error(index, "a subprogram's name is wanted", "name it"))
                index = put(Kind.SUBPROGRAM, "?", index)
            else:
                index = put(Kind.SUBPROGRAM, match.group().upper(), match.end())
        elif match := _WORD.match(text, index):
            word = match.group().upper()
            if word == "REM" and _begins_statement(found):
                return _without_separator(found)
            index = put(_word_kind(line, index, word, report), word, match.end())
            if word in ("DATA", "IMAGE") and _begins_statement(found[:-1]):
                rest = text[index:].strip()
                if rest:
                    index += len(text[index:]) - len(text[index:].lstrip())
                    put(Kind.RAW, rest, index)
                return found
        elif match := _NUMBER.match(text, index):
            index = put(Kind.NUMBER, match.group().upper(), match.end())
        else:
            symbol = next((s for s in _SYMBOLS if text.startswith(s, index)), None)
            if symbol is None:
                report(line.error(index, f"unrecognized character {char}", instead_of(char)))
                index += 1
            elif symbol == "!":
                return _without_separator(found)
            else:
                index = put(Kind.SYMBOL, symbol, index + len(symbol))
    return found


def _without_separator(found: list[Lexeme]) -> list[Lexeme]:
    """What stands before a comment, less the `::` in front of the comment."""
    return found[:-1] if found and found[-1].is_symbol("::") else found


def _begins_statement(before: Sequence[Lexeme]) -> bool:
    return not before or before[-1].is_symbol("::") or before[-1].is_word("THEN", "ELSE")


def _is_subprogram(found: Sequence[Lexeme]) -> bool:
    """SUB names a subprogram except in GO SUB."""
    return len(found) < 2 or not found[-2].is_word("GO")


def _word_kind(line: SourceLine, index: int, word: str, report: Report) -> Kind:
    if word in KEYWORDS:
        return Kind.KEYWORD
    if word in EDITOR_COMMANDS:
        remedy = "choose another name: it cannot be entered"
        report(line.error(index, f"{word} is a command of the editor", remedy))
    elif len(word) > MAX_NAME:
        problem = f"the name {word} has {len(word)} characters"
        report(line.error(index, problem, f"use at most {MAX_NAME}"))
    return Kind.NAME


_WORDS = (Kind.KEYWORD, Kind.NAME, Kind.SUBPROGRAM, Kind.NUMBER, Kind.LABEL)


def needs_blank(left: Lexeme, right: Lexeme) -> bool:
    """Whether the two would run together without a blank between them."""
    if left.kind in _WORDS and right.kind in (*_WORDS, Kind.RAW):
        return True
    if right.kind is Kind.RAW or left.kind is Kind.RAW:
        return True
    if left.kind is Kind.STRING and right.kind is Kind.STRING:
        # Together they would be one text with a quote in it.
        return True
    # `: :` is two print separators, `::` ends the statement.
    return left.is_symbol(":", "::") and right.is_symbol(":", "::")


def render(lexemes: Iterable[Lexeme], labels: dict[str, str] | None = None) -> str:
    """The lexemes as text, with as few blanks as the editor needs.

    References are written as `labels` says (their key where it does not).
    """
    return "".join(text for text, _ in pieces(lexemes, labels or {}))


def pieces(lexemes: Iterable[Lexeme], labels: dict[str, str]) -> list[tuple[str, Lexeme]]:
    """What each lexeme contributes to the text, its blank in front included."""
    result: list[tuple[str, Lexeme]] = []
    previous: Lexeme | None = None
    for lexeme in lexemes:
        text = labels.get(lexeme.text, lexeme.text) if lexeme.kind is Kind.LABEL else lexeme.text
        blank = " " if previous is not None and needs_blank(previous, lexeme) else ""
        result.append((blank + text, lexeme))
        previous = lexeme
    return result
