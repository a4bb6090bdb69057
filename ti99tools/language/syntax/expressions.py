"""Expressions by top-down operator precedence, as in the machine, and the ends of statements.

The machine evaluates an operand, then goes on as long as the next token is greater than the level
it was called with. So a token at or below the level ends the expression, an operator above it is
applied, and anything else above it is a SYNTAX ERROR. From the loosest binding: `&`, OR, AND, XOR,
NOT, comparisons, + and -, * and /, ^. Source: recorded lang-numfmt cases.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.syntax.cursor import Cursor
from ti99tools.language.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Fault,
    Function,
    Group,
    Number,
    String,
    Target,
    Unary,
    Variable,
    faulty,
)
from ti99tools.language.syntax.statements import EmptyStatement, FileRef, Statement

STACK_WORDS = 24
"""Words of the machine's subroutine stack above those of a statement; one more is a STACK OVERFLOW.

The evaluator of expressions takes one for each call of itself: for an operand in parentheses, the
operand of a sign, the right operand of an operator. The tables below have what functions,
subscripts and statements take in addition. Source: the recorded limits (lang-asked), which these
sizes give: 23 parentheses in an assignment, 19 in a CALL's argument, 11 `1+(`, 11 `ABS(`, 6 `INT(`,
7 `MAX(`.
"""

LEFT_WORDS = 1
"""Words taken from the first error that ON ERROR catches until the program stops: before it goes to
the handler the machine empties the stack, and then calls from there without returning. Source: a
recorded case (random-mutants); that it is so for every kind of error is not recorded.
"""

SPARE_WORDS = 6
"""Words that numeric functions and `^` require to be free before they calculate."""

CALL_WORDS = 4
"""Words that CALL of a built-in subprogram has taken when it evaluates an argument."""

CLAUSE_WORDS = 1
"""Words taken when the first number of AT is evaluated."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|(?=E))(?:E[+-]?[0-9]+)?")
COMPARISONS = frozenset((tk.EQUAL, tk.LESS, tk.GREATER))
RIGHT_LEVEL = {
    tk.CONCAT: tk.CONCAT,
    tk.OR: tk.OR,
    tk.AND: tk.AND,
    tk.XOR: tk.XOR,
    tk.EQUAL: tk.GREATER,
    tk.LESS: tk.GREATER,
    tk.GREATER: tk.GREATER,
    tk.PLUS: tk.MINUS,
    tk.MINUS: tk.MINUS,
    tk.MULTIPLY: tk.DIVIDE,
    tk.DIVIDE: tk.DIVIDE,
    tk.POWER: tk.POWER,
}
"""Operator → the level with which its right operand is read: all are left-associative."""

_LEFT_FIRST = {tk.CONCAT: True, tk.POWER: False}
"""Operators that check the type of their left operand before they read the right one (published
listing of the ROM): what the operand must be.
"""

NOT_EQUAL, LESS_EQUAL, GREATER_EQUAL = 0x100, 0x101, 0x102
"""Operators of two tokens."""

_PAIRS = {
    (tk.LESS, tk.GREATER): NOT_EQUAL,
    (tk.GREATER, tk.LESS): NOT_EQUAL,
    (tk.LESS, tk.EQUAL): LESS_EQUAL,
    (tk.EQUAL, tk.LESS): LESS_EQUAL,
    (tk.GREATER, tk.EQUAL): GREATER_EQUAL,
    (tk.EQUAL, tk.GREATER): GREATER_EQUAL,
}

NUM, STR = False, True
FUNCTIONS: dict[int, tuple[tuple[bool, ...], bool]] = {
    tk.EOF: ((NUM,), NUM), tk.ABS: ((NUM,), NUM), tk.ATN: ((NUM,), NUM),
    tk.COS: ((NUM,), NUM), tk.EXP: ((NUM,), NUM), tk.INT: ((NUM,), NUM),
    tk.LOG: ((NUM,), NUM), tk.SGN: ((NUM,), NUM), tk.SIN: ((NUM,), NUM),
    tk.SQR: ((NUM,), NUM), tk.TAN: ((NUM,), NUM), tk.LEN: ((STR,), NUM),
    tk.CHR: ((NUM,), STR), tk.RND: ((), NUM), tk.SEG: ((STR, NUM, NUM), STR),
    tk.POS: ((STR, STR, NUM), NUM), tk.VAL: ((STR,), NUM), tk.STR: ((NUM,), STR),
    tk.ASC: ((STR,), NUM), tk.PI: ((), NUM), tk.REC: ((NUM,), NUM),
    tk.MAX: ((NUM, NUM), NUM), tk.MIN: ((NUM, NUM), NUM), tk.RPT: ((STR, NUM), STR),
}  # fmt: skip
"""Function token → (types of the arguments, type of the value)."""


