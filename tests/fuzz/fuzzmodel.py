"""A plain interpreter of the language's core: statement by statement over the syntax tree.

It knows no compiled blocks, no typed shortcuts and no Python loops, only the rules; what a program
computes here has to be what the console computes. Covered are the statements that
`fuzzgrammar.Maker` makes without SUBs and handlers; warnings are taken as ON WARNING NEXT.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.numbers import arith, functions
from ti99tools.numbers.convert import to_integer
from ti99tools.numbers.format import to_str
from ti99tools.numbers.parse import parse_number, val
from ti99tools.numbers.radix import Number, Radix
from ti99tools.numbers.rnd import Rnd
from ti99tools.program.image import Line
from ti99tools.source.syntax import nodes as n
from ti99tools.source.syntax import parse_line
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import Cursor
from ti99tools.source.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.source.syntax.parser import parse_from

Value = Number | str
Place = tuple[int, int]
STEPS = 60_000
PI = parse_number("3.1415926535898")

UNARY: dict[int, Callable[[Number], Number]] = {
    tk.INT: arith.floor, tk.SGN: arith.sgn, tk.SQR: functions.sqr, tk.EXP: functions.exp,
    tk.LOG: functions.log, tk.SIN: functions.sin, tk.COS: functions.cos, tk.TAN: functions.tan,
    tk.ATN: functions.atn,
}  # fmt: skip
ARITHMETIC: dict[int, Callable[[Number, Number], Number]] = {
    tk.PLUS: arith.add, tk.MINUS: arith.sub, tk.MULTIPLY: arith.mul, tk.DIVIDE: arith.div,
    tk.POWER: arith.power,
}  # fmt: skip
COMPARE: dict[int, Callable[[int], bool]] = {
    tk.EQUAL: lambda c: c == 0, tk.LESS: lambda c: c < 0, tk.GREATER: lambda c: c > 0,
    NOT_EQUAL: lambda c: c != 0, LESS_EQUAL: lambda c: c <= 0, GREATER_EQUAL: lambda c: c >= 0,
}  # fmt: skip
LOGIC: dict[int, Callable[[int, int], int]] = {
    tk.AND: lambda a, b: a & b, tk.OR: lambda a, b: a | b, tk.XOR: lambda a, b: a ^ b,
}  # fmt: skip


class Ended(Exception):
    """END, STOP, or behind the last line."""


class TooManySteps(Exception):
    """A program that goes on for too long to be compared."""


class Model:
    """A program at work."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self.numbers = [line.number for line in lines]
        self.tokens = [line.tokens for line in lines]
        self.nodes: dict[Place, st.Statement] = {}
        self.scalars: dict[str, Value] = {}
        self.arrays: dict[str, list[Value]] = {}
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.functions: dict[str, st.Def] = {}
        self.data: list[tuple[int, str, bool]] = []
        self.read_at = 0
        self.base = 0
        self.frames: list[tuple[str, Number, Number, Place] | Place] = []
        self.rnd = Rnd()
        self.line = 0
        self._declare()

    def _declare(self) -> None:
        for number, tokens in zip(self.numbers, self.tokens, strict=True):
            for node in parse_line(tokens):
                if isinstance(node, st.Dim):
                    self.sizes.update(dict(node.arrays))
                elif isinstance(node, st.Def):
                    self.functions[node.name] = node
                elif isinstance(node, st.OptionBase):
                    self.base = node.base
                elif isinstance(node, st.Data):
                    self.data += [(number, text, quoted) for text, quoted in node.items]

    # -- control --------------------------------------------------------------------------

    def run(self) -> None:
        """Run to the end (Ended), an error (XBError; `line` says where) or the limit."""
        place = (0, 0)
        for _ in range(STEPS):
            place = self._step(place)
        raise TooManySteps

    def _step(self, place: Place) -> Place:
        line, at = place
        if line >= len(self.tokens):
            raise Ended
        self.line = self.numbers[line]
        node = self.nodes.get(place)
        if node is None:
            node = self.nodes[place] = parse_from(self.tokens[line], at)[0]
        going = self._execute(node, line)
        if going is not None:
            return going
        if node.fault is not None:
            raise XBError(node.fault)
        return self._behind(line, node.end)

    def _behind(self, line: int, end: int) -> Place:
        tokens = self.tokens[line]
        if end < len(tokens) and tokens[end] == tk.STATEMENT_SEP:
            return (line, end + 1)
        return (line + 1, 0)

    def _goto(self, number: int) -> Place:
        if number not in self.numbers:
            raise XBError(xb.LINE_NOT_FOUND)
        return (self.numbers.index(number), 0)

    def _execute(self, node: st.Statement, line: int) -> Place | None:
        """Carry a statement out; where to go on if not behind it."""
        match node:
            case st.Let():
                places = [self._target(target) for target in node.targets]
                assert node.value is not None
                value = self.value(node.value)
                for store in places:
                    store(value)
            case st.If():
                return self._if(node, line)
            case st.Goto():
                return self._goto(node.line)
            case st.Gosub():
                self.frames.append(self._behind(line, node.end))
                return self._goto(node.line)
            case st.Return():
                return self._return()
            case st.For():
                return self._for(node, line)
            case st.Next():
                return self._next(node)
            case st.End():
                raise Ended
            case st.Read():
                for target in node.targets:
                    store = self._target(target)
                    store(self._item(target.is_string))
            case st.Restore():
                self._restore(node.line)
            case st.Randomize():
                assert node.seed is not None
                self.rnd.randomize(self.number(node.seed))
            case st.Print():
                for item in node.items:
                    if not isinstance(item, st.Separator | st.Tab):
                        self.value(item)
        return None

    def _if(self, node: st.If, line: int) -> Place:
        branch = node.then if self.number(node.condition) else node.otherwise
        if branch is None:
            return (line + 1, 0)
        if isinstance(branch, st.Jump):
            return self._goto(branch.line)
        return (line, branch[0].at)

    def _return(self) -> Place:
        while self.frames:
            frame = self.frames.pop()
            if len(frame) == 2:
                return frame
        raise XBError(xb.RETURN_WITHOUT_GOSUB)

    def _for(self, node: st.For, line: int) -> Place | None:
        assert isinstance(node.variable, n.Variable) and node.start and node.limit
        start, limit = self.number(node.start), self.number(node.limit)
        step = self.number(node.step) if node.step else 1
        if not step:
            raise XBError(xb.BAD_VALUE)
        name = node.variable.name
        self.scalars[name] = start
        body = self._behind(line, node.end)
        if start > limit if step > 0 else start < limit:
            return self._behind_next(body)
        for at in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[at]
            if len(frame) == 2:
                break
            if frame[0] == name:
                del self.frames[at]
                break
        self.frames.append((name, limit, step, body))
        return body

    def _behind_next(self, place: Place) -> Place:
        """The place behind the NEXT that ends the loop whose body begins at a place."""
        line, at = place
        depth = 1
        while line < len(self.tokens):
            cursor = Cursor(self.tokens[line], at)
            while cursor.token:
                token = cursor.token
                depth += (token == tk.FOR) - (token == tk.NEXT)
                cursor.step()
                if token == tk.NEXT and not depth:
                    cursor.name()
                    return self._behind(line, cursor.at)
            line, at = line + 1, 0
        raise XBError(xb.FOR_NEXT_NESTING)

    def _next(self, node: st.Next) -> Place | None:
        while self.frames:
            frame = self.frames[-1]
            if len(frame) == 2:
                break
            name, limit, step, body = frame
            if name == node.variable:
                value = self._settled(arith.add(self._scalar_number(name), step))
                self.scalars[name] = value
                if value > limit if step > 0 else value < limit:
                    self.frames.pop()
                    return None
                return body
            self.frames.pop()
        raise XBError(xb.NEXT_WITHOUT_FOR)

    def _scalar_number(self, name: str) -> Number:
        value = self.scalars.get(name, 0)
        assert not isinstance(value, str)
        return value

    # -- data -----------------------------------------------------------------------------

    def _restore(self, line: int | None) -> None:
        ahead = (at for at, item in enumerate(self.data) if item[0] >= (line or 0))
        self.read_at = next(ahead, len(self.data))
        if line is not None and self.read_at == len(self.data):
            raise XBError(xb.DATA_ERROR)

    def _item(self, string: bool) -> Value:
        if self.read_at >= len(self.data):
            raise XBError(xb.DATA_ERROR)
        _, text, quoted = self.data[self.read_at]
        self.read_at += 1
        if string:
            return text
        if quoted or not text:
            raise XBError(xb.STRING_NUMBER_MISMATCH)
        try:
            return self._settled(parse_number(text))
        except ValueError:
            raise XBError(xb.DATA_ERROR) from None

    # -- variables ------------------------------------------------------------------------

    def _target(self, node: n.Target) -> Callable[[Value], None]:
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
                return self._settled(parse_number(node.text))
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
        return arith.sub(0, value) if node.operator == tk.MINUS else value

    def _binary(self, node: n.Binary, local: dict[str, Value]) -> Value:
        a, b = self.value(node.left, local), self.value(node.right, local)
        if node.operator == tk.CONCAT:
            assert isinstance(a, str) and isinstance(b, str)
            return (a + b)[:255]
        if node.operator in COMPARE:
            return -int(COMPARE[node.operator](self._order(a, b)))
        assert not isinstance(a, str) and not isinstance(b, str)
        if node.operator in LOGIC:
            return LOGIC[node.operator](self._word(a), self._word(b))
        return self._settled(ARITHMETIC[node.operator](a, b))

    def _order(self, a: Value, b: Value) -> int:
        if isinstance(a, str) and isinstance(b, str):
            x, y = (bytes(c ^ 128 for c in t.encode("latin-1")) for t in (a, b))
            return (x > y) - (x < y)
        assert not isinstance(a, str) and not isinstance(b, str)
        return arith.compare(a, b)

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
                return arith.sub(0, first) if first < 0 else first
            case tk.MAX | tk.MIN:
                second = values[1]
                assert not isinstance(second, str)
                return (max if token == tk.MAX else min)(first, second)
            case tk.STR:
                return to_str(first)
            case tk.CHR:
                return chr(self._natural(first) & 255)
        return self._settled(UNARY[token](first))

    def _of_text(self, token: int, text: str, rest: list[Value]) -> Value:
        match token, rest:
            case tk.LEN, []:
                return len(text)
            case tk.VAL, []:
                return self._settled(val(text))
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

    def _settled(self, value: Number) -> Number:
        """An overflow as the largest number: its warning is not looked at."""
        if isinstance(value, Radix) and value.overflow:
            return value.value_after_warning
        return value
