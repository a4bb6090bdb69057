"""Constant expressions and functions of constants, evaluated exactly.

The values of CONST and #if are computed here, exactly and within bounds. So are the definitions of
constant tables, `CONST T()=3,1,4`, and functions of constants: `LEN("AB")`, `INT((W-24)/8)`, and
SET, which Extended BASIC does not have.

`SET(code)` is the colour set of a character: 0 for codes 30 and 31, 1 for 32 to 39, up to 14. For a
code that is not constant it becomes the expression that computes it. A program with an array of
that name keeps the array.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation, localcontext

from ti99tools.base.basic import LONGEST_STRING
from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record
from ti99tools.language.dialect.lexer import Kind, Lexeme, closed

Value = Decimal | str

_MAX_DIGITS = 10
_MAX_DEPTH = 20
_MAX_EXPONENT = 127


def number_text(value: Decimal) -> str | None:
    """A number as a literal: no leading zero, at most ten digits; None where that is not exact."""
    if value == value.to_integral_value() and abs(value) < 10**_MAX_DIGITS:
        return str(int(value))
    text = _plain(value.normalize())
    return text if "." in text and sum(c.isdigit() for c in text) <= _MAX_DIGITS else None


def literal_text(value: Decimal) -> str:
    """A number as a literal; one with more digits is rounded to the 14 that the machine keeps."""
    text = number_text(value)
    if text is not None:
        return text
    rounded = Context(prec=14).create_decimal(value)
    if Decimal("1E-9") <= abs(rounded) < Decimal("1E14"):
        return _plain(rounded)
    return format(rounded, "E").replace("E+", "E")


def _plain(value: Decimal) -> str:
    """A number without exponent and without a zero before the point: `.5`, `-.25`, `10.5`."""
    text = format(value, "f")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


class Evaluation:
    """Evaluates a constant expression: + - * / & parentheses, CHR$, RPT$, STR$, LEN, INT."""

    def __init__(self, lexemes: Sequence[Lexeme], names: Mapping[str, Value]) -> None:
        self.lexemes = lexemes
        self.names = names
        self.index = 0
        self.depth = 0

    def value(self) -> Value:
        """The value of the whole expression. Raises SourceError if it is not constant."""
        with localcontext() as context:
            # Twice the machine's 14 digits: enough to see whether ten digits are exact.
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
        where = f" at {at.text}" if at else ""
        return SourceError(
            f"no constant value{where}",
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
            if len(value) > LONGEST_STRING:
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
            if len(self._string(first)) * count > LONGEST_STRING:
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


MAX_VALUES = 1000


class ConstantTable(Record):
    """A constant table: its values, the first of which has the index `first`."""

    name: str
    place: Place
    first: int
    values: tuple[Value, ...]

    @property
    def last(self) -> int:
        """The index of the last value."""
        return self.first + len(self.values) - 1

    @property
    def text(self) -> bool:
        """Tell whether its values are strings."""
        return self.name.endswith("$")


def literal(value: Value, place: Place) -> Lexeme:
    """A value as written in a listing."""
    if isinstance(value, str):
        return Lexeme(Kind.STRING, '"' + value.replace('"', '""') + '"', place, constant=True)
    return Lexeme(Kind.NUMBER, literal_text(value), place, constant=True)


def defined(
    part: Sequence[Lexeme], more: Sequence[Sequence[Lexeme]], names: Mapping[str, Value]
) -> ConstantTable | None:
    """The table that `NAME()=value` or `NAME(0 TO 3)=value` and further values define.

    None where `part` begins no table. Raises SourceError for an incorrect one.
    """
    end = closed(part, 1)
    if end is None or end >= len(part) or not part[end].is_symbol("="):
        return None
    name, bounds = part[0], part[2 : end - 1]
    values = tuple(Evaluation(value, names).value() for value in (part[end + 1 :], *more))
    if len(values) > MAX_VALUES:
        problem = f"{name.text} has {len(values)} values"
        raise SourceError(problem, remedy=f"use at most {MAX_VALUES}", place=name.place)
    for value, lexemes in zip(values, (part[end + 1 :], *more), strict=True):
        if isinstance(value, str) != name.text.endswith("$"):
            problem = f"{name.text} gets a value of the other type"
            raise SourceError(problem, remedy="names of texts end in $", place=lexemes[0].place)
    first = _first(name, bounds, len(values), names)
    return ConstantTable(name.text, name.place, first, values)


def _first(name: Lexeme, bounds: Sequence[Lexeme], count: int, names: Mapping[str, Value]) -> int:
    """The index of the first value: 1, or the lower bound in parentheses."""
    if not bounds:
        return 1
    to = next((i for i, lexeme in enumerate(bounds) if lexeme.is_word("TO")), None)
    remedy = f"write {name.text}() for 1 to {count}, or {name.text}(0 TO {count - 1})"
    if to is None:
        raise SourceError("a table without TO", remedy=remedy, place=bounds[0].place)
    first, last = (Evaluation(part, names).value() for part in (bounds[:to], bounds[to + 1 :]))
    if first not in (0, 1):
        problem = "a table that does not begin at 0 or 1"
        raise SourceError(problem, remedy=remedy, place=bounds[0].place)
    if isinstance(last, str) or last != first + count - 1:
        problem = f"{name.text} has {count} values"
        raise SourceError(problem, remedy=remedy, place=bounds[0].place)
    return int(first)


SET = "SET"
DEEPEST = 20
"""Most nested functions that are evaluated."""
_ARRAY = re.compile(r"\bDIM\b[^\n]*\bSET\s*\(|\bSET\s*\([^()\n]*\)\s*=(?!\s*[^:\n]*\bTHEN\b)", re.I)
_LOWEST, _HIGHEST = 30, 143
_PARTS = ("+", "-", "*", "/", "&", "(", ")")
_CONSTANT = ("LEN", "INT")
_WORKED_OUT = (SET, *_CONSTANT)
"""Functions that `worked_out` replaces."""
_FUNCTIONS = ("CHR$", "RPT$", "STR$", "LEN", "INT")


def has_own_set(text: str) -> bool:
    """Tell whether a source has an array named SET."""
    return _ARRAY.search(text) is not None


def worked_out(lexemes: list[Lexeme], sets: bool, depth: int = 0) -> list[Lexeme]:
    """The lexemes with functions of constants replaced by their values.

    With `sets`, SET of anything else becomes the expression that computes it. Functions nested
    deeper than `DEEPEST` stay. Raises SourceError for SET of a number that is not a character code.
    """
    if depth > DEEPEST:
        return lexemes
    result: list[Lexeme] = []
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        if lexeme.text not in _WORKED_OUT:
            result.append(lexeme)
            index += 1
            continue
        is_set = sets and lexeme.kind is Kind.NAME and lexeme.text == SET
        folds = is_set or lexeme.is_word(*_CONSTANT)
        end = closed(lexemes, index + 1) if folds else None
        if end is None:
            result.append(lexeme)
            index += 1
            continue
        inner = lexemes[index + 2 : end - 1]
        if is_set:
            result += _set_of(lexeme, inner, depth)
        else:
            result += _function(lexeme, lexemes[index + 1 : end], sets, depth)
        index = end
    return result


def _function(lexeme: Lexeme, whole: Sequence[Lexeme], sets: bool, depth: int) -> list[Lexeme]:
    """LEN or INT with its parentheses, evaluated where its parts are constant."""
    inner = whole[1:-1]
    value = _constant([lexeme, *whole]) if _all_constant(inner) else None
    if isinstance(value, Decimal) and number_text(value) is not None:
        return [literal(value, lexeme.place)]
    return [lexeme, whole[0], *worked_out(list(inner), sets, depth + 1), whole[-1]]


def _set_of(lexeme: Lexeme, inner: list[Lexeme], depth: int) -> list[Lexeme]:
    """The colour set of a character code: a number, or the expression that computes it."""
    value = _constant(inner) if _all_constant(inner) else None
    if value is None and inner:
        words = (*_symbols(lexeme, "("), _word(lexeme, "INT"), *_symbols(lexeme, "(("))
        rest = (*_symbols(lexeme, ")/"), _number(lexeme, 8), *_symbols(lexeme, ")-"))
        inside = worked_out(inner, True, depth + 1)
        return [*words, *inside, *rest, _number(lexeme, 3), *_symbols(lexeme, ")")]
    if not isinstance(value, Decimal) or not _LOWEST <= value <= _HIGHEST:
        text = value if value is not None else "nothing"
        raise SourceError(
            f"SET of {text}, which is no character code",
            remedy=f"use {_LOWEST} to {_HIGHEST}",
            place=lexeme.place,
        )
    return [literal(Decimal(int(value) // 8 - 3), lexeme.place)]


def _all_constant(lexemes: Sequence[Lexeme]) -> bool:
    return bool(lexemes) and all(
        x.kind in (Kind.NUMBER, Kind.STRING)
        or x.is_symbol(*_PARTS)
        or (x.is_symbol(",") or x.is_word(*_FUNCTIONS))
        for x in lexemes
    )


def _constant(lexemes: Sequence[Lexeme]) -> Value | None:
    try:
        return Evaluation(lexemes, {}).value()
    except SourceError:
        # Not constant: the machine evaluates it.
        return None


def _symbols(at: Lexeme, text: str) -> list[Lexeme]:
    return [Lexeme(Kind.SYMBOL, char, at.place) for char in text]


def _word(at: Lexeme, text: str) -> Lexeme:
    return Lexeme(Kind.KEYWORD, text, at.place)


def _number(at: Lexeme, value: int) -> Lexeme:
    return Lexeme(Kind.NUMBER, str(value), at.place)
