"""Finds the function for a statement by its kind; kinds of statements that are not compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ti99tools.base import xberrors as xb
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import refuse
from ti99tools.language.syntax import statements as st

UNCOMPILED: dict[type[st.Statement], str] = {
    st.Open: "OPEN uses a file",
    st.Close: "CLOSE uses a file",
    st.RestoreFile: "RESTORE # uses a file",
    st.Delete: "DELETE uses a disk",
    st.OnError: "ON ERROR goes on after an error",
    st.OnWarning: "ON WARNING tells what to do at a warning",
    st.OnBreak: "ON BREAK tells what to do at FCTN-4 (CLEAR)",
    st.Run: "RUN starts another program",
    st.Break: "BREAK goes to the prompt",
    st.Trace: "TRACE is for the prompt",
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


def statement(low: Context, number: int, node: st.Statement) -> None:
    """One statement of a line. Raises Refused."""
    low.blocks.spot = (number, node.at)
    kind = type(node)
    if isinstance(node, st.Input | st.Linput) and node.file is not None:
        refuse(f"{kind.__name__.upper()} # uses a file")
    if kind in UNCOMPILED:
        refuse(UNCOMPILED[kind])
    if node.fault is not None:
        refuse(f"it fails with {xb.TEXTS[node.fault]}", "correct it")
    # What has no function, as DIM and remarks, has done its work before.
    if kind in _STATEMENTS:
        _STATEMENTS[kind](low, node)


def statements(low: Context, number: int, nodes: tuple[st.Statement, ...]) -> None:
    """The statements of a branch."""
    for node in nodes:
        statement(low, number, node)
