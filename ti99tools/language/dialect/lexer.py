"""The lexemes of a source line, each with its place; and the mistakes of a source.

The rules are the editor's (see listing/tokenize): a name is scanned to its end, then looked up.
What follows DATA and IMAGE is one raw lexeme; `!` and REM end the line.

A lexeme is a word, a number, a string or a symbol. Mistakes are collected, and a source is read as
far as possible. The last part splits lexemes at commas and finds the end of parentheses.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place, Remedy, SourceError
from ti99tools.base.record import Record
from ti99tools.language.findings import Edit, Hint
from ti99tools.language.listing.numbered import as_one, is_basic, rows_of
from ti99tools.language.listing.tokenize import COMMANDS, MAX_NAME
from ti99tools.language.remedies.worked_out import NO_DOLLAR, dotted, instead_of

Report = Callable[[SourceError], None]
"""Takes a mistake; returns if reading can go on after it, else raises."""


def strictly(error: SourceError) -> None:
    """A `Report` that stops at the first mistake."""
    raise error


class Mistakes:
    """The mistakes of a source and of what it includes.

    Later stages skip a line that has one.
    """

    def __init__(self, text: str = "", file: str | None = None) -> None:
        self.file = file
        self._text = text
        self.errors: list[SourceError] = []
        self.incomplete = False
        """Set when parts of the source could not be read, so that labels may be missing."""
        self._lines: set[tuple[str | None, int | None]] = set()
        self._later: list[SourceError] = []

    def add(self, error: SourceError) -> None:
        """Add a mistake, and those that came with it.

        Without their tracebacks, whose frames hold these mistakes and the whole source: they would
        stay in memory until the garbage collector finds the circle.
        """
        found = (error, *error.others)
        for each in found:
            each.__traceback__ = None
        self._later += found

    def close_stage(self) -> None:
        """Close a stage: the lines of the mistakes so far are not checked again."""
        for error in self._later:
            if not self._marked(error.place):
                self.errors.append(error)
        self._lines |= {(e.place.file, e.place.line) for e in self._later if e.place.line}
        self._later = []

    def _marked(self, place: Place) -> bool:
        """Tell whether an earlier stage found a mistake in this line of the source."""
        return (place.file, place.line) in self._lines

    def check(self) -> None:
        """Raise the first mistake with the others attached, if there is any."""
        self.close_stage()
        if self.errors:
            raise as_one(self._in_order(), rows_of(self._text), self.file, is_basic(self._text))

    def _in_order(self) -> list[SourceError]:
        """The mistakes in the order of the files; files in the order of their first mistakes."""
        files = list(dict.fromkeys(error.place.file for error in self.errors))

        def position(error: SourceError) -> tuple[int, int, int]:
            place = error.place
            return files.index(place.file), place.line or 0, place.column or 0

        return sorted(self.errors, key=position)


KEYWORDS = frozenset(word for word in t.TOKENS if word[0].isalpha())
EDITOR_COMMANDS = frozenset(COMMANDS)
"""Words that the editor refuses anywhere in a program line."""

NAME_TEXT = re.compile(r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*\$?")
_SUBPROGRAM = re.compile(r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*")
_NUMBER = re.compile(r"[0-9.](?:[0-9.]|E[+-]?|e[+-]?(?=[0-9]))*")
_STRING = re.compile(r'"(?:[^"]|"")*"')
_SYMBOLS = frozenset(("::", *"!,;:()&=<>+-*/^#"))
_CALLS = ("CALL", "SUB")
"""Words that a subprogram's name may follow."""
_TAKE_THE_REST = ("REM", "DATA", "IMAGE")
"""Statements whose text after the word is not split into lexemes."""


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


class Lexeme(Record):
    """One word, number, string or symbol; words in capitals, strings with their quotes."""

    kind: Kind
    text: str
    place: Place
    constant: bool = False
    """Set when it came from a constant."""

    def is_word(self, *words: str) -> bool:
        """Tell whether it is one of these keywords or names."""
        return self.kind in (Kind.KEYWORD, Kind.NAME) and self.text in words

    def is_symbol(self, *symbols: str) -> bool:
        """Tell whether it is one of these symbols."""
        return self.kind is Kind.SYMBOL and self.text in symbols


class SourceLine(Record):
    """A line of the source, continuation lines joined to it.

    `parts` has, for each piece, its index in `text` and its place.
    """

    text: str
    parts: tuple[tuple[int, Place], ...]

    def place(self, index: int) -> Place:
        """Where character `index` (0-based) of the text stands in the files."""
        index_of_part = 0
        if len(self.parts) > 1:
            index_of_part = max(bisect_right(self.parts, index, key=lambda part: part[0]) - 1, 0)
        start, place = self.parts[index_of_part]
        return Place(place.file, place.line, (place.column or 1) + index - start)

    def error(self, index: int, problem: str, remedy: str) -> SourceError:
        """An error at character `index`."""
        return SourceError(problem, remedy=remedy, place=self.place(index))


