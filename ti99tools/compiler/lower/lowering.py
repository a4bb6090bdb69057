"""Walks a program line by line, and the variants of its SUBs; all that is refused is told at once.

The program is walked once; what is not compiled is refused at its line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import SourceError, Where, together
from ti99tools.compiler import ir
from ti99tools.compiler.lower import (
    assigning,
    calls,
    definitions,
    expressions,
    files,
    flow,
    lines,
    loops,
    showing,
    subprograms,
    subs,
)  # fmt: skip
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.names import Binding
from ti99tools.compiler.lower.pacing import use_times
from ti99tools.compiler.lower.places import begin_line, block_after_line
from ti99tools.compiler.lower.statements import statement
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.refusing import Refused, located
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.syntax import statements as st

FAMILIES = (
    assigning, calls, definitions, expressions, files, flow, lines, loops, showing,
    subprograms, subs,
)  # fmt: skip
"""The modules that enter functions for statements, built-in subprograms and expressions."""
_NO_ROOMS: Mapping[ir.Spot, int] = {}


class Lowering:
    """Makes the blocks of a program."""

    def __init__(
        self,
        program: Analysis,
        where: Where,
        ranges: Sequence[Declared],
        pace: Pace = Pace.NONE,
        programs: Sequence[str] = (),
        rooms: Mapping[ir.Spot, int] = _NO_ROOMS,
    ) -> None:
        """`pace`: which statements leave what they take in Extended BASIC. `programs`: the names of
        all programs on the cartridge. `rooms`: statements that look for room, see `full`.
        """
        self.where = where
        scan = _scanned(program, where)
        self.low = Context(program, scan, loops.find_loops(program), ranges, programs)
        self.low.rooms = rooms
        use_times(self.low, program, pace)
        self.parsed = [*program.parsed.items()]

    def run(self) -> ir.Code:
        """Lower all lines. Raises SourceError with everything that is refused."""
        code = self.lowered()
        errors: list[SourceError] = []
        for refused, spot in self.low.refused:
            error = located(refused, spot[0], self.where(*spot))
            if all(error.problem != known.problem for known in errors):
                errors.append(error)
        if errors:
            raise together(errors)
        return code

    def lowered(self) -> ir.Code:
        """Lower all lines but what is refused."""
        low = self.low
        code = low.blocks.code
        assigning.collect_data(low)
        code.first = low.names.block(f"L{low.program.lines[0][0]}")
        flow.find_lines(low)
        self._body(0, 0)
        waiting = low.names.variants.waiting
        while waiting:
            self._sub(*waiting.pop(0))
        self._without_names()
        code.stacked = {scope for scope, _ in low.loops.stacked}
        return code

    def _sub(self, name: str, binding: Binding) -> None:
        """Lower the lines of a SUB, in the variant with this binding of its parameters."""
        low = self.low
        if name not in low.blocks.code.subs:
            low.blocks.code.subs.append(name)
        low.names.enter(low.scan.subs[name], binding)
        low.blocks.part, low.blocks.variant = name, low.names.variant
        index, offset = low.names.scope.first_statement
        while index < len(self.parsed):
            for at, node in enumerate(self.parsed[index][1]):
                if node.at >= offset:
                    self._body(index, at, begins=True)
                    return
            index, offset = index + 1, 0
        low.blocks.put(low.names.block(f"SUB {name}"), ir.Stop(low.blocks.spot))

    def _without_names(self) -> None:
        """Lower what comes after a RUN that has failed, where errors are handled."""
        low = self.low
        if not low.failed_runs:
            return
        low.names.lose()
        low.blocks.part, low.blocks.variant = "", low.names.variant
        seen = 0
        while seen < len(low.failed_runs):
            for spot, name in [*islice(low.failed_runs.items(), seen, None)]:
                seen += 1
                low.blocks.spot = spot
                low.blocks.enter(name)
                flow.fail_to_run(low, spot)
            self._elsewhere()

    def _body(self, first: int, at: int, begins: bool = False) -> None:
        """Lower the statements of a scope, from a place on; `begins`: a SUB begins there."""
        low = self.low
        subs.declare_arrays(low)
        if begins and at:  # a jump to the line of the SUB statement
            number = self.parsed[first][0]
            low.blocks.enter(low.names.block(f"L{number}"))
            self._line(number, self.parsed[first][1][:1])
        if begins:
            low.blocks.enter(low.names.block(f"SUB {low.names.scope.name}"))
        for index in range(first, len(self.parsed)):
            number, nodes = self.parsed[index]
            if index > first or not at:
                low.blocks.enter(low.names.block(f"L{number}"))
            if self._line(number, nodes[at if index == first else 0 :]):
                break
        low.blocks.finish(ir.Stop(low.blocks.spot))
        self._elsewhere()
        waiting, low.waiting = low.waiting, []
        for work in waiting:
            work()

    def _elsewhere(self) -> None:
        """Lower what the walk has not met: lines of other scopes, and the lines of ON ERROR."""
        low = self.low
        blocks = low.blocks.code.blocks
        flow.note_handlers(low)
        seen = 0
        while seen < len(low.places):
            for name in [*islice(low.places, seen, None)]:
                seen += 1
                if name not in blocks:
                    self._missing(name)
                    flow.note_handlers(low)

    def _missing(self, name: str) -> None:
        """Lower the rest of a line from a block on that the walk has not met."""
        low = self.low
        number, at = low.places[name]
        low.blocks.enter(name)
        self._line(number, statements_from(low.program.tokens[number], at))
        if low.blocks.current:
            low.blocks.finish(ir.Jump(block_after_line(low, number), low.blocks.spot))

    def _line(self, number: int, nodes: Sequence[st.Statement]) -> bool:
        """Lower the statements of a line; tell whether the scope ends there."""
        low = self.low
        for node in nodes:
            low.blocks.spot = (number, node.at)
            if isinstance(node, st.Sub):  # a program that runs into it is at its end
                if node.at == 0:
                    begin_line(low, number)
                low.blocks.finish(ir.Stop(low.blocks.spot))
                return True
            if not statement(low, number, node):
                # The rest of the line is there already.
                return False
            if isinstance(node, st.Subend):
                return True
        return False


def _scanned(program: Analysis, where: Where) -> Scan:
    """What the pre-scan finds. Raises SourceError where it fails."""
    found = program.scanned
    if found.error is None:
        return found.scan
    line = found.line or 0
    refused = Refused(f"RUN stops there with {xb.TEXTS[found.error]}", "correct the line")
    raise located(refused, line, where(line, 0))
