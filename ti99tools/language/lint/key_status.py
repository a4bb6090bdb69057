"""Loops that trust CALL KEY's status 1, although another scan of the keyboard may consume it.

The console remembers the last key of any scan, and one for each half of the keyboard. A key that
CALL JOYST, CALL KEY of another unit, or a waiting CALL SOUND has found is not new to the next CALL
KEY. Only loops matter: each round has such a scan in between, and keys are lost or repeat. Source:
recorded, two scans and one key (screen-keys), taps of known length (random3-taps).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from ti99tools.base import tokens as t
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.constants import integer
from ti99tools.language.analysis.flow import Node
from ti99tools.language.analysis.names import names_set
from ti99tools.language.findings import Noted
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


def key_status(program: Analysis, running: Collection[int]) -> Iterator[Noted]:
    """A warning for each test of a status that another scan may consume, in `running` lines."""
    rows = (program.parsed[number] for number in running)
    every = [statement for row in rows for statement in every_statement(row)]
    if len([each for each in every if _unit(each) is not None or _aside(each)]) < 2:
        return
    looks = _Looks(program)
    for at in range(len(program.flow.nodes) - 1, 0, -1):
        key = program.flow.nodes[at]
        trusted = looks.trusted(at) if key.line in running else None
        if trusted is None:
            continue
        test, foreign = trusted
        name = _name(key.statement, 1) or "K"
        message = f"{foreign} looks at the keyboard, too: a key that it finds is not new here"
        remedy = REMEDY.format(name)
        yield Noted("key-status", test.line, test.statement.at, message, remedy)


class _Looks:
    """The looks at the keyboard along the ways of a program."""

    def __init__(self, program: Analysis) -> None:
        self._flow = program.flow
        self._ways = program.loops.ways
        self._subs = program.subs
        self._looks: dict[int, tuple[st.Call, ...]] = {}

    def _after(self, at: int) -> list[int]:
        """The nodes that control comes to after a node, and after what it calls."""
        node = self._flow.nodes[at]
        return [node.back] if node.calls else self._ways[at]

    def trusted(self, key: int) -> tuple[Node, str] | None:
        """The IF that trusts the status of the CALL KEY `key`, and the other scan in its loop.

        None where no loop has both.
        """
        nodes = self._flow.nodes
        unit, status = _unit(nodes[key].statement), _name(nodes[key].statement, 2)
        if unit is None or not status:
            return None
        seen: set[tuple[int, bool, str, int]] = set()
        waiting: list[tuple[int, bool, str, int]] = [(at, True, "", 0) for at in self._after(key)]
        while waiting:
            state = waiting.pop()
            at, known, foreign, test = state
            if at == key and foreign and test:
                return nodes[test], foreign
            if state in seen or at == key:
                continue
            seen.add(state)
            statement = nodes[at].statement
            if isinstance(statement, st.If):
                ways, trusts = _ways(statement.condition, status) if known else (_EITHER, False)
                test = at if trusts else test
                for truth, way in zip((True, False), self._ways[at], strict=True):
                    waiting += [(way, known, foreign, test)] if truth in ways else []
                continue
            looks = self._looking(at)
            if any(_same(unit, _unit(look)) for look in looks):
                continue
            foreign = foreign or next((_called(look) for look in looks if _takes(look, unit)), "")
            known = known and status not in names_set(statement, self._subs)
            waiting += [(way, known, foreign, test) for way in self._after(at)]
        return None

    def _looking(self, at: int) -> tuple[st.Call, ...]:
        """The CALLs that a statement makes, with those of the subroutines that it runs."""
        if at not in self._looks:
            self._looks[at] = ()  # a subroutine that calls itself adds nothing more
            self._looks[at] = tuple(self._found(at))
        return self._looks[at]

    def _found(self, at: int) -> Iterator[st.Call]:
        node = self._flow.nodes[at]
        waiting = [*node.calls]
        if node.enters:
            waiting += [self._flow.subs[node.enters]]
        elif isinstance(node.statement, st.Call):
            yield node.statement
        seen: set[int] = set()
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                yield from self._looking(each)
                waiting += self._after(each)


def _ways(condition: nd.Expression, status: str) -> tuple[Collection[bool], bool]:
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
            known = integer(node)
            return None if known is None else float(known)
        case nd.Variable() if node.name == status:
            return value
        case nd.Group():
            return _value(node.inner, status, value)
        case nd.Unary():
            value_of_operand = _value(node.operand, status, value)
            if value_of_operand is None or node.operator == t.NOT:
                return None if value_of_operand is None else -1.0 - value_of_operand
            return -value_of_operand if node.operator == t.MINUS else value_of_operand
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
    return integer(statement.arguments[0]) if statement.arguments else None


def _aside(statement: st.Statement) -> bool:
    """Tell whether a statement scans the keyboard without reading a key."""
    if not isinstance(statement, st.Call) or not statement.arguments:
        return False
    waits = (integer(statement.arguments[0]) or 0) > 0
    return statement.name == "JOYST" or (statement.name == "SOUND" and waits)


def _takes(look: st.Call, unit: int) -> bool:
    """Tell whether a key that a call finds is no longer new to CALL KEY(unit)."""
    if look.name == "SOUND":
        return _aside(look)
    other = integer(look.arguments[0]) if look.arguments else None
    if look.name not in ("KEY", "JOYST") or other is None:
        return False
    return unit in _WHOLE or other == unit or (look.name == "KEY" and other in _WHOLE)


def _same(unit: int, other: int | None) -> bool:
    return other is not None and (unit == other or (unit in _WHOLE and other in _WHOLE))


def _called(look: st.Call) -> str:
    """A call as messages show it."""
    if look.name == "SOUND" or not look.arguments:
        return "CALL SOUND, while it waits,"
    return f"CALL {look.name}({integer(look.arguments[0])},…)"


def _name(statement: st.Statement, at: int) -> str:
    """The variable that is an argument of a call; empty for anything else."""
    arguments = statement.arguments if isinstance(statement, st.Call) else None
    given = arguments[at] if arguments and len(arguments) > at else None
    return given.name if isinstance(given, nd.Variable) else ""