CALCULATED = frozenset((tk.ATN, tk.COS, tk.EXP, tk.INT, tk.LOG, tk.SIN, tk.SQR, tk.TAN))
"""Numeric functions that the machine calculates with the registers of radix 100."""
_WORDS = {
    tk.ABS: (1,),
    tk.SGN: (1,),
    tk.MAX: (2, 1),
    tk.MIN: (2, 1),
    tk.SEG: (1, 1, 0),
    tk.POS: (1, 1, 0),
    tk.RPT: (1, 0),
}
"""Function token → words taken before each argument; (2,) for the others. Those of SEG$, POS and
RPT$ are not recorded.
"""


class Expressions:
    """Reads expressions at a cursor; `depth` counts the words of stack in use before.

    The reader's own depth is 0 except in bodies of DEFs, in CALLs of built-in subprograms, and
    after an error has been caught (`LEFT_WORDS`).
    """

    def __init__(self, cursor: Cursor, depth: int = 0) -> None:
        self.cursor = cursor
        self.depth = depth

    def expression(self, level: int, depth: int | None = None) -> Expression:
        """Read an expression up to the first token not above `level`."""
        depth = (self.depth if depth is None else depth) + 1
        if depth > STACK_WORDS:
            return Fault(xb.STACK_OVERFLOW)
        return self.rest_of(self._operand(depth), level, depth)

    def rest_of(self, left: Expression, level: int, depth: int) -> Expression:
        """Read on after the first operand of an expression."""
        while not faulty(left) and self.cursor.token > level:
            left = self._applied(left, depth)
        return left

    def number(self, level: int, depth: int | None = None) -> Expression:
        """Read an expression that must be a number: a string is a mismatch."""
        return want(self.expression(level, depth), NUM)

    def string(self, level: int, depth: int | None = None) -> Expression:
        """Read an expression that must be a string."""
        return want(self.expression(level, depth), STR)

    def subscripts(self, depth: int) -> tuple[Expression, ...]:
        """Read `(`, expressions, `)`; the last one is a fault when the syntax is wrong.

        Subscripts, and the argument of a DEF function, take one more word.
        """
        cursor = self.cursor
        cursor.at += 1
        subscripts: list[Expression] = []
        while True:
            node = self.expression(tk.LPAREN, depth + 1)
            subscripts.append(node)
            if faulty(node):
                break
            if cursor.take(tk.RPAREN):
                break
            if not cursor.take(tk.COMMA):
                subscripts.append(Fault(xb.SYNTAX_ERROR))
                break
        return tuple(subscripts)

    def _operand(self, depth: int) -> Expression:
        cursor = self.cursor
        token = cursor.token
        if cursor.is_name():
            name = cursor.name()
            if cursor.token == tk.LPAREN:
                return Element(name, self.subscripts(depth), depth)
            return Variable(name, depth)
        match token:
            case tk.QUOTED:
                return String(cursor.text())
            case tk.UNQUOTED:
                return self._constant()
            case tk.LPAREN:
                cursor.at += 1
                inner = self.expression(tk.LPAREN, depth)
                if faulty(inner) or cursor.take(tk.RPAREN):
                    return Group(inner)
                return Fault(xb.SYNTAX_ERROR, (inner,))
            case tk.PLUS | tk.MINUS:
                cursor.at += 1
                return self._unary(token, tk.MINUS, depth)
            case tk.NOT:
                cursor.at += 1
                return self._unary(token, tk.NOT, depth)
        if token in FUNCTIONS:
            cursor.at += 1
            return self._function(token, depth)
        return Fault(xb.SYNTAX_ERROR)

    def _constant(self) -> Expression:
        """A number; the machine reads on into a name right after it that begins with E.

        The editor accepts more as numbers than the machine can read: a lone point, `1.2.3`, `1E+`.
        """
        text = self.cursor.text()
        goes_on = "E" not in text and self.cursor.token == ord("E")
        if goes_on or not _NUMBER.fullmatch(text.strip(" ")):
            return Fault(xb.SYNTAX_ERROR)
        return Number(text)

    def _unary(self, token: int, level: int, depth: int) -> Expression:
        return Unary(token, self.number(level, depth))

    def _function(self, token: int, depth: int) -> Expression:
        types, result = FUNCTIONS[token]
        if not types:
            return Function(token, (), result)
        if token in CALCULATED and depth > STACK_WORDS - SPARE_WORDS:
            return Fault(xb.STACK_OVERFLOW)
        cursor = self.cursor
        if not cursor.take(tk.LPAREN):
            return Fault(xb.SYNTAX_ERROR)
        words = _WORDS.get(token, (2,))
        arguments: list[Expression] = []
        for i, kind in enumerate(types):
            last = i == len(types) - 1
            node = self.expression(tk.LPAREN, depth + words[i])
            if last and token in (tk.MAX, tk.MIN):
                node = want(node, kind)
            closed = not faulty(node) and cursor.take(tk.RPAREN if last else tk.COMMA)
            arguments.append(want(node, kind) if closed else node)
            if not closed or faulty(arguments[-1]):
                if token == tk.SEG and last:
                    # The start is refused before the length is looked at (recorded).
                    checked = (String(""), arguments[1], Number("0"))
                    arguments[1] = Function(token, checked, result)
                return Fault(xb.SYNTAX_ERROR, tuple(arguments))
        return Function(token, tuple(arguments), result)

    def _applied(self, left: Expression, depth: int) -> Expression:
        cursor = self.cursor
        token = cursor.token
        level = RIGHT_LEVEL.get(token)
        if level is None:
            return Fault(xb.SYNTAX_ERROR, (left,))
        cursor.at += 1
        if left.is_string != _LEFT_FIRST.get(token, left.is_string):
            return Binary(token, left, Fault(xb.STRING_NUMBER_MISMATCH), False)
        if token in COMPARISONS:
            pair = _PAIRS.get((token, cursor.token))
            if pair is not None:
                cursor.at += 1
                token = pair
        right = self.expression(level, depth + (level == tk.GREATER))
        if faulty(right):
            return Binary(token, left, right, False)
        strings = (left.is_string, right.is_string)
        if token == tk.CONCAT:
            fits = strings == (True, True)
        elif level == tk.GREATER:
            fits = strings[0] == strings[1]
        else:
            fits = strings == (False, False)
        if not fits:
            return Fault(xb.STRING_NUMBER_MISMATCH, (left, right))
        if token == tk.POWER and depth > STACK_WORDS - SPARE_WORDS:
            return Fault(xb.STACK_OVERFLOW, (left, right))
        return Binary(token, left, right, token == tk.CONCAT)


