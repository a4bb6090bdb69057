"""What statements need of the value stack and of string space.

A value pushed takes 8 bytes and requires 16 more to be free; a new string takes 4 plus its length
and requires 65 more; numeric functions require 48. Strings of unknown length count as empty: those
that are assigned are checked separately. These sizes reproduce the recorded lang-asked cases.

A constant, the result of `&` or of a function, and the copy that VAL reads are strings in video
memory that are thrown away; LET and PRINT count the string that they take over themselves. Lengths
known only at run time count as usual ones. Source: the recorded bytes of string space that
statements take.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.base import tokens as tk
from ti99tools.computer.interp.compile.timing import text_length
from ti99tools.language.prescan.symbols import OTHER_FRAME as PUSHED
from ti99tools.language.prescan.symbols import STACK_RESERVE, STRING_OVERHEAD
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import CALCULATED
from ti99tools.language.syntax.statements import parts

MADE, ENOUGH = 0, 1
"""Indexes of two counts of a running program: the bytes of all strings made, and how many may be
made before the next check.
"""
MADE_FOR_NUMBER = 6
"""Bytes of a number of usual length that is shown or read."""


def litter(node: st.Statement) -> int:
    """Bytes of the strings that are no longer needed when a statement has ended."""
    match node:
        case st.EmptyStatement() | st.Data() | st.Dim() | st.Def() | st.Image():
            return 0
        case st.Let(value=value):
            return _made(parts(node)) - _made((value,))
        case st.Print(items=items, file=None, using=None):
            return _made(parts(node)) - _made(items)
        case st.Print(items=items) | st.Display(items=items):
            numbers = sum(isinstance(i, nd.Expression) and not i.is_string for i in items)
            return _made(parts(node)) + MADE_FOR_NUMBER * numbers
        case st.Read(targets=targets):
            return MADE_FOR_NUMBER * sum(not target.is_string for target in targets)
    return _made(parts(node))


def _made(nodes: Iterable[object]) -> int:
    """Bytes of the strings that expressions make, without those of their parts."""
    return sum(map(_size, nodes))


def _size(node: object) -> int:
    """Bytes of the string that an expression makes, without those of its parts."""
    match node:
        case nd.String(text):
            return len(text) + STRING_OVERHEAD if text else 0
        case nd.Binary(operator=tk.CONCAT) | nd.Function(is_string=True):
            return text_length(node) + STRING_OVERHEAD
        case nd.Function(token=tk.VAL, arguments=(text, *_)):
            return text_length(text) + 1 + STRING_OVERHEAD
    return 0


PUSH_RESERVE = 16
"""Bytes that must be free after a push."""
CALCULATING = 48
"""Bytes that must be free where a numeric function or a power is calculated."""
NEEDED_FOR_NUMBER = 5
"""Characters of a number of usual length that is shown."""
OPENED = 200
"""Bytes that OPEN needs."""

_NOTHING = (
    st.EmptyStatement, st.Goto, st.Next, st.Return, st.End, st.Dim, st.OptionBase, st.Def, st.Sub,
    st.Subend, st.Subexit, st.Data, st.Image, st.Restore, st.Break, st.Trace, st.OnError,
    st.OnWarning, st.OnBreak, st.Run,
)  # fmt: skip


def need(node: st.Statement) -> int:
    """Most bytes that a statement needs, including those that must stay free."""
    match node:
        case st.Let(targets=targets, value=value):
            pushed = PUSHED * len(targets)
            return max(_push(pushed - PUSHED), *(_peak(t) for t in targets), _peak(value, pushed))
        case st.If(condition=condition):
            return _peak(condition)
        case st.Gosub():
            return _push(0)
        case st.OnGo(selector=selector, gosub=gosub):
            return max(_peak(selector), _push(0) if gosub else 0)
        case st.For(start=start, limit=limit, step=step):
            values = ((start, 4 * PUSHED), (limit, 5 * PUSHED), (step, 5 * PUSHED))
            peaks = (_peak(part, pushed) for part, pushed in values)
            return max(_push(4 * PUSHED), *peaks)
        case st.Call(arguments=arguments):
            return max(_push(3 * PUSHED), _peaks(arguments or (), PUSHED))
        case st.Print(items=items) | st.Display(items=items):
            numbers = any(not isinstance(i, st.Tab | st.Separator) for i in items)
            return max(_string(0, NEEDED_FOR_NUMBER) if numbers else 0, _peaks(parts(items)))
        case st.Open():
            return OPENED
    return 0 if isinstance(node, _NOTHING) else _string(PUSHED, 0)


def _push(pushed: int) -> int:
    return pushed + PUSHED + PUSH_RESERVE


def _string(used: int, length: int) -> int:
    return used + STRING_OVERHEAD + length + STACK_RESERVE + 1


def _peaks(nodes: Iterable[object], pushed: int = 0) -> int:
    return max((_peak(node, pushed) for node in nodes), default=0)


def _peak(node: object, used: int = 0) -> int:
    """Most bytes that an expression needs when the statement has `used` some already."""
    match node:
        case nd.String(text):
            return _string(used, len(text))
        case nd.Element(subscripts=subscripts):
            return max(_push(used), _peaks(subscripts, used + PUSHED))
        case nd.Group(inner):
            return _peak(inner, used)
        case nd.Unary(operand=operand):
            return _peak(operand, used)
        case nd.Binary(operator, left, right, is_string):
            held = used + PUSHED + _kept(left)
            result = _string(held, 0) if is_string else 0
            if operator == tk.POWER:
                result = held + CALCULATING
            return max(_peak(left, used), _push(used), _peak(right, held), result)
        case nd.Function(token, arguments, is_string):
            return max(_arguments(arguments, used), _result(token, arguments, is_string, used))
    return 0


def _arguments(arguments: tuple[nd.Expression, ...], used: int) -> int:
    most = 0
    for argument in arguments:
        most = max(most, _peak(argument, used))
        used += PUSHED + _kept(argument)
    return most


def _result(token: int, arguments: tuple[nd.Expression, ...], is_string: bool, used: int) -> int:
    if token in CALCULATED:
        return used + CALCULATING + 1
    if not is_string:
        return 0
    return _string(used + sum(PUSHED + _kept(one) for one in arguments), 0)


def _kept(node: nd.Expression) -> int:
    """Bytes of a constant string while it waits for its use."""
    return STRING_OVERHEAD + len(node.text) if isinstance(node, nd.String) else 0
