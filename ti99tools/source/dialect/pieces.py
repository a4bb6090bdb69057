"""Values of a table as pieces of one text, and the expression that takes a piece out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from ti99tools.base.errors import Place
from ti99tools.source.dialect.evaluation import Value, literal_text
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.statements import keyword, symbol

_LOWEST, _HIGHEST = 32, 126
"""Codes of the characters that a listing can have."""


class _As(Enum):
    """What a piece is: a text, a character whose code is meant, or the digits of a number."""

    TEXT = "text"
    CODE = "code"
    DIGITS = "digits"


@dataclass(frozen=True, slots=True)
class Pieces:
    """All values in one text: each has `width` characters, the first one the index `first`."""

    text: str
    width: int
    first: int
    shape: _As
    offset: int = 0
    """What is added to the code of a character."""

    def piece(self, source: Lexeme, index: Sequence[Lexeme]) -> list[Lexeme]:
        """The expression for the value at an index; `source` is the text or a variable with it."""
        at = source.place
        words = [keyword("SEG$", at), symbol("(", at), source, symbol(",", at)]
        words += self._position(index, at)
        words += [symbol(",", at), _number(self.width, at), symbol(")", at)]
        if self.shape is _As.TEXT:
            return words
        function = "ASC" if self.shape is _As.CODE else "VAL"
        words = [keyword(function, at), symbol("(", at), *words, symbol(")", at)]
        return _sum(words, self.offset, at) if self.offset else words

    def _position(self, index: Sequence[Lexeme], at: Place) -> list[Lexeme]:
        """Where the piece begins, from 1."""
        words = list(index)
        if self.width > 1:
            if len(words) > 1:
                words = [symbol("(", at), *words, symbol(")", at)]
            words += [symbol("*", at), _number(self.width, at)]
        moved = 1 - self.width * self.first
        if not moved:
            return words
        plain = len(index) == 1 or self.width > 1
        inner = words if plain else [symbol("(", at), *words, symbol(")", at)]
        sign = symbol("+" if moved > 0 else "-", at)
        return [*inner, sign, _number(abs(moved), at)]

    @property
    def overhead(self) -> int:
        """Bytes of the expression besides the text or variable and the index."""
        one = Lexeme(Kind.NAME, "I", Place())
        return token_bytes(self.piece(one, [one])) - 2


def pieces_of(values: Sequence[Value], first: int) -> Pieces | None:
    """The values as pieces; None for texts of different lengths, or of none."""
    texts = [value for value in values if isinstance(value, str)]
    if texts:
        width = len(texts[0])
        if not width or any(len(text) != width for text in texts):
            return None
        return Pieces("".join(texts), width, first, _As.TEXT)
    numbers = [value for value in values if isinstance(value, Decimal)]
    low, high = min(numbers), max(numbers)
    if all(number == int(number) for number in numbers) and high - low <= _HIGHEST - _LOWEST:
        inside = low >= _LOWEST and high <= _HIGHEST
        offset = 0 if inside else int(low) - _LOWEST
        text = "".join(chr(int(number) - offset) for number in numbers)
        return Pieces(text, 1, first, _As.CODE, offset)
    digits = [literal_text(number) for number in numbers]
    width = max(map(len, digits))
    return Pieces("".join(text.rjust(width) for text in digits), width, first, _As.DIGITS)


def token_bytes(lexemes: Sequence[Lexeme]) -> int:
    """Bytes of the tokens of an expression."""
    quoted = {Kind.NUMBER: 2, Kind.STRING: 0}
    return sum(
        1 if x.kind in (Kind.KEYWORD, Kind.SYMBOL) else len(x.text) + quoted.get(x.kind, 0)
        for x in lexemes
    )


def _sum(words: list[Lexeme], offset: int, at: Place) -> list[Lexeme]:
    sign = symbol("+" if offset > 0 else "-", at)
    return [symbol("(", at), *words, sign, _number(abs(offset), at), symbol(")", at)]


def _number(value: int, at: Place) -> Lexeme:
    return Lexeme(Kind.NUMBER, str(value), at)
