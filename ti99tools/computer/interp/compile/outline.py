"""What is known of a program before its blocks are compiled: ranges, and where strings must lie.

With the ranges of variables, generated code can omit checks. The range is certain for a variable
that is assigned only by FOR statements with constant start and step: its value is start + n × step,
and no program runs long enough to exceed 2**40 steps. The whole text is searched, by name:
parameters, and variables that are read, accepted, passed to a subprogram that may store into them,
or assigned in any other way are left out. Which variables hold fractions is a guess: the check
after an operation on them looks for a fraction first.

Strings get places in video memory only for programs that can find them out. POS with a start above
256 looks past the end of its string; PEEK can read the pointers to strings, and before them the
length of the newest one. Nothing else in Extended BASIC depends on the places.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ti99tools.base import tokens as tk
from ti99tools.base.basic import LONGEST_STRING
from ti99tools.computer.interp.compile.timing import Timing, Timings
from ti99tools.computer.interp.compile.units import COMMAND, LOOP_BODY, Counter, Key, Listing
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.analysis.constants import integer
from ti99tools.language.analysis.names import stored
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import next_statement
from ti99tools.language.syntax.nodes import (
    Binary,
    Element,
    Expression,
    Function,
    Group,
    Number,
    Unary,
    Variable,
)
from ti99tools.language.syntax.statements import (
    All,
    Call,
    Def,
    Hash,
    WholeArray,
    every_statement,
    parts,
)

Range = tuple[int, int]

ROUNDS = 1 << 40
"""More rounds than any loop runs: at 50 ns a round, half a day."""

SPARE = 10_000
"""Steps past the limit: a loop leaves its variable one step past it, and a subroutine with a loop
of the same variable adds one more for each level of calls.
"""

LARGEST = 10**9
"""Largest start, limit or step that is considered."""


def int_ranges(listing: Listing) -> dict[str, Range]:
    """Name → bounds, for the variables that certainly hold ints."""
    ranges: dict[str, Range] = {}
    others: set[str] = set()
    nodes = [node for line in range(len(listing)) for node in entered(listing, line)]
    subs = {node.name for node in nodes if isinstance(node, st.Sub)}
    for node in nodes:
        if isinstance(node, st.For):
            _loop(node, ranges, others)
        else:
            others.update(assigned(node, subs))
    return {name: bounds for name, bounds in ranges.items() if name not in others}


def entered(listing: Listing, line: int) -> Iterator[st.Statement]:
    """All statements of a line that can be executed.

    Wrong syntax hides what follows it, but RETURN NEXT goes on after the next `::`.
    """
    seen: set[int] = set()
    at: int | None = 0
    while at is not None:
        if at not in seen:
            for node in every_statement(listing.statements(line, at)):
                seen.add(node.at)
                yield node
        at = next_statement(listing.tokens[line], at)


def assigned(node: st.Statement, subs: Container[str]) -> set[str]:
    """The simple variables that a statement other than FOR may store into; `subs`: the SUBs."""
    match node:
        case st.Sub(parameters=parameters):
            return {parameter.name for parameter in parameters}
        case st.Def(name=name, parameter=parameter):
            return {name, parameter} if parameter is not None else {name}
    return {target.name for target in stored(node, subs) if isinstance(target, Variable)}


def _loop(node: st.For, ranges: dict[str, Range], others: set[str]) -> None:
    if not isinstance(node.variable, Variable):
        return
    name = node.variable.name
    start = integer(node.start)
    step = 1 if node.step is None else integer(node.step)
    if start is None or step is None or abs(start) > LARGEST or abs(step) > LARGEST:
        # One such loop is enough to know nothing of the variable.
        others.add(name)
        return
    limit = integer(node.limit)
    if limit is None or abs(limit) > LARGEST:
        # Every number has room for 13 digits; with more a sum is rounded.
        last = start + step * min(ROUNDS, 10**13 // (abs(step) or 1))
    else:
        last = (max(limit, start) if step > 0 else min(limit, start)) + SPARE * step
    low, high = min(start, last), max(start, last)
    # 0 as well: that is what a variable holds before its loop.
    known = ranges.get(name, (0, 0))
    ranges[name] = (min(low, known[0]), max(high, known[1]))


FRACTIONS = frozenset(
    (tk.DIVIDE, tk.RND, tk.PI, tk.SQR, tk.EXP, tk.LOG, tk.SIN, tk.COS, tk.TAN, tk.ATN)
)
"""Operator and functions whose values are seldom whole."""


def fraction_names(listing: Listing) -> frozenset[str]:
    """Names of variables and arrays that are assigned what looks like a fraction."""
    assignments = [
        node
        for line in range(len(listing))
        for node in every_statement(listing.statements(line))
        if isinstance(node, st.Let) and node.value is not None and not node.value.is_string
    ]
    names: set[str] = set()
    while True:
        before = len(names)
        for node in assignments:
            if node.value is not None and looks_fractional(node.value, names):
                names.update(target.name for target in node.targets)
        # A fraction passes from name to name, so the assignments are gone over until none is new.
        if len(names) == before:
            return frozenset(names)


_TELLING = frozenset({"COINC", "JOYST", "KEY"})
"""Subprograms that mostly answer 0."""


def flag_names(listing: Listing) -> frozenset[str]:
    """Names of variables that hold the answers of subprograms which are mostly 0."""
    return frozenset(
        argument.name
        for line in range(len(listing))
        for node in every_statement(listing.statements(line))
        if isinstance(node, Call) and node.name in _TELLING
        for argument in node.arguments or ()
        if isinstance(argument, Variable)
    )


def looks_fractional(node: Expression, names: Container[str]) -> bool:
    """Tell whether the value is probably not whole."""
    match node:
        case Number(text):
            try:
                return not isinstance(parse_number(text), int)
            except ValueError:
                return False
        case Variable(name) | Element(name):
            return name in names
        case Group(inner):
            return looks_fractional(inner, names)
        case Unary(_, operand):
            return looks_fractional(operand, names)
        case Binary(op, left, right) if op in _OPERATORS:
            return (
                op == tk.DIVIDE or looks_fractional(left, names) or looks_fractional(right, names)
            )
        case Function(token, arguments):
            if token in FRACTIONS:
                return True
            shares = token in (tk.ABS, tk.MAX, tk.MIN)
            return shares and any(looks_fractional(a, names) for a in arguments)
    return False


_OPERATORS = frozenset((tk.PLUS, tk.MINUS, tk.MULTIPLY, tk.DIVIDE, tk.POWER))


LAST_START = 256
"""The last start of POS that stays in its string."""

POINTERS = range(0x830C, 0x831E)
"""The CPU addresses of the length of the newest string and of the pointers to strings."""

_POS = bytes((tk.POS,))
_PEEK = b"PEEK"


def placed(listing: Listing) -> bool:
    """Tell whether a program may find out where its strings lie."""
    return any(
        _looks(node)
        for line, tokens in enumerate(listing.tokens)
        if _POS in tokens or _PEEK in tokens
        for statement in entered(listing, line)
        for node in parts(statement)
    )


def _looks(node: object) -> bool:
    """Tell whether a POS may leave its string, or a PEEK reads the pointers."""
    if isinstance(node, Function):
        return node.token == tk.POS and not _stays(node.arguments[-1])
    return isinstance(node, Call) and node.name == "PEEK" and _reads_pointers(node)


def _reads_pointers(peek: Call) -> bool:
    """Tell whether a PEEK at a constant address reads a byte of the pointers."""
    arguments = peek.arguments or ()
    if not arguments or isinstance(arguments[0], Hash | All | WholeArray):
        return False
    address = integer(arguments[0])
    if address is None:
        return False
    first = address & 0xFFFF
    return first < POINTERS.stop and first + len(arguments) - 1 > POINTERS.start


def _stays(start: Expression) -> bool:
    highest = _highest(start)
    return highest is not None and highest <= LAST_START


def _highest(node: Expression) -> int | None:
    """The highest value of a start, as far as its text shows."""
    match node:
        case Group(inner):
            return _highest(inner)
        case Function(tk.LEN | tk.ASC):
            return LONGEST_STRING
        case Function(tk.POS, arguments) if _stays(arguments[-1]):
            return LONGEST_STRING
        case Binary(tk.PLUS, left, right):
            one, other = _highest(left), _highest(right)
            return None if one is None or other is None else one + other
    return integer(node)


class Outline:
    """Lines, names, what variables hold, and what statements cost.

    `program` is the outline of the program when this one is for a typed line; `watched` code counts
    how often statements run: each of its `counters` stands for the statements that it counts.
    `stepping` code calls `step` before each statement. Strings that are `placed` know where they
    lie in video memory.
    """

    def __init__(
        self,
        listing: Listing,
        scan: Scan,
        program: Outline | None = None,
        watched: bool = False,
        stepping: bool = False,
        declared: Sequence[Declared] = (),
    ) -> None:
        self.listing = listing
        self.scan = scan
        self.program = program or self
        self.stepping = stepping
        self.counters: list[Counter] | None = [] if watched else None
        self.placed: bool = placed(listing) if program is None else program.placed
        self.ranges = int_ranges(listing) if program is None else {}
        self.declarations: Sequence[Declared] = (
            declared if program is None else program.declarations
        )
        self.declared = {(one.scope, one.name): at for at, one in enumerate(self.declarations)}
        """Scope and name of a RANGE → its number in `declarations`."""
        self.fractions = fraction_names(listing)
        self.flags = flag_names(listing)
        self._timings = Timings(listing.numbers, scan.subs)

    @property
    def watched(self) -> bool:
        """Tell whether statements are counted."""
        return self.counters is not None

    def timing(self, scope: Scope) -> Timing:
        """What statements cost in a scope."""
        return self._timings.of(scope)

    def block_name(self, key: Key) -> str:
        """The Python name of a block: `line110`, `line110_14` from offset 14 on, `line110_14b`
        phase 1, `line110_14g` the rest of its line (LINE), `line110_14h` and `line110_14i` its one
        statement (SHORT, CHARGED), `line110_14_loop` the loop whose body begins there; `typed` in
        a line without a number. Names of variables have no small letters.
        """
        line, at, phase = key
        number = self.listing.numbers[line] if line < len(self.listing) else "END"
        start = "typed" if number == COMMAND else f"line{number}"
        name = f"{start}_{at}" if at or phase else start
        if phase == LOOP_BODY:
            return f"{name}_loop"
        return name + "abcdefghi"[phase] if phase else name

    def function(self, symbol: Symbol, depth: int = 0) -> Def:
        """The DEF of a function whose body is evaluated with `depth` words of stack in use."""
        assert symbol.function is not None
        line, at = symbol.function
        node = statements_from(self.listing.tokens[line], at, depth)[0]
        assert isinstance(node, Def)
        return node
