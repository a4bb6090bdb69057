"""Expressions of a program as expressions of the intermediate form, and what their names mean.

What a name means depends on the current scope and, in a SUB, on the variant: see `lowering_subs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import Expr, Target, const, var
from ti99tools.compiler.refusing import STRING_VARIABLE, refuse
from ti99tools.computer.numbers.forms import val
from ti99tools.computer.numbers.functions import PI, sub
from ti99tools.computer.numbers.radix import Number, Radix
from ti99tools.language.analysis import Lines
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.parser import Parser
from ti99tools.language.syntax.statements import Def

_ARITHMETIC = {
    tk.PLUS: "add",
    tk.MINUS: "sub",
    tk.MULTIPLY: "mul",
    tk.DIVIDE: "div",
    tk.POWER: "pow",
    tk.AND: "and",
    tk.OR: "or",
    tk.XOR: "xor",
    tk.EQUAL: "eq",
    tk.LESS: "lt",
    tk.GREATER: "gt",
}
_FUNCTIONS = {
    tk.ABS: "abs",
    tk.SGN: "sgn",
    tk.SQR: "sqr",
    tk.EXP: "exp",
    tk.LOG: "log",
    tk.SIN: "sin",
    tk.COS: "cos",
    tk.TAN: "tan",
    tk.ATN: "atn",
    tk.MAX: "max",
    tk.MIN: "min",
}
_PAIRS = {NOT_EQUAL: "ne", LESS_EQUAL: "le", GREATER_EQUAL: "ge"}
"""Operators of two tokens."""
_WORD = (WORD_LOW, WORD_HIGH)
_DEEPEST = 4


MOST_VARIANTS = 12
"""The most variants of a SUB; each takes memory for its own code."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a parameter is: `array` (whole), `element` (of an array), `same` (another variable)."""

    kind: str
    name: str


Binding = tuple[Bound | None, ...]
"""For each parameter what it is; None: a variable of its own."""


@dataclass(slots=True)
class Variants:
    """The variants of all SUBs: those met so far, and those still to be lowered."""

    known: dict[str, list[Binding]] = field(default_factory=dict)
    waiting: list[tuple[str, Binding]] = field(default_factory=list)
    bound: dict[str, Bound] = field(default_factory=dict)
    """Parameter → what it is in the current variant."""

    def label(self, name: str, binding: Binding) -> str:
        """The suffix of the names of a variant's blocks; a new variant waits to be lowered.

        Raises Refused for too many variants of a SUB.
        """
        known = self.known.setdefault(name, [])
        if binding not in known:
            if len(known) == MOST_VARIANTS:
                refuse(
                    f"SUB {name} is called with too many different arrays",
                    "write another SUB for some of them",
                )
            known.append(binding)
            self.waiting.append((name, binding))
        number = known.index(binding)
        return f" {name}~{number}" if number else ""


def subscript(parameter: str, number: int) -> str:
    """The variable that holds a subscript of a parameter that is an element."""
    return f"{parameter} subscript {number}"


