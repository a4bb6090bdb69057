"""CALL of built-in subprograms: the function for each, and how their arguments are taken.

As on the machine a program's own SUB (see `subs`) goes before a built-in of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.entries import Entries
from ti99tools.base.errors import near
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.pacing import note_whole
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.lower.subs import lower_sub_call
from ti99tools.compiler.refusing import fail, refuse
from ti99tools.language.analysis.analysis import built_in_call
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

BAD_LIST = "give the arguments that it takes"
_UNCOMPILED = {
    "LINK": "LINK runs other machine code",
}
"""Built-in subprograms that are refused → why."""


class Arguments:
    """Takes the arguments of a CALL one after the other. Raises Fails where they do not fit."""

    def __init__(self, low: Context, node: st.Call) -> None:
        self.low = low
        self._arguments = list(node.arguments or ())
        self._broken = node.broken
        self._at = 0
        self._elements: list[tuple[str, tuple[str, tuple[ir.Expr, ...]]]] = []
        scope = low.names.scope
        self._times = low.whole.arguments(scope, node) if low.whole is not None else ()
        self._timed = 0

    def take_time(self, more: int = 0) -> None:
        """Leave the time of the arguments taken since the last call, and more, if it counts."""
        note_whole(self.low, sum(self._times[self._timed : self._at]) + more)
        self._timed = self._at

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._arguments) + (self._broken is not None)

    def more(self) -> bool:
        """Tell whether one is left."""
        return self._at < self.count

    def groups(self) -> Iterator[None]:
        """Once for each group that the caller takes: at least one, until none is left."""
        yield
        while self.more():
            yield

    def is_hash(self) -> bool:
        """Tell whether the next is a sprite."""
        return isinstance(self._peek(), st.Hash)

    def is_all(self) -> bool:
        """Tell whether the next is ALL."""
        return isinstance(self._peek(), st.All)

    def is_text(self) -> bool:
        """Tell whether the next is a string."""
        found = self._peek()
        return isinstance(found, nd.Expression) and found.is_string

    def is_sure(self) -> bool:
        """Tell whether the next is a number that is calculated without an error in any case."""
        return _is_sure(self.low, self._peek())

    def is_constant(self, least: int, most: int) -> bool:
        """Tell whether the next is a constant in digits between limits."""
        found = self._peek()
        digits = found.text if isinstance(found, nd.Number) else ""
        return digits.isdecimal() and least <= int(digits) <= most

    def skip(self) -> None:
        """Pass over an argument."""
        self._at += 1

    def _peek(self) -> st.Argument | None:
        return self._arguments[self._at] if self._at < len(self._arguments) else None

    def _next(self) -> st.Argument:
        found = self._peek()
        if found is None:
            fail(self._broken if self.more() and self._broken else xb.SYNTAX_ERROR, BAD_LIST)
        self._at += 1
        return found

    def number(self, leading: bool = False) -> ir.Expr:
        """A number; `leading`: another argument has to follow."""
        return self._value(self._next(), leading)

    def _value(self, found: object, leading: bool) -> ir.Expr:
        if not isinstance(found, nd.Expression):
            fail(xb.SYNTAX_ERROR, BAD_LIST)
        value = values.number(self.low, found)
        if leading and not self.more():
            fail(xb.SYNTAX_ERROR, BAD_LIST)
        return value

    def whole(
        self, least: int, most: int, leading: bool = False, error: int = xb.BAD_VALUE
    ) -> ir.Expr:
        """A whole number between limits."""
        return self._rounded(self._next(), (least, most, error), leading)

    def _rounded(self, found: object, limits: tuple[int, int, int], leading: bool) -> ir.Expr:
        before = len(self.low.blocks.loose)
        rounded = ir.Expr("round", (self._value(found, leading),), limits)
        placed = values.in_place_of(self.low, before, rounded)
        if not self._times or not expression_fails(placed):
            return placed
        # It fails when its time has passed, before that of the next one.
        self.take_time()
        return ir.Expr("round", (self.low.held(f"argument {self._at}", placed),), limits)

    def once(self, whole: ir.Expr) -> ir.Expr:
        """A whole number that is used more than once: it is calculated now."""
        if whole.args[0].op in ("const", "var"):
            return whole
        return ir.Expr("round", (self.low.held("kept", whole),), whole.data)

    def sprite(self, leading: bool = True) -> ir.Expr:
        """The number of a sprite, 1 to 28, after its #; `leading`: see `number`."""
        if not isinstance(self._peek(), st.Hash):
            fail(xb.SYNTAX_ERROR, "write #n")
        found = self._next()
        assert isinstance(found, st.Hash)
        return self._rounded(found.number, (1, 28, xb.BAD_VALUE), leading)

    def text(self) -> ir.Expr:
        """The next argument, which must be a string."""
        found = self._next()
        if not isinstance(found, nd.Expression):
            fail(xb.SYNTAX_ERROR, BAD_LIST)
        return values.text(self.low, found)

    def place(self, string_error: int = xb.IMPROPERLY_USED_NAME) -> ir.Target:
        """A numeric variable or an element that gets a value; the error for a string variable."""
        found = self._target()
        if found.is_string:
            fail(string_error, "give a numeric variable")
        return values.place(self.low, found)

    def text_place(self) -> ir.Target:
        """A string variable or an element that gets a value."""
        found = self._target()
        if not found.is_string:
            fail(xb.STRING_NUMBER_MISMATCH, "give a string variable")
        return values.place(self.low, found)

    def _target(self) -> nd.Target:
        """The next argument, which must be a variable or an element."""
        found = self._peek()
        if found is None:
            self._next()
        self._at += 1
        if not isinstance(found, nd.Variable | nd.Element) or not values.is_place(self.low, found):
            fail(xb.SYNTAX_ERROR, "give a variable")
        return found

    def target(self, string_error: int = xb.IMPROPERLY_USED_NAME) -> str:
        """A numeric variable that gets a value; an element gets it afterwards: see `settle`."""
        place = self.place(string_error)
        if isinstance(place, str):
            return place
        name = self.low.names.hidden(f"result {len(self._elements)}")
        self._elements.append((name, place))
        return name

    def settle(self) -> None:
        """Store results into elements."""
        for name, (array, positions) in self._elements:
            self.low.blocks.add(ir.Store(array, positions, ir.var(name), self.low.blocks.spot))
        self._elements.clear()

    def end(self) -> None:
        """An argument that is left over is a SYNTAX ERROR."""
        if self.more():
            fail(xb.SYNTAX_ERROR, "remove what is too much")


