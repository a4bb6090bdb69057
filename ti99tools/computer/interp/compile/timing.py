"""What statements, names and expressions cost on the machine, in CPU cycles (3 MHz).

A statement's static cost is the sum of the costs of its parts, read off the syntax tree: names and
expressions here, the rest where the statement is compiled (`emit`). The figures and their sources
are in `base/cycles`.

Where a cost depends on values that only the run knows, the static cost uses the literal value if
there is one, else a usual value: `TEXT` characters in a string, one cell in HCHAR. Waits for
sounds, keys and disks, and the rows that PRINT scrolls, are not part of it: the machine takes their
time. What VAL, RPT$, POS, / and ^ take in addition depends on their values (run/library).

The machine looks a name up from the newest one to the oldest, in the order in which the pre-scan
met them: the first name of a program is the slowest. GOTO and GOSUB look for their line from the
highest number downwards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from ti99tools.base import tokens as tk
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.base.cycles import language as cy
from ti99tools.base.cycles.console import SCAN
from ti99tools.computer.interp.compile.emit.registry import FAMILIES
from ti99tools.computer.interp.compile.shut import SERIES, is_shut
from ti99tools.language.analysis.constants import integer
from ti99tools.language.prescan.symbols import Scope, Work
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor, find_else
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.nodes import operands
from ti99tools.language.syntax.statements import every_statement, parts

TEXT = 10
"""Characters in a string of unknown length."""


class Timings:
    """Costs in each scope of a program with some line numbers and subprograms."""

    def __init__(self, lines: Iterable[int], subs: Container[str]) -> None:
        self._lines, self._subs = lines, subs
        self._known: dict[object, Timing] = {}

    def of(self, scope: Scope) -> Timing:
        """The costs in a scope, made once."""
        timing = self._known.get(scope.identity)
        if timing is None:
            functions = {s.name for s in scope.symbols.values() if s.function is not None}
            parameters = {parameter.name for parameter in scope.parameters}
            timing = Timing(scope.symbols, self._lines, functions, self._subs, parameters)
            self._known[scope.identity] = timing
        return timing


class Timing:
    """Costs of the statements of one scope (main program or SUB).

    `names` are its names in the order the pre-scan met them, `lines` the program's line numbers,
    `functions` the names that DEF defines, `subs` the program's subprograms,
    `parameters` those of this SUB.
    """

    def __init__(
        self,
        names: Iterable[str] = (),
        lines: Iterable[int] = (),
        functions: Container[str] = (),
        subs: Container[str] = (),
        parameters: Container[str] = (),
    ) -> None:
        self._names = tuple(names)
        self._functions = functions
        self._lines = sorted(lines)
        self._subs = subs
        self._parameters = parameters
        self._name = lru_cache(maxsize=None)(self._look_up)
        self._known: dict[int, tuple[nd.Expression, int]] = {}
        """Cycles of expressions, by their `id`: they are asked for again and again."""

    def statement(self, node: st.Statement) -> int:
        """Cycles of one statement, without the statements inside an IF.

        The first statement of a line includes the cost of the line, others that of the `::`.
        """
        family = FAMILIES[type(node)]
        if isinstance(node, st.EmptyStatement) and node.tail:
            return cy.TAIL_REMARK
        line = cy.COSTS["::"] if node.at else cy.COSTS["line"]
        return line + family.cycles + (family.parts(self, node) if family.parts else 0)

    def functions_in(self, node: st.Statement | nd.Expression) -> int:
        """The number of times a statement or expression enters a function of DEF."""
        # A DEF itself is passed over; its body runs where it is used.
        if isinstance(node, st.Def):
            return 0
        named = (part for part in parts(node) if isinstance(part, nd.Variable | nd.Element))
        return sum(part.name in self._functions for part in named)

    def function(self, node: st.Def) -> int:
        """Cycles of a function of DEF each time that it is entered."""
        if node.parameter is None:
            kind = "DEF"
        else:
            kind = "DEF with a string" if node.parameter.endswith("$") else "DEF with a parameter"
        return cy.COSTS[kind] + self.expression(node.body)

    def is_own(self, subprogram: str) -> bool:
        """Tell whether a subprogram is a SUB of the program."""
        return subprogram in self._subs

    def target(self, node: nd.Expression) -> int:
        """Cycles to find a variable to store into."""
        if not isinstance(node, nd.Element):
            return self.expression(node)
        # The value that is there is not fetched.
        return self.expression(node) - cy.COSTS["element"] + cy.STORED_ELEMENT

    def is_function(self, name: str) -> bool:
        """Tell whether a name is that of a DEF."""
        return name in self._functions

    def after(self, line: Iterable[st.Statement], node: st.Statement) -> int:
        """Cycles that it takes longer to come to a statement of a line: `::` after some others."""
        before = [one for one in every_statement(line) if one.end + 1 == node.at]
        if not before:
            return 0
        if isinstance(before[-1], st.For):
            return cy.AFTER_FOR
        if is_shut(self, before[-1]):
            return 0
        return cy.AFTER_GPL + cy.AFTER_LIST * isinstance(before[-1], st.Print | st.Display)

    def search(self, line: int) -> int:
        """The search for a line: one step for each line with a higher number."""
        return cy.COSTS["line passed"] * sum(1 for number in self._lines if number > line)

    def before(self, line: int) -> int:
        """The number of lines before a line."""
        return bisect_left(self._lines, line)

    def expressions(self, nodes: Iterable[nd.Expression | None]) -> int:
        """Cycles of several expressions; None is a missing expression."""
        return sum(self.expression(node) for node in nodes if node is not None)

    def expression(self, node: nd.Expression) -> int:
        """Cycles to evaluate an expression, or to find a variable to store into."""
        known = self._known.get(id(node))
        if known is None:
            # With the expression itself: no other gets its `id` while it is kept.
            known = self._known[id(node)] = node, self._evaluating(node)
        return known[1]

    def _evaluating(self, node: nd.Expression) -> int:
        match node:
            case nd.Number(text=text):
                return _constant(text)
            case nd.String(text=""):
                return cy.COSTS["empty string constant"]
            case nd.String(text=text):
                return cy.COSTS["string constant"] + cy.COSTS["constant character"] * len(text)
            case nd.Variable(name=name):
                return self._name(name)
            case nd.Element(name=name, subscripts=subscripts):
                time = self._name(name) + self.expressions(subscripts)
                indexing = cy.COSTS["element"] + cy.COSTS["subscript"] * len(subscripts)
                # A name with an argument may be a DEF, which indexes nothing.
                return time if name in self._functions else time + indexing
            case nd.Group(inner=inner):
                return cy.COSTS["("] + self.expression(inner)
            case nd.Unary(operator=operator, operand=operand):
                return cy.COSTS["unary " + tk.KEYWORDS[operator]] + self.expression(operand)
            case nd.Binary(operator=operator, left=left, right=right):
                return self.expressions((left, right)) + _operator(operator, left, right)
            case nd.Function(token=token, arguments=arguments) if token in SERIES:
                return self.expressions(arguments)
            case nd.Function(token=token, arguments=arguments):
                return cy.COSTS[tk.KEYWORDS[token]] + self.expressions(arguments)
            case nd.Fault(before=before):
                return self.expressions(before)

    def still_to_come(self, nodes: Iterable[nd.Expression]) -> dict[int, int]:
        """Cycles that remain after each part of several expressions evaluated in order, by the
        part's `id`.
        """
        ends: dict[int, int] = {}
        total = 0
        for node in nodes:
            total = self._end(node, total, ends)
        return {part: total - end for part, end in ends.items()}

    def left_undone(self, nodes: Iterable[nd.Expression], pushed: int) -> dict[int, int]:
        """As `still_to_come`, less the time that an error in a part takes to clear the stack.

        `pushed` values lie there before the first expression.
        """
        nodes = tuple(nodes)
        to_come = self.still_to_come(nodes)
        depths: dict[int, int] = {}
        for node in nodes:
            _stack(node, pushed, depths)
        return {part: cycles - cy.UNSTACKED * depths[part] for part, cycles in to_come.items()}

    def _end(self, node: nd.Expression, start: int, ends: dict[int, int]) -> int:
        """The time at which an expression begun at `start` ends; noted for it and its parts."""
        inner = start
        for operand in operands(node):
            inner = self._end(operand, inner, ends)
        ends[id(node)] = start + self.expression(node)
        return ends[id(node)]

    def _look_up(self, name: str) -> int:
        """A name's value: the search for its characters, past every newer name, and fetching it."""
        kind = "string variable" if name.endswith("$") else "variable"
        time = cy.COSTS[kind] + self.looking_up(name)
        return time + cy.COSTS["parameter"] if name in self._parameters else time

    def looking_up(self, name: str) -> int:
        """The search for a name, without what is found."""
        newer = self._names[self._names.index(name) + 1 :] if name in self._names else ()
        same = [other for other in newer if len(other) == len(name)]
        return (
            cy.COSTS["name character"] * (len(name) - 1)
            + round(cy.NAME_PASSED * len(newer) + cy.NAME_OF_THE_SAME_LENGTH * len(same))
            + cy.COSTS["equal character"] * sum(_common(name, other) for other in same)
        )


