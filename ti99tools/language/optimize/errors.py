"""Where errors may take control from each statement, by the handlers that ON ERROR has armed.

A handler is disarmed when it is entered; what ON ERROR says in a subroutine holds after RETURN.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.optimize.flow import ON, Flow, Node
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import NOT_EQUAL
from ti99tools.language.syntax.statements import parts

TAKES_FILES = frozenset(("LOAD", "LINK"))
"""Built-in subprograms that may use files."""
FILE_FUNCTIONS = frozenset((t.EOF, t.REC))


@dataclass(frozen=True, slots=True)
class Failing:
    """For each node the first nodes of handlers that an error there may go to.

    For those in `tried`, such an error comes to nothing but CALL ERR and RETURN: they handle errors
    of files, and the node's statement has nothing to do with files.
    """

    handled: list[tuple[int, ...]]
    tried: list[tuple[int, ...]]


def failing(flow: Flow) -> Failing:
    """The ways of errors. Every statement may fail, except those that cannot do any harm."""
    armed = _Armed(flow).solve()
    sorting = set() if _files_in_def(flow) else {n for n in flow.handlers if _is_for_files(flow, n)}
    found = Failing([], [])
    for at, node in enumerate(flow.nodes):
        ready = [n for bit, n in enumerate(flow.handlers) if armed[at] >> bit & 1]
        if isinstance(node.statement, st.Nothing | st.End):
            ready = []
        tried = sorting if not _uses_files(node.statement) else ()
        found.handled.append(tuple(n for n in ready if n not in tried))
        found.tried.append(tuple(n for n in ready if n in tried))
    return found


def _is_for_files(flow: Flow, handler: int) -> bool:
    """Tell whether a handler begins with CALL ERR(E,…) and IF E<>130 THEN RETURN."""
    call = flow.nodes[handler].statement
    if not (isinstance(call, st.Call) and call.name == "ERR" and call.arguments):
        return False
    match flow.nodes[flow.nodes[handler].onward[0]].statement:
        case st.If(
            condition=nd.Binary(operator=operator, left=left, right=nd.Number(text=code)),
            then=(st.Return(next=False, line=None), *_),
        ):
            same = isinstance(left, nd.Variable) and left == call.arguments[0]
            return same and operator == NOT_EQUAL and code == str(xb.IO_ERROR)
    return False


def _files_in_def(flow: Flow) -> bool:
    """Tell whether a DEF uses files: then every statement with a function may too."""
    return any(isinstance(n.statement, st.Def) and _uses_files(n.statement) for n in flow.nodes)


def _uses_files(statement: st.Statement) -> bool:
    """Tell whether a statement may fail with an error of a file or device."""
    match statement:
        case st.Open() | st.Close() | st.RestoreFile() | st.Delete() | st.Run():
            return True
        case st.Call(name=name) if name not in SUBPROGRAMS or name in TAKES_FILES:
            return True
    return any(map(_is_of_files, parts(statement)))


def _is_of_files(part: object) -> bool:
    function = isinstance(part, nd.Function) and part.token in FILE_FUNCTIONS
    return function or isinstance(part, st.FileRef)


class _Armed:
    """Masks with a bit for each handler: `armed` where control comes to a node.

    `left` is what is armed when a node's level of the stack is left, and whether that may be what
    was armed when control came to the node.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.bits = {at: 1 << bit for bit, at in enumerate(flow.handlers)}
        self.left = [(0, False)] * len(flow.nodes)
        self.armed = [0] * len(flow.nodes)

    def solve(self) -> list[int]:
        """The masks of all nodes."""
        if not self.bits:
            return self.armed
        while self._leave():
            pass
        after_errors = 0
        elsewhere = (n.following for n in self.flow.nodes if n.following not in self.flow.ways(n))
        for at in (*self.flow.handlers, *self.flow.resumed, *elsewhere):
            after_errors |= self.left[at][0]
        self.armed = [after_errors] * len(self.armed)
        while self._arm():
            pass
        return self.armed

    def _set_by(self, node: Node) -> int | None:
        """What ON ERROR arms; None for another statement."""
        match node.statement:
            case st.OnError(line=None):
                return 0
            case st.OnError(line=int(line)):
                return self.bits.get(self.flow.first.get(line, -1), 0)
        return None

    def _leave(self) -> bool:
        """Take `left` of each node from its successors; tell whether any changed."""
        before = list(self.left)
        for at, node in enumerate(self.flow.nodes):
            own = self._set_by(node)
            gained, kept = 0, node.leaves != ON
            for to in self.flow.ways(node):
                gained, kept = gained | self.left[to][0], kept or self.left[to][1]
            for to in self.flow.called(node):
                inner, back = self.left[to], self.left[node.back]
                gained |= back[0] | (inner[0] if back[1] else 0)
                kept = kept or (inner[1] and back[1])
            if own is not None:
                gained, kept = gained | (own if kept else 0), False
            self.left[at] = gained, kept
        return self.left != before

    def _arm(self) -> bool:
        """Pass what is armed from each node to its successors; tell whether any changed."""
        before = list(self.armed)
        for at in range(len(before) - 1, -1, -1):
            node = self.flow.nodes[at]
            own = self._set_by(node)
            here = self.armed[at] if own is None else own
            for to in self.flow.called(node):
                self.armed[to] |= here
                gained, kept = self.left[to]
                self.armed[node.back] |= gained | (here if kept else 0)
            for to in self.flow.ways(node):
                self.armed[to] |= here
        return before != self.armed
