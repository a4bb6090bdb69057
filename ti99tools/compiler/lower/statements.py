"""Finds the function for a statement by its kind; kinds of statements that are not compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ti99tools.compiler import ir
from ti99tools.compiler.lower import places
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import Fails, Refused, fail, refuse
from ti99tools.language.syntax import statements as st

UNCOMPILED: dict[type[st.Statement], str] = {
    st.Run: "RUN starts another program",
}
"""Kinds of statements that are refused → why."""

Lower = Callable[[Context, Any], None]

_STATEMENTS: dict[type[st.Statement], Lower] = {}


def lowers(*kinds: type[st.Statement]) -> Callable[[Lower], Lower]:
    """Enter the function that lowers kinds of statements."""

    def enter(function: Lower) -> Lower:
        _STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return enter


def statement(low: Context, number: int, node: st.Statement) -> bool:
    """One statement of a line; False if what follows is lowered already."""
    spot = low.blocks.spot = (number, node.at)
    if not places.begin(low, spot):
        return False
    own, since = low.blocks.current, len(low.blocks.code.blocks)
    low.blocks.loose.clear()
    if node.at == 0:
        places.begin_line(low, number)
    try:
        _lower(low, node)
        if node.fault is not None and not isinstance(node, st.OnGo | st.Return):
            fail(node.fault)
    except Refused as refused:
        low.note(refused)
        return True
    except Fails as failing:
        low.blocks.settle()
        low.blocks.finish_at(ir.Stop(spot, failing.code, failing.inside))
        low.blocks.code.failing.append((spot, failing.code, failing.remedy))
    if low.handling:
        places.note_failing(low, spot, own, since)
    return True


def _lower(low: Context, node: st.Statement) -> None:
    kind = type(node)
    if kind in UNCOMPILED:
        refuse(UNCOMPILED[kind])
    # What has no function, as DIM and remarks, has done its work before.
    if kind in _STATEMENTS:
        _STATEMENTS[kind](low, node)


def statements(low: Context, number: int, nodes: Sequence[st.Statement]) -> None:
    """The statements of a branch."""
    for node in nodes:
        if not statement(low, number, node):
            return
