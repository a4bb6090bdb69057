"""Passes on variables: `sharing` makes one of several, and `names` shortens their names.

A reference takes 268 cycles more for each further character of the name (recorded loops of `A=A+1`
with names of 1, 5, 10 and 15 characters), and a byte of memory.

The pre-scan takes some 65,000 cycles for each name, and each lookup passes all newer ones. Scalar
variables take part, numbers with numbers and strings with strings; not those that a DEF names. Two
variables of FOR or NEXT never share: both look for a loop of their variable on the stack.

A variable is alive where its value is read later, before it is written. A subroutine returns to the
GOSUB that called it, and to no other. So each node has its `needs`: what is read from there on at
its level of the stack and deeper, and what is alive there because it is alive after the RETURN that
ends the level, or after the RETURN NEXT or RETURN n that ends the handling of an error. What is
alive after those, in all the ways that lead to a node, is `above` it. A handler is disarmed when it
is entered; an ON ERROR in a subroutine still holds after RETURN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from string import ascii_uppercase, digits

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.record import Record
from ti99tools.language.analysis.flow import BACK, ON, RESUMED, Flow, Node
from ti99tools.language.analysis.loop_matching import Loops
from ti99tools.language.analysis.names import Uses, uses_of
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.listing import scan
from ti99tools.language.optimize.flow import FlowError, loops_of
from ti99tools.language.optimize.prescan import usage
from ti99tools.language.optimize.rows import Facts, Row, Rows, bodies, names, words
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import NOT_EQUAL
from ti99tools.language.syntax.statements import parts

TAKES_FILES = frozenset(("LOAD", "LINK"))
"""Built-in subprograms that may use files."""
FILE_FUNCTIONS = frozenset((t.EOF, t.REC))


class HandlerTargets(Record):
    """For each node the first nodes of handlers that an error there may go to.

    For those in `tried`, such an error comes to nothing but CALL ERR and RETURN: they handle errors
    of files, and the node's statement has nothing to do with files.
    """

    handled: list[tuple[int, ...]]
    tried: list[tuple[int, ...]]


def failing(loops: Loops) -> HandlerTargets:
    """Where errors lead from each node. Every statement may fail, except remarks and END."""
    flow = loops.flow
    armed = _Armed(loops).solve()
    sorting = set() if _files_in_def(flow) else {n for n in flow.handlers if _is_for_files(flow, n)}
    targets = HandlerTargets([], [])
    for at, node in enumerate(flow.nodes):
        ready = [n for bit, n in enumerate(flow.handlers) if armed[at] >> bit & 1]
        if isinstance(node.statement, st.EmptyStatement | st.End):
            ready = []
        tried = sorting if not _uses_files(node.statement) else ()
        targets.handled.append(tuple(n for n in ready if n not in tried))
        targets.tried.append(tuple(n for n in ready if n in tried))
    return targets


def _is_for_files(flow: Flow, handler: int) -> bool:
    """Tell whether a handler begins with CALL ERR(E,…) and IF E<>130 THEN RETURN."""
    call = flow.nodes[handler].statement
    if not (isinstance(call, st.Call) and call.name == "ERR" and call.arguments):
        return False
    match flow.nodes[flow.nodes[handler].ways[0]].statement:
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

    def __init__(self, loops: Loops) -> None:
        self.flow = flow = loops.flow
        self.ways = loops.ways
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
        pairs = zip(self.flow.nodes, self.ways, strict=True)
        elsewhere = (node.following for node, ways in pairs if node.following not in ways)
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
            gained, stays = 0, node.leaves != ON
            for to in self.ways[at]:
                gained, stays = gained | self.left[to][0], stays or self.left[to][1]
            for to in node.calls:
                inner, back = self.left[to], self.left[node.back]
                gained |= back[0] | (inner[0] if back[1] else 0)
                stays = stays or (inner[1] and back[1])
            if own is not None:
                gained, stays = gained | (own if stays else 0), False
            self.left[at] = gained, stays
        return self.left != before

    def _arm(self) -> bool:
        """Pass what is armed from each node to its successors; tell whether any changed."""
        before = list(self.armed)
        for at in range(len(before) - 1, -1, -1):
            node = self.flow.nodes[at]
            own = self._set_by(node)
            here = self.armed[at] if own is None else own
            for to in node.calls:
                self.armed[to] |= here
                gained, stays = self.left[to]
                self.armed[node.back] |= gained | (here if stays else 0)
            for to in self.ways[at]:
                self.armed[to] |= here
        return before != self.armed


COMMAND_WORDS = frozenset(("CON", "NUM", "OLD", "RES", "BYE", "NEW"))
"""Short words that the editor takes for commands."""


def shorten_names(rows: Rows, facts: Facts) -> Rows:
    """The program with short names; each SUB has its own names."""
    del facts
    new = new_names(rows)
    subs: list[Row] = []
    for body in bodies(rows.subs):
        subs += with_names(body, new[name_of(body)])
    return replace(rows, main=with_names(rows.main, new[""]), subs=tuple(subs))


def new_names(rows: Rows) -> dict[str, dict[str, str]]:
    """The names that `shorten_names` gives: name of the SUB (empty: main) → old → new.

    Where errors are handled, no short name of the main program is in use in a SUB, or vice versa.
    """
    main, apart = _used(rows.main), handles_errors(rows)
    names_of = {"": _short_names(main, set(_used(rows.subs)) if apart else set())}
    in_use = {*main, *names_of[""].values()} if apart else set()
    for body in bodies(rows.subs):
        names_of[name_of(body)] = _short_names(_used(body), in_use)
    return names_of


def handles_errors(rows: Iterable[Row]) -> bool:
    """Tell whether there is an ON ERROR: a handler may run with the names of a SUB."""
    return any({t.ON, t.ERROR} <= words(row.tokens) for row in rows)


def name_of(body: Sequence[Row]) -> str:
    """The name of a SUB."""
    return next(element.text for element in scan(body[0].tokens) if element.token == t.UNQUOTED)


def _used(body: Iterable[Row]) -> Counter[str]:
    return Counter(element.text for row in body for element in names(row.tokens))


def _short_names(used: Counter[str], taken_elsewhere: set[str]) -> dict[str, str]:
    """Name → shorter one, for names that have a shorter one; the most used first."""
    in_use = taken_elsewhere | {name for name in used if len(name.rstrip("$")) == 1}
    shorter: dict[str, str] = {}
    for name, _ in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        if name in in_use:
            continue
        end = "$" if name.endswith("$") else ""
        free = next(n + end for n in _short_candidates() if n + end not in in_use)
        if len(free) < len(name):
            shorter[name] = free
            in_use.add(free)
        else:
            in_use.add(name)
    return shorter


def _short_candidates() -> Iterator[str]:
    """Names that are not words of Extended BASIC, the shortest first.

    None begins with E: after a number, where a program has a mistake, it would be listed as an
    exponent.
    """
    letters = ascii_uppercase.replace("E", "")
    yield from letters
    for pair in map("".join, product(letters, ascii_uppercase + digits)):
        if pair not in t.TOKENS and pair not in COMMAND_WORDS:
            yield pair
    yield from map("".join, product(letters, digits, digits))


def with_names(rows: Iterable[Row], new: Mapping[str, str]) -> tuple[Row, ...]:
    """The rows with other names for the variables that have a `new` one."""
    return tuple(replace(row, tokens=_with_names(row.tokens, new)) for row in rows)


def _with_names(tokens: bytes, new: Mapping[str, str]) -> bytes:
    renamed = bytearray()
    at = 0
    for element in names(tokens):
        renamed += tokens[at : element.start]
        renamed += new.get(element.text, element.text).encode("latin-1")
        at = element.end
    return bytes(renamed + tokens[at:])


@dataclass(eq=False, repr=False, slots=True)
class UseMasks:
    """What a statement uses, as `Uses`; sets of variables are masks with a bit for each."""

    reads: int
    writes: int
    kills: int
    entangled: bool


def _masks(uses: Uses, bits: Mapping[str, int]) -> UseMasks:
    read, written, sure = (
        sum(bits[name] for name in names if name in bits)
        for names in (uses.reads, uses.writes, uses.kills)
    )
    return UseMasks(read, written, sure, uses.entangled)


Needs = tuple[int, int, int]
"""The variables that are read; those alive if they are so after RETURN; and those alive if they are
so after RETURN NEXT or RETURN n."""
NONE: Needs = (0, 0, 0)


def _either(a: Needs, b: Needs) -> Needs:
    return a[0] | b[0], a[1] | b[1], a[2] | b[2]


def _through(level: Needs, back: Needs, resumed: Needs) -> Needs:
    """What is needed where a level begins that `back` and `resumed` follow."""
    read, one, two = level
    return (
        read | one & back[0] | two & resumed[0],
        one & back[1] | two & resumed[1],
        one & back[2] | two & resumed[2],
    )


class _Liveness:
    """Solves one program. Masks of all variables are -1."""

    def __init__(self, loops: Loops, uses: Sequence[UseMasks], errors: HandlerTargets) -> None:
        self.flow = flow = loops.flow
        self.uses = uses
        self.errors = errors
        self.needs = [NONE] * len(flow.nodes)
        self.above = [(0, 0)] * len(flow.nodes)
        self.ways = loops.ways
        self.called = [node.calls for node in flow.nodes]

    def solve(self) -> list[int]:
        """Masks of the variables that are alive after each node, also when it fails."""
        while self._need():
            pass
        while self._raise():
            pass
        return [self._alive(at, self._after(at)) for at in range(len(self.needs))]

    def _alive(self, at: int, needs: Needs) -> int:
        one, two = self.above[at]
        return needs[0] | needs[1] & one | needs[2] & two

    def _after(self, at: int) -> Needs:
        """What is needed after a node, whether it succeeded or failed."""
        done = self._done(at)
        return _either(done, self._failed(at, done))

    def _done(self, at: int) -> Needs:
        node = self.flow.nodes[at]
        needs = NONE
        for to in self.ways[at]:
            needs = _either(needs, self.needs[to])
        for to in self.called[at]:
            back = self.needs[node.back]
            needs = _either(needs, _through(self.needs[to], back, (0, 0, -1)))
        if node.leaves == BACK:
            needs = _either(needs, (0, -1, 0))
        elif node.leaves == RESUMED:
            needs = _either(needs, (0, 0, -1))
        return needs

    def _failed(self, at: int, done: Needs) -> Needs:
        """What is needed when a node fails; `done`: when it does not."""
        needs = NONE
        for handler in self.errors.handled[at]:
            again = self._again(at, done)
            entered = self.needs[handler]
            # An error in the handler removes the level of this one from the stack.
            needs = _either(needs, (0, entered[1], entered[2]))
            needs = _either(needs, _through(entered, again, again))
        return needs

    def _again(self, at: int, done: Needs) -> Needs:
        """What is needed where a handler may go on: here again, after this, at a line."""
        needs = _either(done, self.needs[at])
        needs = _either(needs, self.needs[self.flow.nodes[at].following])
        for line in self.flow.resumed:
            needs = _either(needs, self.needs[line])
        return needs

    def _need(self) -> bool:
        """Take the needs of each node from its successors; tell whether any changed."""
        before = list(self.needs)
        for at, use in enumerate(self.uses):
            done = self._done(at)
            failed = self._failed(at, done)
            keep = ~use.kills
            needs = use.reads | done[0] & keep, done[1] & keep, done[2] & keep
            self.needs[at] = _either(needs, failed)
        return self.needs != before

    def _raise(self) -> bool:
        """Pass what is above each node to its successors; tell whether any changed."""
        before = list(self.above)
        for at in range(len(before) - 1, -1, -1):
            one, two = self.above[at]
            for to in self.ways[at]:
                self._add(to, one, two)
            if self.called[at]:
                back = self.flow.nodes[at].back
                self._add(back, one, two)
                for to in self.called[at]:
                    self._add(to, self._alive(at, self.needs[back]), two)
            self._raise_handlers(at)
        return self.above != before

    def _raise_handlers(self, at: int) -> None:
        one, two = self.above[at]
        if self.errors.handled[at]:
            again = self._alive(at, self._again(at, self._done(at)))
            for to in self.errors.handled[at]:
                self._add(to, one | again, two | again)
            for to in (self.flow.nodes[at].following, *self.flow.resumed):
                self._add(to, one, two)
        for to in self.errors.tried[at]:
            self._add(to, self._alive(at, self.needs[at]), 0)

    def _add(self, at: int, one: int, two: int) -> None:
        was = self.above[at]
        self.above[at] = was[0] | one, was[1] | two


Apart = dict[str, set[str]]
"""Variable → those with which it cannot share a name."""


def share_names(rows: Rows, facts: Facts) -> Rows:
    """The program with fewer names, if its flow can be determined."""
    new = shared_names(rows, facts)
    return replace(rows, main=with_names(rows.main, new)) if new else rows


def shared_names(rows: Rows, facts: Facts) -> dict[str, str]:
    """Name → the name it shares, for the main program's variables that lose their own."""
    if facts.switched or rows.front:
        return {}
    candidates = _candidates(rows, facts)
    bits = {name: 1 << bit for bit, name in enumerate(candidates)}
    try:
        loops = loops_of(rows.main, rows.subs)
    except FlowError:
        # Without a flow nothing is known about lifetimes.
        return {}
    own = {name_of(body) for body in bodies(rows.subs)}
    uses = [_masks(uses_of(node.statement, own), bits) for node in loops.flow.nodes]
    apart = _apart(loops, uses, candidates, bits)
    used = usage(rows.main)
    new: dict[str, str] = {}
    for group in _groups(candidates, apart):
        name_of_group = min(group, key=lambda name: (len(name), -used[name], name))
        new |= {name: name_of_group for name in group if name != name_of_group}
    return new