class Context(ir.Builder):
    """What all lowering shares: the current scope with its names, and expressions in it."""

    def __init__(self, lines: Lines, scan: Scan) -> None:
        super().__init__()
        self.lines = lines
        self.scan = scan
        self.scope: Scope = scan.main
        self.variants = Variants()
        self.suffix = ""
        """The suffix of names of blocks in the current variant."""
        self.waiting: list[Callable[[], None]] = []
        """What to do when all lines of the scope are lowered."""
        self._bound: dict[str, Expr] = {}
        """The parameter of the current DEF → what it stands for."""
        self._uses = 0
        """Uses of DEFs whose argument is kept in a variable; each has one of its own."""
        self._depth = 0

    # -- names ----------------------------------------------------------------------------

    @staticmethod
    def full_name(scope: Scope, name: str) -> str:
        """A name of a scope as the intermediate form has it."""
        return f"{scope.name}.{name}" if scope.name else name

    def symbol(self, name: str) -> Symbol:
        """The symbol of a name in the current scope. Raises Refused."""
        symbol = self.scope.symbols.get(name)
        if symbol is None:
            refuse(f"the pre-scan has not met {name}", "let the pre-scan see it")
        return symbol

    def own(self, name: str) -> str:
        """A block's name in the current variant."""
        return f"{name}{self.suffix}"

    def hidden(self, word: str) -> str:
        """A variable that the compiler adds to the current scope; no program can name it."""
        name = self.full_name(self.scope, word)
        self.code.hidden.add(name)
        return name

    def variable(self, name: str) -> str:
        """A simple variable's name in the intermediate form."""
        bound = self.variants.bound.get(name)
        if bound is not None and bound.kind == "same":
            return bound.name
        return self.full_name(self.scope, name)

    def plain_variable(self, node: nd.Variable) -> str:
        """The variable of a loop. Raises Refused."""
        match self.place(node):
            case str(name):
                return name
        refuse(f"{node.name} is an element of an array that is also passed", "use a variable")

    def place(self, target: nd.Target) -> Target:
        """What is assigned to: a variable, or an array and positions. Raises Refused."""
        symbol = self.symbol(target.name)
        if symbol.function is not None:
            refuse(f"{target.name} is a DEF", "assign to a variable")
        if target.is_string:
            refuse(STRING_VARIABLE)
        if isinstance(target, nd.Variable):
            if symbol.dimensions:
                refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give subscripts")
            return self._simple(target.name)
        if len(target.subscripts) != symbol.dimensions:
            refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give all subscripts")
        return self._position(symbol, target)

    def _simple(self, name: str) -> Target:
        """Where a simple variable is: a parameter may be an element."""
        bound = self.variants.bound.get(name)
        if bound is None or bound.kind != "element":
            return self.variable(name)
        array = self.code.arrays[bound.name]
        own = self.full_name(self.scope, name)
        return bound.name, tuple(
            Expr(
                "round",
                (var(subscript(own, n)),),
                (array.base, array.base + extent - 1, xb.BAD_SUBSCRIPT),
            )
            for n, extent in enumerate(array.extents)
        )

    def array(self, name: str) -> str:
        """The array that a name means: that of a caller, where it is a parameter."""
        bound = self.variants.bound.get(name)
        return self.variable(name) if bound is None else bound.name

    def _position(self, symbol: Symbol, node: nd.Element) -> tuple[str, tuple[Expr, ...]]:
        name = self.array(symbol.name)
        array = self.code.arrays[name]
        found = []
        for part, extent in zip(node.subscripts, array.extents, strict=True):
            found.append(self.whole(part, array.base, array.base + extent - 1, xb.BAD_SUBSCRIPT))
        return name, tuple(found)

    @staticmethod
    def held(place: Target) -> Expr:
        """The value of a place."""
        return var(place) if isinstance(place, str) else Expr("elem", place[1], place[0])

    # -- numbers --------------------------------------------------------------------------

    def whole(self, node: nd.Expression, low: int, high: int, error: int) -> Expr:
        """A number rounded to a whole one, an error outside its limits."""
        return Expr("round", (self.number(node),), (low, high, error))

    def number(self, node: nd.Expression) -> Expr:
        """A numeric expression. Raises Refused."""
        match node:
            case nd.Number():
                return self._constant(val(node.text))
            case nd.Variable() if not node.is_string:
                return self._name(node)
            case nd.Element() if not node.is_string:
                return self._element(node)
            case nd.Group():
                return self.number(node.inner)
            case nd.Unary():
                return self._unary(node)
            case nd.Binary() if not node.is_string:
                return self._binary(node)
            case nd.Function() if not node.is_string:
                return self._function(node)
            case nd.Fault():
                refuse(f"it fails with {xb.TEXTS[node.code]}", "correct it")
        refuse("it fails with STRING-NUMBER MISMATCH", "use a number")

    def _constant(self, value: Number) -> Expr:
        """A number of the program; one that is too large gives a warning each time it is read."""
        if isinstance(value, Radix) and value.overflow:
            self.do("warn of overflow")
            return const(value.value_after_warning)
        return const(value)

    def _name(self, node: nd.Variable) -> Expr:
        if node.name in self._bound:
            return self._bound[node.name]
        symbol = self.symbol(node.name)
        if symbol.function is not None:
            return self._definition(symbol, None)
        if symbol.dimensions:
            refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give subscripts")
        return self.held(self._simple(node.name))

    def _element(self, node: nd.Element) -> Expr:
        symbol = self.symbol(node.name)
        if symbol.function is not None:
            return self._definition(symbol, node.subscripts[0])
        if len(node.subscripts) != symbol.dimensions:
            refuse(f"it fails with {xb.TEXTS[xb.IMPROPERLY_USED_NAME]}", "give all subscripts")
        return self.held(self._position(symbol, node))

    def _definition(self, symbol: Symbol, argument: nd.Expression | None) -> Expr:
        """The body of a DEF in place of a use; the argument is calculated before the statement."""
        assert symbol.function is not None
        line, at = symbol.function
        node = Parser(self.lines[line][1], at).statement()
        assert isinstance(node, Def)
        if node.fault is not None or node.name.endswith("$"):
            refuse(f"DEF {node.name} gives a string or fails")
        if (node.parameter is None) != (argument is None):
            refuse("it fails with IMPROPERLY USED NAME", "use it as its DEF says")
        if self._depth >= _DEEPEST:
            refuse(f"DEF {node.name} uses itself, or DEFs use others too deeply", "use fewer")
        outer = dict(self._bound)
        if argument is not None:
            assert node.parameter is not None
            if node.parameter.endswith("$"):
                refuse(f"DEF {node.name} takes a string")
            value = self.number(argument)
            # When the original draws this number is not recorded.
            if any(part.op in ("rnd", "randint") for part in ir.walk(value)):
                refuse("RND is the argument of a DEF", "use a variable")
            if value.op not in ("const", "var"):
                self._uses += 1
                name = self.hidden(f"{node.name}({node.parameter}) {self._uses}")
                self.assign(name, value)
                value = var(name)
            self._bound = {node.parameter: value}
        else:
            self._bound = {}
        self._depth += 1
        try:
            return self.number(node.body)
        finally:
            self._depth -= 1
            self._bound = outer

    def _unary(self, node: nd.Unary) -> Expr:
        operand = self.number(node.operand)
        if node.operator == tk.PLUS:
            return operand
        if node.operator == tk.MINUS:
            return const(sub(0, operand.data)) if operand.op == "const" else Expr("neg", (operand,))
        return Expr("not", (Expr("round", (operand,), (*_WORD, xb.SYNTAX_ERROR)),))

    @staticmethod
    def _word(value: Expr) -> Expr:
        return Expr("round", (value,), (*_WORD, xb.BAD_VALUE))

    def _binary(self, node: nd.Binary) -> Expr:
        op = self._operation(node)
        if node.left.is_string or node.right.is_string:
            if not (node.left.is_string and node.right.is_string):
                refuse("it fails with STRING-NUMBER MISMATCH", "compare texts, or numbers")
            return Expr("t" + op, (self.text(node.left), self.text(node.right)))
        left, right = self.number(node.left), self.number(node.right)
        if op in ("and", "or", "xor"):
            return Expr(op, (self._word(left), self._word(right)))
        if op == "sub" and right.op == "mul":
            for divisor, quotient in (right.args, right.args[::-1]):
                # A-B*INT(A/B): a division gives the remainder as well.
                if quotient.op == "quot" and quotient.args == (left, divisor):
                    return Expr("mod", (left, divisor), Expr("sub", (left, right)))
        return Expr(op, (left, right))

    @staticmethod
    def _operation(node: nd.Binary) -> str:
        """The operation; `<=`, `>=` and `<>` are one operator of the parser."""
        found = _ARITHMETIC.get(node.operator) or _PAIRS.get(node.operator)
        if found is None:
            refuse("two values stand side by side without an operator between them", "correct it")
        return found

    def _function(self, node: nd.Function) -> Expr:
        args = node.arguments
        match node.token:
            case tk.PI:
                return const(PI)
            case tk.RND:
                return Expr("rnd")
            case tk.INT:
                return self._int(self.number(args[0]))
            case tk.LEN | tk.ASC | tk.VAL:
                name = {tk.LEN: "len", tk.ASC: "asc", tk.VAL: "val"}[node.token]
                return Expr(name, (self.text(args[0]),))
            case tk.POS:
                start = self.whole(args[2], 1, WORD_HIGH, xb.BAD_VALUE)
                return Expr("pos", (self.text(args[0]), self.text(args[1]), start))
            case token if token in _FUNCTIONS:
                return Expr(_FUNCTIONS[token], tuple(map(self.number, args)))
        refuse(f"{tk.KEYWORDS[node.token]} uses a file")

    @staticmethod
    def _int(value: Expr) -> Expr:
        plain = Expr("int", (value,))
        if value.op == "div":
            return Expr("quot", value.args, plain)
        if value.op == "mul" and "rnd" in (value.args[0].op, value.args[1].op):
            other = value.args[1] if value.args[0].op == "rnd" else value.args[0]
            # With another RND in it the order of the two would be lost.
            if all(part.op != "rnd" for part in ir.walk(other)):
                return Expr("randint", (other,), plain)
        return plain

    # -- texts ----------------------------------------------------------------------------

    def text(self, node: nd.Expression) -> Expr:
        """A string expression without variables. Raises Refused."""
        match node:
            case nd.String():
                return Expr("text", (), node.text)
            case nd.Group():
                return self.text(node.inner)
            case nd.Binary() if node.is_string:
                left, right = self.text(node.left), self.text(node.right)
                # A longer one is cut with a warning, each time that the statement runs.
                if left.op == right.op == "text" and len(left.data + right.data) <= 255:
                    return Expr("text", (), left.data + right.data)
                return Expr("cat", (left, right))
            case nd.Function() if node.is_string:
                return self._text_function(node)
            case nd.Variable() | nd.Element() if node.is_string:
                refuse(STRING_VARIABLE)
            case nd.Fault():
                refuse(f"it fails with {xb.TEXTS[node.code]}", "correct it")
        refuse("it fails with STRING-NUMBER MISMATCH", "use a text")

    def _text_function(self, node: nd.Function) -> Expr:
        args = node.arguments
        match node.token:
            case tk.STR:
                return Expr("str", (self.number(args[0]),))
            case tk.CHR:
                code = self.whole(args[0], 0, WORD_HIGH, xb.BAD_VALUE)
                if code.args[0].op == "const" and isinstance(code.args[0].data, int):
                    # CHR$ takes codes modulo 256.
                    return Expr("text", (), chr(code.args[0].data & 0xFF))
                return Expr("chr", (code,))
            case tk.SEG:
                start = self.whole(args[1], 1, WORD_HIGH, xb.BAD_VALUE)
                length = self.whole(args[2], 0, WORD_HIGH, xb.BAD_VALUE)
                return Expr("seg", (self.text(args[0]), start, length))
            case tk.RPT:
                return Expr(
                    "rpt", (self.text(args[0]), self.whole(args[1], 0, WORD_HIGH, xb.BAD_VALUE))
                )
        refuse(f"unknown function {tk.KEYWORDS[node.token]}")