def scanning(work: Work) -> int:
    """Cycles of a pre-scan, from RUN to the first statement."""
    return (
        SCAN["RUN"]
        + SCAN["line"] * work.lines
        + SCAN["remark"] * work.remarks
        + SCAN["statement"] * work.statements
        + SCAN["entry"] * work.entries
        + SCAN["name"] * work.names
        + SCAN["name character"] * (work.characters - work.names)
        + SCAN["name passed"] * work.passed
        + SCAN["name of the same length"] * work.same_length
        + SCAN["token ahead"] * work.steps
        + SCAN["comma"] * work.commas
        + SCAN["byte ahead"] * work.ahead
        + SCAN["CALL"] * work.built_in
        + SCAN["CALL letter"] * work.letters
        + SCAN["new CALL letter"] * work.new_letters
        + SCAN["CALL SUB"] * work.own
        + SCAN["line number"] * work.jumps
        + SCAN["symbol"] * work.symbols
        + SCAN["dimension"] * work.dimensions
        + SCAN["element"] * work.elements
        + SCAN["DIM"] * work.declared
        + SCAN["DEF"] * work.functions
        + SCAN["DEF parameter"] * work.arguments
        + SCAN["DEF string"] * work.texts
        + SCAN["SUB"] * work.subs
        + SCAN["OPTION BASE"] * work.options
        + SCAN["token"] * work.tokens
    )


