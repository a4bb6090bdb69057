"""Variables and expressions for the plain interpreter of `fuzzmodel`: only the rules."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import functions
from ti99tools.computer.numbers.forms import parse_number, to_str, val
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number, Radix
from ti99tools.computer.numbers.rnd import RandomNumbers
from ti99tools.language.syntax import nodes as n
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL

Value = Number | str
PI = parse_number("3.1415926535898")

UNARY: dict[int, Callable[[Number], Number]] = {
    tk.INT: functions.floor,
    tk.SGN: functions.sgn,
    tk.SQR: functions.sqr,
    tk.EXP: functions.exp,
    tk.LOG: functions.log,
    tk.SIN: functions.sin,
    tk.COS: functions.cos,
    tk.TAN: functions.tan,
    tk.ATN: functions.atn,
}
ARITHMETIC: dict[int, Callable[[Number, Number], Number]] = {
    tk.PLUS: functions.add,
    tk.MINUS: functions.sub,
    tk.MULTIPLY: functions.mul,
    tk.DIVIDE: functions.div,
    tk.POWER: functions.power,
}
COMPARE: dict[int, Callable[[int], bool]] = {
    tk.EQUAL: lambda c: c == 0,
    tk.LESS: lambda c: c < 0,
    tk.GREATER: lambda c: c > 0,
    NOT_EQUAL: lambda c: c != 0,
    LESS_EQUAL: lambda c: c <= 0,
    GREATER_EQUAL: lambda c: c >= 0,
}
LOGIC: dict[int, Callable[[int, int], int]] = {
    tk.AND: lambda a, b: a & b,
    tk.OR: lambda a, b: a | b,
    tk.XOR: lambda a, b: a ^ b,
}


class Values:
    """The meaning of a program's names, and the values of its expressions."""

    def __init__(self) -> None:
        self.scalars: dict[str, Value] = {}
        self.arrays: dict[str, list[Value]] = {}
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.functions: dict[str, st.Def] = {}
        self.base = 0
        self.rnd = RandomNumbers()

    # -- variables ------------------------------------------------------------------------

    def target(self, node: n.Target) -> Callable[[Value], None]:
        if isinstance(node, n.Variable):
            name = node.name

            def store_scalar(value: Value) -> None:
                self.scalars[name] = value

            return store_scalar
        array, position = self._element(node, {})

        def store_element(value: Value) -> None:
            array[position] = value

        return store_element

    def _element(self, node: n.Element, local: dict[str, Value]) -> tuple[list[Value], int]:
        sizes = self.sizes.setdefault(node.name, (10,) * len(node.subscripts))
        extents = [size + 1 - self.base for size in sizes]
        empty: Value = "" if node.is_string else 0
        array = self.arrays.setdefault(node.name, [empty] * prod(extents))
        position = 0
        for part, extent in zip(node.subscripts, extents, strict=True):
            at = to_integer(self.number(part, local)) - self.base
            if not 0 <= at < extent:
                raise XBError(xb.BAD_SUBSCRIPT)
            position = position * extent + at
        return array, position

    # -- expressions ----------------------------------------------------------------------

    def number(self, node: n.Expression, local: dict[str, Value] | None = None) -> Number:
        value = self.value(node, local)
        assert not isinstance(value, str)
        return value

    def text(self, node: n.Expression, local: dict[str, Value] | None = None) -> str:
        value = self.value(node, local)
        assert isinstance(value, str)
        return value

    def value(self, node: n.Expression, local: dict[str, Value] | None = None) -> Value:
        """The value of an expression; `local` holds the parameter inside a DEF."""
        local = local or {}
        match node:
            case n.Number():
                return self.settled(parse_number(node.text))
            case n.String():
                return node.text
            case n.Variable():
                return self._variable(node, local)
            case n.Element():
                if node.name in self.functions:
                    function = self.functions[node.name]
                    argument = self.value(node.subscripts[0], local)
                    return self.value(function.body, {str(function.parameter): argument})
                array, position = self._element(node, local)
                return array[position]
            case n.Group():
                return self.value(node.inner, local)
            case n.Unary():
                return self._unary(node, local)
            case n.Binary():
                return self._binary(node, local)
            case n.Function():
                return self._function(node, local)
            case n.Fault():
                for before in node.before:
                    self.value(before, local)
                raise XBError(node.code)

    def _variable(self, node: n.Variable, local: dict[str, Value]) -> Value:
        if node.name in local:
            return local[node.name]
        if node.name in self.functions:
            return self.value(self.functions[node.name].body)
        return self.scalars.get(node.name, "" if node.is_string else 0)

    def _unary(self, node: n.Unary, local: dict[str, Value]) -> Number:
        value = self.number(node.operand, local)
        if node.operator == tk.NOT:
            return ~self._word(value, xb.SYNTAX_ERROR)
        return functions.sub(0, value) if node.operator == tk.MINUS else value

    def _binary(self, node: n.Binary, local: dict[str, Value]) -> Value:
        a, b = self.value(node.left, local), self.value(node.right, local)
        if node.operator == tk.CONCAT:
            assert isinstance(a, str)
            assert isinstance(b, str)
            return (a + b)[:255]
        if node.operator in COMPARE:
            return -int(COMPARE[node.operator](self._order(a, b)))
        assert not isinstance(a, str)
        assert not isinstance(b, str)
        if node.operator in LOGIC:
            return LOGIC[node.operator](self._word(a), self._word(b))
        return self.settled(ARITHMETIC[node.operator](a, b))

    def _order(self, a: Value, b: Value) -> int:
        if isinstance(a, str) and isinstance(b, str):
            x, y = (bytes(c ^ 128 for c in t.encode("latin-1")) for t in (a, b))
            return (x > y) - (x < y)
        assert not isinstance(a, str)
        assert not isinstance(b, str)
        return functions.compare(a, b)

    def _function(self, node: n.Function, local: dict[str, Value]) -> Value:
        token = node.token
        if token == tk.RND:
            return self.rnd.next()
        if token == tk.PI:
            return PI
        values = [self.value(part, local) for part in node.arguments]
        first = values[0]
        if isinstance(first, str):
            return self._of_text(token, first, values[1:])
        match token:
            case tk.ABS:
                return functions.sub(0, first) if first < 0 else first
            case tk.MAX | tk.MIN:
                second = values[1]
                assert not isinstance(second, str)
                return (max if token == tk.MAX else min)(first, second)
            case tk.STR:
                return to_str(first)
            case tk.CHR:
                return chr(self._natural(first) & 255)
        return self.settled(UNARY[token](first))

    def _of_text(self, token: int, text: str, rest: list[Value]) -> Value:
        match token, rest:
            case tk.LEN, []:
                return len(text)
            case tk.VAL, []:
                return self.settled(val(text))
            case tk.ASC, []:
                if not text:
                    raise XBError(xb.BAD_ARGUMENT)
                return ord(text[0])
            case tk.SEG, [start, size] if not isinstance(start, str) and not isinstance(size, str):
                first = self._natural(start, 1)
                return text[first - 1 :][: self._natural(size)]
            case tk.POS, [str(wanted), start] if not isinstance(start, str):
                at = self._natural(start, 1) - 1
                return at & 0xFF00 if at >= len(text) else text.find(wanted, at) + 1
            case tk.RPT, [times] if not isinstance(times, str):
                return (text * min(self._natural(times), 256))[:255]
        raise AssertionError(f"function {token:02X}")

    def _natural(self, value: Number, low: int = 0) -> int:
        whole = to_integer(value)
        if not low <= whole <= 32767:
            raise XBError(xb.BAD_VALUE)
        return whole

    def _word(self, value: Number, code: int = xb.BAD_VALUE) -> int:
        whole = to_integer(value)
        if not -32768 <= whole <= 32767:
            raise XBError(code)
        return whole

    def settled(self, value: Number) -> Number:
        """An overflow as the largest number; its warning is ignored."""
        if isinstance(value, Radix) and value.overflow:
            return value.value_after_warning
        return value
