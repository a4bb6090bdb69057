"""What all lowering shares: the blocks being made, names, loops, DATA."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ti99tools.base import tokens as tk
from ti99tools.compiler import ir
from ti99tools.compiler.lower.names import Names, full_name
from ti99tools.compiler.refusing import Refused
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import all_statements
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.syntax import statements as st

if TYPE_CHECKING:
    from ti99tools.compiler.basictime import BasicTimes
    from ti99tools.compiler.wholetime import WholeTimes


class Builder:
    """Makes blocks one after another: `code` is the result, `spot` the current statement."""

    def __init__(self) -> None:
        self.code = ir.Code()
        self.spot: ir.Spot = (0, 0)
        self.part = ""
        """The scope of the blocks that are made: "" or a SUB."""
        self.variant = ""
        """The variant of the blocks that are made: see `ir.Block`."""
        self.loose: list[ir.Expr] = []
        """Values of the current statement that no action uses yet, in order."""
        self.last: ir.Action | None = None
        """The last action added to any block."""
        self._block: ir.Block | None = None
        self._made = 0

    def fresh(self, word: str) -> str:
        """A new block's name."""
        self._made += 1
        return f"{word}.{self._made}"

    def put(self, name: str, end: ir.End) -> None:
        """Add a block that has only an end."""
        self.code.blocks[name] = ir.Block(name, self.part, [], end, variant=self.variant)

    def enter(self, name: str) -> None:
        """Begin a block; the one before goes on in it."""
        if self._block is not None:
            self.finish(ir.Jump(name, self.spot))
        self._block = self.code.blocks[name] = ir.Block(name, self.part, variant=self.variant)

    @property
    def current(self) -> str:
        """The name of the current block; empty if there is none."""
        return "" if self._block is None else self._block.name

    def finish(self, end: ir.End) -> None:
        """End the current block, if there is one."""
        if self._block is not None:
            self._block.end = end
            self._block = None

    def add(self, action: ir.Action) -> None:
        """Add to the current block; without one, to a new block that nothing reaches."""
        if self._block is None:
            self.enter(self.fresh("dead"))
        assert self._block is not None
        self._block.body.append(action)
        self.last = action
        used = {id(part) for expr in ir.expressions(action) for part in ir.walk(expr)}
        self.loose = [one for one in self.loose if id(one) not in used]

    def settle(self) -> None:
        """Calculate what no action uses: the statement fails now, but these come before."""
        for one in self.loose:
            self.add(ir.Do("calculate", (one,), self.spot))
        self.loose.clear()

    def do(
        self, name: str, *args: ir.Expr, data: Any = None, results: tuple[str, ...] = ()
    ) -> None:
        """Add something that the runtime does."""
        self.add(ir.Do(name, args, self.spot, data, results))

    def note_time(self, cycles: int, shut: bool = False) -> None:
        """Leave what something takes in Extended BASIC in the current block, if there is one;
        `shut`: without interrupts.
        """
        if self._block is not None:
            name = "pace shut" if shut else "pace"
            self._block.body.append(ir.Do(name, (), self.spot, cycles))

    def assign(self, target: str, value: ir.Expr) -> None:
        """Add an assignment to a variable."""
        self.add(ir.Assign(target, value, self.spot))

    def finish_at(self, end: ir.End) -> None:
        """End the current block; without one, a new block that nothing reaches."""
        if self._block is None:
            self.enter(self.fresh("dead"))
        self.finish(end)

    def store_at(self, place: ir.Target, value: ir.Expr) -> None:
        """ir.Assign to a place."""
        if isinstance(place, str):
            self.assign(place, value)
        else:
            self.add(ir.Store(place[0], place[1], value, self.spot))


@dataclass(slots=True)
class Loop:
    """A FOR; `ending` is the NEXT after which it goes on where it is skipped.

    `limit`, `step`, `body`, `after` and `counting` are set when its FOR is lowered.
    """

    name: str
    variable: str
    empty: bool
    stacked: bool
    ending: ir.Spot | None = None
    ending_variable: str = ""
    ending_hidden: bool = False
    """Set where wrong syntax before that NEXT hides it from all but a FOR that looks for it."""
    number: int = 0
    """Of a loop on the stack: the number of its variable × 256 + its own."""
    limit: ir.Expr | None = None
    step: ir.Expr | None = None
    body: str = ""
    after: str = ""
    counting: int = 0
    """Cycles that NEXT takes more than usual."""


