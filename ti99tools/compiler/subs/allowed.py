"""What is not compiled in a SUB, and why: by statement, and by CALL of the SUB.

What a SUB gets is a copy, which goes back when it is left. So two arguments must not lie in one
place if the SUB changes one of them: in Extended BASIC it would change the other, too.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import combinations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.refusing import Refused
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.compiler.subs.lookups import LOOKUP
from ti99tools.compiler.subs.stub import Stub, calls_of
from ti99tools.language.analysis import Analysis
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

Found = tuple[Refused, ir.Spot]

OUTSIDE = "do it in the program, before or after the CALL"
_KINDS: dict[type[st.Statement], str] = {
    st.Print: "PRINT is left to the program",
    st.Display: "DISPLAY is left to the program",
    st.Accept: "ACCEPT waits for the keyboard as Extended BASIC does",
    st.Input: "INPUT waits for the keyboard or a file as Extended BASIC does",
    st.Linput: "LINPUT waits for the keyboard or a file as Extended BASIC does",
    st.Open: "files are left to the program",
    st.Close: "files are left to the program",
    st.RestoreFile: "files are left to the program",
    st.Delete: "files are left to the program",
    st.OnError: "an error in a SUB that is compiled ends it, and comes in the line of the CALL",
    st.OnWarning: "ON WARNING is left to the program",
    st.OnBreak: "ON BREAK is left to the program",
    st.Break: "BREAK needs Extended BASIC's lines",
    st.Trace: "TRACE needs Extended BASIC's lines",
    st.Def: "a DEF in a SUB is not compiled",
    st.End: "END and STOP end the program",
    st.Run: "RUN starts another program",
}
"""Kinds of statements that are refused → why."""
_NUMBERS = frozenset({
    "const", "var", "elem", "add", "sub", "mul", "neg", *ir.COMPARISONS, "and", "or", "xor", "not",
    "int", "abs", "sgn", "max", "min", "quot", "mod", "round", "div", "pow", *ir.FUNCTIONS, LOOKUP,
    "passed", "text", "chr", "cat", "seg", "len", "asc", "pos", "str", "val", "charpat",
    "rpt", "moved", "rnd", "randint", "item",
    *(f"t{name}" for name in ir.COMPARISONS),
})  # fmt: skip
"""Operations that are compiled."""


CALLS = frozenset({
    "HCHAR", "VCHAR", "GCHAR", "CHAR", "CHARPAT", "CLEAR", "COLOR", "SCREEN", "KEY", "JOYST",
    "LOCATE", "PATTERN",
})  # fmt: skip
"""Built-in subprograms that are compiled."""
_ACTIONS = frozenset({
    "check step", "put", "clear", "hchar", "vchar", "gchar", "char", "color", "screen", "key",
    "joyst", "randomize", "read", "restore", "sprite place", "sprite pattern", "sprite color",
})  # fmt: skip


def refused_statements(analysis: Analysis, scope: Scope) -> Iterator[Found]:
    """The statements of a SUB that are refused whatever they calculate."""
    for number, nodes in analysis.parsed.items():
        if analysis.flow.nodes[analysis.flow.first[number]].scope != scope.name:
            continue
        for node in every_statement(nodes):
            reason = _KINDS.get(type(node))
            if isinstance(node, st.Call) and node.name not in CALLS:
                own = node.name in analysis.scan.subs
                what = "an interpreted SUB" if own else f"CALL {node.name}"
                reason = f"{what} is left to the program"
            if reason:
                yield Refused(reason, OUTSIDE), (number, node.at)


def refused_in(stub: Stub, gosubs: Gosubs) -> list[Found]:
    """What is refused in the blocks of a SUB, each with its statement."""
    failing = {
        spot: Refused(f"it fails with {xb.TEXTS[code]}", remedy)
        for spot, code, remedy in stub.code.failing
    }
    found: list[Found] = []
    for name in gosubs.own:
        block = stub.code.blocks[name]
        for action in (*block.body, block.end):
            reason = _reason(action)
            if reason is not None:
                assert action is not None
                found.append((failing.get(action.spot, reason), action.spot))
    if gosubs.wrong is not None:
        found.append(gosubs.wrong)
    return list({(one.reason, spot[0]): (one, spot) for one, spot in found}.values())


def _reason(action: ir.Action | ir.End | None) -> Refused | None:
    """Why an action or the end of a block is refused."""
    for expr in ir.expressions(action):
        for part in ir.walk(expr):
            if part.op not in _NUMBERS:
                return Refused(f"{part.op.upper()} is not compiled in a SUB", OUTSIDE)
    match action:
        case ir.Do("randomize by chance"):
            return Refused("RANDOMIZE without a number is left to the program", OUTSIDE)
        case ir.Do("delay"):
            return Refused("an empty loop waits as long as in Extended BASIC", OUTSIDE)
        case ir.Do("push loop" | "pop loop" | "drop loop" | "warn of overflow") | ir.Next():
            remedy = "give the loop one NEXT, and enter and leave it by FOR, NEXT and GOTO alone"
            return Refused("FOR and NEXT are not nested there as they are in the text", remedy)
        case ir.Do(name) if name in _ACTIONS:
            return None
        case ir.Do(name):
            return Refused(f"{name} is not compiled in a SUB", OUTSIDE)
    return None


def refused_calls(
    analysis: Analysis, scope: Scope, changed: Container[int]
) -> Iterator[tuple[Refused, ir.Spot]]:
    """The CALLs that are refused; `changed` are the numbers of the parameters that the SUB sets."""
    for _, spot, call in calls_of(analysis, scope.name):
        arguments = call.arguments or ()
        if len(arguments) != len(scope.parameters):
            reason = (
                f"CALL {scope.name} passes {len(arguments)} of {len(scope.parameters)} arguments"
            )
            yield Refused(reason, "pass what the SUB takes"), spot
            continue
        for (at, one), (other_at, other) in combinations(enumerate(arguments, 1), 2):
            if (at in changed or other_at in changed) and _meet(one, other):
                reason = f"CALL {scope.name} passes {_name(one)} twice, and the SUB changes it"
                yield Refused(reason, "pass another variable, or a value in parentheses"), spot


def _name(argument: st.Argument) -> str:
    """The variable or array that is passed by reference; empty for a value."""
    match argument:
        case nd.Variable(name=name) | nd.Element(name=name) | st.WholeArray(name=name):
            return name
    return ""


def _meet(one: st.Argument, other: st.Argument) -> bool:
    """Tell whether two arguments may lie in one place."""
    if not _name(one) or _name(one) != _name(other):
        return False
    if isinstance(one, nd.Variable) or isinstance(other, nd.Variable):
        return isinstance(one, nd.Variable) and isinstance(other, nd.Variable)
    if isinstance(one, nd.Element) and isinstance(other, nd.Element):
        pairs = zip(one.subscripts, other.subscripts, strict=False)
        return not any(
            isinstance(a, nd.Number) and isinstance(b, nd.Number) and a != b for a, b in pairs
        )
    return True
