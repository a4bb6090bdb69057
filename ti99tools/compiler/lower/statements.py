"""Finds the function for a statement by its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base.entries import Entries
from ti99tools.compiler import ir
from ti99tools.compiler.lower import pacing, places
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.definitions import faults_of_uses, keep_draws, use_of
from ti99tools.compiler.refusing import Fails, Refused, fail
from ti99tools.language.analysis.analysis import built_in_call, statements_from
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import (
    CALL_WORDS,
    COMPARISONS,
    LEFT_WORDS,
    RIGHT_LEVEL,
    SPARE_WORDS,
    STACK_WORDS,
)
from ti99tools.language.syntax.failures import faults

_MOST_WORDS = {**dict.fromkeys((*RIGHT_LEVEL, tk.NOT), 1), **dict.fromkeys(COMPARISONS, 2)}
_MOST_WORDS[tk.LPAREN] = 3
"""Token → the most words that are taken until what it opens is over."""
_FREE = STACK_WORDS - SPARE_WORDS - CALL_WORDS - LEFT_WORDS - 1
"""Words that any expression has."""

Lower = Callable[[Context, Any], None]


lowers = Entries[type[st.Statement], Lower]()
"""The functions that lower kinds of statements."""


def statement(low: Context, number: int, node: st.Statement) -> bool:
    """One statement of a line; False if what follows is lowered already."""
    spot = low.blocks.spot = (number, node.at)
    if not places.begin(low, spot):
        return False
    own, since = low.blocks.current, len(low.blocks.code.blocks)
    low.blocks.loose.clear()
    keep_draws(low, node)
    if node.at == 0:
        places.begin_line(low, number)
    pacing.note_statement(low, spot, node)
    if spot in low.rooms:
        low.blocks.do("room", data=low.rooms[spot])
    try:
        deeper = _deeper(low, number, node) if low.handling else None
        if deeper is not None:
            _after_errors(low, deeper)
        failing = _failing(low, node)
    except Refused as refused:
        low.note(refused)
        return True
    if failing is not None:
        low.blocks.code.failing.append((spot, failing.code, failing.remedy))
    if low.handling:
        places.note_failing(low, spot, own, since)
    return True


def _failing(low: Context, node: st.Statement) -> Fails | None:
    """Lower a statement; the error with which it always fails. Raises Refused."""
    try:
        _lower(low, node)
        if node.fault is not None and not isinstance(node, st.OnGo | st.Return):
            fail(node.fault)
    except Fails as failing:
        low.blocks.settle()
        low.blocks.finish_at(ir.Stop(low.blocks.spot, failing.code, failing.inside))
        return failing
    return None


def _deeper(low: Context, number: int, node: st.Statement) -> st.Statement | None:
    """The statement as it is after an error that was caught, if it fails because of that.

    From then on a word less is free for what its expressions have open.
    """
    tokens = low.program.tokens[number]
    rest = tokens[node.at :]
    little = sum(words * rest.count(token) for token, words in _MOST_WORDS.items()) <= _FREE
    if little and not any(use_of(low, part) for part in st.parts(node)):
        return None
    deeper = statements_from(tokens, node.at, LEFT_WORDS)[0]
    pair = [node, deeper]
    if isinstance(node, st.Call) and node.name not in low.scan.subs:
        pair = [built_in_call(tokens, node.at, left) or node for left in (0, LEFT_WORDS)]
    before, after = ([*faults(one), *faults_of_uses(low, one)] for one in pair)
    return deeper if before != after else None


def _after_errors(low: Context, deeper: st.Statement) -> None:
    """Lower a statement for the time after an error that was caught."""
    after, before = low.blocks.fresh("after errors"), low.blocks.fresh("before errors")
    low.blocks.finish_at(ir.Branch(ir.Expr("caught"), after, before, low.blocks.spot))
    low.blocks.enter(after)
    low.left_words = LEFT_WORDS
    _failing(low, deeper)
    low.left_words = 0
    low.blocks.enter(before)


def _lower(low: Context, node: st.Statement) -> None:
    kind = type(node)
    # What has no function, as DIM and remarks, has done its work before.
    if kind in lowers:
        lowers[kind](low, node)


def statements(low: Context, number: int, nodes: Sequence[st.Statement]) -> None:
    """The statements of a branch."""
    for node in nodes:
        if not statement(low, number, node):
            return
