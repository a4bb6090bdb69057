"""Constant expressions: what CONST and #if give is worked out here, exactly, and bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation, localcontext

from ti99tools.base.errors import SourceError
from ti99tools.source.dialect.lexer import Kind, Lexeme

Value = Decimal | str

_MAX_DIGITS = 10
_MAX_DEPTH = 20
_MAX_EXPONENT = 127
_MAX_TEXT = 255
"""Characters of a text that is worked out: as many as the machine has."""


def number_text(value: Decimal) -> str | None:
    """A number as a literal: no leading zero, at most ten digits; None where that is not exact."""
    if value == value.to_integral_value() and abs(value) < 10**_MAX_DIGITS:
        return str(int(value))
    text = _plain(value.normalize())
    return text if "." in text and sum(c.isdigit() for c in text) <= _MAX_DIGITS else None


def literal_text(value: Decimal) -> str:
    """A number as a literal; one of many digits with the 14 that the machine keeps."""
    text = number_text(value)
    if text is not None:
        return text
    rounded = Context(prec=14).create_decimal(value)
    if Decimal("1E-9") <= abs(rounded) < Decimal("1E14"):
        return _plain(rounded)
    return format(rounded, "E").replace("E+", "E")


def _plain(value: Decimal) -> str:
    """Without an exponent and without a zero in front of the point: `.5`, `-.25`, `10.5`."""
    text = format(value, "f")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


class Evaluation:
    """Works out a constant expression: + - * / & parentheses, CHR$, RPT$, STR$, LEN, INT."""

    def __init__(self, lexemes: Sequence[Lexeme], names: Mapping[str, Value]) -> None:
        self.lexemes = lexemes
        self.names = names
        self.index = 0
        self.depth = 0

    def value(self) -> Value:
        """The value of the whole; SourceError where it is no constant."""
        with localcontext() as context:
            context.prec = 28
            try:
                result = self._joined()
                if not isinstance(result, str):
                    result = self._number(result)
            except ArithmeticError:
                raise self._error() from None
        if self.index < len(self.lexemes):
            raise self._error()
        return result

    def _error(self) -> SourceError:
        at = self.lexemes[min(self.index, len(self.lexemes) - 1)] if self.lexemes else None
        found = f" at {at.text}" if at else ""
        return SourceError(
            f"no constant value{found}",
            remedy="use literals, constants, + - * / &, CHR$, RPT$, STR$, LEN, INT",
            place=at.place if at else None,
        )

    def _take(self, *symbols: str) -> str | None:
        if self.index < len(self.lexemes) and self.lexemes[self.index].is_symbol(*symbols):
            self.index += 1
            return self.lexemes[self.index - 1].text
        return None

    def _number(self, value: Value) -> Decimal:
        if isinstance(value, str) or abs(value.adjusted()) > _MAX_EXPONENT:
            raise self._error()
        return value

    def _small(self, value: Value) -> int:
        """An argument of CHR$ or RPT$, from 0 to 32767."""
        number = self._number(value)
        if not 0 <= number <= 32767:
            raise self._error()
        return int(number)

    def _string(self, value: Value) -> str:
        if not isinstance(value, str):
            raise self._error()
        return value

    def _joined(self) -> Value:
        value = self._sum()
        while self._take("&"):
            value = self._string(value) + self._string(self._sum())
            if len(value) > _MAX_TEXT:
                raise self._error()
        return value

    def _sum(self) -> Value:
        value = self._product()
        while operator := self._take("+", "-"):
            right = self._number(self._product())
            left = self._number(value)
            value = left + right if operator == "+" else left - right
        return value

    def _product(self) -> Value:
        value = self._signed()
        while operator := self._take("*", "/"):
            right = self._number(self._signed())
            left = self._number(value)
            value = left * right if operator == "*" else left / right
        return value

    def _signed(self) -> Value:
        signs = ""
        while sign := self._take("+", "-"):
            signs += sign
        value = self._primary()
        if signs.count("-") % 2:
            return -self._number(value)
        return self._number(value) if "-" in signs else value

    def _primary(self) -> Value:
        if self._take("("):
            value = self._inner()
            self._close()
            return value
        if self.index >= len(self.lexemes):
            raise self._error()
        lexeme = self.lexemes[self.index]
        self.index += 1
        if lexeme.kind is Kind.STRING:
            return lexeme.text[1:-1].replace('""', '"')
        if lexeme.kind is Kind.NUMBER:
            try:
                return Decimal(lexeme.text)
            except InvalidOperation:
                pass
        if lexeme.kind is Kind.NAME and lexeme.text in self.names:
            return self.names[lexeme.text]
        if lexeme.is_word("CHR$", "RPT$", "STR$", "LEN", "INT") and self._take("("):
            return self._function(lexeme.text)
        self.index -= 1
        raise self._error()

    def _inner(self) -> Value:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self._error()
        value = self._joined()
        self.depth -= 1
        return value

    def _close(self) -> None:
        if not self._take(")"):
            raise self._error()

    def _function(self, name: str) -> Value:
        first = self._inner()
        if name == "RPT$":
            if not self._take(","):
                raise self._error()
            count = self._small(self._inner())
            self._close()
            if len(self._string(first)) * count > _MAX_TEXT:
                raise self._error()
            return self._string(first) * count
        self._close()
        if name == "CHR$":
            return chr(self._small(first) % 256)
        if name == "STR$":
            text = number_text(self._number(first))
            if text is None:
                raise self._error()
            return text
        if name == "LEN":
            return Decimal(len(self._string(first)))
        return Decimal(int(self._number(first).to_integral_value("ROUND_FLOOR")))