def source_line(text: str, place: Place) -> SourceLine:
    """A line that consists of one piece."""
    return SourceLine(text, ((0, place),))


_LABEL = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*:(?![:=])")
_OWN_LABEL = re.compile(r"(?<![\w$])%([A-Za-z_]\w*)")
"""A label of a SUB as xbas99 has it: %AGAIN."""
_MEMBER = re.compile(r"\.([A-Za-z_][\w.]*)")
"""What other languages put after the name of a record: `PLAYER.X`."""
_TAKE_COLON = ("PRINT", "DISPLAY", "ACCEPT")
"""Statements that may be followed directly by a colon."""


def split_label(line: SourceLine, report: Report) -> tuple[Lexeme | None, int]:
    """The label at the beginning of a line, if any, and the index after its colon.

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

    Reports an unclosed string, a stray character and a name of over 15 characters, and goes on as
    if the string were closed, the character absent, the name allowed.
    """
    try:
        return [*_sound(line, start)]
    except SourceError:  # perhaps only the first mistake
        return _Lexer(line, start, report).lexemes()


@lru_cache(maxsize=8192)
def _sound(line: SourceLine, start: int) -> tuple[Lexeme, ...]:
    """The lexemes of a line without mistakes: sources are read again and again, hardly changed."""
    return tuple(_Lexer(line, start, strictly).lexemes())


class _Lexer:
    """Takes lexemes off a line, one after the other."""

    def __init__(self, line: SourceLine, start: int, report: Report) -> None:
        self._line = line
        self._at = start
        self._report = report
        self._lexemes: list[Lexeme] = []

    def lexemes(self) -> list[Lexeme]:
        """All lexemes of the line, in their order."""
        text, lexemes = self._line.text, self._lexemes
        while self._at < len(text):
            char = text[self._at]
            if char in " \t":
                self._at += 1
            elif char == '"':
                self._string()
            elif lexemes and lexemes[-1].text in _CALLS and _awaits_subprogram(lexemes):
                self._subprogram()
            elif match := NAME_TEXT.match(text, self._at):
                self._word(match.group().upper(), match.end())
            elif char == "." and (match := _MEMBER.match(text, self._at)) and self._joined():
                self._error(*dotted(lexemes[-1].text, match.group(1).upper()))
                self._at = match.end()
            elif match := _NUMBER.match(text, self._at):
                self._put(Kind.NUMBER, match.group().upper(), match.end())
            else:
                self._symbol(char)
        return lexemes

    def _put(self, kind: Kind, text: str, end: int) -> None:
        self._lexemes.append(Lexeme(kind, text, self._line.place(self._at)))
        self._at = end

    def _error(self, problem: str, remedy: str) -> None:
        self._report(self._line.error(self._at, problem, remedy))

    def _string(self) -> None:
        text = self._line.text
        match = _STRING.match(text, self._at)
        if match is None:
            self._error("unmatched quotes", 'close the text with "')
            self._put(Kind.STRING, text[self._at :].rstrip() + '"', len(text))
        else:
            self._put(Kind.STRING, match.group(), match.end())

    def _subprogram(self) -> None:
        match = _SUBPROGRAM.match(self._line.text, self._at)
        if match is None:
            from ti99tools.language.remedies.otherbasics import BY_NUMBER

            numbered = self._line.text[self._at] in "-0123456789"
            self._error("a subprogram's name is required", BY_NUMBER if numbered else "name it")
            self._put(Kind.SUBPROGRAM, "?", self._at)
        else:
            self._put(Kind.SUBPROGRAM, match.group().upper(), match.end())
            if self._line.text.startswith("$", self._at):
                self._error("unrecognized character $", NO_DOLLAR)
                self._at += 1

    def _word(self, word: str, end: int) -> None:
        first = word in _TAKE_THE_REST and _begins_statement(self._lexemes)
        if first and word == "REM":
            self._comment()
            return
        self._put(self._word_kind(word), word, end)
        if first:
            self._raw()

    def _word_kind(self, word: str) -> Kind:
        if word in KEYWORDS:
            return Kind.KEYWORD
        if word in EDITOR_COMMANDS:
            from ti99tools.language.remedies.otherbasics import at_prompt

            self._error(f"{word} is a command of the editor", at_prompt(word))
        elif len(word) > MAX_NAME:
            problem = f"the name {word} has {len(word)} characters"
            self._error(problem, f"use at most {MAX_NAME}")
        return Kind.NAME

    def _raw(self) -> None:
        """The rest of the line is one lexeme, if there is anything."""
        rest = self._line.text[self._at :]
        end = len(self._line.text)
        if rest.strip():
            self._at += len(rest) - len(rest.lstrip())
            self._put(Kind.RAW, rest.strip(), end)
        self._at = end

    def _comment(self) -> None:
        """Skip the rest of the line, and the `::` before it."""
        if self._lexemes and self._lexemes[-1].is_symbol("::"):
            self._lexemes.pop()
        self._at = len(self._line.text)

    def _symbol(self, char: str) -> None:
        symbol = "::" if self._line.text.startswith("::", self._at) else char
        if symbol not in _SYMBOLS:
            own_label = _OWN_LABEL.match(self._line.text, self._at)
            remedy = Remedy.LABELLED.of(label=own_label[1]) if own_label else instead_of(char)
            self._error(f"unrecognized character {char}", remedy)
            self._at += 1
        elif symbol == "!" and self._unequal():
            self._error("! begins a comment", Hint("not equal is <>", Edit("!=", "<>")))
            self._put(Kind.SYMBOL, "<", self._at + 1)
            self._lexemes.append(replace(self._lexemes[-1], text=">"))
            self._at += 1
        elif symbol == "!" and self._typed():
            self._error("! begins a comment", "leave it out: all numbers are of one kind")
            self._at += 1
        elif symbol == "!":
            self._comment()
        else:
            self._put(Kind.SYMBOL, symbol, self._at + len(symbol))

    def _unequal(self) -> bool:
        """Tell whether a ! in a condition begins !=, as other languages write it."""
        text, at = self._line.text, self._at
        opened = any(x.is_word("IF", "ELSEIF", "WHILE", "UNTIL") for x in self._lexemes)
        done = any(x.is_word("THEN") for x in self._lexemes)
        return opened and not done and text[at + 1 : at + 2] == "=" and text[at + 2 : at + 3] != "="

    def _typed(self) -> bool:
        """Tell whether a ! belongs to a variable at the beginning of a statement: `A!=5`."""
        follows = self._line.text[self._at + 1 : self._at + 3]
        sets = follows.startswith("=") and follows != "=="
        return sets and self._joined() and _begins_statement(self._lexemes[:-1])

    def _joined(self) -> bool:
        """Tell whether a name ends right here."""
        named = bool(self._lexemes) and self._lexemes[-1].kind is Kind.NAME
        return named and self._line.text[self._at - 1].isalnum()


