"""What statements cost on the real machine, in CPU cycles (3 MHz).

A statement's static cost is the sum of its charges: pairs of a key of `COSTS` and a count, read
off the syntax tree. The table was fitted to the loops recorded on the real machine
(conformance/timing-dev.json, TI-99/4A with Extended BASIC v110 and 32K), each of which runs one
statement some hundred times; the recording sees the total to ±200,000 cycles, so that a charge is
good to some hundred cycles, a tenth of a short statement at worst.

Where a cost depends on values that only the run knows, the static charge uses the literal value if
there is one, else a usual value: `TEXT` characters in a string, one cell in HCHAR. The waits of
CALL SOUND, of keys and of disks are no cost of statements: the machine's clock makes them. So does
PRINT for the rows that it scrolls.

The machine looks a name up from the newest one to the oldest, in the order in which the pre-scan
met them: the first name of a program is the slowest. GOTO and GOSUB look for their line from the
highest number downwards.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.costs import COSTS, LOADED_BYTE, LOADED_LINE
from ti99tools.source.builtins import SUBPROGRAMS, kinds
from ti99tools.source.syntax import nodes as nd
from ti99tools.source.syntax import statements as st

Charge: TypeAlias = tuple[str, int]

TEXT = 10
"""Characters in a string of unknown length."""

LONGEST_TEXT = 255


class Timing:
    """Costs of the statements of one scope (main program or SUB).

    `names` are its names in the order the pre-scan met them, `lines` the program's line numbers,
    `functions` the names that DEF defines, `subs` the program's subprograms.
    """

    def __init__(
        self,
        names: Iterable[str] = (),
        lines: Iterable[int] = (),
        functions: Container[str] = (),
        subs: Container[str] = (),
    ) -> None:
        self._names = tuple(names)
        self._functions = functions
        self._subs = subs
        self._lines = sorted(lines)
        self._lookup = lru_cache(maxsize=None)(self._look_up)

    def statement(self, node: st.Statement) -> int:
        """Cycles of one statement, without those inside an IF and without what runs before it.

        The first statement of a line has the cost of the line in it.
        """
        return price(self.charges(node))

    def uses_functions(self, node: st.Statement) -> bool:
        """Whether a statement enters functions of DEF, which may take time of their own."""
        return any(what == "DEF" for what, _ in self.charges(node))

    def functions(self, body: nd.Expression) -> int:
        """Cycles of the functions that a DEF's body enters; the rest is in the cost of a DEF."""
        return price(charge for charge in self.expression(body) if charge[0] == "DEF")

    def charges(self, node: st.Statement) -> Iterator[Charge]:
        """What a statement is charged for."""
        if not node.at:
            yield "line", 1
        match node:
            case st.Let(targets=targets, value=value):
                yield "LET", 1
                yield "LET target", len(targets) - 1
                for target in targets:
                    yield from self.expression(target)
                if value is not None:
                    yield from self.expression(value)
                    if value.is_string:
                        yield "string character", text_length(value)
            case st.If(condition=condition, then=then, otherwise=otherwise):
                yield "IF", 1
                yield from self.expression(condition)
                if otherwise is not None:
                    yield "ELSE", 1
                if isinstance(then, st.Jump):
                    yield "THEN line", 1
            case st.Goto(line=line):
                yield "GOTO", 1
                yield from self.search(line)
            case st.Gosub(line=line):
                yield "GOSUB", 1
                yield from self.search(line)
            case st.OnGo(selector=selector, gosub=gosub, lines=lines):
                yield "ON", 1
                yield "GOSUB" if gosub else "GOTO", 1
                yield from self.expression(selector)
                if lines:
                    yield from self.search(lines[0])
            case st.For(variable=variable, start=start, limit=limit, step=step):
                yield "FOR", 1
                yield from self.expression(variable)
                for part in (start, limit, step):
                    if part is not None:
                        yield from self.expression(part)
            case st.Next(variable=variable):
                yield "NEXT", 1
                yield from self.expression(nd.Variable(variable))
            case st.Read(targets=targets):
                for target in targets:
                    yield "READ", 1
                    yield from self.expression(target)
            case st.Randomize(seed=seed):
                yield "RANDOMIZE", 1
                if seed is not None:
                    yield from self.expression(seed)
            case st.Print(file=file, using=using, items=items):
                yield "PRINT", 1
                if file is None:
                    yield from self.print_list(items, using)
                else:
                    yield "record", 1
                    yield from self.expression(file.number)
                    yield from self.print_list(items, using, "filed")
            case st.Display(clauses=clauses, using=using, items=items):
                yield "DISPLAY", 1
                for clause in clauses:
                    yield from self.clause(clause)
                yield from self.print_list(items, using)
            case st.Call():
                yield from self.call(node)
            case st.Input(targets=targets):
                yield "INPUT", 1
                for target in targets:
                    yield from self.expression(target)
            case st.Accept(clauses=clauses, target=target):
                yield "ACCEPT", 1
                for clause in clauses:
                    yield from self.clause(clause)
                if target is not None:
                    yield from self.expression(target)
            case st.Return(next=after_error):
                yield "RETURN NEXT" if after_error else "RETURN", 1
            case _:
                yield STATEMENTS.get(type(node), "other"), 1

    def clause(self, clause: st.Clause) -> Iterator[Charge]:
        """A clause of DISPLAY."""
        yield tk.KEYWORDS[clause.token], 1
        for argument in clause.arguments:
            if not isinstance(argument, int):
                yield from self.expression(argument)

    def print_list(
        self, items: Iterable[st.PrintItem], using: st.Using | None, how: str = "shown"
    ) -> Iterator[Charge]:
        """The items of PRINT and DISPLAY, `shown` on the screen or `filed`."""
        if using is not None:
            yield "USING", 1
            if using.image is not None:
                yield from self.expression(using.image)
        for item in items:
            match item:
                case st.Separator(token=token):
                    if token == tk.COLON and how == "filed":
                        yield "record", 1
                case st.Tab(column=column):
                    yield from self.expression(column)
                case _:
                    yield from self.expression(item)
                    if item.is_string:
                        yield how + " text", 1
                        yield how + " character", text_length(item)
                    elif using is None:
                        yield how + " number", 1

    def call(self, node: st.Call) -> Iterator[Charge]:
        """CALL: arguments are evaluated and converted, variables to be set are looked up."""
        record = None if node.name in self._subs else SUBPROGRAMS.get(node.name)
        yield "CALL SUB" if record is None else "CALL", 1
        arguments = node.arguments or ()
        for argument in arguments:
            yield "parameter" if record is None else "argument", 1
            if isinstance(argument, st.Hash):
                yield from self.expression(argument.number)
            elif not isinstance(argument, st.All | st.WholeArray):
                yield from self.expression(argument)
        if record is not None:
            yield "cycle", record.time
            for argument, meant in zip(arguments, record.arguments(kinds(arguments)), strict=False):
                yield "cycle", meant.each * _steps(argument, meant.usual)

    def search(self, line: int) -> Iterator[Charge]:
        """Looking for a line: one step for each line with a higher number."""
        yield "line passed", sum(1 for number in self._lines if number > line)

    def expression(self, node: nd.Expression) -> Iterator[Charge]:
        """What evaluating an expression, or finding a variable to store into, is charged for."""
        match node:
            case nd.Number(text=text):
                yield "constant", 1
                yield "constant digit", len(text) - 1
            case nd.String(text=text):
                yield "string constant", 1
            case nd.Variable(name=name):
                yield from self._lookup(name)
                if name in self._functions:
                    yield "DEF", 1
            case nd.Element(name=name, subscripts=subscripts):
                yield from self._lookup(name)
                if name in self._functions:
                    yield "DEF", 1
                else:
                    yield "element", 1
                    yield "subscript", len(subscripts)
                for subscript in subscripts:
                    yield from self.expression(subscript)
            case nd.Group(inner=inner):
                yield "(", 1
                yield from self.expression(inner)
            case nd.Unary(operator=operator, operand=operand):
                yield "unary " + tk.KEYWORDS[operator], 1
                yield from self.expression(operand)
            case nd.Binary(operator=operator, left=left, right=right):
                yield from self.expression(left)
                yield from self.expression(right)
                yield from _operator(operator, left, right)
            case nd.Function(token=token, arguments=arguments):
                yield tk.KEYWORDS[token], 1
                for argument in arguments:
                    yield from self.expression(argument)
                if token == tk.RPT:
                    yield "repetition", repetitions(arguments)
            case nd.Fault(before=before):
                for part in before:
                    yield from self.expression(part)

    def _look_up(self, name: str) -> tuple[Charge, ...]:
        """Finding a name: its characters, and every newer name on the way."""
        newer = self._names[self._names.index(name) + 1 :] if name in self._names else ()
        same = [other for other in newer if len(other) == len(name)]
        begins = sum(_common(name, other) for other in same)
        return (
            ("variable", 1),
            ("name character", len(name) - 1),
            ("name passed", len(newer)),
            ("name of the same length", len(same)),
            ("equal character", begins),
        )