def want(node: Expression, string: bool) -> Expression:
    """`node` itself if it has the required type (or fails anyway), else a mismatch after it."""
    if faulty(node) or node.is_string == string:
        return node
    return Fault(xb.STRING_NUMBER_MISMATCH, (node,))


S = TypeVar("S", bound=Statement)


class Statements(Expressions):
    """Closing of statements; `target` comes from the parser."""

    def done(self, kind: type[S], at: int, *, fault: int | None = None, **parts: Any) -> S:
        """The statement read up to the cursor; anything that does not end it is a SYNTAX ERROR."""
        if fault is None and not self.cursor.at_end:
            fault = xb.SYNTAX_ERROR
        return kind(at=at, end=self.cursor.at, fault=fault, **parts)

    def skip_statement(self) -> None:
        """Go on to the end of the statement: the machine does not look at what is there."""
        while not self.cursor.at_end:
            self.cursor.step()

    def lose_after_name(self) -> None:
        """Skip the rest of the line if a name is next.

        Statements that do not look at what follows them do so: a token is a SYNTAX ERROR, but a
        name ends the line silently. Source: the published listing of the ROM.
        """
        if self.cursor.is_name():
            self.cursor.at = len(self.cursor.data)

    def syntax_error(self, at: int) -> EmptyStatement:
        """A statement that fails before it does anything."""
        return EmptyStatement(at=at, end=self.cursor.at, fault=xb.SYNTAX_ERROR)

    def file_reference(self) -> tuple[FileRef, int | None]:
        """Read `#n[,REC r]`; the second value is the error that ends the reading."""
        cursor = self.cursor
        cursor.at += 1
        number = self.number(tk.COLON)
        if faulty(number):
            return FileRef(number), xb.SYNTAX_ERROR
        if cursor.token == tk.COMMA and self._follows(tk.REC):
            cursor.at += 2
            record = self.number(tk.COLON)
            return FileRef(number, record), xb.SYNTAX_ERROR if faulty(record) else None
        return FileRef(number), None

    def _follows(self, token: int) -> bool:
        """Tell whether `token` comes after the next one."""
        cursor = self.cursor
        return cursor.at + 1 < len(cursor.data) and cursor.data[cursor.at + 1] == token

    def target(self) -> Target | None:
        """Read a variable or array element; None if there is no name here."""
        raise NotImplementedError
