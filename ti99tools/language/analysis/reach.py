"""Which lines can be reached: from the first one, along jumps and into SUBs that are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.language.analysis.flow import Flow, Node
from ti99tools.language.listing.listing import scan
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import failures


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
