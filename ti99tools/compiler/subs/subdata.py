"""DATA of a SUB: READ takes its own items, and only after a RESTORE that names a line of the SUB.

So a CALL reads the same each time, whatever the program has read. The program's own READ would go
on after the SUB's items in Extended BASIC: on each way from a CALL to it there must be a RESTORE.
"""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.compiler import ir
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.graph import calls, ways_on
from ti99tools.compiler.lower.assigning import item_number
from ti99tools.compiler.refusing import Refused
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import ON, reachable
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

FIRST = "RESTORE the line of the SUB's DATA first"
ROW_BYTES = 4


def refused_data(
    analysis: Analysis, scope: Scope, gosubs: Gosubs
) -> Iterator[tuple[Refused, ir.Spot]]:
    """READ and RESTORE that are refused."""
    own = [
        number
        for number in analysis.parsed
        if analysis.flow.nodes[analysis.flow.first[number]].scope == scope.name
    ]
    reading = [one for number in own for one in _of(analysis, number, st.Read, st.Restore)]
    for spot, node in reading:
        if isinstance(node, st.Restore) and node.line is None:
            yield Refused("RESTORE without a line is about the program's DATA", FIRST), spot
        elif isinstance(node, st.Restore) and _leads_to(analysis, node) not in own:
            yield Refused("RESTORE leads to DATA outside the SUB", FIRST), spot
    nodes = analysis.flow.nodes
    for at in sorted(_after_calls(analysis, scope.name) if reading else ()):
        line, node = nodes[at].line, nodes[at].statement
        if isinstance(node, st.Read) and line not in own:
            reason = f"READ may go on after what {scope.name} has read"
            yield Refused(reason, f"put RESTORE between CALL {scope.name} and it"), (line, node.at)
    yield from _unrestored(gosubs)


def _of(
    analysis: Analysis, number: int, *kinds: type[st.Statement]
) -> Iterator[tuple[ir.Spot, st.Statement]]:
    """The statements of some kinds in a line."""
    for node in every_statement(analysis.parsed[number]):
        if isinstance(node, kinds):
            yield (number, node.at), node


def _leads_to(analysis: Analysis, node: st.Restore) -> int | None:
    """The line with DATA that a RESTORE finds."""
    lines = (n for n in sorted(analysis.parsed) if node.line is not None and n >= node.line)
    return next((number for number in lines if any(_of(analysis, number, st.Data))), None)


def _after_calls(analysis: Analysis, name: str) -> set[int]:
    """The nodes to which control may come after a CALL of a SUB without a RESTORE."""
    flow, ways = analysis.flow, analysis.loops.ways
    calling = [node for node in flow.nodes if node.calls]
    backs = [*(node.back for node in calling), *flow.resumed]

    def onward(at: int) -> Iterator[int]:
        node = flow.nodes[at]
        if isinstance(node.statement, st.Restore):
            return
        yield from (*ways[at], *node.calls, *flow.handlers)
        if node.enters in flow.subs:
            yield flow.subs[node.enters]
        if node.leaves != ON:
            yield from backs
            yield from (one.following for one in flow.nodes)
        if isinstance(node.statement, st.Subend | st.Subexit):
            yield from (one.back for one in flow.nodes if one.enters == node.scope)

    return reachable([one.back for one in flow.nodes if one.enters == name], onward)


def _unrestored(gosubs: Gosubs) -> Iterator[tuple[Refused, ir.Spot]]:
    """READs to which control may come without a RESTORE."""
    waiting, seen = [(gosubs.entry, False)], set()
    found: set[ir.Spot] = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        name, restored = one
        block = gosubs.blocks[name]
        for action in block.body:
            reads = isinstance(action, ir.Do) and action.name == "read"
            texts = (part for expr in ir.expressions(action) for part in ir.walk(expr))
            if (reads or any(part.op == "item" for part in texts)) and not restored:
                found.add(action.spot)
            restored |= isinstance(action, ir.Do) and action.name == "restore"
        waiting += [(to, restored) for to in (*calls(block.end), *ways_on(block.end))]
    for spot in sorted(found):
        yield Refused("READ may come there without a RESTORE", FIRST), spot


def restore(e: Emission, code: ir.Code, entry: int, suffix: str) -> None:
    """RESTORE: `entry` is the number of a line with DATA, or of an item."""
    item = entry
    if code.data_lines:
        item = code.data_begins[entry] if entry < len(code.data_begins) else len(code.data_items)
    e.out.op("LI", f"R0,DT{suffix}+{ROW_BYTES * item}")
    e.out.op("MOV", f"R0,@{e.out.uses('SUBDAT')}")


def rows(e: Emission, code: ir.Code, suffix: str, read: set[str]) -> str:
    """The table of the items; `read`: the entries of the runtime that read them."""
    found = [f"DT{suffix}\n"]
    for text, quoted in code.data_items:
        number = item_number(text, quoted)
        own = e.constants.text(text) if "READTX" in read else "1"
        cell = e.constants.cell(number) if number is not None and "READNM" in read else "0"
        found.append(f"       DATA {own},{cell}\n")
    return "".join([*found, "       DATA 0\n"])
