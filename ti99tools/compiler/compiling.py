"""All passes in order: a program in, a cartridge out."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base.errors import Place
from ti99tools.compiler import ir
from ti99tools.compiler.emit import Emitter
from ti99tools.compiler.form import cartridge
from ti99tools.compiler.graph import TOP_DEPTH, measure_depths, prune
from ti99tools.compiler.kinds import Kinds
from ti99tools.compiler.linking import Linked, TooLarge, link
from ti99tools.compiler.lowering import Lowering
from ti99tools.compiler.places import Places
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.refusing import Refused, Where, located
from ti99tools.language.program.program import Program

HOT_DEPTHS = (1, 2, 3, TOP_DEPTH + 1)
"""From how many loops around a statement on cells are calculated in place: the first that fits."""


@dataclass(frozen=True)
class Compiled:
    """A compiled program, with what the passes found."""

    title: str
    code: ir.Code
    ranges: Ranges
    kinds: Kinds
    places: Places
    linked: Linked

    @property
    def cartridge(self) -> bytes:
        """The banks of 8 KB."""
        return cartridge(self.linked.image, self.title)


def compile_program(
    program: Program, title: str = "PROGRAM", words: bool = True, where: Where | None = None
) -> Compiled:
    """Compile a program; `words` False: every number is a cell. Raises SourceError, TIError."""
    where = where or _nowhere
    lines = [(line.number, line.tokens) for line in program.lines]
    code = Lowering(lines, where, program.ranges).run()
    prune(code)
    measure_depths(code)
    ranges = Ranges(code).run()
    kinds = Kinds(code, ranges, words)
    places = Places(code, kinds)
    for depth in HOT_DEPTHS:
        emitter = Emitter(code, kinds, places, depth)
        try:
            emitter.run()
        except Refused as refused:
            spot = emitter.spot
            raise located(refused, spot[0], where(*spot)) from refused
        try:
            return Compiled(title, code, ranges, kinds, places, link(emitter))
        except TooLarge as error:
            too_large = error
    raise too_large


def _nowhere(line: int, at: int) -> Place:
    return Place("program", line)