@dataclass(slots=True)
class Loops:
    """All loops of a program."""

    by_for: dict[ir.Spot, Loop] = field(default_factory=dict)
    by_next: dict[ir.Spot, Loop] = field(default_factory=dict)
    """NEXT → its loop, for loops that are well made."""
    stacked: dict[tuple[str, str], list[Loop]] = field(default_factory=dict)
    """Scope and variable → the loops of it that are on the stack."""
    elsewhere: dict[tuple[str, ir.Spot], Loop] = field(default_factory=dict)
    """Variant and FOR → the loop of a FOR in a line of another scope."""
    half: set[tuple[str, str]] = field(default_factory=set)
    """Scopes and variables whose FOR may leave a loop on the stack when it fails."""


class Opened(NamedTuple):
    """Which files a program opens: INTERNAL ones; DISPLAY ones that it may read."""

    internal: bool
    display: bool

    @classmethod
    def of(cls, statements: Iterable[st.Statement]) -> Opened:
        """Those of some statements."""
        internal = display = False
        for statement in statements:
            if isinstance(statement, st.Open):
                words = {attribute.token for attribute in statement.attributes}
                internal |= tk.INTERNAL in words
                display |= tk.INTERNAL not in words and not words & {tk.OUTPUT, tk.APPEND}
        return cls(internal, display)


class Context:
    """A program while it is lowered."""

    def __init__(
        self,
        program: Analysis,
        scan: Scan,
        loops: Loops,
        ranges: Sequence[Declared] = (),
        programs: Sequence[str] = (),
    ) -> None:
        self.program = program
        self.scan = scan
        self.loops = loops
        self.blocks = Builder()
        self.names = Names(scan, self.blocks.code)
        self.data_lines: dict[int, tuple[int, int]] = {}
        """Number of a line with DATA → index of its first item, and its offset in the tokens."""
        self.declared = {self._declared_name(one): (one.low, one.high) for one in ranges}
        """Variable or array with a RANGE → its lowest and highest value."""
        self.refused: list[tuple[Refused, ir.Spot]] = []
        """What is not compiled, and where."""
        self.waiting: list[Callable[[], None]] = []
        """What to do when all lines of the scope are lowered."""
        self.places: dict[str, ir.Spot] = {}
        """Blocks that something goes to → the line and the offset where they begin."""
        self.keeps_draws = False
        """Whether numbers that the current statement draws are kept in variables: the argument of a
        DEF is calculated before the statement, but these come first."""
        self.draws = 0
        """How many numbers it has drawn."""
        self.squares = 0
        """How many numbers it squares that are kept in variables."""
        self.left_words = 0
        """Words of the stack for expressions that are taken before a statement begins."""
        self.times: BasicTimes | None = None
        """What statements take in Extended BASIC, if loops have a pace."""
        self.whole: WholeTimes | None = None
        """The same to the cycle, if everything has one."""
        self.draws_numbers = any(tk.RND in tokens for tokens in program.tokens.values())
        """Whether there may be a RND."""
        self.returns_next = False
        """Whether there is a RETURN NEXT."""
        self.rooms: Mapping[ir.Spot, int] = {}
        """Statements that have room in Extended BASIC only up to so many GOSUBs."""
        self.programs = programs
        """The names of the programs on the cartridge, which RUN finds."""
        self.again: dict[int, str] = {}
        """Line that RUN names → its block in the main program."""
        self.failed_runs: dict[ir.Spot, str] = {}
        """RUN of a program that is not there → the block in which it fails, if errors are handled:
        the program goes on without names.
        """
        self.handlers: list[int] = []
        """The lines that ON ERROR names."""
        numbers = [number for number, _ in program.lines]
        self.following = dict(pairwise(numbers))
        """Number of a line → the number of the next."""
        flow = program.flow
        self.statements = [*all_statements(program.parsed, program.tokens)]
        """All statements, each with the number of its line."""
        self.handling = any(
            isinstance(node, st.OnError) and node.line in program.tokens
            for _, node in self.statements
        )
        """Whether ON ERROR names a line: then control may come to any statement."""
        self.opened = Opened.of(statement for _, statement in self.statements)
        self.blocks.code.internal = self.opened.internal
        self.scopes = {number: flow.nodes[at].scope for number, at in flow.first.items()}
        """Number of a line → the SUB that it belongs to."""

    def held(self, word: str, value: ir.Expr) -> ir.Expr:
        """A variable of the compiler's own, named by a word, which gets a value now."""
        name = self.names.hidden(word)
        self.blocks.assign(name, value)
        return ir.var(name)

    def is_own(self, number: int) -> bool:
        """Tell whether a line belongs to the current scope."""
        return self.scopes[number] == self.names.scope.name

    def note(self, refused: Refused) -> None:
        """Note that the current statement is not compiled; lowering goes on, to find all."""
        self.refused.append((refused, self.blocks.spot))

    def _declared_name(self, declared: Declared) -> str:
        scope = self.scan.subs.get(declared.scope, self.scan.main)
        return full_name(scope, declared.name)
