"""Loops that look for keys or joysticks: they take the time that Extended BASIC takes.

Each statement that is lowered leaves a `pace` action with the cycles that it takes in Extended
BASIC. Those on a way round such a loop stay, one for each block: at run time they add up to what is
owed, which goes down with each frame. CALL KEY and CALL JOYST wait until nothing is owed; a new key
ends the wait of CALL KEY, but what is owed stays. CALL SOUND waits, too: its tone begins when it
does in Extended BASIC.

A loop has no pace if it changes nothing until a key is pressed, or if a way round always takes
longer than `LONGEST`: no player steers by that. Of a large program only the shorter rounds count,
so that it does not become larger still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from heapq import heappop, heappush
from typing import NamedTuple

from ti99tools.compiler import ir
from ti99tools.compiler.graph import calls, groups, reached, ways_on
from ti99tools.compiler.liveness import Names
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.analysis.flow import reachable
from ti99tools.language.analysis.intervals import SWAPPED


class Pace(Enum):
    """What of a program takes the time that it takes in Extended BASIC."""

    NONE = "none"
    BASIC = "basic"
    """Loops that look for keys."""
    ALL = "all"
    """Everything: see `wholetime`."""


UNIT = FRAME // 64
"""Cycles in which time is owed."""
LONGEST = 240 * FRAME
"""Cycles of the longest round that has a pace."""


class Level(NamedTuple):
    """Which rounds count: up to so many cycles, or a little longer than the shortest of a loop.

    `inside`: what a round calls counts as it goes; else with the least that it takes.
    """

    cycles: int
    inside: bool


LEVELS = (
    Level(LONGEST, True),
    Level(60 * FRAME, True),
    Level(15 * FRAME, True),
    Level(15 * FRAME, False),
    Level(0, False),
)
"""The first is taken with which not more than `MOST` blocks count: each takes four bytes."""
MOST = 160
EDGE = "edge"
"""The first word of a block that only says what a jump takes."""
_SCANS = frozenset({"key", "joyst"})
_WAITS = _SCANS | {"sound play"}
"""Actions that wait until nothing is owed."""
_IDLE = frozenset({*_SCANS, "pace", "look for break", "trace line", "calculate"})
"""Actions that change nothing that a program could see later, but for what scans find."""


def settle_pace(code: ir.Code) -> None:
    """Leave time only where a round of a loop takes it that looks for keys; set `code.paced`."""
    graph = _Graph(code)
    looks = graph.looks()
    for level in LEVELS:
        kept = graph.on_rounds(looks, level)
        if graph.charges(kept) <= MOST:
            break
    if not level.inside:
        graph.add_calls(kept)
    for name, block in code.blocks.items():
        if name not in kept:
            block.body = [action for action in block.body if not _is_pace(action)]
    _drop_edges(code)
    code.paced = graph.paced


def gather_pace(code: ir.Code) -> None:
    """Add up the time of each block, and of what lies between waits, in `UNIT`s."""
    for block in code.blocks.values():
        body: list[ir.Action] = []
        first: ir.Do | None = None
        for action in block.body:
            if _is_pace(action):
                assert isinstance(action, ir.Do)
                if first is None:
                    first = action
                    body.append(action)
                else:
                    first.data += action.data
                continue
            body.append(action)
            if isinstance(action, ir.Do) and action.name in _WAITS:
                first = None
        for action in body:
            if _is_pace(action):
                assert isinstance(action, ir.Do)
                action.data = round(action.data / UNIT)
        block.body = [one for one in body if not (_is_pace(one) and _cycles(one) <= 0)]


def _is_pace(action: ir.Action) -> bool:
    return isinstance(action, ir.Do) and action.name == "pace"


def _is_scan(action: ir.Action) -> bool:
    return isinstance(action, ir.Do) and action.name in _SCANS


def _cycles(action: ir.Action) -> int:
    return int(action.data) if isinstance(action, ir.Do) and _is_pace(action) else 0


def _drop_edges(code: ir.Code) -> None:
    """Let jumps go straight on where the block on the way takes no time."""
    to: dict[str, str] = {}
    for name, block in code.blocks.items():
        if name.startswith(f"{EDGE}.") and not block.body and isinstance(block.end, ir.Jump):
            to[name] = block.end.to
    code.blocks = {name: block for name, block in code.blocks.items() if name not in to}
    for block in code.blocks.values():
        if isinstance(block.end, ir.Branch):
            block.end.then = to.get(block.end.then, block.end.then)
            block.end.otherwise = to.get(block.end.otherwise, block.end.otherwise)


class _Graph:
    """The blocks of a program level by level: a GOSUB or a CALL is one step."""

    def __init__(self, code: ir.Code) -> None:
        self.code = code
        names = reached(code)
        self.ways = {name: ways_on(code.blocks[name].end) for name in names}
        self.calls = {name: calls(code.blocks[name].end) for name in names}
        self.own = {name: max(sum(map(_cycles, code.blocks[name].body)), 0) for name in names}
        self.called = {
            name: reachable(self._level_called(name), self._level_called) for name in names
        }
        scanning = {name for name in names if any(map(_is_scan, code.blocks[name].body))}
        self.looking = {
            name for name in names if name in scanning or not scanning.isdisjoint(self.called[name])
        }
        self.paced: dict[ir.Spot, int] = {}
        """The looks that have a pace → cycles of the shortest round."""
        self._through: dict[str, int] = {}

    def region(self, entries: Iterable[str]) -> set[str]:
        """The blocks of a level from some on."""
        return reachable(entries, self.ways.__getitem__)

    def _level_called(self, name: str) -> set[str]:
        """The blocks that a block calls, without those that these call."""
        return self.region(self.calls[name])

    def looks(self) -> set[str]:
        """The blocks that look for keys in loops that go on without a new one, and do something."""
        presses = _pressed(self.code, self.ways)
        without = {
            name: tuple(to for to in ways if (name, to) not in presses)
            for name, ways in self.ways.items()
        }
        return {
            name
            for loop in groups(without)
            if any(map(self._changes, loop))
            for name in loop & self.looking
        }

    def on_rounds(self, looks: set[str], level: Level) -> set[str]:
        """The blocks on the rounds that have a pace, and what they call."""
        kept: set[str] = set()
        self.paced.clear()
        for loop in groups(self.ways):
            here = loop & looks
            if not here:
                continue
            since, until = self._since(here, loop), self._until(here, loop)
            rounds = {name: since[name] + self.time(name) for name in here}
            longest = min(LONGEST, max(level.cycles, min(rounds.values()) * 5 // 4))
            for name in loop:
                whole = since[name] + until[name] + self.time(name)
                if name in here:
                    whole = self.time(name) + min(since[name], until[name])
                if whole <= longest:
                    kept |= {name, *self._counted(name, level)}
            for name in here & kept:
                self._note(name, rounds[name])
        return kept

    def _counted(self, name: str, level: Level) -> set[str]:
        """What counts of what a block calls; of calls that do not look for keys as `level` says."""
        if level.inside:
            return self.called[name]

        def counted(at: str) -> set[str]:
            return self._level_called(at) if at in self.looking else set()

        return reachable(counted(name), counted)

    def add_calls(self, kept: Iterable[str]) -> None:
        """Let calls of what does not count itself take the least that it takes."""
        for name in kept:
            cycles = self.time(name) - self.own[name]
            if cycles and self.called[name].isdisjoint(kept):
                block = self.code.blocks[name]
                assert block.end is not None
                block.body.append(ir.Do("pace", (), block.end.spot, cycles))

    def charges(self, kept: set[str]) -> int:
        """How many blocks with time there are, once those that follow each other are joined."""
        before: dict[str, list[str]] = {name: [] for name in self.ways}
        for name, ways in self.ways.items():
            for to in (*ways, *self.calls[name]):
                before[to].append(name)
        return sum(
            self.own[name] > 0
            and not (len(before[name]) == 1 and self._goes_on(before[name][0], kept))
            for name in kept
        )

    def _goes_on(self, name: str, kept: set[str]) -> bool:
        return name in kept and isinstance(self.code.blocks[name].end, ir.Jump)

    def _note(self, name: str, cycles: int) -> None:
        """Note the looks of a block, and of what it calls."""
        for one in (name, *self.called[name]):
            for action in filter(_is_scan, self.code.blocks[one].body):
                self.paced[action.spot] = min(cycles, self.paced.get(action.spot, cycles))

    def _changes(self, name: str) -> bool:
        """Tell whether a block does anything but look, or calls something that does."""
        blocks = (name, *self.called[name])
        actions = (action for one in blocks for action in self.code.blocks[one].body)
        return any(not (isinstance(one, ir.Do) and one.name in _IDLE) for one in actions)

    # -- distances ------------------------------------------------------------------------

    def time(self, name: str) -> int:
        """The least cycles that a block takes, with what it calls."""
        return self.own[name] + min(map(self._of_call, self.calls[name]), default=0)

    def _of_call(self, entry: str) -> int:
        """The least cycles from an entry to a way back."""
        if entry not in self._through:
            self._through[entry] = 0  # a call within itself
            level = self.region((entry,))
            times = {one: self.time(one) for one in level}
            found = _shortest({entry: times[entry]}, self.ways, times)
            ends = (found[one] for one in level if not self.ways[one])
            self._through[entry] = min(ends, default=0)
        return self._through[entry]

    def _since(self, looks: set[str], loop: set[str]) -> dict[str, int]:
        """The least cycles from the end of a look to the begin of each block of a loop."""
        return self._distances(looks, {one: loop.intersection(self.ways[one]) for one in loop})

    def _until(self, looks: set[str], loop: set[str]) -> dict[str, int]:
        """The least cycles from the end of each block of a loop to a look."""
        back: dict[str, set[str]] = {one: set() for one in loop}
        for one in loop:
            for to in loop.intersection(self.ways[one]):
                back[to].add(one)
        return self._distances(looks, back)

    def _distances(self, looks: set[str], ways: Mapping[str, Iterable[str]]) -> dict[str, int]:
        """The least cycles of the blocks between looks and each block."""
        times = {one: self.time(one) for one in ways}
        starts = {to: times[to] for one in looks for to in ways[one]}
        # Nothing goes on through a look. What is found has the time of the block itself in it.
        inner = {one: () if one in looks else tuple(ways[one]) for one in ways}
        found = _shortest(starts, inner, times)
        return {one: found[one] - times[one] if one in found else LONGEST + 1 for one in ways}


def _shortest(
    starts: Mapping[str, int], ways: Mapping[str, tuple[str, ...]], times: Mapping[str, int]
) -> dict[str, int]:
    """The least sum of times on a way to each block, with its own."""
    found: dict[str, int] = {}
    waiting = sorted((cycles, name) for name, cycles in starts.items())
    while waiting:
        cycles, name = heappop(waiting)
        if name in found:
            continue
        found[name] = cycles
        for to in ways[name]:
            if to not in found:
                heappush(waiting, (cycles + times[to], to))
    return found


# -- ways that only a new key opens -----------------------------------------------------------


def _pressed(code: ir.Code, names: Iterable[str]) -> set[tuple[str, str]]:
    """The ways on from comparisons that need the status 1: a key that was not down before."""
    states = _statuses(code)
    found: set[tuple[str, str]] = set()
    for name in names:
        end = code.blocks[name].end
        if isinstance(end, ir.Branch):
            for to, truth in ((end.then, True), (end.otherwise, False)):
                if end.then != end.otherwise and _needs_press(end.condition, truth, states):
                    found.add((name, to))
    return found


def _statuses(code: ir.Code) -> Names:
    """The variables that nothing but CALL KEY gives a value, its status."""
    statuses: set[str] = set()
    others: set[str] = set()
    for block in code.blocks.values():
        for action in block.body:
            match action:
                case ir.Assign(target):
                    others.add(target)
                case ir.Do("key", results=(key, status)):
                    statuses.add(status)
                    others.add(key)
                case ir.Do(results=results):
                    others.update(results)
    return frozenset(statuses - others)


_TRUE_OF_ONE_ALONE = {("gt", 0), ("ge", 1), ("eq", 1)}
"""Comparisons with a status that hold for 1, and neither for 0 nor for -1."""
_FALSE_OF_ONE_ALONE = {("lt", 1), ("le", 0), ("ne", 1)}
"""Those that hold for 0 and -1, and not for 1."""


def _needs_press(condition: ir.Expr, truth: bool, statuses: Names) -> bool:
    """Tell whether a condition is that true (or false) only where a status is 1."""
    match condition:
        case ir.Expr("round", (inner,)):
            return _needs_press(inner, truth, statuses)
        case ir.Expr("and" | "mul", args) if truth:
            return any(_needs_press(one, True, statuses) for one in args)
        case ir.Expr("or" | "add", args) if not truth and all(map(_is_truth, args)):
            return any(_needs_press(one, False, statuses) for one in args)
        case ir.Expr(op, (ir.Expr("var", data=name), ir.Expr("const", data=value))):
            compared = (op, value)
        case ir.Expr(op, (ir.Expr("const", data=value), ir.Expr("var", data=name))):
            compared = (SWAPPED.get(op, ""), value)
        case _:
            return False
    alone = _TRUE_OF_ONE_ALONE if truth else _FALSE_OF_ONE_ALONE
    return name in statuses and compared in alone


def _is_truth(expr: ir.Expr) -> bool:
    """Tell whether a value is -1 or 0."""
    if expr.op in ("round", "and", "or"):
        return all(map(_is_truth, expr.args))
    return expr.op in ir.COMPARISONS
