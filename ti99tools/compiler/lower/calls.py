"""CALL of built-in subprograms: the function for each, and how their arguments are taken.

As on the machine a program's own SUB (see `subs`) goes before a built-in of the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import near
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.lower.subs import lower_sub_call
from ti99tools.compiler.refusing import refuse
from ti99tools.language.analysis.analysis import built_in_call
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

BAD_LIST = "its arguments are not what it takes"
_UNCOMPILED = {
    "ERR": "ERR is for ON ERROR",
    "LINK": "LINK runs other machine code",
}
"""Built-in subprograms that are refused → why."""


class Arguments:
    """Takes the arguments of a CALL one after the other. Raises Refused where they do not fit."""

    def __init__(self, low: Context, node: st.Call) -> None:
        self.low = low
        self._arguments = list(node.arguments or ())
        self._at = 0
        self._elements: list[tuple[str, tuple[str, tuple[ir.Expr, ...]]]] = []

    def more(self) -> bool:
        """Tell whether one is left."""
        return self._at < len(self._arguments)

    def is_hash(self) -> bool:
        """Tell whether the next is a sprite."""
        return self.more() and isinstance(self._arguments[self._at], st.Hash)

    def is_all(self) -> bool:
        """Tell whether the next is ALL."""
        return self.more() and isinstance(self._arguments[self._at], st.All)

    def is_text(self) -> bool:
        """Tell whether the next is a string."""
        found = self._arguments[self._at] if self.more() else None
        return isinstance(found, nd.Expression) and found.is_string

    def skip(self) -> None:
        """Pass over an argument."""
        self._at += 1

    def _next(self) -> st.Argument:
        if not self.more():
            refuse(BAD_LIST, "correct them")
        self._at += 1
        return self._arguments[self._at - 1]

    def number(self) -> ir.Expr:
        """The next argument, which must be a number."""
        found = self._next()
        if not isinstance(found, nd.Expression):
            refuse(BAD_LIST, "correct them")
        return values.number(self.low, found)

    def whole(self, least: int, most: int) -> ir.Expr:
        """A whole number between limits."""
        return ir.Expr("round", (self.number(),), (least, most, xb.BAD_VALUE))

    def sprite(self) -> ir.Expr:
        """The number of a sprite, 1 to 28, after its #."""
        found = self._next()
        if not isinstance(found, st.Hash):
            refuse(BAD_LIST, "write #n")
        return values.whole(self.low, found.number, 1, 28, xb.BAD_VALUE)

    def text(self) -> ir.Expr:
        """The next argument, which must be a string."""
        found = self._next()
        if not isinstance(found, nd.Expression):
            refuse(BAD_LIST, "correct them")
        return values.text(self.low, found)

    def text_place(self) -> ir.Target:
        """A string variable or an element that gets a value."""
        found = self._next()
        if not isinstance(found, nd.Variable | nd.Element) or not found.is_string:
            refuse(BAD_LIST, "give a string variable")
        return values.place(self.low, found)

    def target(self) -> str:
        """A numeric variable that gets a value; an element gets it afterwards: see `settle`."""
        found = self._next()
        if not isinstance(found, nd.Variable | nd.Element) or found.is_string:
            refuse(BAD_LIST, "give a numeric variable")
        place = values.place(self.low, found)
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
        """Refuse arguments that are left over."""
        if self.more():
            refuse(f"it fails with {xb.TEXTS[xb.SYNTAX_ERROR]}", "remove what is too much")


LowerCall = Callable[[Context, Arguments], None]

_BUILT_IN: dict[str, LowerCall] = {}


def built_in(*names: str) -> Callable[[LowerCall], LowerCall]:
    """Enter the function that lowers a CALL of built-in subprograms."""

    def enter(function: LowerCall) -> LowerCall:
        _BUILT_IN.update(dict.fromkeys(names, function))
        return function

    return enter


@lowers(st.Call)
def _call(low: Context, node: st.Call) -> None:
    if node.name not in low.scan.subs:
        line = low.program.tokens[low.blocks.spot[0]]
        again = built_in_call(line, node.at)
        if isinstance(again, st.Call):
            node = again  # parsed with the stack words that a built-in subprogram leaves
    if node.broken is not None:
        refuse(f"it fails with {xb.TEXTS[node.broken]}", "correct it")
    sub = low.scan.subs.get(node.name)
    if sub is not None:
        lower_sub_call(low, node, sub)
        return
    handler = _BUILT_IN.get(node.name)
    if handler is None:
        if node.name in _UNCOMPILED:
            refuse(_UNCOMPILED[node.name])
        meant = near(node.name, [*low.scan.subs, *_BUILT_IN])
        remedy = f"did you mean {meant}?" if meant else f"add SUB {node.name}, or remove the CALL"
        refuse(f"there is no subprogram {node.name}", remedy)
    # A CALL finds only what the pre-scan has entered.
    if node.name not in low.scan.called:
        refuse("the pre-scan is off (!@P-) and has not met this subprogram", "name it before !@P-")
    args = Arguments(low, node)
    handler(low, args)
    args.end()
