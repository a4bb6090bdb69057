"""RETURNs to the wrong place, NEXTs without a loop, and what a `::` does in a line with IF.

After a GOSUB before an ELSE, RETURN goes on after the next `::` of the line, in the part of ELSE.
After THEN and a line, `::` begins what is done if the condition does not hold.

A program may also come to a RETURN without a GOSUB, as when END is missing above a subroutine.

RUN only counts FORs and NEXTs, so that a program with a NEXT that finds no loop begins. A FOR ends
an open loop of its variable, wherever that began (recorded).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import BACK, END, Flow, Node, reachable
from ti99tools.language.findings import Noted, Severity, failing
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

CODE = "return-into-else"
UNCALLED = "no-gosub"
UNMET = "next"
_REMEDY = "put :: and a GOTO to the next line before ELSE, or the part of ELSE in a line of its own"


def lost_returns(lines: Mapping[int, bytes], parsed: st.Parsed) -> Iterator[Noted]:
    """A warning for each GOSUB after which RETURN would come into the part of ELSE (recorded)."""
    for number, row in parsed.items():
        for statement in every_statement(row):
            gosub = isinstance(statement, st.OnGo) and statement.gosub
            if not (gosub or isinstance(statement, st.Gosub)):
                continue
            after = [element for element in scan(lines[number]) if element.start >= statement.at]
            ends = [x.token for x in after if x.token in (t.STATEMENT_SEP, t.ELSE)]
            if ends[:1] == [t.ELSE] and t.STATEMENT_SEP in ends:
                message = "RETURN goes on after the next ::, in the part of ELSE"
                yield Noted(CODE, number, statement.at, message, _REMEDY)


def other_ways(lines: Mapping[int, bytes]) -> Iterator[Noted]:
    """A warning for each THEN with a line that `::` follows (recorded)."""
    for number, tokens in lines.items():
        elements = scan(tokens)
        for then, line, after in zip(elements, elements[1:], elements[2:], strict=False):
            if (then.token, line.token, after.token) == (t.THEN, t.LINE_NUMBER, t.STATEMENT_SEP):
                message = "what comes after this :: is done if the condition does not hold"
                remedy = "write it on the next line, or above if it belongs to THEN"
                yield Noted("other-way", number, after.start, message, remedy)


def uncalled_returns(program: Analysis, running: Collection[int], alone: bool) -> Iterator[Noted]:
    """A warning for each subroutine that the program runs into, and each RETURN without one.

    None in a program with a mistake that hides what comes after it. A source that is not `alone`
    may be included by one with the GOSUB. A subroutine from which control also goes on in another
    way than by RETURN may be meant to be jumped to.
    """
    if not program.sound:
        return
    flow, ways = program.flow, program.loops.ways

    def inside(at: int) -> list[int]:
        node = flow.nodes[at]
        return [*ways[at], node.back] if node.calls or node.enters else ways[at]

    def comes_back(place: int) -> bool:
        return any(
            flow.nodes[at].leaves == BACK
            or isinstance(flow.nodes[at].statement, st.Subend | st.Subexit)
            for at in reachable((place,), inside)
        )

    entries = {entry for node in flow.nodes for entry in node.calls}
    returning = {entry for entry in {*entries, *flow.subs.values()} if comes_back(entry)}

    def on(at: int) -> list[int]:
        node = flow.nodes[at]
        called = [flow.subs.get(node.enters, END)] if node.enters else node.calls
        if not called:
            return ways[at]
        return [node.back] if returning.intersection(called) else []

    seen = reachable((*flow.starts, *flow.subs.values()), on) - {END}
    lost = {at for at in seen if flow.nodes[at].leaves == BACK}
    for entry in sorted(entries & seen, reverse=True):
        body = reachable((entry,), on)
        if not body & lost:
            continue
        lost -= body
        from_outside = any(entry in on(at) for at in seen - body) or entry in flow.starts
        if from_outside and not any(_ends(flow.nodes[at], on(at)) for at in body):
            node = flow.nodes[entry]
            message = failing(xb.RETURN_WITHOUT_GOSUB, "the program can run into this subroutine")
            remedy = "put END above it, and enter it by GOSUB only"
            yield Noted(UNCALLED, node.line, node.statement.at, message, remedy)
    for at in sorted(lost, reverse=True) if alone else ():
        node = flow.nodes[at]
        if node.line in running:
            message = failing(xb.RETURN_WITHOUT_GOSUB, "no GOSUB leads to this RETURN")
            remedy = "put END above the subroutine, and enter it by GOSUB only"
            yield Noted(UNCALLED, node.line, node.statement.at, message, remedy)


def _ends(node: Node, ways: Collection[int]) -> bool:
    """Tell whether the program may end at a node, or in what that calls."""
    return END in ways or (not ways and node.leaves != BACK)


def lost_nexts(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """An error for each NEXT of `running` lines that certainly meets no FOR of its variable.

    None in a program with a mistake that hides what comes after it.
    """
    if not program.sound:
        return
    loops, nodes = program.loops, program.flow.nodes
    for at, met in loops.meets.items():
        node = nodes[at]
        if met or node.line not in running or not isinstance(node.statement, st.Next):
            continue
        name = node.statement.variable
        closed = {loops.variables[begin][1] for begin, end in loops.ends.items() if end == at}
        meant = f"did you mean NEXT {min(closed)}, or " if closed - {name} else "write "
        message = failing(xb.NEXT_WITHOUT_FOR, f"there is no loop of {name} here")
        remedy = f"{meant}FOR {name} before it"
        yield Noted(UNMET, node.line, node.statement.at, message, remedy, Severity.ERROR)


def crossed_loops(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """A warning for the first NEXT of two loops that cross: FOR I, FOR J, NEXT I, NEXT J."""
    loops, nodes = program.loops, program.flow.nodes
    pairs = [
        (loops.variables[begin], loops.variables[end], end) for begin, end in loops.ends.items()
    ]
    # The inner loop is closed first, so its pair comes right before that of the outer one.
    for (inner, outer, at), (first, last, _) in pairwise(pairs):
        node = nodes[at]
        if inner != outer and (first, last) == (outer, inner) and node.line in running:
            message = (
                f"this ends the loop of {inner[1]}, too, which begins inside that of {outer[1]}"
            )
            remedy = f"write NEXT {inner[1]} before it"
            yield Noted("loop-ended", node.line, node.statement.at, message, remedy)


def ended_loops(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """A warning for each FOR in a subroutine that ends the loop from which that is called."""
    flow = program.flow
    found: dict[int, tuple[int, str]] = {}
    for at, node in enumerate(flow.nodes):
        if isinstance(node.statement, st.For) and node.line in running:
            name, scope = node.statement.variable.name, node.scope
            inside = _looping(flow, node.ways, name)
            called = {entry for one in inside for entry in flow.nodes[one].calls}
            for one in _called(flow, called) - inside - {at}:
                other = flow.nodes[one]
                loop = other.statement
                again = isinstance(loop, st.For) and loop.variable.name == name
                if again and other.scope == scope:
                    found.setdefault(one, (node.line, name))
    for one, (line, name) in found.items():
        node = flow.nodes[one]
        message = f"this ends the loop of {name} in line {line}, from which it is called"
        remedy = "use another variable; in a PROC, LOCAL makes it its own"
        yield Noted("loop-ended", node.line, node.statement.at, message, remedy)


def _looping(flow: Flow, starts: Collection[int], name: str) -> set[int]:
    """What control comes to in a loop and from where it comes to a NEXT, without what it calls.

    A jump may have left the loop elsewhere.
    """

    def is_next(at: int) -> bool:
        statement = flow.nodes[at].statement
        return isinstance(statement, st.Next) and statement.variable == name

    def further(at: int) -> list[int]:
        node = flow.nodes[at]
        loop = node.statement
        if is_next(at) or (isinstance(loop, st.For) and loop.variable.name == name):
            return []
        return _ways_on(node)

    inside = reachable(starts, further) - {END}
    before: defaultdict[int, list[int]] = defaultdict(list)
    for at in inside:
        for to in further(at):
            before[to].append(at)
    return reachable(filter(is_next, inside), before.__getitem__)


def _called(flow: Flow, entries: Collection[int]) -> set[int]:
    """What control comes to in subroutines, with those that they call."""

    def further(at: int) -> list[int]:
        node = flow.nodes[at]
        return [*node.calls, *_ways_on(node)]

    return reachable(entries, further) - {END}


def _ways_on(node: Node) -> list[int]:
    """Where control goes on after a statement and what it calls."""
    return [*node.ways, node.back] if node.calls else node.ways
