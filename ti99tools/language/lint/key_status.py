"""Loops that trust CALL KEY's status 1, although another scan of the keyboard may consume it.

The console remembers the last key of any scan, and one for each half of the keyboard. A key that
CALL JOYST, CALL KEY of another unit, or a waiting CALL SOUND has found is not new to the next CALL
KEY. Only loops matter: each round has such a scan in between, and keys are lost or repeat. Source:
recorded, two scans and one key (screen-keys), taps of known length (random3-taps).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ti99tools.base import tokens as t
from ti99tools.base.errors import Place
from ti99tools.language.analysis.names import names_set, subs_of
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from ti99tools.language.syntax.statements import every_statement

REMEDY = (
    "take a key that differs from the one of the round before: "
    "IF {0}<>LAST THEN LAST={0} :: IF {0}>0 THEN …"
)
_WHOLE = (0, 3, 4, 5)
"""Units of the whole keyboard."""
_NOT_NEW = (0.0, -1.0)
"""Values of the status while no key is new."""
_COMPARED: Mapping[int, Callable[[float, float], bool]] = {
    t.EQUAL: lambda a, b: a == b,
    t.LESS: lambda a, b: a < b,
    t.GREATER: lambda a, b: a > b,
    NOT_EQUAL: lambda a, b: a != b,
    LESS_EQUAL: lambda a, b: a <= b,
    GREATER_EQUAL: lambda a, b: a >= b,
}
_EITHER = frozenset((True, False))


@dataclass(eq=False, repr=False, slots=True)
class _Node:
    """A statement and what may run after it; for an IF, by the truth of its condition."""

    line: int
    statement: st.Statement
    after: list[_Node] = field(default_factory=list)
    otherwise: list[_Node] = field(default_factory=list)


def key_status(
    lines: Mapping[int, tuple[st.Statement, ...]], where: Callable[[int, int], Place]
) -> Iterator[Finding]:
    """A warning for each test of a status that another scan may consume; `lines` is ascending."""
    every = [statement for row in lines.values() for statement in every_statement(row)]
    if len([each for each in every if _unit(each) is not None or _aside(each)]) < 2:
        return
    graph = _Graph(lines)
    for node in graph.nodes:
        found = graph.trusted(node)
        if found is None:
            continue
        test, foreign = found
        assert isinstance(node.statement, st.Call)
        key = _name(node.statement, 1) or "K"
        message = f"{foreign} looks at the keyboard, too: a key that it finds is not new here"
        place = where(test.line, test.statement.at)
        remedy = REMEDY.format(key)
        yield Finding(Severity.WARNING, "key-status", place, message, remedy, test.line)


class _Graph:
    """The control flow of a program, statement by statement."""

    def __init__(self, lines: Mapping[int, tuple[st.Statement, ...]]) -> None:
        self.nodes: list[_Node] = []
        self._subs = subs_of(lines)
        self._first: dict[int, _Node] = {}
        self._bodies: dict[str, _Node] = {}
        self._loops: dict[str, _Node] = {}
        self._looks: dict[_Node, tuple[st.Call, ...]] = {}
        jumps: list[tuple[list[_Node], int]] = []
        following: list[_Node] = []
        for number, row in lines.items():
            begin, ends = self._row(number, row, jumps)
            self._first[number] = begin
            if isinstance(row[0], st.Sub):
                self._bodies[row[0].name] = begin
                following = []
            for end in following:
                end.after.append(begin)
            following = ends
        for ways, number in jumps:
            if number in self._first:
                ways.append(self._first[number])

    def _row(
        self, number: int, row: Sequence[st.Statement], jumps: list[tuple[list[_Node], int]]
    ) -> tuple[_Node, list[_Node]]:
        """The first node of some statements, and the nodes that go on to the next line."""
        begin: _Node | None = None
        ends: list[_Node] = []
        passed: list[_Node] = []
        """Nodes that the next line follows although statements come after them."""
        for statement in row:
            node = _Node(number, statement)
            self.nodes.append(node)
            begin = begin or node
            for end in ends:
                end.after.append(node)
            ends = [node]
            match statement:
                case st.If():
                    ends = []
                    passed += self._branch(node, node.after, statement.then, jumps)
                    passed += self._branch(node, node.otherwise, statement.otherwise, jumps)
                case st.Goto():
                    jumps.append((node.after, statement.line))
                    ends = []
                case st.OnGo(gosub=False):
                    jumps += [(node.after, line) for line in statement.lines]
                case st.For():
                    if isinstance(statement.variable, nd.Variable):
                        self._loops[statement.variable.name] = node
                case st.Next() if statement.variable in self._loops:
                    node.after.append(self._loops[statement.variable])
                case st.Return() | st.End() | st.Run() | st.Subend() | st.Subexit():
                    ends = []
        assert begin is not None
        return begin, [*ends, *passed]

    def _branch(
        self,
        node: _Node,
        ways: list[_Node],
        branch: st.Branch | None,
        jumps: list[tuple[list[_Node], int]],
    ) -> list[_Node]:
        """Add a branch of an IF to its `ways`; return the nodes that go on to the next line."""
        if isinstance(branch, st.Jump):
            jumps.append((ways, branch.line))
            return []
        if not branch:
            through = _Node(node.line, st.Nothing(at=node.statement.at, end=node.statement.end))
            ways.append(through)
            return [through]
        begin, ends = self._row(node.line, branch, jumps)
        ways.append(begin)
        return ends

    def trusted(self, key: _Node) -> tuple[_Node, str] | None:
        """The IF that trusts the status of the CALL KEY `key`, and the other scan in its loop.

        None where no loop has both.
        """
        unit, status = _unit(key.statement), _name(key.statement, 2)
        if unit is None or not status:
            return None
        seen: set[tuple[_Node, bool, str, _Node | None]] = set()
        waiting: list[tuple[_Node, bool, str, _Node | None]] = [
            (node, True, "", None) for node in key.after
        ]
        while waiting:
            state = waiting.pop()
            node, known, foreign, test = state
            if node is key and foreign and test is not None:
                return test, foreign
            if state in seen or node is key:
                continue
            seen.add(state)
            if isinstance(node.statement, st.If):
                condition = node.statement.condition
                ways, trusts = _ways(node, condition, status) if known else (_EITHER, False)
                test = node if trusts else test
                taken = [*(node.after if True in ways else ())]
                taken += node.otherwise if False in ways else ()
                waiting += [(each, known, foreign, test) for each in taken]
                continue
            looks = self._looking(node)
            if any(_same(unit, _unit(look)) for look in looks):
                continue
            foreign = foreign or next((_called(look) for look in looks if _takes(look, unit)), "")
            known = known and status not in names_set(node.statement, self._subs)
            waiting += [(each, known, foreign, test) for each in node.after]
        return None

    def _looking(self, node: _Node) -> tuple[st.Call, ...]:
        """The CALLs that a statement makes, with those of the subroutines that it runs."""
        if node not in self._looks:
            self._looks[node] = ()  # a subroutine that calls itself adds nothing more
            self._looks[node] = tuple(self._found(node))
        return self._looks[node]

    def _found(self, node: _Node) -> Iterator[st.Call]:
        statement = node.statement
        targets: list[_Node] = []
        if isinstance(statement, st.Call):
            if statement.name in self._bodies:
                targets = self._bodies[statement.name].after
            else:
                yield statement
        elif isinstance(statement, st.Gosub):
            targets = [self._first[line] for line in (statement.line,) if line in self._first]
        elif isinstance(statement, st.OnGo) and statement.gosub:
            targets = [self._first[line] for line in statement.lines if line in self._first]
        seen: set[_Node] = set()
        waiting = list(targets)
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                yield from self._looking(each)
                waiting += [*each.after, *each.otherwise]


def _ways(node: _Node, condition: nd.Expression, status: str) -> tuple[Collection[bool], bool]:
    """The truths of a condition while no key is new, and whether it trusts the status."""
    ways = {truth for value in _NOT_NEW for truth in _truths(condition, status, value)}
    old, new = (_truths(condition, status, value) for value in (-1.0, 1.0))
    return ways, len(old) == 1 and new != old


def _truths(condition: nd.Expression, status: str, value: float) -> frozenset[bool]:
    found = _value(condition, status, value)
    return _EITHER if found is None else frozenset((found != 0,))


def _value(node: nd.Expression, status: str, value: float) -> float | None:
    """The value of an expression where the status is `value`; None: unknown."""
    match node:
        case nd.Number():
            return float(node.text) if node.text.isdecimal() else None
        case nd.Variable() if node.name == status:
            return value
        case nd.Group():
            return _value(node.inner, status, value)
        case nd.Unary():
            found = _value(node.operand, status, value)
            if found is None or node.operator == t.NOT:
                return None if found is None else -1.0 - found
            return -found if node.operator == t.MINUS else found
        case nd.Binary() if not node.left.is_string:
            left, right = (_value(each, status, value) for each in (node.left, node.right))
            return _together(node.operator, left, right)
    return None


def _together(operator: int, left: float | None, right: float | None) -> float | None:
    if operator == t.AND and 0.0 in (left, right):
        return 0.0
    if operator == t.OR and -1.0 in (left, right):
        return -1.0
    if operator == t.MULTIPLY and 0.0 in (left, right):
        return 0.0
    if left is None or right is None:
        return None
    return _compared(operator, left, right)


def _compared(operator: int, left: float, right: float) -> float | None:
    if operator in _COMPARED:
        return -1.0 if _COMPARED[operator](left, right) else 0.0
    if operator in (t.AND, t.OR):
        both = int(left) & int(right) if operator == t.AND else int(left) | int(right)
        return float(both)
    return None


def _unit(statement: st.Statement) -> int | None:
    """The unit of a CALL KEY whose unit is constant; None for anything else."""
    if not isinstance(statement, st.Call) or statement.name != "KEY":
        return None
    first = statement.arguments[0] if statement.arguments else None
    return int(first.text) if isinstance(first, nd.Number) and first.text.isdecimal() else None


def _aside(statement: st.Statement) -> bool:
    """Tell whether a statement scans the keyboard without reading a key."""
    if not isinstance(statement, st.Call) or not statement.arguments:
        return False
    first = statement.arguments[0]
    waits = isinstance(first, nd.Number) and first.text.isdecimal()
    return statement.name == "JOYST" or (statement.name == "SOUND" and waits)


def _takes(look: st.Call, unit: int) -> bool:
    """Tell whether a key that a call finds is no longer new to CALL KEY(unit)."""
    if look.name == "SOUND":
        return _aside(look)
    first = look.arguments[0] if look.arguments else None
    other = int(first.text) if isinstance(first, nd.Number) and first.text.isdecimal() else None
    if look.name not in ("KEY", "JOYST") or other is None:
        return False
    return unit in _WHOLE or other == unit or (look.name == "KEY" and other in _WHOLE)


def _same(unit: int, other: int | None) -> bool:
    return other is not None and (unit == other or (unit in _WHOLE and other in _WHOLE))


def _called(look: st.Call) -> str:
    """A call as messages show it."""
    first = look.arguments[0] if look.arguments else None
    assert isinstance(first, nd.Number)
    if look.name == "SOUND":
        return "CALL SOUND, while it waits,"
    return f"CALL {look.name}({first.text},…)"


def _name(statement: st.Statement, at: int) -> str:
    """The variable that is an argument of a call; empty for anything else."""
    arguments = statement.arguments if isinstance(statement, st.Call) else None
    given = arguments[at] if arguments and len(arguments) > at else None
    return given.name if isinstance(given, nd.Variable) else ""