TWO_SIGNS = (GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL)
_IF_FALSE_EQUAL = {tk.EQUAL: -cy.EQUAL, NOT_EQUAL: cy.EQUAL}
"""Relation → cycles added where it is false: only then, or only else, operands are equal."""
ARITHMETIC = (tk.PLUS, tk.MINUS, tk.MULTIPLY, tk.DIVIDE, tk.AND, tk.OR, tk.XOR)


def _stack(node: nd.Expression, pushed: int, depths: dict[int, int]) -> None:
    """Note the number of values on the stack when each part of an expression is evaluated."""
    depths[id(node)] = pushed
    # An element has the address of its array on the stack, too.
    first = 1 if isinstance(node, nd.Element) else 0
    for place, operand in enumerate(operands(node), first):
        _stack(operand, pushed + place, depths)


def _common(a: str, b: str) -> int:
    """The number of characters that two names of one length have in common at their start."""
    count = 0
    while count < len(a) and a[count] == b[count]:
        count += 1
    return count


_TWO_DIGITS = 100
"""The first whole number of two digits to the base of 100."""


def counting(node: st.For) -> int:
    """Cycles that NEXT takes more than usual in the mean of all rounds of a loop, as far as the
    text tells.
    """
    start, limit = integer(node.start), integer(node.limit)
    step = 1 if node.step is None else integer(node.step)
    if start is None or limit is None or step != 1 or start < 0 or limit < _TWO_DIGITS:
        return 0
    rounds = limit - start + 1
    return cy.NEXT_FROM_100 * (limit - max(start, _TWO_DIGITS) + 1) // max(rounds, 1)