def loading(tokens: Iterable[bytes]) -> int:
    """Cycles to load a program from disk and to scan it, up to its first statement.

    A line takes its tokens, length, end mark and four bytes of the line number table.
    """
    sizes = [len(line) + 6 for line in tokens]
    return LOADED_LINE * len(sizes) + LOADED_BYTE * sum(sizes)


def price(charges: Iterable[Charge]) -> int:
    """Cycles of charges added up."""
    return sum(COSTS[key] * count for key, count in charges)


STATEMENTS: dict[type[st.Statement], str] = {
    st.Nothing: "REM", st.Data: "REM", st.Image: "REM", st.Dim: "REM", st.Def: "REM",
    st.OptionBase: "REM", st.Subend: "SUBEND", st.Subexit: "SUBEND",
    st.Restore: "RESTORE", st.Open: "OPEN", st.Close: "CLOSE", st.Linput: "INPUT",
    st.OnError: "ON ERROR",
}  # fmt: skip
"""Statements whose cost does not depend on their parts."""


ARITHMETIC = (tk.PLUS, tk.MINUS, tk.MULTIPLY, tk.DIVIDE, tk.AND, tk.OR, tk.XOR)


def _common(a: str, b: str) -> int:
    """How many characters two names of one length have in common at their start."""
    count = 0
    while count < len(a) and a[count] == b[count]:
        count += 1
    return count


