"""The statements of a main program as a graph: where control goes, and how often.

Each node knows what its statement reads and writes. A NEXT can go round the loops whose FOR is on
the stack when control comes to it: it looks for the loop of its variable down to the last GOSUB or
error on the stack, and FOR removes an older loop of its variable (recorded).

How often statements run is estimated by a random walk from the program's start, which takes all
ways with equal probability; a NEXT goes round three times out of four. The walk may end after each
statement, so that a program that never ends has finite numbers too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ti99tools.language.analysis import analysis_of
from ti99tools.language.listing.builtins import SUBPROGRAMS, may_store
from ti99tools.language.optimize.rows import Row, references
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import next_statement
from ti99tools.language.syntax.statements import every_statement, parts

END = 0
"""The node after the last statement of the program, where nothing is read."""
ON, BACK, RESUMED = range(3)
"""How a node leaves its level of the stack: not at all, by RETURN, by RETURN NEXT or RETURN n."""


class FlowError(Exception):
    """The flow of a program cannot be determined; the argument says why."""


@dataclass(slots=True)
class Node:
    """A statement; sets of variables are masks with a bit for each.

    It `reads` variables, `writes` those that may get a value, and `kills` those that surely get one
    unless it fails. An `entangled` statement may write before it has read everything. Control goes
    `onward` to nodes and to `lines`; `calls` are lines of subroutines, which return to `back`.
    `following` is where a RETURN NEXT goes on after an error here, END if the program has none:
    after the next `::` as the line stands, even in a branch of an IF. `leaves`: see `BACK`.
    """

    statement: st.Statement
    reads: int = 0
    writes: int = 0
    kills: int = 0
    entangled: bool = False
    onward: list[int] = field(default_factory=list)
    lines: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    back: int = END
    following: int = END
    leaves: int = ON


@dataclass(slots=True)
class Flow:
    """A main program.

    `first` is the first node of each line, `starts` those of the program and of lines that RUN
    names; `handlers` are those that ON ERROR names, `resumed` those that RETURN n does.
    """

    nodes: list[Node]
    first: Mapping[int, int]
    starts: tuple[int, ...]
    handlers: tuple[int, ...]
    resumed: tuple[int, ...]

    def ways(self, node: Node) -> list[int]:
        """Where control goes on after a node, without subroutines and errors."""
        return [*node.onward, *(self.first[n] for n in node.lines if n in self.first)]

    def called(self, node: Node) -> list[int]:
        """The subroutines that a node calls."""
        return [self.first[n] for n in node.calls if n in self.first]


def flow_of(main: Sequence[Row], subs: Sequence[Row], bits: Mapping[str, int]) -> Flow:
    """The flow of the `main` rows, with NEXT leading on only; `bits` has a bit for each variable.

    Raises FlowError for a line with a mistake or with unreachable statements, for a jump between
    main program and `subs`, and for a handler in `subs`: it stays armed after them.
    """
    for rows, others in ((main, subs), (subs, main)):
        keys = {row.key for row in others}
        if any(e.line_number in keys for row in rows for e in references(row.tokens)):
            raise FlowError("a jump into a SUB, or out of one")
    parsed = analysis_of((row.key, row.tokens) for row in (*main, *subs)).parsed
    of_subs = [one for row in subs for one in every_statement(parsed[row.key])]
    if any(map(_arms, of_subs)):
        raise FlowError("a handler of errors in a SUB")
    made = _Nodes(bits, {one.name for one in of_subs if isinstance(one, st.Sub)})
    start = END
    for row in reversed(main):
        statements = parsed[row.key]
        if any(map(_faulty, every_statement(statements))):
            raise FlowError(f"line {row.key} has a mistake")
        start = made.line(row, statements, start)
    made.match_loops()
    if not any(
        isinstance(node.statement, st.Return) and node.statement.next for node in made.nodes
    ):
        for node in made.nodes:
            node.following = END
    return Flow(
        made.nodes,
        made.first,
        (start, *made.named_by(st.Run)),
        made.named_by(st.OnError),
        made.named_by(st.Return),
    )


def _faulty(statement: st.Statement) -> bool:
    if statement.fault is not None or getattr(statement, "broken", None) is not None:
        return True
    return any(isinstance(part, nd.Fault) for part in parts(statement))


def _arms(statement: st.Statement) -> bool:
    return isinstance(statement, st.OnError) and statement.line is not None


class _Nodes:
    """Makes nodes, the last statement first."""

    def __init__(self, bits: Mapping[str, int], own: Container[str]) -> None:
        self.nodes = [Node(st.End(at=0, end=0))]
        self.first: dict[int, int] = {}
        self._bits = bits
        self._own = own
        self._loops: list[int] = []

    def line(self, row: Row, statements: Sequence[st.Statement], after: int) -> int:
        """The first node of a line; `after` comes after it."""
        before = len(self.nodes)
        first = self.first[row.key] = self.sequence(statements, after)
        made = self.nodes[before:]
        places = {node.statement.at: before + i for i, node in enumerate(made)}
        places[len(row.tokens)] = after
        for node in made:
            place = next_statement(row.tokens, node.statement.at) or len(row.tokens)
            if place not in places:
                raise FlowError(f"line {row.key} has statements that control never comes to")
            node.following = places[place]
        return first

    def named_by(self, kind: type[st.OnError | st.Return | st.Run]) -> tuple[int, ...]:
        """The first nodes of the lines that statements of a kind name."""
        found = (node.statement for node in self.nodes)
        lines = {one.line for one in found if isinstance(one, kind) and one.line is not None}
        return tuple(sorted(self.first[line] for line in lines if line in self.first))

    def sequence(self, statements: Sequence[st.Statement], after: int) -> int:
        """The node of the first of these statements; `after` comes after them."""
        for statement in reversed(statements):
            after = self._node(statement, after)
        return after

    def _node(self, statement: st.Statement, after: int) -> int:
        node = Node(statement)
        match statement:
            case st.If(then=then, otherwise=otherwise):
                self._branch(node, then, after)
                self._branch(node, otherwise, after)
            case st.Goto(line=line):
                node.lines = (line,)
            case st.Gosub(line=line):
                node.calls, node.back = (line,), after
            case st.OnGo(gosub=True, lines=lines):
                node.calls, node.back = lines, after
            case st.OnGo(lines=lines):
                node.lines = lines
            case st.Return(next=following, line=line):
                node.leaves = RESUMED if following or line is not None else BACK
            case st.End() | st.Run():
                pass
            case _:
                node.onward.append(after)
        self._note_values(node)
        self.nodes.append(node)
        if isinstance(statement, st.For | st.Next):
            self._loops.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _branch(self, node: Node, branch: st.Branch | None, after: int) -> None:
        if isinstance(branch, st.Jump):
            node.lines += (branch.line,)
        else:
            node.onward.append(self.sequence(branch or (), after))

    def match_loops(self) -> None:
        """Let each FOR also go on after the NEXT that closes it in the order of the text."""
        closed: list[int] = []
        for at in self._loops:
            node = self.nodes[at]
            if isinstance(node.statement, st.Next):
                closed.append(node.onward[0])
            elif closed:
                node.onward.append(closed.pop())

    # -- values ---------------------------------------------------------------------------

    def _note_values(self, node: Node) -> None:
        match node.statement:
            case st.Let(targets=targets, value=value):
                self._gives(node, targets, value)
                node.entangled = len(targets) > 1
            case st.Read(targets=targets):
                self._gives(node, targets)
                node.entangled = True
            case st.For(variable=variable, start=start, limit=limit, step=step):
                self._gives(node, (variable,), start, limit, step)
                node.entangled = True
            case st.Next(variable=name):
                node.reads = node.writes = node.kills = self._bits.get(name, 0)
            case st.Input(targets=targets):
                self._may_give(node, targets)
            case st.Linput(target=target) | st.Accept(target=target):
                self._may_give(node, (target,) if target else ())
            case st.Call() as call:
                self._call(node, call)
            case statement:
                node.reads = self._names(statement)

    def _gives(self, node: Node, targets: Sequence[nd.Target], *read: object) -> None:
        """Assign to targets values made of what is `read`."""
        elements = tuple(target for target in targets if isinstance(target, nd.Element))
        node.reads = self._names((*read, elements))
        node.writes = node.kills = self._alone(targets)

    def _may_give(self, node: Node, targets: Sequence[nd.Target]) -> None:
        """Note that targets may get values, one by one, or keep theirs."""
        node.reads = self._names(node.statement)
        node.writes = self._alone(targets)
        node.entangled = True

    def _call(self, node: Node, call: st.Call) -> None:
        """Note that a built-in subprogram assigns to its variables; others may or may not."""
        node.entangled = True
        record = None if call.name in self._own else SUBPROGRAMS.get(call.name)
        certain = record is not None and bool(record.forms)
        gets = may_store(call, self._own)
        for argument, stored in zip(call.arguments or (), gets, strict=True):
            given = stored and isinstance(argument, nd.Variable)
            if given:
                node.writes |= self._names(argument)
            if given and certain:
                node.kills |= self._names(argument)
            else:
                node.reads |= self._names(argument)

    def _names(self, node: object) -> int:
        """The variables that occur in a part of a statement."""
        return self._mask(p.name for p in parts(node) if isinstance(p, nd.Variable | nd.Element))

    def _alone(self, targets: Iterable[nd.Target]) -> int:
        return self._mask(target.name for target in targets if isinstance(target, nd.Variable))

    def _mask(self, names: Iterable[str]) -> int:
        found = 0
        for name in names:
            found |= self._bits.get(name, 0)
        return found


def close_loops(flow: Flow) -> None:
    """Give each NEXT of a flow its ways back."""
    _Loops(flow).close()


class _Loops:
    """Goes through a flow with the loops that are on the stack: a bit for each FOR."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.own: dict[int, int] = {}
        self.of_variable: dict[str, int] = {}
        for at, node in enumerate(flow.nodes):
            if isinstance(node.statement, st.For):
                self.own[at] = 1 << len(self.own)
                name = node.statement.variable.name
                self.of_variable[name] = self.of_variable.get(name, 0) | self.own[at]
        self.reached = [-1] * len(flow.nodes)
        self.waiting: list[int] = []
        self.failed = 0
        """The loops on the stack where an error was handled. They are there again after RETURN, and
        when an error in the handler removes its level.
        """

    def close(self) -> None:
        """See `close_loops`."""
        self._enter(self.flow.starts, 0)
        while self.waiting:
            at = self.waiting.pop()
            node, here = self.flow.nodes[at], self.reached[at]
            if self.flow.handlers:
                self.failed |= here
                self._enter((*self.flow.handlers, *self.flow.resumed), self.failed)
                self._enter([node.following], here)
            match node.statement:
                case st.For(variable=variable):
                    here = here & ~self.of_variable[variable.name] | self.own[at]
                case st.Next(variable=name):
                    self._go_round(at, here & self.of_variable.get(name, 0))
            self._enter(self.flow.ways(node), here)
            if node.calls:
                self._enter([node.back], here)
                self._enter(self.flow.called(node), 0)

    def _go_round(self, at: int, loops: int) -> None:
        ways = self.flow.nodes[at].onward
        bodies = (self.flow.nodes[loop].onward[0] for loop, bit in self.own.items() if bit & loops)
        ways += [body for body in bodies if body not in ways]

    def _enter(self, places: Iterable[int], loops: int) -> None:
        """Let control come to places with these loops on the stack; places with news are queued."""
        for place in places:
            if self.reached[place] < 0 or loops & ~self.reached[place]:
                self.reached[place] = max(self.reached[place], 0) | loops
                self.waiting.append(place)