def passing(tokens: bytes, node: st.If) -> int:
    """Cycles that an IF of a line takes where it is false, up to ELSE or the end of the line."""
    cycles = 0
    if isinstance(node.condition, nd.Binary):
        cycles = _IF_FALSE_EQUAL.get(node.condition.operator, 0)
    if isinstance(node.then, st.Jump):
        return (
            cycles
            + cy.IF_NUMBER_PASSED
            + cy.IF_NUMBER_PASSED_TO_ELSE * (node.otherwise is not None)
        )
    cursor = Cursor(tokens, node.at)
    while cursor.token not in (0, tk.THEN):
        cursor.step()
    cursor.step()
    otherwise = find_else(tokens, cursor.at)
    end = len(tokens) if otherwise is None else otherwise - 1
    cycles += cy.IF_FALSE + cy.IF_PASSED_TO_ELSE * (otherwise is not None)
    while cursor.at < end:
        constant = cursor.token in (tk.QUOTED, tk.UNQUOTED)
        cycles += cy.IF_PASSED + cy.IF_CONSTANT_PASSED * constant
        cursor.step()
    return cycles


def _operator(operator: int, left: nd.Expression, right: nd.Expression) -> int:
    if operator == tk.POWER:
        return cy.COSTS["^"]
    if operator == tk.CONCAT:
        return cy.COSTS["&"]
    if operator in (tk.PLUS, tk.MINUS):
        # Constants are mostly smaller than what they are added to.
        likely = cy.LARGER_FIRST // 2
        if isinstance(left, nd.Number) is not isinstance(right, nd.Number):
            likely = cy.LARGER_FIRST if isinstance(right, nd.Number) else 0
        return cy.COSTS[tk.KEYWORDS[operator]] + likely
    if operator in ARITHMETIC:
        return cy.COSTS[tk.KEYWORDS[operator]]
    more = cy.COSTS["second sign"] if operator in TWO_SIGNS else 0
    if operator == tk.EQUAL and not left.is_string:
        more += cy.EQUAL
    return more + cy.COSTS["relation of strings" if left.is_string else "relation"]


@lru_cache(maxsize=4096)
def _constant(text: str) -> int:
    """Cycles of a number: the machine takes its figures in pairs, those to the base of 100."""
    text = text.strip()
    if text == "0":
        return cy.COSTS["constant 0"]
    mantissa, _, exponent = text.partition("E")
    whole, point, fraction = mantissa.partition(".")
    whole = whole.lstrip("0")
    leading = 0 if whole else len(fraction) - len(fraction.lstrip("0"))
    figures = len(whole) + len(fraction) - leading + len(exponent)
    tens = len(whole) // 2 + (len(fraction) + 1) // 2
    other = sum(figure not in "0.E" for figure in text)
    return (
        cy.COSTS["constant"]
        + cy.COSTS["constant digit"] * max(figures - 1, 0)
        + cy.COSTS["constant tens"] * tens
        + cy.COSTS["constant figure"] * max(other - 1, 0)
        + (cy.COSTS["constant point"] if point else 0)
        + cy.COSTS["constant leading 0"] * leading
    )


def literal(argument: st.Argument, usual: int) -> int:
    """The value of a constant whole argument; `usual` for any other."""
    if isinstance(argument, nd.Number) and argument.text.isdecimal():
        return int(argument.text)
    return usual


def repetitions(arguments: Sequence[nd.Expression]) -> int:
    """The number of times RPT$ copies its string, whose result ends at 255 characters."""
    length = text_length(arguments[0])
    return min(literal(arguments[1], TEXT), LONGEST_STRING // length if length else 0)


def text_length(node: st.Argument) -> int:
    """Characters of a string expression as far as the program text shows, else the usual number."""
    match node:
        case nd.String(text=text):
            return len(text)
        case nd.Binary(left=left, right=right):
            return min(LONGEST_STRING, text_length(left) + text_length(right))
        case nd.Function(token=tk.CHR):
            return 1
        case nd.Function(token=tk.SEG, arguments=arguments):
            return min(literal(arguments[2], TEXT), text_length(arguments[0]))
        case nd.Function(token=tk.RPT, arguments=arguments):
            return text_length(arguments[0]) * repetitions(arguments)
    return TEXT
