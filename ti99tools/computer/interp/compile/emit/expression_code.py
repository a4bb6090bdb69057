"""Expressions to Python source.

Numbers are Python ints below 10**14 or `Radix`, so Python's own operators do the work. An int
result that may leave the range (or a flagged overflow) is checked in line and passed to `big`; if
the bounds of the operands are known (constants, lengths, comparisons), even that check is omitted.
Every operand is evaluated once, from left to right.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_INTEGER
from ti99tools.base.cycles.language import NOTHING_MULTIPLIED
from ti99tools.computer.interp.compile.emit.variable_code import PythonValue, VariableEmitter
from ti99tools.computer.interp.compile.outline import FRACTIONS, Outline
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import LIMIT
from ti99tools.language.analysis.constants import integer
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Fault,
    Function,
    Group,
    Number,
    String,
    Unary,
    Variable,
    faulty,
)

COMPARED = {
    tk.EQUAL: "==",
    tk.LESS: "<",
    tk.GREATER: ">",
    NOT_EQUAL: "!=",
    LESS_EQUAL: "<=",
    GREATER_EQUAL: ">=",
}

LOGICAL = {tk.AND: ("&", "and_"), tk.OR: ("|", "or_"), tk.XOR: ("^", "xor_")}

ARITHMETIC = {tk.PLUS: "+", tk.MINUS: "-", tk.MULTIPLY: "*"}
FRACTIONAL = {"+": "plus", "-": "minus", "*": "times"}

_IN_NAMES = str.maketrans({".": "_", "+": "p", "-": "m"})
"""What replaces the signs of a number in the name of its constant: no two share a name."""

LONG_ROW = 20
"""Most operators in a row that become one nested Python expression."""

PLAIN: dict[int, tuple[str, int | None, int | None]] = {
    tk.LEN: ("len", 0, 255),
    tk.ASC: ("asc", 0, 255),
    tk.SGN: ("sgn", -1, 1),
    tk.ATN: ("atn", None, None),
    tk.COS: ("cos", None, None),
    tk.EXP: ("exp", None, None),
    tk.LOG: ("log", None, None),
    tk.SIN: ("sin", None, None),
    tk.SQR: ("sqr", None, None),
    tk.TAN: ("tan", None, None),
    tk.CHR: ("chr_", None, None),
    tk.SEG: ("seg", None, None),
    tk.POS: ("pos", 0, 32767),
    tk.VAL: ("val", None, None),
    tk.STR: ("to_str", None, None),
    tk.MAX: ("max_", None, None),
    tk.MIN: ("min_", None, None),
    tk.RPT: ("rpt", None, None),
    tk.RND: ("rnd", None, None),
    tk.EOF: ("eof", -1, 1),
    tk.REC: ("rec", None, None),
}
"""Function token → its name in run/library and the bounds of its value."""


WARNING = frozenset((tk.EXP, tk.TAN, tk.VAL, tk.RPT))
"""Functions that may warn about a number or a string."""


class ExpressionEmitter(VariableEmitter):
    """Turns expression nodes into source."""

    def __init__(self, outline: Outline, scope: Scope) -> None:
        super().__init__(outline, scope)
        self.timing = outline.timing(scope)
        self._charged: tuple[Expression, ...] = ()
        self._pushed = 0
        self._still_to_come: dict[int, int] | None = None
        self._left_undone: dict[int, int] | None = None
        self._settling = "big"
        self.afterwards: list[tuple[str, str]] | None = None
        """Names of operands, and the cycles that each saves if it is 0: for a statement that looks
        at them when it is done. None: operators look themselves.
        """

    # -- what families use ----------------------------------------------------------------

    def number(self, node: Expression) -> str:
        """Source of a numeric expression."""
        return self.value(node).source

    def given(self, node: Expression, parameter: str | None = None) -> str:
        """Source of a value for a parameter of a SUB, or for the named `parameter` of a DEF."""
        source = self.value(node).source
        if not node.is_string or not self.outline.placed:
            return source
        return f"taken({source})" if parameter is None else f"lent({source}, {parameter!r})"

    def condition(self, node: Expression) -> str:
        """Source that is true when a numeric expression is not 0."""
        match node:
            case Group(inner) if not inner.is_string:
                return self.condition(inner)
            case Binary(op, left, right) if op in COMPARED and not faulty(right):
                return self._comparison(op, left.is_string, self.value(left), self.value(right))
            case Binary(op, left, right) if (
                op in LOGICAL and op != tk.XOR and _is_truth(left) and _is_truth(right)
            ):
                sign = LOGICAL[op][0]
                return f"({self.condition(left)}) {sign} ({self.condition(right)})"
            case Unary(tk.NOT, operand) if _is_truth(operand):
                return f"not ({self.condition(operand)})"
        return self.value(node).source

    def added(self, node: Expression, step: PythonValue) -> PythonValue:
        """Source of a number plus a loop's step; NEXT does not warn of an overflow.

        Source: the published listing of the ROM.
        """
        value = self.value(node)
        self._settling = "capped"
        value = self._arithmetic("+", value, step, node)
        self._settling = "big"
        return value

    # -- warnings -------------------------------------------------------------------------

    def charged(self, *nodes: Expression, pushed: int = 0) -> None:
        """Note the expressions that the following code evaluates; their time is already charged.

        `pushed` values lie on the stack before them.
        """
        self._charged = nodes
        self._pushed = pushed
        self._still_to_come = self._left_undone = None

    def big(self, source: str, node: Expression) -> str:
        """Source of a result as a proper number; its warning comes when `node` is evaluated."""
        if self._settling != "big":
            return f"{self._settling}({source})"
        return f"big({source}{self.to_come(node)})"

    def left_undone(self, node: Expression) -> str:
        """Source of a further argument: the charged cycles that an error in a node saves."""
        if self._left_undone is None:
            self._left_undone = self.timing.left_undone(self._charged, self._pushed)
        cycles = self._left_undone.get(id(node), 0)
        return f", {cycles}" if cycles else ""

    def to_come(self, node: Expression) -> str:
        """Source of a further argument: the cycles already charged for what follows a node."""
        if self._still_to_come is None:
            self._still_to_come = self.timing.still_to_come(self._charged)
        cycles = self._still_to_come.get(id(node), 0)
        return f", {cycles}" if cycles else ""

    # -- expressions ----------------------------------------------------------------------

    def value(self, node: Expression) -> PythonValue:
        """Source of any expression, with its bounds."""
        match node:
            case Number(text):
                return self._number(node, text)
            case String(text):
                return self._made(repr(text))
            case Variable():
                return self._variable(node)
            case Element():
                return self._indexed(node)
            case Group(inner):
                return self.value(inner)
            case Unary(op, operand):
                return self._unary(op, operand)
            case Binary():
                return self._binary(node)
            case Function():
                return self._function(node)
            case Fault(code, before):
                parts = "".join(f", {self.value(part)}" for part in before)
                return PythonValue(f"fault({code}{parts})")
        raise AssertionError(node)

    def _made(self, source: str) -> PythonValue:
        """A string that the machine makes for an expression."""
        return PythonValue(f"made({source})" if self.outline.placed else source)

    def _number(self, node: Number, text: str) -> PythonValue:
        try:
            number = parse_number(text)
        except ValueError:
            # The editor accepts such a number, but the machine cannot read it.
            return PythonValue(f"fault({xb.SYNTAX_ERROR})")
        if isinstance(number, int):
            return PythonValue(str(number), number, number)
        name = "k" + text.strip(" ").translate(_IN_NAMES)
        self.constants[name] = number
        return PythonValue(self.big(name, node) if number.overflow else name, fraction=True)

    def _variable(self, node: Variable) -> PythonValue:
        name = node.name
        local = self.local.get(name)
        if local is not None:
            return PythonValue(local)
        symbol = self.symbol(name, 0)
        if symbol is None:
            return self.missing(name)
        if symbol.function is not None:
            return self._called(symbol, node.depth)
        source = self.use(symbol)
        known = self.narrow.get(name) or self.outline.ranges.get(name)
        if known is not None:
            return PythonValue(source, known[0], known[1])
        return PythonValue(source, fraction=name in self.outline.fractions)

    def _indexed(self, node: Element) -> PythonValue:
        index = self.element(node)
        if index is not None:
            return PythonValue(
                f"{index[0]}[{index[1]}]", fraction=node.name in self.outline.fractions
            )
        symbol = self.symbol(node.name, len(node.subscripts))
        if symbol is not None and symbol.function is not None:
            return self._called(symbol, node.depth, node.subscripts[0])
        symbol = self.scope.symbols.get(node.name)
        if symbol is not None and symbol.is_array:
            wrong = self._wrong_subscripts(node, symbol)
            if wrong is not None:
                return wrong
        if any(map(faulty, node.subscripts)):
            parts = ", ".join(self.value(part).source for part in node.subscripts)
            return PythonValue(f"fault({xb.SYNTAX_ERROR}, {parts})")
        return self.missing(node.name)

    def _wrong_subscripts(self, node: Element, symbol: Symbol) -> PythonValue | None:
        """Each subscript is checked when it has been evaluated, up to the first wrong one."""
        base = self.outline.scan.base
        extents = symbol.extents(base)
        parts: list[str] = []
        for i, part in enumerate(node.subscripts):
            if faulty(part) or part.is_string:
                code = xb.SYNTAX_ERROR if faulty(part) else xb.STRING_NUMBER_MISMATCH
                return PythonValue(
                    f"fault({', '.join((str(code), *parts, self.value(part).source))})"
                )
            within = i < len(extents)
            source = self._subscript(part, base, extents[i]) if within else self.value(part).source
            parts.append(source)
        return None

    def _called(
        self, symbol: Symbol, depth: int, argument: Expression | None = None
    ) -> PythonValue:
        """Source of a call of a DEF; an argument of the wrong type fails inside the function."""
        if self.is_command:
            return PythonValue(f"fault({xb.ONLY_LEGAL_IN_A_PROGRAM})")
        if argument is None:
            return PythonValue(f"{self.function(symbol, depth)}()")
        wanted = (symbol.argument or "").endswith("$")
        mismatch = argument.is_string != wanted and not faulty(argument)
        given = self.given(argument, symbol.argument or "")
        return PythonValue(f"{self.function(symbol, depth)}({given}, {mismatch})")

    def _unary(self, op: int, operand: Expression) -> PythonValue:
        value = self.value(operand)
        bounds = value.bounds
        if op == tk.PLUS:
            return value
        if op == tk.MINUS:
            if bounds is None:
                return PythonValue(f"(-{value})", fraction=value.fraction)
            return PythonValue(f"(-{value})", -bounds[1], -bounds[0])
        if value.within(-32768, 32767):
            # Within 16 bits Python's own operator gives the same result.
            return PythonValue(f"(~{value})", ~value.high, ~value.low)  # type: ignore[operator]
        return PythonValue(f"not_({value})", -32768, 32767)

    def _binary(self, node: Binary) -> PythonValue:
        """An operator; a long row of them goes step by step, since Python's nesting is limited."""
        row: list[Binary] = []
        first: Expression = node
        while isinstance(first, Binary):
            row.append(first)
            first = first.left
        value = self.value(first)
        if len(row) <= LONG_ROW:
            for part in reversed(row):
                value = self._combined(part, value)
            return value
        steps: list[str] = []
        for part in reversed(row):
            value = self._combined(part, value)
            temp = self.temp()
            steps.append(f"({temp} := {value})")
            value = PythonValue(temp, value.low, value.high, value.fraction)
        return PythonValue(f"({', '.join(steps)})[-1]", value.low, value.high, value.fraction)

    def _combined(self, node: Binary, a: PythonValue) -> PythonValue:
        """An operator applied to its left operand's source and its right operand."""
        op, b = node.operator, self.value(node.right)
        if faulty(node.left) or faulty(node.right):
            return PythonValue(f"({a}, {b})[0]")
        if op in COMPARED:
            return PythonValue(f"-({self._comparison(op, node.left.is_string, a, b)})", -1, 0)
        if op in LOGICAL:
            sign, function = LOGICAL[op]
            if a.within(-32768, 32767) and b.within(-32768, 32767):
                low, high = (-1, 0) if a.within(-1, 0) and b.within(-1, 0) else (-32768, 32767)
                return PythonValue(f"({a} {sign} {b})", low, high)
            return PythonValue(f"{function}({a}, {b})", -32768, 32767)
        if op == tk.CONCAT:
            if self.outline.placed:
                return PythonValue(f"spliced(joined(appended_to({a}), {b}{self.to_come(node)}))")
            return self._made(f"joined({a}, {b}{self.to_come(node)})")
        if op in ARITHMETIC:
            return self._arithmetic(ARITHMETIC[op], a, b, node)
        if op == tk.DIVIDE:
            return self._settled("div", a, b, node)
        return PythonValue(f"power({a}, {b}{self.to_come(node)})", fraction=a.fraction)

    def _comparison(self, op: int, strings: bool, a: PythonValue, b: PythonValue) -> str:
        """Source of a Python bool; the order of strings is the machine's, not Python's."""
        if strings and op not in (tk.EQUAL, NOT_EQUAL):
            return f"order({a}, {b}) {COMPARED[op]} 0"
        return f"{a} {COMPARED[op]} {b}"

    def _arithmetic(
        self, sign: str, a: PythonValue, b: PythonValue, node: Expression
    ) -> PythonValue:
        source = f"{a} {sign} {b}"
        if a.bounds is not None and b.bounds is not None:
            low, high = _result_bounds(sign, a.bounds, b.bounds)
            if low > -LIMIT and high < LIMIT and not self._often_0(node):
                return PythonValue(f"({source})", low, high)
        often = (False, False)
        if isinstance(node, Binary) and self._settling == "big":
            often = self._often_0(node.left), self._often_0(node.right)
        function = FRACTIONAL[sign]
        if a.fraction or b.fraction:
            careful = any(often) and sign != "*"
            return self._settled(f"{function}_0" if careful else function, a, b, node)
        if any(often):
            return (
                self._product(source, node) if sign == "*" else self._sum(sign, a, b, node, often)
            )
        temp = self.temp()
        big = self.big(temp, node)
        return PythonValue(f"({temp} if -10**14 < ({temp} := {source}) < 10**14 else {big})")

    def _often_0(self, node: Expression) -> bool:
        """Tell whether an operand is likely to be 0: an element of an array, a truth value, or what
        a subprogram has answered.
        """
        match node:
            case Group(inner):
                return self._often_0(inner)
            case Element():
                return True
            case Variable(name):
                return name in self.outline.flags
            case Binary(tk.MULTIPLY, left, right):
                return self._often_0(left) or self._often_0(right)
        return _is_truth(node)

    def _product(self, source: str, node: Expression) -> PythonValue:
        """A product, which takes less time if it is 0."""
        temp = self.temp()
        within = f"-10**14 < ({temp} := {source}) < 10**14"
        if self.afterwards is not None:
            self.afterwards.append((temp, str(NOTHING_MULTIPLIED)))
            return PythonValue(f"({temp} if {within} else {self.big(temp, node)})")
        within += f" and {temp}"
        return PythonValue(f"({temp} if {within} else no_product({temp}{self.to_come(node)}))")

    def _sum(
        self, sign: str, a: PythonValue, b: PythonValue, node: Expression, often: tuple[bool, bool]
    ) -> PythonValue:
        """A sum or difference, which takes less time with an operand of 0; looked at only where
        that is likely.
        """
        if often[1] and isinstance(node, Binary) and isinstance(node.left, Variable):
            # Where flags are added up, the sum is mostly 0, too.
            often = (True, True)
        names = [self.temp() if is_0 else "1" for is_0 in often]
        first, second = (
            f"({name} := {value})" if is_0 else value.source
            for name, value, is_0 in zip(names, (a, b), often, strict=True)
        )
        temp = self.temp()
        within = f"-10**14 < ({temp} := {first} {sign} {second}) < 10**14"
        if self.afterwards is not None:
            test = " and ".join(name for name in names if name != "1")
            self.afterwards.append((f"({test})", f"saved_by_0({', '.join(names)})"))
            return PythonValue(f"({temp} if {within} else {self.big(temp, node)})")
        within += "".join(f" and {name}" for name in names if name != "1")
        other = f"no_sum({temp}, {', '.join(names)}{self.to_come(node)})"
        return PythonValue(f"({temp} if {within} else {other})")

    def _settled(
        self, function: str, a: PythonValue, b: PythonValue, node: Expression
    ) -> PythonValue:
        """A function of `numbers.radix`, whose results are proper numbers except for overflow."""
        temp = self.temp()
        proper = f"({temp} := {function}({a}, {b})) is not over and {temp} is not under"
        return PythonValue(f"({temp} if {proper} else {self.big(temp, node)})", fraction=True)

    def _function(self, node: Function) -> PythonValue:
        token, arguments = node.token, node.arguments
        if token == tk.PI:
            return PythonValue("pi")
        since = len(self.afterwards or ())
        values = [self.value(argument) for argument in arguments]
        bounds = values[0].bounds if values else None
        if token == tk.ABS:
            if bounds is None:
                return PythonValue(f"abs({values[0]})")
            high = max(abs(bounds[0]), abs(bounds[1]))
            return PythonValue(f"abs({values[0]})", 0, high)
        if token == tk.INT:
            if bounds is not None:
                return values[0]
            return self._floor(arguments[0], values[0], since)
        if token == tk.SEG and not values[1].within(1, HIGHEST_INTEGER):
            # The machine refuses a start before it evaluates the length.
            undone = self.left_undone(arguments[1])
            values[1] = PythonValue(f"natural({values[1]}, 1{undone})", 1, HIGHEST_INTEGER)
        name, low, high_bound = PLAIN[token]
        to_come = self.to_come(node) if token in WARNING else ""
        sources = [value.source for value in values]
        if token == tk.VAL and self.outline.placed:
            sources[0] = f"ended({sources[0]})"
        source = f"{name}({', '.join(sources)}{to_come})"
        if node.is_string:
            return self._made(source)
        return PythonValue(source, low, high_bound, token in FRACTIONS)

    def _floor(self, node: Expression, value: PythonValue, since: int) -> PythonValue:
        """INT; for a quotient by a whole constant, Python's own division.

        The machine rounds the quotient, but up to 10**12 never to the next whole number. `since`:
        how many corrections of the time there were before the value.
        """
        temp = self.temp()
        while isinstance(node, Group):
            node = node.inner
        if isinstance(node, Binary) and node.operator == tk.DIVIDE:
            divisor = integer(node.right)
            if divisor:
                if self.afterwards is not None:  # those of the dividend, which is written anew
                    del self.afterwards[since:]
                dividend = self.value(node.left)
                bounds = dividend.bounds
                if bounds is not None and bounds[0] > -(10**12) and bounds[1] < 10**12:
                    ends = (bounds[0] // divisor, bounds[1] // divisor)
                    return PythonValue(f"({dividend} // {divisor})", min(ends), max(ends))
                whole = f"({temp} := {dividend}).__class__ is int and -10**12 < {temp} < 10**12"
                quotient = self.big(f"div({temp}, {divisor})", node)
                other = f"floor({quotient})"
                return PythonValue(f"({temp} // {divisor} if {whole} else {other})")
        return PythonValue(f"({temp} if ({temp} := {value}).__class__ is int else floor({temp}))")


def _result_bounds(sign: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    if sign == "+":
        return a[0] + b[0], a[1] + b[1]
    if sign == "-":
        return a[0] - b[1], a[1] - b[0]
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _is_truth(node: Expression) -> bool:
    """Tell whether a numeric expression is certainly 0 or -1."""
    match node:
        case Group(inner):
            return _is_truth(inner)
        case Binary(op, left, right):
            if faulty(left) or faulty(right):
                return False
            return op in COMPARED or (op in LOGICAL and _is_truth(left) and _is_truth(right))
        case Unary(tk.NOT, operand):
            return _is_truth(operand)
    return False