def _candidates(rows: Rows, facts: Facts) -> list[str]:
    """The variables that take part.

    A handler of errors works with the names of the SUB it was called in: if there is one, names of
    SUBs stay.
    """
    left = {e.text for row in rows.main if t.DEF in words(row.tokens) for e in names(row.tokens)}
    if handles_errors(rows):
        left |= {e.text for row in rows.subs for e in names(row.tokens)}
    return [
        symbol.name
        for symbol in facts.scan.main.symbols.values()
        if not symbol.dimensions and symbol.function is None and symbol.name not in left
    ]


def _apart(
    loops: Loops, uses: Sequence[UseMasks], candidates: Sequence[str], bits: Mapping[str, int]
) -> Apart:
    """Which variables cannot share: one is written while the other is alive."""
    after = _Liveness(loops, uses, failing(loops)).solve()
    masks = dict.fromkeys(candidates, 0)
    for at, use in enumerate(uses):
        others = after[at] | use.writes | (use.reads if use.entangled else 0)
        for name in candidates if use.writes else ():
            if bits[name] & use.writes:
                masks[name] |= others
    looped = {name for _, name in loops.variables.values()}
    apart: Apart = {name: set() for name in candidates}
    for one in candidates:
        for other in candidates:
            kinds = one.endswith("$") != other.endswith("$")
            if one != other and (kinds or {one, other} <= looped or masks[one] & bits[other]):
                apart[one].add(other)
                apart[other].add(one)
    return apart


def _groups(candidates: Iterable[str], apart: Apart) -> Collection[list[str]]:
    """The variables in few groups that can share; those with the least choice come first."""
    group_of: dict[str, int] = {}
    waiting = list(candidates)
    while waiting:
        name = max(waiting, key=lambda one: _difficulty(one, apart, group_of))
        waiting.remove(name)
        neighbours = {group_of[other] for other in apart[name] if other in group_of}
        group_of[name] = next(n for n in range(len(group_of) + 1) if n not in neighbours)
    groups: dict[int, list[str]] = {}
    for name, group in group_of.items():
        groups.setdefault(group, []).append(name)
    return groups.values()


def _difficulty(name: str, apart: Apart, group_of: dict[str, int]) -> tuple[int, int, str]:
    neighbours = {group_of[other] for other in apart[name] if other in group_of}
    return len(neighbours), len(apart[name]), name
