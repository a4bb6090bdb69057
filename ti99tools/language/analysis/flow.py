"""The statements of a program as a graph: where control goes after each.

A RETURN goes on after the next `::` as the line stands, even in a branch of an IF, and so does a
RETURN NEXT. A program that runs into a SUB is at its end. A jump to a missing line ends it, too.
NEXT has the way onward only; `loops` adds the ways back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import parse_from
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import next_statement
from ti99tools.language.syntax.failures import failures
from ti99tools.language.syntax.statements import every_statement

END = 0
"""The node after the last statement of the program."""
ON, BACK, RESUMED = range(3)
"""How a node leaves its level of the stack: not at all, by RETURN, by RETURN NEXT or RETURN n."""


Place = TypeVar("Place")
"""What control comes to: a node, a block of compiled code, a SUB."""


def reachable(starts: Iterable[Place], ways: Callable[[Place], Iterable[Place]]) -> set[Place]:
    """The places that control comes to from some, these included; `ways` leads on from each."""
    found = set(starts)
    waiting = [*found]
    while waiting:
        new = set(ways(waiting.pop())) - found
        found |= new
        waiting += new
    return found


@dataclass(eq=False, repr=False, slots=True)
class Node:
    """A statement of line `line`, in the SUB `scope` (empty: the main program).

    Control goes on by `ways`; an IF has two, if its condition is true and if not. `calls` are the
    first nodes of subroutines, which return to `back`; so does the SUB that a CALL `enters`.
    `following` is where a RETURN NEXT goes on after an error here, END if the program has none.
    `leaves`: see `BACK`. `missing`: it names a line that the program lacks.
    """

    line: int
    statement: st.Statement
    scope: str = ""
    ways: list[int] = field(default_factory=list)
    calls: tuple[int, ...] = ()
    enters: str = ""
    back: int = END
    following: int = END
    leaves: int = ON
    missing: bool = False


@dataclass(eq=False, repr=False, slots=True)
class Flow:
    """A program; its `nodes` are numbered from the last statement to the first.

    `first` is the first node of each line, `subs` that of each SUB. `starts` are those of the
    program and of lines that RUN names; `handlers` are those that ON ERROR names, `resumed` those
    that RETURN n does. `resumes`: there is a RETURN NEXT. `lost` is a line with statements that
    control never comes to; None without one, and where that was not looked for.
    """

    nodes: list[Node]
    first: dict[int, int]
    subs: dict[str, int]
    starts: tuple[int, ...] = ()
    handlers: tuple[int, ...] = ()
    resumed: tuple[int, ...] = ()
    resumes: bool = False
    lost: int | None = None


def flow_of(
    parsed: Mapping[int, Sequence[st.Statement]], tokens: Mapping[int, bytes], whole: bool = False
) -> Flow:
    """The flow of lines in the order of the program; `whole`: look for `lost` lines, too."""
    every = [one for _, one in all_statements(parsed, tokens)]
    resumes = any(isinstance(one, st.Return) and one.next for one in every)
    maker = _Maker(tokens, {one.name for one in every if isinstance(one, st.Sub)}, resumes or whole)
    start = END
    for number, row, scopes in reversed([*_scoped(parsed)]):
        start = maker.line(number, row, scopes, start)
    flow = maker.flow
    maker.aim()
    flow.resumes = resumes
    if not resumes:
        for node in flow.nodes:
            node.following = END
    flow.starts = (start, *_named(flow, every, st.Run))
    flow.handlers = _named(flow, every, st.OnError)
    flow.resumed = _named(flow, every, st.Return)
    return flow


def all_statements(
    parsed: Mapping[int, Sequence[st.Statement]], tokens: Mapping[int, bytes]
) -> Iterator[tuple[int, st.Statement]]:
    """All statements, each with the number of its line, also those that are not read with its
    line, after wrong syntax, a GOTO or ELSE with a line: RETURN NEXT goes on there, and a FOR that
    is not entered.
    """
    for number, row in parsed.items():
        line = tokens[number]
        known = {node.at: node for node in every_statement(row)}
        at: int | None = 0
        while at is not None:
            if at not in known:
                for node in every_statement(parse_from(line, at)):
                    known.setdefault(node.at, node)
            at = next_statement(line, at)
        yield from ((number, node) for node in known.values())


def _scoped(
    parsed: Mapping[int, Sequence[st.Statement]],
) -> Iterator[tuple[int, Sequence[st.Statement], list[str]]]:
    """Each line with the SUB of each of its statements; SUB and SUBEND belong to theirs."""
    scope = ""
    for number, row in parsed.items():
        scopes = []
        for statement in row:
            scope = statement.name if isinstance(statement, st.Sub) else scope
            scopes.append(scope)
            scope = "" if isinstance(statement, st.Subend) else scope
        yield number, row, scopes


def _named(
    flow: Flow, every: Iterable[st.Statement], kind: type[st.OnError | st.Return | st.Run]
) -> tuple[int, ...]:
    """The first nodes of the lines that statements of a kind name."""
    lines = {one.line for one in every if isinstance(one, kind) and one.line is not None}
    return tuple(sorted(flow.first[line] for line in lines if line in flow.first))


class _Maker:
    """Makes nodes, the last statement first; jumps get their aims when all lines are there."""

    def __init__(self, tokens: Mapping[int, bytes], subs: set[str], looks: bool) -> None:
        self.flow = Flow([Node(0, st.End(at=0, end=0))], {}, {})
        self._tokens = tokens
        self._subs = subs
        self._looks = looks
        self._jumps: list[tuple[Node, tuple[int, ...]]] = []
        self._number = 0
        self._scope = ""
        self._branched: list[Node] = []
        """Nodes in branches of the line at work from which control leaves and comes back."""

    def line(
        self, number: int, row: Sequence[st.Statement], scopes: Sequence[str], after: int
    ) -> int:
        """The node of a line where control comes in from above; `after` comes after the line."""
        nodes = self.flow.nodes
        before, last = len(nodes), after
        self._number = number
        for statement, self._scope in zip(reversed(row), reversed(scopes), strict=True):
            after = self._node(statement, after)
            self.flow.first[number] = after
            if isinstance(statement, st.Sub):
                self.flow.subs.setdefault(statement.name, after)
                after = END
        if self._looks or self._branched:
            self._look_along(number, before, last)
        return after

    def _look_along(self, number: int, before: int, last: int) -> None:
        """Find out where the nodes of a line come back to."""
        nodes = self.flow.nodes
        tokens = self._tokens[number]
        places = {nodes[at].statement.at: at for at in range(before, len(nodes))}
        places[len(tokens)] = last
        for node in nodes[before:] if self._looks else self._branched:
            place = next_statement(tokens, node.statement.at) or len(tokens)
            if place not in places:
                self.flow.lost = number
            node.following = places.get(place, last)
        for node in self._branched:
            node.back = node.following
        self._branched.clear()

    def _node(self, statement: st.Statement, after: int, inside: bool = False) -> int:
        """The node of a statement; `inside` a branch of an IF."""
        node = Node(self._number, statement, self._scope)
        match statement:
            case st.If(then=then, otherwise=otherwise):
                self._branch(node, then, after)
                self._branch(node, otherwise, after)
            case st.Goto(line=line):
                self._jump(node, line)
            case st.Gosub(line=line):
                self._call(node, (line,), after, inside)
            case st.OnGo(gosub=True, lines=lines):
                self._call(node, lines, after, inside)
            case st.OnGo(lines=lines):
                self._jump(node, *lines)
            case st.Return(next=following, line=line):
                node.leaves = RESUMED if following or line is not None else BACK
            case st.End() | st.Run() | st.Subend() | st.Subexit():
                pass
            case st.Call(name=name) if name in self._subs:
                node.enters = name
                self._call(node, (), after, inside)
                node.ways.append(after)
            case _:
                node.ways.append(after)
        self.flow.nodes.append(node)
        return len(self.flow.nodes) - 1

    def _branch(self, node: Node, branch: st.Branch | None, after: int) -> None:
        if isinstance(branch, st.Jump):
            self._jump(node, branch.line)
            return
        for statement in reversed(branch or ()):
            after = self._node(statement, after, inside=True)
        node.ways.append(after)

    def _jump(self, node: Node, *lines: int) -> None:
        """Let a node go to lines: to negative numbers for them, until all nodes are there."""
        self._jumps.append((node, ()))
        node.ways += [~line for line in lines]

    def _call(self, node: Node, lines: tuple[int, ...], after: int, inside: bool) -> None:
        self._jumps.append((node, lines))
        node.back = after
        if inside:
            self._branched.append(node)

    def aim(self) -> None:
        """Let jumps and calls go to the nodes of their lines."""
        first = self.flow.first
        for node, lines in self._jumps:
            aims = [~way for way in node.ways if way < 0]
            node.missing = not first.keys() >= {*aims, *lines}
            node.ways = [first.get(~way, END) if way < 0 else way for way in node.ways]
            node.calls = tuple(first[line] for line in lines if line in first)
            if node.enters:
                node.ways = [node.back]


class Reach:
    """The reached lines of a program.

    A jump to a missing line is a mistake, and what follows it counts as reached; so do the lines
    and SUBs that a line with wrong syntax names in its `tokens`. If the program has a RETURN NEXT,
    a statement that fails may go on to the next one.
    """

    def __init__(self, flow: Flow, tokens: Mapping[int, bytes]) -> None:
        self._flow = flow
        self._tokens = tokens
        self._next = dict(pairwise(tokens))

    def lines(self, end: int | None = None) -> set[int]:
        """Numbers of the lines reached; with `end` only those reached before that line, and it."""
        nodes = self._flow.nodes
        broken: set[int] = set()
        seen: set[int] = set()
        # A file that begins with a SUB is there to be included: its SUB counts as called.
        waiting = [self._flow.first[number] for number in [*self._tokens][:1]]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            node = nodes[at]
            if node.line == end or not at:
                continue
            waiting += self._onward(node)
            if node.line not in broken and failures(self._tokens[node.line]):
                broken.add(node.line)
                waiting += self._named_in(node.line)
        return {nodes[at].line for at in seen if at}

    def _onward(self, node: Node) -> Iterator[int]:
        yield from node.ways
        yield from node.calls
        if node.calls:
            yield node.back
        if node.enters in self._flow.subs:
            yield self._flow.subs[node.enters]
        missing = node.missing
        match node.statement:
            case st.OnError(line=line) | st.Return(line=line) | st.Run(line=line):
                missing = line is not None and line not in self._flow.first
                if line in self._flow.first:
                    yield self._flow.first[line]
            case st.Goto(fault=int()):
                missing = True
            case st.OnGo(gosub=False) if self._flow.resumes:
                yield node.following
        if missing:
            yield from self._after(node.line)

    def _after(self, line: int) -> Iterator[int]:
        """The node of the line after a line."""
        if line in self._next:
            yield self._flow.first[self._next[line]]

    def _named_in(self, line: int) -> Iterator[int]:
        """What a line with a mistake may lead to: whatever it names."""
        calls = False
        for element in scan(self._tokens[line]):
            if element.token == t.LINE_NUMBER and element.line_number in self._flow.first:
                yield self._flow.first[element.line_number]
            elif calls and element.text in self._flow.subs:
                yield self._flow.subs[element.text]
            calls = element.token == t.CALL