def _operator(operator: int, left: nd.Expression, right: nd.Expression) -> Iterator[Charge]:
    if operator == tk.POWER:
        yield "^ fraction" if _is_fraction(right) else "^ whole", 1
    elif operator == tk.CONCAT:
        yield "&", 1
        yield "joined character", text_length(left) + text_length(right)
    elif operator in ARITHMETIC:
        yield tk.KEYWORDS[operator], 1
    else:
        yield "relation of strings" if left.is_string else "relation", 1


def _is_fraction(exponent: nd.Expression) -> bool:
    """Whether an exponent looks like no whole number: its power is taken by logarithms."""
    match exponent:
        case nd.Number(text=text):
            return "." in text
        case nd.Group(inner=inner) | nd.Unary(operand=inner):
            return _is_fraction(inner)
        case nd.Binary(operator=tk.DIVIDE) | nd.Function(token=tk.PI):
            return True
    return False


def _steps(argument: st.Argument, usual: int) -> int:
    """Characters of a string, or how far a number is beyond 1; as far as the text tells."""
    if isinstance(argument, st.Hash | st.All | st.WholeArray) or not argument.is_string:
        return max(0, _literal(argument, usual) - 1)
    return text_length(argument)


def _literal(argument: st.Argument, usual: int) -> int:
    if isinstance(argument, nd.Number) and argument.text.isdecimal():
        return int(argument.text)
    return usual


def repetitions(arguments: Sequence[nd.Expression]) -> int:
    """How often RPT$ copies its string, which ends at 255 characters."""
    length = text_length(arguments[0])
    return min(_literal(arguments[1], TEXT), LONGEST_TEXT // length if length else 0)


def text_length(node: st.Argument) -> int:
    """Characters of a string expression as far as the program text tells, else the usual."""
    match node:
        case nd.String(text=text):
            return len(text)
        case nd.Binary(left=left, right=right):
            return min(LONGEST_TEXT, text_length(left) + text_length(right))
        case nd.Function(token=tk.CHR):
            return 1
        case nd.Function(token=tk.SEG, arguments=arguments):
            return min(_literal(arguments[2], TEXT), text_length(arguments[0]))
        case nd.Function(token=tk.RPT, arguments=arguments):
            return text_length(arguments[0]) * repetitions(arguments)
    return TEXT
