"""CONST: names for values, folded into the text.

A constant's value is a number or a string. A name in a statement is replaced by its value, and a
whole argument that then consists of literals only is evaluated: with ROW = 5, `AT(ROW+1,3)` becomes
`AT(6,3)`. Results that ten digits cannot hold exactly are left to the machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NoReturn

from ti99tools.base.errors import Place, SourceError
from ti99tools.language.dialect.evaluation import (
    ConstantTable,
    Evaluation,
    Value,
    defined,
    literal,
    number_text,
    worked_out,
)
from ti99tools.language.dialect.lexer import KEYWORDS, Kind, Lexeme, between_commas, closed

_OPERATORS = ("+", "-", "*", "/", "&")
_EQUALS = Lexeme(Kind.SYMBOL, "=", Place())


class Constants:
    """The constants known so far, by name.

    `defines` are given from outside. Raises SourceError for a word of Extended BASIC among them.
    """

    def __init__(self, defines: Mapping[str, int | str] | None = None) -> None:
        self.values: dict[str, Value] = {}
        self.tables: dict[str, ConstantTable] = {}
        self.sets = True
        """True while SET means the colour set of a character: no array has that name."""
        self.met: set[str] = set()
        """Names met so far in places where a constant may stand."""
        self._fixed: set[str] = set()
        self._used: dict[str, Place] = {}
        """Names used so far that are not constants, and the place of first use."""
        for name, value in (defines or {}).items():
            key = name.upper()
            if key in KEYWORDS:
                raise SourceError(
                    f"{key} cannot name a constant",
                    remedy="choose another name: it is a word of Extended BASIC",
                )
            self.values[key] = value if isinstance(value, str) else Decimal(value)
            self._fixed.add(key)

    def _refuse_word(self, name: Lexeme) -> NoReturn:
        """Raise SourceError for a word that cannot name a constant."""
        remedy = "choose another name"
        if name.text in KEYWORDS:
            remedy += ": it is a word of Extended BASIC"
        raise SourceError(f"{name.text} cannot name a constant", remedy=remedy, place=name.place)

    def define(self, lexemes: Sequence[Lexeme]) -> None:
        """Read `CONST NAME = value, NAME = value …` (without the word CONST).

        A value given from outside (`defines`) takes precedence. Raises SourceError when the form is
        wrong, the name is taken or the value is not constant.
        """
        if not lexemes:
            return
        self.met.update(lexeme.text for lexeme in lexemes if lexeme.kind is Kind.NAME)
        parts = between_commas(lexemes)
        for index, part in enumerate(parts):
            table = defined(part, parts[index + 1 :], self.values)
            if table is not None:
                self._refuse_if_taken(part[0])
                self.tables[table.name] = table
                return
            if part and part[0].text in KEYWORDS:
                self._refuse_word(part[0])
            if len(part) < 3 or not part[1].is_symbol("="):
                at = part[0] if part else lexemes[0]
                raise SourceError(
                    "a constant without a value", remedy="write CONST NAME = 5", place=at.place
                )
            name = part[0]
            if name.kind is not Kind.NAME:
                self._refuse_word(name)
            if name.text in self._fixed:
                continue
            value = Evaluation(part[2:], self.values).value()
            if isinstance(value, str) != name.text.endswith("$"):
                raise SourceError(
                    f"{name.text} gets a value of the other type",
                    remedy="names of texts end in $",
                    place=part[2].place,
                )
            self._refuse_if_taken(name)
            self.values[name.text] = value

    def enumerate(self, lexemes: Sequence[Lexeme]) -> None:
        """Read `ENUM NAME, NAME = value, NAME …` (without the word ENUM).

        Each name is one above the name before; the first is 0. Raises SourceError as `define` does.
        """
        following: Value = Decimal(0)
        for part in between_commas(lexemes):
            at = part[0] if part else lexemes[0] if lexemes else None
            if at is None or not part or part[0].kind is not Kind.NAME or at.text.endswith("$"):
                place = at.place if at is not None else Place()
                remedy = "write ENUM RED,GREEN or ENUM ACE=1,KING"
                raise SourceError("ENUM without a name", remedy=remedy, place=place)
            given = part if len(part) > 1 else [*part, _EQUALS, literal(following, at.place)]
            self.define(given)
            following = self.values[at.text]
            if isinstance(following, Decimal):
                following += 1

    def _refuse_if_taken(self, name: Lexeme) -> None:
        """Raise SourceError for a name that was defined or used before: the earlier uses would
        silently mean something else.
        """
        if name.text in self.values or name.text in self.tables:
            raise SourceError(
                f"the constant {name.text} has a value already",
                remedy="choose another name",
                place=name.place,
            )
        if name.text in self._used:
            raise SourceError(
                f"the constant {name.text} is used before, at {self._used[name.text]}",
                remedy="define it above its first use",
                place=name.place,
            )

    def define_text(self, name: Lexeme, value: str) -> None:
        """Make `name` (ending in $) a string constant. Raises SourceError if the name is taken."""
        self._refuse_if_taken(name)
        self.values[name.text] = value

    def truth(self, lexemes: Sequence[Lexeme]) -> bool:
        """Evaluate a condition of #if: `NAME`, `NOT NAME`, or two values with = or <> between them.

        Names without a value count as 0.
        """
        self.met.update(lexeme.text for lexeme in lexemes if lexeme.kind is Kind.NAME)
        start = 0
        while start < len(lexemes) and lexemes[start].is_word("NOT"):
            start += 1
        return self._holds(lexemes[start:]) == (start % 2 == 0)

    def _holds(self, lexemes: Sequence[Lexeme]) -> bool:
        names = {lexeme.text for lexeme in lexemes if lexeme.kind is Kind.NAME}
        known = {name: Decimal(0) for name in names} | self.values
        for index, lexeme in enumerate(lexemes):
            if lexeme.is_symbol("=", "<"):
                unequal = lexeme.is_symbol("<")
                right = lexemes[index + 1 + unequal :]
                left = Evaluation(lexemes[:index], known).value()
                return (left == Evaluation(right, known).value()) != unequal
        return Evaluation(lexemes, known).value() not in (0, "")

    def fold(self, lexemes: Sequence[Lexeme]) -> list[Lexeme]:
        """The lexemes of a statement with values in place of constants.

        Raises SourceError where the statement would change a constant.
        """
        replaced: list[Lexeme] = []
        for index, lexeme in enumerate(lexemes):
            if lexeme.kind is not Kind.NAME:
                replaced.append(lexeme)
                continue
            value = self.values.get(lexeme.text)
            leads = index == 0 or lexemes[index - 1].is_symbol("::")
            if value is None:
                self._refuse_change(lexemes[index:] if leads else ())
                self._used.setdefault(lexeme.text, lexeme.place)
                replaced.append(lexeme)
                continue
            self.met.add(lexeme.text)
            follower = lexemes[index + 1] if index + 1 < len(lexemes) else None
            changes = leads and follower is not None and follower.is_symbol("=", ",")
            if changes or _names_variable(lexemes, index):
                raise SourceError(
                    f"{lexeme.text} is a constant",
                    remedy="use another name for what changes",
                    place=lexeme.place,
                )
            replaced.append(literal(value, lexeme.place))
        worked = worked_out(replaced, self.sets)
        if not any(lexeme.constant for lexeme in worked):
            return worked
        return _protect_negatives(_fold_arguments(worked))

    def _refuse_change(self, statement: Sequence[Lexeme]) -> None:
        """Raise SourceError for a table that is assigned to."""
        if not statement or statement[0].text not in self.tables:
            return
        end = closed(statement, 1)
        if end is not None and end < len(statement) and statement[end].is_symbol("="):
            raise SourceError(
                f"{statement[0].text} is a table: its values do not change",
                remedy="use an array for what changes",
                place=statement[0].place,
            )


def _names_variable(lexemes: Sequence[Lexeme], index: int) -> bool:
    """Tell whether a statement declares the name at `index`, or gives it a value."""
    start = index
    while start and not (
        lexemes[start - 1].is_symbol("::") or lexemes[start - 1].is_word("THEN", "ELSE")
    ):
        start -= 1
    word, before = lexemes[start].text, lexemes[index - 1]
    if index == start or lexemes[start].kind not in (Kind.KEYWORD, Kind.NAME):
        return False
    inner = lexemes[start:index]
    depth = sum(x.is_symbol("(") - x.is_symbol(")") for x in inner)
    listed = before.is_symbol(",") or index == start + 1
    if word in ("SUB", "PROC"):
        return depth == 1 and before.is_symbol("(", ",")
    if word == "DEF":
        return not any(x.is_symbol("=") for x in inner)
    if word in ("FOR", "NEXT"):
        return index == start + 1
    if word in ("READ", "DIM", "LOCAL"):
        return depth == 0 and listed
    if word in ("INPUT", "LINPUT", "ACCEPT") and depth == 0:
        # What comes before a colon is a prompt, or the number of a file.
        rest = lexemes[index + 1 :]
        own = next((at for at, x in enumerate(rest) if x.is_symbol("::")), len(rest))
        prompt = any(x.is_symbol(":") for x in rest[:own])
        return not prompt and (before.is_symbol(":") or listed)
    return False


def _is_literal(lexeme: Lexeme) -> bool:
    return lexeme.kind in (Kind.NUMBER, Kind.STRING)


def _opens(lexeme: Lexeme | None) -> bool:
    """Tell whether an expression can begin right after the lexeme."""
    if lexeme is None:
        return True
    if lexeme.kind is Kind.KEYWORD:
        return lexeme.text not in ("PI", "RND")
    return lexeme.is_symbol("(", ",", ":", ";", "::", "=", "<", ">", "#")


def _closes(lexeme: Lexeme | None) -> bool:
    """Tell whether an expression certainly ends right before the lexeme."""
    if lexeme is None:
        return True
    if lexeme.kind is Kind.KEYWORD:
        return True
    return lexeme.is_symbol(")", ",", ":", ";", "::", "=", "<", ">")


def _fold_arguments(lexemes: list[Lexeme]) -> list[Lexeme]:
    result: list[Lexeme] = []
    index = 0
    while index < len(lexemes):
        if not _is_literal(lexemes[index]) and lexemes[index].text != "-":
            result.append(lexemes[index])
            index += 1
            continue
        end = _literal_run(lexemes, index)
        run = lexemes[index:end]
        before = result[-1] if result else None
        after = lexemes[end] if end < len(lexemes) else None
        folded = None
        if len(run) > 1 and any(x.constant for x in run) and _opens(before) and _closes(after):
            folded = _folded(run)
        if folded is not None:
            result.append(folded)
        else:
            # Skip the whole run: no part of it can be a whole argument.
            result += run or lexemes[index : index + 1]
        index = max(end, index + 1)
    return result


def _literal_run(lexemes: list[Lexeme], start: int) -> int:
    """The end of the longest `[-] literal (operator literal)*` from `start`; `start` if there is
    none.
    """
    index = start + lexemes[start].is_symbol("-")
    if index >= len(lexemes) or not _is_literal(lexemes[index]):
        return start
    index += 1
    while (
        index + 1 < len(lexemes)
        and lexemes[index].is_symbol(*_OPERATORS)
        and _is_literal(lexemes[index + 1])
    ):
        index += 2
    return index


def _folded(run: list[Lexeme]) -> Lexeme | None:
    try:
        value = Evaluation(run, {}).value()
    except SourceError:
        # Not constant, or not exact: the machine evaluates it.
        return None
    if isinstance(value, Decimal) and number_text(value) is None:
        return None
    return literal(value, run[0].place)


def _protect_negatives(lexemes: list[Lexeme]) -> list[Lexeme]:
    """Put parentheses round negative constants after an operator or before `^`."""
    result: list[Lexeme] = []
    for index, lexeme in enumerate(lexemes):
        if not (lexeme.constant and lexeme.text.startswith("-")):
            result.append(lexeme)
            continue
        before = lexemes[index - 1] if index else None
        after = lexemes[index + 1] if index + 1 < len(lexemes) else None
        if not _opens(before) or (after is not None and after.is_symbol("^")):
            result.append(Lexeme(Kind.SYMBOL, "(", lexeme.place))
            result.append(lexeme)
            result.append(Lexeme(Kind.SYMBOL, ")", lexeme.place))
        else:
            result.append(lexeme)
    return result
