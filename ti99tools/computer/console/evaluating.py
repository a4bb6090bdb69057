"""Expressions of Extended BASIC evaluated from outside, and the variables that a line names.

The program notices nothing: no time passes, no random number is drawn and no warning is shown.
Names are those of the place where the program stopped; in a SUB they are the SUB's. The variables
named in a line come with their present values.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import quoted
from ti99tools.base.errors import TIError, suggestion
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.emit.expression_code import COMPARED, LOGICAL, PLAIN
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation
from ti99tools.computer.numbers import radix
from ti99tools.computer.numbers.forms import parse_number, to_str
from ti99tools.computer.numbers.radix import Value
from ti99tools.language.listing.sourcemap import SourceNames
from ti99tools.language.listing.tokenize import EntryError, crunch
from ti99tools.language.prescan.symbols import Symbol
from ti99tools.language.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Fault,
    Function,
    Group,
    String,
    Unary,
    Variable,
    faulty,
)
from ti99tools.language.syntax.nodes import Number as Literal
from ti99tools.language.syntax.parser import Parser
from ti99tools.language.syntax.statements import every_statement, parts

_BYTE = re.compile(r"(V?)>([0-9A-F]{1,4})", re.IGNORECASE)
"""A byte of memory: `>83C8` of the CPU's, `V>0300` of the video processor's."""

DEEPEST = 40
"""Most DEF functions that may be nested."""

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC = {tk.PLUS: "plus", tk.MINUS: "minus", tk.MULTIPLY: "times", tk.DIVIDE: "div"}


def value_text(value: object) -> str:
    """A value as a program would write it: numbers as STR$ does, strings in quotes."""
    if isinstance(value, str):
        parts = re.findall(r"[ -~]+|[^ -~]", value)
        texts = (f"CHR$({ord(p)})" if not " " <= p[0] <= "~" else quoted(p) for p in parts)
        return "&".join(texts) or '""'
    if isinstance(value, list):
        return f"({', '.join(map(value_text, value))})"
    if isinstance(value, int | radix.Radix):
        return to_str(value)
    return str(value)


class Evaluator:
    """Evaluates expressions where an execution stopped, or in another of its activations.

    `names` translates names of the source there; without it, names are those of the program.
    """

    def __init__(
        self,
        execution: Execution,
        activation: Activation | None = None,
        names: SourceNames | None = None,
    ) -> None:
        self._execution = execution
        self._names = names or SourceNames()
        self._activation = activation or execution.active
        here = self._activation is execution.active
        self._scope = execution.scope if here else self._activation.scope
        self._local: dict[str, Value] = {}
        self._depth = 0

    def value(self, text: str) -> Value:
        """The value of an expression; a comparison gives -1 or 0. Raises TIError.

        `>83C8` is a byte of CPU memory, `V>0300` one of the video processor's.
        """
        byte = _BYTE.fullmatch(text.strip())
        if byte is not None:
            return self._byte(bool(byte[1]), int(byte[2], 16))
        node = parsed(text, self._names)
        try:
            return self.quietly(node)
        except XBError as error:
            raise TIError(f"{text}: {error.text}") from error

    def _byte(self, is_video: bool, address: int) -> int:
        machine = self._execution.rt.machine
        if not is_video:
            return machine.memory.peek(address)
        # Moving sprites are where they were last needed: bringing them up to date could be seen.
        return machine.vdp.ram[address % len(machine.vdp.ram)]

    def quietly(self, node: Expression) -> Value:
        """The value of a parsed expression. Raises XBError as the machine does, and TIError."""
        with self._unnoticed():
            return self._value(node)

    def _value(self, node: Expression) -> Value:
        match node:
            case Literal(text):
                return radix.settle(parse_number(text))
            case String(text):
                return text
            case Variable(name):
                return self._variable(name)
            case Element(name, subscripts):
                return self._element(name, [self._value(part) for part in subscripts])
            case Group(inner):
                return self._value(inner)
            case Unary(token, operand):
                return self._unary(token, self._value(operand))
            case Binary(token, left, right):
                return self._binary(token, self._value(left), self._value(right))
            case Function(token, arguments):
                return self._function(token, [self._value(part) for part in arguments])
            case Fault(code):
                raise XBError(code)
        raise AssertionError(node)

    @contextmanager
    def _unnoticed(self) -> Iterator[None]:
        """Undo the side effects of functions."""
        rt = self._execution.rt
        cycles, warning = rt.clock.cycles, rt.options.warning
        rt.options.warning = "NEXT"
        try:
            yield
        finally:
            rt.clock.cycles, rt.options.warning = cycles, warning

    # -- names ----------------------------------------------------------------------------

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        """The symbols at the place where the program stopped."""
        return self._scope.symbols

    def _symbol(self, name: str) -> Symbol:
        # The body of a DEF function has names of the program, not of the source.
        meant = name if self._depth else self._names.meant(name, self.symbols)
        symbol = self.symbols.get(meant)
        if symbol is not None:
            return symbol
        written = self._names.written(self.symbols).values()
        remedy = suggestion(name, [part for each in written for part in each.split("/")])
        inside = self._scope.name
        where = f"SUB {inside}" if inside else "the program"
        raise TIError(f"{where} has no variable {name}", remedy=remedy)

    def _variable(self, name: str) -> Value:
        if name in self._local:
            return self._local[name]
        symbol = self._symbol(name)
        if symbol.function is not None:
            return self._defined(symbol, [])
        if symbol.dimensions:
            raise TIError(
                f"{name} is an array",
                remedy=f"write {name}({'1,' * symbol.dimensions}".rstrip(",") + ")",
            )
        value: Value = self._activation.value(symbol)
        return value

    def _element(self, name: str, subscripts: list[Value]) -> Value:
        symbol = self._symbol(name)
        if symbol.function is not None:
            return self._defined(symbol, subscripts)
        names, activation = self._execution.names, self._activation
        base = activation.compiler.scan.base
        extents = symbol.extents(base)
        if len(extents) != len(subscripts):
            many = f"{len(extents)} subscript{'s' * (len(extents) > 1)}"
            raise TIError(f"{name} has {many if extents else 'no subscript'}")
        index = 0
        for subscript, extent in zip(subscripts, extents, strict=True):
            _check_kind(subscript, "")
            index = index * extent + names["subscript"](subscript, base, extent)
        found: Value = activation.value(symbol)[index]
        return found

    def _defined(self, symbol: Symbol, arguments: list[Value]) -> Value:
        """The value of a DEF function."""
        definition = self._execution.compiler.outline.function(symbol)
        if self._depth > DEEPEST:
            raise TIError(f"{symbol.name} uses itself, or too many others")
        if len(arguments) != (definition.parameter is not None):
            many = "no" if definition.parameter is None else "one"
            raise TIError(f"{symbol.name} takes {many} argument")
        if definition.parameter is not None:
            _check_kind(arguments[0], definition.parameter)
        before, self._depth = self._local, self._depth + 1
        if definition.parameter is not None:
            self._local = {definition.parameter: arguments[0]}
        else:
            self._local = {}
        try:
            return self._value(definition.body)
        finally:
            self._local, self._depth = before, self._depth - 1

    # -- operators and functions ----------------------------------------------------------

    def _unary(self, token: int, value: Any) -> Value:
        if token == tk.NOT:
            negated: Value = self._execution.names["not_"](value)
            return negated
        signed: Value = -value if token == tk.MINUS else value
        return signed

    def _binary(self, token: int, left: Any, right: Any) -> Value:
        names = self._execution.names
        result: Value
        if token == tk.CONCAT:
            return str(left + right)[:255]
        if token in COMPARED:
            if isinstance(left, str):
                left, right = names["order"](left, right), 0
            return -1 if _COMPARE[COMPARED[token]](left, right) else 0
        if token in LOGICAL:
            result = names[LOGICAL[token][1]](left, right)
        elif token == tk.POWER:
            result = names["power"](left, right)
        else:
            result = names["big"](names[_ARITHMETIC[token]](left, right))
        return result

    def _function(self, token: int, arguments: list[Any]) -> Value:
        names = self._execution.names
        if token == tk.RND:
            raise TIError("RND cannot be looked at: the program would get other numbers")
        if token == tk.PI:
            result: Value = names["pi"]
        elif token == tk.ABS:
            result = abs(arguments[0])
        elif token == tk.INT:
            result = names["floor"](arguments[0])
        elif token == tk.LEN:
            result = len(arguments[0])
        else:
            if token == tk.SEG:
                arguments[1] = names["natural"](arguments[1], 1)
            result = names[PLAIN[token][0]](*arguments)
        return result


def _check_kind(value: Value, name: str) -> None:
    """Raise XBError unless a value is a string if `name` ends in $, and a number otherwise."""
    if isinstance(value, str) != name.endswith("$"):
        raise XBError(xb.STRING_NUMBER_MISMATCH)


def check(text: str, names: SourceNames | None = None) -> None:
    """Raise TIError for a text that `Evaluator.value` cannot read."""
    if _BYTE.fullmatch(text.strip()) is None:
        parsed(text, names)


def parsed(text: str, names: SourceNames | None = None) -> Expression:
    """Parse an expression; `names` translates PROC.NAME. Raises TIError for anything else."""
    capitals = _capitals(text.strip())
    try:
        tokens = crunch(capitals if names is None else names.plain(capitals))
        parser = Parser(tokens)
        node = parser.expression(0)
    except EntryError as error:
        from ti99tools.language.remedies.statements import advised

        raise TIError(f"{text}: {error.problem}", remedy=advised(error).remedy) from error
    if not text.strip() or faulty(node) or parser.cursor.token:
        raise TIError(
            f"{text.strip() or 'nothing'} is not an expression",
            remedy='write X, A(I+1) or N$="BOB"',
        )
    return node


def _capitals(text: str) -> str:
    """A text in capitals, except for what is in quotes."""
    return "".join(p if p.startswith('"') else p.upper() for p in re.split('("[^"]*"?)', text))


def mentioned(
    execution: Execution, place: StatementPlace, written: Callable[[int, int], object]
) -> dict[str, Value]:
    """Name → value: variables of the statement at a place first, then those of the rest of its
    line.

    `written` maps a line number and an offset to the line of the source. For an array, the elements
    named are given: `A(2)`. What cannot be evaluated is left out.
    """
    line, at = place
    if line >= len(execution.listing):
        return {}
    number = execution.listing.numbers[line]
    here = written(number, at)
    every = every_statement(execution.listing.statements(line))
    whole = [statement for statement in every if written(number, statement.at) == here]
    evaluator = Evaluator(execution)
    values: dict[str, Value] = {}
    for statement in (*execution.listing.statements(line, at)[:1], *whole):
        for node in parts(statement):
            if isinstance(node, Variable | Element):
                values.update(_held(evaluator, node))
    return values


def _held(evaluator: Evaluator, node: Variable | Element) -> dict[str, Value]:
    """The value of a variable or element; empty for functions, and where evaluation fails."""
    symbol = evaluator.symbols.get(node.name)
    if symbol is None or symbol.function is not None:
        return {}
    try:
        name = node.name
        if isinstance(node, Element):
            subscripts = (value_text(evaluator.quietly(part)) for part in node.subscripts)
            name = f"{name}({','.join(subscripts)})"
        return {name: evaluator.quietly(node)}
    except (TIError, XBError):
        # A watcher shows what it can: an invalid subscript must not stop the program.
        return {}
