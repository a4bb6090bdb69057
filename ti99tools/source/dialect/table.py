"""The definition of a constant table: `CONST T()=3,1,4`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.evaluation import Evaluation, Value, literal_text
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.parts import closed

MAX_VALUES = 1000


@dataclass(frozen=True, slots=True)
class Table:
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
        """Tell whether its values are texts."""
        return self.name.endswith("$")


def literal(value: Value, place: Place) -> Lexeme:
    """A value as it stands in a listing."""
    if isinstance(value, str):
        return Lexeme(Kind.STRING, '"' + value.replace('"', '""') + '"', place, constant=True)
    return Lexeme(Kind.NUMBER, literal_text(value), place, constant=True)


def defined(
    part: Sequence[Lexeme], more: Sequence[Sequence[Lexeme]], names: Mapping[str, Value]
) -> Table | None:
    """The table that `NAME()=value` or `NAME(0 TO 3)=value` and further values define.

    None where `part` begins no table. Raises SourceError for one that is wrong.
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
    return Table(name.text, name.place, first, values)


def _first(name: Lexeme, bounds: Sequence[Lexeme], count: int, names: Mapping[str, Value]) -> int:
    """The index of the first value: 1, or what the bounds in parentheses say."""
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