AGAIN = 0.75
"""The probability that NEXT goes round."""
ONWARD = 0.999
"""The probability that the walk goes on after a statement."""
SWEEPS = 60
"""How often each statement's visits are computed from those before it; enough to order names."""


def expected(main: Sequence[Row], subs: Sequence[Row]) -> dict[str, float]:
    """The expected lookups of each name of the main program, as a share of all lookups.

    Empty if the flow cannot be determined.
    """
    try:
        flow = flow_of(main, subs, {})
    except FlowError:
        # Without a flow the order of names is guessed from loops.
        return {}
    close_loops(flow)
    found: Counter[str] = Counter()
    for node, often in zip(flow.nodes, _visits(flow), strict=True):
        for name in looked_up(node.statement):
            found[name] += often  # type: ignore[assignment]
    return shares(found)


def shares(counts: Counter[str]) -> dict[str, float]:
    """Each count as a share of all."""
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()} if total else {}


def looked_up(statement: st.Statement) -> list[str]:
    """The names that a statement looks up, without those in the branches of an IF."""
    names = [p.name for p in parts(statement) if isinstance(p, nd.Variable | nd.Element)]
    return [*names, statement.variable] if isinstance(statement, st.Next) else names


def _visits(flow: Flow) -> list[float]:
    """The expected visits of the walk to each node."""
    sources: list[list[tuple[int, float]]] = [[] for _ in flow.nodes]
    for at, node in enumerate(flow.nodes):
        for to, likely in _ways(flow, node):
            sources[to].append((at, likely * ONWARD))
    visits = [0.0] * len(flow.nodes)
    for _ in range(SWEEPS):
        for at in range(len(visits) - 1, -1, -1):
            begun = 1.0 if at == flow.starts[0] else 0.0
            visits[at] = begun + sum(visits[source] * likely for source, likely in sources[at])
    return visits


def _ways(flow: Flow, node: Node) -> list[tuple[int, float]]:
    """Where the walk goes from a node, with probabilities; after a GOSUB both there and back."""
    called, ways = flow.called(node), flow.ways(node)
    if called:
        return [(node.back, 1.0), *((to, 1 / len(called)) for to in called)]
    if isinstance(node.statement, st.For):
        return [(ways[0], 1.0)]
    if isinstance(node.statement, st.Next) and len(ways) > 1:
        rounds = [(to, AGAIN / (len(ways) - 1)) for to in ways[1:]]
        return [(ways[0], 1 - AGAIN), *rounds]
    return [(to, 1 / len(ways)) for to in ways]
