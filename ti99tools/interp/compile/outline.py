"""What is known of a program before its blocks are compiled."""

from __future__ import annotations

from ti99tools.interp.compile.blocks import LOOP_BODY, Key, Place
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.compile.timing import Timing
from ti99tools.interp.compile.value_ranges import fraction_names, int_ranges
from ti99tools.source.prescan import Scan
from ti99tools.source.prescan.symbols import Scope, Symbol
from ti99tools.source.syntax.nodes import names_in
from ti99tools.source.syntax.statements import Def


class Outline:
    """Lines, names, what variables hold, and what statements cost.

    `program` is the outline of the program when this one is for a typed line; `watched` code notes
    in `Runtime.reached` which lines run.
    """

    def __init__(
        self, listing: Listing, scan: Scan, program: Outline | None = None, watched: bool = False
    ) -> None:
        self.listing = listing
        self.scan = scan
        self.program = program or self
        self.watched = watched
        self.ranges = int_ranges(listing) if program is None else {}
        self.fractions = fraction_names(listing)
        self._timings: dict[object, Timing] = {}
        self._nesting: dict[object, dict[Place, int]] = {}

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

    def function(self, symbol: Symbol) -> Def:
        """The DEF of a function."""
        assert symbol.function is not None
        node = self.listing.statements(*symbol.function)[0]
        assert isinstance(node, Def)
        return node

    def nesting(self, scope: Scope, function: Place) -> int:
        """How many DEF functions are entered, one inside the other, when this one is called.

        A body can only use functions defined before it, and itself.
        """
        if self.program is not self:
            return self.program.nesting(scope, function)
        known = self._nesting.get(scope.identity)
        if known is None:
            known = self._nesting[scope.identity] = {}
            depths: dict[str, int] = {}
            functions = [symbol for symbol in scope.symbols.values() if symbol.function]
            for symbol in sorted(functions, key=lambda one: one.function or (0, 0)):
                assert symbol.function is not None
                body = self.function(symbol).body
                inner = (depths.get(other, 0) for other in names_in(body))
                known[symbol.function] = depths[symbol.name] = 1 + max(inner, default=0)
        return known[function]
