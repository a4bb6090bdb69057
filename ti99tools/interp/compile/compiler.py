"""Compiles a program, block by block, as control reaches them.

A block is the Python function of the statements from one place on, as far as control runs
straight. Python's line numbers lead back from it to the statements: nothing is noted while the
program runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from types import CodeType, FrameType
from typing import Any
from weakref import WeakValueDictionary

from ti99tools.interp.compile.emit import families
from ti99tools.interp.compile.emit.emitter import Emitter
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.compile.names import python_of
from ti99tools.interp.compile.value_ranges import fraction_names, int_ranges
from ti99tools.interp.run.activation import Activation, Key
from ti99tools.interp.run.frames import LOOP_BODY, Place
from ti99tools.interp.run.timing import Timing
from ti99tools.source.prescan import Scan
from ti99tools.source.prescan.symbols import Scope, Symbol
from ti99tools.source.syntax.nodes import names_in
from ti99tools.source.syntax.statements import Def

assert families

_serial = count(1)


@dataclass(slots=True, weakref_slot=True)
class Unit:
    """One compiled function: its code, what its free names mean, and its places."""

    name: str
    key: Key
    careful: bool
    code: CodeType
    source: str
    filename: str
    marks: list[tuple[int, Place]]
    blocks: dict[str, Key] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    objects: dict[str, Callable[[Activation], Any]] = field(default_factory=dict)
    makers: dict[str, CodeType] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    is_function: bool = False
    numbers: list[int] = field(default_factory=list)

    def number(self, place: Place) -> int:
        """The line number of a place in the listing that the unit was made from.

        Behind the last line, where RETURN NEXT may lead, it is the last one.
        """
        return self.numbers[min(place[0], len(self.numbers) - 1)]

    def place(self, line: int) -> Place:
        """The statement that a line of the Python source belongs to."""
        i = bisect_right(self.marks, line, key=lambda mark: mark[0]) - 1
        return self.marks[max(i, 0)][1]


class Compiler:
    """Makes the units of one program; they are kept from one RUN to the next."""

    def __init__(
        self,
        listing: Listing,
        scan: Scan,
        program: Compiler | None = None,
        watched: bool = False,
    ) -> None:
        """`program` is the compiler of the program when this one is for a typed line; `watched`
        code notes in `Runtime.reached` which lines run.
        """
        self.listing = listing
        self.scan = scan
        self.program = program or self
        self.watched = watched
        # Units of typed lines, and those that `forget_ranges` dropped, go with their functions.
        self.files: WeakValueDictionary[str, Unit] = (
            WeakValueDictionary() if program is None else program.files
        )
        self.ranges = int_ranges(listing) if program is None else {}
        self.fractions = fraction_names(listing)
        self._units: dict[tuple[object, Key, bool], Unit] = {}
        self._timings: dict[object, Timing] = {}
        self._definitions: dict[tuple[object, Place], Unit] = {}
        self._nesting: dict[object, dict[Place, int]] = {}

    def forget_ranges(self) -> None:
        """Compile all blocks anew, without relying on what variables hold."""
        self.ranges = {}
        self._units.clear()

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

    def unit(self, scope: Scope, key: Key, careful: bool = False) -> Unit:
        """The compiled block of an entry in a scope."""
        known = (scope.identity, key, careful)
        unit = self._units.get(known)
        if unit is None:
            emitter = Emitter(self, scope, key, careful)
            emitter.run()
            name = self.block_name(key)
            unit = self._units[known] = self._compiled(name, key, careful, emitter)
        return unit

    def definition(self, scope: Scope, symbol: Symbol) -> Unit:
        """The compiled function of a DEF."""
        if self.program is not self:
            return self.program.definition(scope, symbol)
        assert symbol.function is not None
        known = (scope.identity, symbol.function)
        unit = self._definitions.get(known)
        if unit is None:
            line, at = symbol.function
            node = self.listing.statements(line, at)[0]
            assert isinstance(node, Def)
            emitter = Emitter(self, scope, (line, at, 0), False)
            emitter.definition(node)
            unit = self._compiled(
                python_of(symbol), (line, at, 0), False, emitter, emitter.parameters
            )
            unit.is_function = True
            self._definitions[known] = unit
        return unit

    def nesting(self, scope: Scope, function: tuple[int, int]) -> int:
        """How many DEF functions are entered, one inside the other, when this one is called.

        A body can only use functions defined before it, and itself.
        """
        if self.program is not self:
            return self.program.nesting(scope, function)
        known = self._nesting.get(scope.identity)
        if known is None:
            known = self._nesting[scope.identity] = {}
            depths: dict[str, int] = {}
            for place, name in sorted(
                (s.function, s.name) for s in scope.symbols.values() if s.function
            ):
                node = self.listing.statements(*place)[0]
                assert isinstance(node, Def)
                inner = (depths.get(other, 0) for other in names_in(node.body))
                known[place] = depths[name] = 1 + max(inner, default=0)
        return known[function]

    def _compiled(
        self, name: str, key: Key, careful: bool, emitter: Emitter, parameters: str = ""
    ) -> Unit:
        free = sorted(emitter.free)
        head = [f"def make({', '.join(free)}):"]
        for maker, text in emitter.makers.items():
            head += [f"    def {maker}():", *text]
        head.append(f"    def {name}({parameters}):")
        if emitter.assigned:
            head.append(f"        nonlocal {', '.join(sorted(emitter.assigned))}")
        source = "\n".join([*head, *emitter.lines, ""])
        filename = f"<Extended BASIC {next(_serial)}>"
        codes = _inner(compile(source, filename, "exec"))
        marks = [(0, (key[0], key[1]))]
        marks += [(line + len(head), place) for line, place in emitter.marks]
        unit = Unit(name, key, careful, codes[name], source, filename, marks, emitter.blocks,
                    emitter.symbols, emitter.objects)  # fmt: skip
        unit.constants = emitter.constants
        unit.numbers = self.listing.numbers
        unit.makers = {maker: codes[maker] for maker in emitter.makers}
        self.files[filename] = unit
        return unit

    def locate(self, frame: FrameType, line: int) -> tuple[Unit, Place] | None:
        """The block or DEF, and its statement, that a Python frame is in."""
        unit = self.files.get(frame.f_code.co_filename)
        if unit is None or frame.f_code is not unit.code:
            return None
        return unit, unit.place(line)


def _inner(module: CodeType) -> dict[str, CodeType]:
    """The code objects of the functions inside `make`, by name."""
    make = next(c for c in module.co_consts if isinstance(c, CodeType))
    return {c.co_name: c for c in make.co_consts if isinstance(c, CodeType)}


__all__ = ["Compiler", "Unit"]