def _is_sure(low: Context, node: object) -> bool:
    match node:
        case nd.Number():
            return True
        case nd.Variable():
            return not node.is_string and values.is_place(low, node)
        case nd.Group(inner=one) | nd.Unary(operator=tk.MINUS | tk.PLUS, operand=one):
            return _is_sure(low, one)
        case nd.Binary(operator=tk.MINUS | tk.PLUS, left=left, right=right):
            return _is_sure(low, left) and _is_sure(low, right)
    return False


LowerCall = Callable[[Context, Arguments], None]


built_in = Entries[str, LowerCall]()
"""The functions that lower CALLs of built-in subprograms."""


@lowers(st.Call)
def _call(low: Context, node: st.Call) -> None:
    if low.names.lost:
        fail(xb.SUBPROGRAM_NOT_FOUND, "call nothing after a RUN that has failed")
    if node.name not in low.scan.subs:
        line = low.program.tokens[low.blocks.spot[0]]
        again = built_in_call(line, node.at, low.left_words)
        if isinstance(again, st.Call):
            node = again  # parsed with the stack words that a built-in subprogram leaves
    sub = low.scan.subs.get(node.name)
    if sub is not None:
        lower_sub_call(low, node, sub)
        return
    handler = built_in.get(node.name)
    if handler is None and node.name in _UNCOMPILED:
        refuse(_UNCOMPILED[node.name])
    # A CALL finds only what the pre-scan has entered.
    if handler is None or node.name not in low.scan.called:
        meant = near(node.name, [*low.scan.subs, *built_in])
        remedy = f"did you mean {meant}?" if meant else f"add SUB {node.name}, or remove the CALL"
        fail(xb.SUBPROGRAM_NOT_FOUND, remedy)
    args = Arguments(low, node)
    handler(low, args)
    args.end()
    if low.whole is not None:
        args.take_time(low.whole.after_call(low.names.scope, node))
