"""String arrays whose elements are never more than one character: a byte is enough for each."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.ranges import Ranges
from ti99tools.language.analysis.fixpoint import State

LAST_CODE = 254
"""The last code that such an element may have: its byte is the code and 1; 0 is no character."""


def character_arrays(ranges: Ranges) -> set[str]:
    """The names of these arrays in a program whose ranges are known."""
    code = ranges.code
    found = {array.name for array in code.arrays.values() if ir.is_text_name(array.name)}
    for name, before in ranges.before.items():
        block = code.blocks[name]
        state: State = dict(before)
        for action in (*block.body, block.end):
            for expr in ir.expressions(action):
                for part in ir.walk(expr):
                    if part.op == "moved" and part.args[0].op == "elem":
                        found.discard(code.arrays[part.args[0].data].name)
            if not isinstance(action, ir.Action):
                continue
            if isinstance(action, ir.Store) and not _is_character(action.value, ranges, state):
                found.discard(code.arrays[action.array].name)
            ranges.act(action, state)
    return found


def _is_character(value: ir.Expr, ranges: Ranges, state: State) -> bool:
    if value.op == "text":
        return len(value.data) <= 1 and all(ord(each) <= LAST_CODE for each in value.data)
    if value.op != "chr":
        return False
    code = ranges.value(value.args[0], state)
    return bool(code.low >= 0 and code.high <= LAST_CODE)
