"""CONST tables: `CONST T()=3,1,4` and what `T(I)` becomes.

A constant index gives the value itself. Any other use takes one of three forms, whichever needs the
fewest bytes: a piece of a literal string, a piece of a string kept in a variable, or an array that
is read from DATA when the program begins. Subprograms see neither variables nor arrays of the main
program, so they get the first form.

The first part stores the values of a table as pieces of one string, and makes the expression that
takes a piece out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record
from ti99tools.language.dialect.block_tree import Body, Label, Node, OwnLabels, lexemes_of, mapped
from ti99tools.language.dialect.evaluation import (
    ConstantTable,
    Evaluation,
    Value,
    literal,
    literal_text,
)
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, closed
from ti99tools.language.dialect.line_statements import Statement, keyword, symbol
from ti99tools.language.listing.tokenize import MAX_NAME

_LOWEST, _HIGHEST = 32, 126
"""Codes of the characters that a listing can contain."""


class _As(Enum):
    """The meaning of a piece: a string, a character whose code is meant, or digits of a number."""

    TEXT = "text"
    CODE = "code"
    DIGITS = "digits"


class PackedValues(Record):
    """All values in one string: each has `width` characters, the first one the index `first`."""

    text: str
    width: int
    first: int
    shape: _As
    offset: int = 0
    """Added to the code of a character."""

    def piece(self, source: Lexeme, index: Sequence[Lexeme]) -> list[Lexeme]:
        """The expression for the value at an index; `source` is the string or its variable."""
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
        """The position of the piece, from 1."""
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
        """Bytes of the expression, without the string or variable and the index."""
        one = Lexeme(Kind.NAME, "I", Place())
        return token_bytes(self.piece(one, [one])) - 2


def pieces_of(values: Sequence[Value], first: int) -> PackedValues | None:
    """The values as pieces; None for empty strings and strings of different lengths."""
    texts = [value for value in values if isinstance(value, str)]
    if texts:
        width = len(texts[0])
        if not width or any(len(text) != width for text in texts):
            return None
        return PackedValues("".join(texts), width, first, _As.TEXT)
    numbers = [value for value in values if isinstance(value, Decimal)]
    low, high = min(numbers), max(numbers)
    if all(number == int(number) for number in numbers) and high - low <= _HIGHEST - _LOWEST:
        inside = low >= _LOWEST and high <= _HIGHEST
        offset = 0 if inside else int(low) - _LOWEST
        text = "".join(chr(int(number) - offset) for number in numbers)
        return PackedValues(text, 1, first, _As.CODE, offset)
    digits = [literal_text(number) for number in numbers]
    width = max(map(len, digits))
    return PackedValues("".join(text.rjust(width) for text in digits), width, first, _As.DIGITS)


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


COUNTER = "_0"
"""The variable that counts while arrays are read."""
_DATA_COLUMNS = 100
_INLINE_CHARACTERS = 60
_KEPT_CHARACTERS = 110
_LINE = 6
"""Bytes of a line without its statements."""
_NUMBER = 8
"""Bytes of a number in an array; the pointer to a string takes two."""


Form = Callable[[ConstantTable, Lexeme, tuple[Lexeme, ...]], list[Lexeme]]
"""Writes a use of a table: takes the table, the lexeme of its name, and the index."""


@dataclass(slots=True)
class _Uses:
    """Counts of uses of a table whose index is not constant."""

    main: int = 0
    subs: list[Lexeme] = field(default_factory=list)


class ProgramBodies(Record):
    """The bodies of a program: of the main program, its PROCs and its subprograms."""

    main: Body
    procs: list[Body]
    subs: list[Body]


class Tables:
    """Replaces all uses of the tables in a program with values, strings or arrays."""

    def __init__(
        self, tables: Mapping[str, ConstantTable], keys: OwnLabels, report: Report
    ) -> None:
        self._tables = tables
        self._kept_names = _kept_names(tables)
        self._report = report
        self._arrays: set[str] = set()
        self._kept: set[str] = set()
        self._own_data = keys.new()
        self.names: dict[str, Place] = {}
        """Variables added to the program, and the places of their tables."""

    def applied(self, program: ProgramBodies) -> ProgramBodies:
        """The program without tables. Reports a use that is not possible."""
        if not self._tables:
            return program
        self._choose(program)
        main = mapped(program.main, self._in_main, self._asked)
        procs = [mapped(body, self._in_main, self._asked) for body in program.procs]
        subs = [mapped(body, self._in_sub, self._asked_in_sub) for body in program.subs]
        return ProgramBodies([*self._beginning(), *main], procs, subs)

    def _choose(self, program: ProgramBodies) -> None:
        """Choose a form for each table, by its size in bytes."""
        uses = {name: _Uses() for name in self._tables}
        for body in (program.main, *program.procs):
            for at, _ in self._used(list(lexemes_of(body))):
                uses[at.text].main += 1
        for body in program.subs:
            for at, _ in self._used(list(lexemes_of(body))):
                uses[at.text].subs.append(at)
        based = any(x.is_word("OPTION") for x in lexemes_of(program.main))
        for name, used in uses.items():
            self._choose_form(self._tables[name], used, based)

    def _choose_form(self, table: ConstantTable, uses: _Uses, based: bool) -> None:
        pieces = pieces_of(table.values, table.first)
        inline = pieces is not None and len(pieces.text) <= _INLINE_CHARACTERS
        for at in [] if inline else uses.subs:
            self._report(
                SourceError(
                    f"the table {table.name} cannot be used in a SUB",
                    remedy="only short tables of numbers or of texts of one length can; "
                    "give the value to the SUB",
                    place=at.place,
                )
            )
        if not uses.main:
            return
        bytes_of: dict[str, int] = {}
        if not based:
            bytes_of["array"] = _array_bytes(table) + uses.main * (len(table.name) + 2)
        if pieces is not None and len(pieces.text) <= _KEPT_CHARACTERS:
            name = len(self._kept_names[table.name])
            size_kept = 2 + len(pieces.text) + name + 3 + _NUMBER
            bytes_of["kept"] = size_kept + uses.main * (pieces.overhead + name)
        if pieces is not None and inline:
            bytes_of["inline"] = uses.main * (pieces.overhead + 2 + len(pieces.text))
        form = min(bytes_of, key=bytes_of.__getitem__, default="")
        if form == "array":
            self._arrays.add(table.name)
            self.names[COUNTER] = table.place
        elif form == "kept":
            self._kept.add(table.name)
            self.names[self._kept_names[table.name]] = table.place
        elif not form:
            problem = f"the table {table.name} is too long without an array"
            remedy = "remove OPTION BASE, which a table's array would have to obey"
            self._report(SourceError(problem, remedy=remedy, place=table.place))

    def _used(self, lexemes: Sequence[Lexeme]) -> Iterator[tuple[Lexeme, int]]:
        """Each use whose index is not constant: the name, and its position among the lexemes."""
        for index, lexeme in enumerate(lexemes):
            if lexeme.kind is Kind.NAME and lexeme.text in self._tables:
                end = closed(lexemes, index + 1)
                if end is not None and self._constant(lexemes[index + 2 : end - 1]) is None:
                    yield lexeme, index

    def _constant(self, index: Sequence[Lexeme]) -> Decimal | None:
        try:
            value = Evaluation(index, {}).value()
        except SourceError:
            return None
        return value if isinstance(value, Decimal) else None

    def _in_main(self, statement: Statement) -> Iterable[Node]:
        words = self._rewritten(statement.lexemes, self._in_form)
        yield replace(statement, lexemes=self._restored(words))

    def _in_sub(self, statement: Statement) -> Iterable[Node]:
        yield replace(statement, lexemes=self._rewritten(statement.lexemes, self._inline))

    def _asked(self, condition: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
        return self._rewritten(condition, self._in_form)

    def _asked_in_sub(self, condition: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
        return self._rewritten(condition, self._inline)

    def _rewritten(self, lexemes: Sequence[Lexeme], form: Form) -> tuple[Lexeme, ...]:
        result: list[Lexeme] = []
        index = 0
        while index < len(lexemes):
            lexeme = lexemes[index]
            table = self._tables.get(lexeme.text) if lexeme.kind is Kind.NAME else None
            end = closed(lexemes, index + 1)
            if table is None or end is None:
                if table is not None:
                    remedy = f"write {table.name}({table.first})"
                    problem = f"{table.name} is a table"
                    self._report(SourceError(problem, remedy=remedy, place=lexeme.place))
                result.append(lexeme)
                index += 1
                continue
            within = self._rewritten(lexemes[index + 2 : end - 1], form)
            fixed = self._constant(within)
            if fixed is not None:
                result.append(self._value(table, fixed, lexeme))
            else:
                result += form(table, lexeme, within)
            index = end
        return tuple(result)

    def _value(self, table: ConstantTable, index: Decimal, at: Lexeme) -> Lexeme:
        if index != int(index) or not table.first <= index <= table.last:
            problem = f"{table.name}({index}) is not in the table"
            remedy = f"it has {table.name}({table.first}) to {table.name}({table.last})"
            self._report(SourceError(problem, remedy=remedy, place=at.place))
            return at
        return literal(table.values[int(index) - table.first], at.place)

    def _in_form(self, table: ConstantTable, at: Lexeme, index: tuple[Lexeme, ...]) -> list[Lexeme]:
        if table.name in self._arrays:
            return [at, symbol("(", at.place), *index, symbol(")", at.place)]
        if table.name in self._kept:
            pieces = pieces_of(table.values, table.first)
            assert pieces is not None
            return pieces.piece(Lexeme(Kind.NAME, self._kept_names[table.name], at.place), index)
        return self._inline(table, at, index)

    def _inline(self, table: ConstantTable, at: Lexeme, index: tuple[Lexeme, ...]) -> list[Lexeme]:
        pieces = pieces_of(table.values, table.first)
        if pieces is None:
            return [at]
        return pieces.piece(literal(pieces.text, at.place), index)

    def _restored(self, lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
        """The lexemes with each bare RESTORE led to the user's first DATA, past the tables'."""
        if not (self._arrays and any(x.is_word("RESTORE") for x in lexemes)):
            return lexemes
        words: list[Lexeme] = []
        for lexeme, after in zip(lexemes, [*lexemes[1:], None], strict=True):
            words.append(lexeme)
            ends = after is None or after.is_symbol("::") or after.is_word("ELSE")
            if lexeme.is_word("RESTORE") and ends:
                words.append(Lexeme(Kind.LABEL, self._own_data, lexeme.place))
        return tuple(words)

    def _beginning(self) -> Body:
        """The beginning of the program: its kept strings and its arrays."""
        body: Body = []
        arrays = [table for name, table in self._tables.items() if name in self._arrays]
        for table in arrays:
            body += _data(table)
        if arrays:
            body.append(Label(self._own_data, arrays[0].place))
        for table in arrays:
            body += _reading(table)
        for name, table in self._tables.items():
            pieces = pieces_of(table.values, table.first) if name in self._kept else None
            if pieces is not None:
                variable = Lexeme(Kind.NAME, self._kept_names[table.name], table.place)
                words = (variable, symbol("=", table.place), literal(pieces.text, table.place))
                body.append(Statement(words, generated=True))
        return body


def _kept_names(tables: Iterable[str]) -> dict[str, str]:
    """The variable that keeps the string of each table: T and T$ may both be tables."""
    names: dict[str, str] = {}
    for table in tables:
        stem, more = "_" + table.removesuffix("$"), ""
        while (name := stem[: MAX_NAME - 1 - len(more)] + more + "$") in names.values():
            more = str(int(more or 1) + 1)
        names[table] = name
    return names


def _rows(table: ConstantTable) -> Iterator[list[str]]:
    """The values as written in DATA lines."""
    row: list[str] = []
    for value in table.values:
        text = literal(value, table.place).text
        if row and sum(map(len, row)) + len(row) + len(text) > _DATA_COLUMNS:
            yield row
            row = []
        row.append(text)
    yield row


def _data(table: ConstantTable) -> Body:
    at = table.place
    return [
        Statement((keyword("DATA", at), Lexeme(Kind.RAW, ",".join(row), at)), generated=True)
        for row in _rows(table)
    ]


def _reading(table: ConstantTable) -> Body:
    """DIM and the loop that reads the values of an array."""
    at = table.place
    name, counter = Lexeme(Kind.NAME, table.name, at), Lexeme(Kind.NAME, COUNTER, at)
    ends = [Lexeme(Kind.NUMBER, str(number), at) for number in (table.first, table.last)]
    opened, closed = symbol("(", at), symbol(")", at)
    statements = (
        (keyword("DIM", at), name, opened, ends[1], closed),
        (keyword("FOR", at), counter, symbol("=", at), ends[0], keyword("TO", at), ends[1]),
        (keyword("READ", at), name, opened, counter, closed),
        (keyword("NEXT", at), counter),
    )
    return [Statement(words, generated=True) for words in statements]


def _array_bytes(table: ConstantTable) -> int:
    """Bytes of an array, of its DATA lines and of the loop that reads them."""
    data = sum(_LINE + 2 + sum(len(text) + 3 for text in row) for row in _rows(table))
    loop = sum(
        token_bytes(statement.lexemes) + 1
        for statement in _reading(table)
        if isinstance(statement, Statement)
    )
    values = (table.last + 1) * (2 if table.text else _NUMBER)
    return data + loop + values + _LINE