def _begins_statement(before: Sequence[Lexeme]) -> bool:
    return not before or before[-1].is_symbol("::") or before[-1].is_word("THEN", "ELSE")


def _awaits_subprogram(before: Sequence[Lexeme]) -> bool:
    """Tell whether a subprogram's name comes next: after CALL, and after SUB except in GO SUB."""
    if not before or not before[-1].is_word(*_CALLS):
        return False
    return len(before) < 2 or not before[-2].is_word("GO")


_COLONS = (":", "::")
_WORDS = (Kind.KEYWORD, Kind.NAME, Kind.SUBPROGRAM, Kind.NUMBER, Kind.LABEL)


def needs_blank(left: Lexeme, right: Lexeme) -> bool:
    """Tell whether the two would merge without a space between them."""
    before, after = left.kind, right.kind
    if before is Kind.SYMBOL and after is Kind.SYMBOL:
        # `: :` is two print separators; `::` would end the statement.
        return left.text in _COLONS and right.text in _COLONS
    if before is Kind.RAW or after is Kind.RAW:
        return True
    if before is Kind.STRING:
        # Two strings side by side would be read as one with a quote in it.
        return after is Kind.STRING
    return before in _WORDS and after in _WORDS


def render(lexemes: Iterable[Lexeme], labels: dict[str, str] | None = None) -> str:
    """The lexemes as text, with as few spaces as the editor needs.

    References are written as `labels` says (by their key where it says nothing).
    """
    return "".join(text for text, _ in pieces(lexemes, labels or {}))


def pieces(lexemes: Iterable[Lexeme], labels: dict[str, str]) -> list[tuple[str, Lexeme]]:
    """The text of each lexeme, with the space before it if it needs one."""
    result: list[tuple[str, Lexeme]] = []
    previous: Lexeme | None = None
    for lexeme in lexemes:
        text = labels.get(lexeme.text, lexeme.text) if lexeme.kind is Kind.LABEL else lexeme.text
        blank = " " if previous is not None and needs_blank(previous, lexeme) else ""
        result.append((blank + text, lexeme))
        previous = lexeme
    return result


def between_commas(lexemes: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """The parts between commas outside parentheses; for no lexemes, one empty part."""
    parts: list[list[Lexeme]] = [[]]
    depth = 0
    for lexeme in lexemes:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if lexeme.is_symbol(",") and depth == 0:
            parts.append([])
        else:
            parts[-1].append(lexeme)
    return parts


def closed(lexemes: Sequence[Lexeme], index: int) -> int | None:
    """The index after the parentheses that begin at `index`; None if there are none."""
    depth = 0
    for at in range(index, len(lexemes)):
        depth += lexemes[at].is_symbol("(") - lexemes[at].is_symbol(")")
        if depth == 0:
            return at + 1 if at > index else None
    return None
