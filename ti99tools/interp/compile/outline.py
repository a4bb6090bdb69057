"""What is known of a program before its blocks are compiled."""

from __future__ import annotations

from ti99tools.interp.compile.blocks import LOOP_BODY, Counter, Key
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.compile.placing import placed
from ti99tools.interp.compile.timing import Timing
from ti99tools.interp.compile.value_ranges import fraction_names, int_ranges
from ti99tools.source.prescan import Scan
from ti99tools.source.prescan.symbols import Scope, Symbol
from ti99tools.source.syntax.parser import Parser
from ti99tools.source.syntax.statements import Def


class Outline:
    """Lines, names, what variables hold, and what statements cost.

    `program` is the outline of the program when this one is for a typed line; `watched` code counts
    how often statements run: each of its `counters` stands for the statements that it counts.
    `stepping` code calls `step` before each statement. Strings that are `placed` know where they
    lie in video memory.
    """

    def __init__(
        self, listing: Listing, scan: Scan, program: Outline | None = None, watched: bool = False,
        stepping: bool = False,
    ) -> None:  # fmt: skip
        self.listing = listing
        self.scan = scan
        self.program = program or self
        self.stepping = stepping
        self.counters: list[Counter] | None = [] if watched else None
        self.placed: bool = placed(listing) if program is None else program.placed
        self.ranges = int_ranges(listing) if program is None else {}
        self.fractions = fraction_names(listing)
        self._timings: dict[object, Timing] = {}

    @property
    def watched(self) -> bool:
        """Tell whether statements are counted."""
        return self.counters is not None

    def timing(self, scope: Scope) -> Timing:
        """What statements cost in a scope."""
        timing = self._timings.get(scope.identity)
        if timing is None:
            functions = {s.name for s in scope.symbols.values() if s.function is not None}
            timing = Timing(scope.symbols, self.listing.numbers, functions, self.scan.subs)
            self._timings[scope.identity] = timing
        return timing

    def block_name(self, key: Key) -> str:
        """The Python name of a block: `line110`, `line110_14` from offset 14 on, `line110_14b`
        phase 1, `line110_14_loop` the loop whose body begins there; `typed` in a line without a
        number. Names of variables have no small letters.
        """
        line, at, phase = key
        number = self.listing.numbers[line] if line < len(self.listing) else "END"
        start = "typed" if number == COMMAND else f"line{number}"
        name = f"{start}_{at}" if at or phase else start
        if phase == LOOP_BODY:
            return f"{name}_loop"
        return name + "abcdefgh"[phase] if phase else name

    def function(self, symbol: Symbol, depth: int = 0) -> Def:
        """The DEF of a function whose body is evaluated with so many words of stack in use."""
        assert symbol.function is not None
        line, at = symbol.function
        node = Parser(self.listing.tokens[line], at, depth).statement()
        assert isinstance(node, Def)
        return node
