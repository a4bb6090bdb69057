"""Compiles a program block by block, each when control first reaches it.

A block is a Python function for the statements from one place on, as far as control runs straight.
Python's line numbers lead back to the statements, so generated code need not note where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from types import CodeType, FrameType
from weakref import WeakValueDictionary

from ti99tools.computer.interp.compile.emit import (
    calls,
    control,
    file_statements,
    loops,
    screen_statements,
    simple_statements,
)
from ti99tools.computer.interp.compile.emit.emitter import BlockEmitter
from ti99tools.computer.interp.compile.emit.loops import body_block
from ti99tools.computer.interp.compile.outline import Outline
from ti99tools.computer.interp.compile.units import (
    LOOP_BODY,
    Key,
    Listing,
    StatementPlace,
    Unit,
    python_of,
)
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import MemoryTaken, Scope, Symbol

EMITTERS = (calls, control, file_statements, loops, screen_statements, simple_statements)
"""The modules of the families of statements, which register when they are imported."""

NAMED = "<Extended BASIC "
"""Prefix of the file names of generated sources."""
_serial = count(1)


class Compiler:
    """Makes the units of one program; they are kept from one RUN to the next."""

    def __init__(
        self,
        listing: Listing,
        scan: Scan,
        program: Compiler | None = None,
        watched: bool = False,
        stepping: bool = False,
        declared: Sequence[Declared] = (),
    ) -> None:
        """`program` is the compiler of the program when this one is for a typed line; `watched`
        code counts how often statements run.
        """
        self.listing = listing
        self.scan = scan
        self.program = program or self
        self.outline: Outline = Outline(
            listing, scan, None if program is None else program.outline, watched, stepping, declared
        )
        # Weak: units of typed lines, and those that `forget_ranges` drops, go with their functions.
        self.files: WeakValueDictionary[str, Unit] = (
            WeakValueDictionary() if program is None else program.files
        )
        self._units: dict[tuple[object, Key, bool, bool], Unit] = {}
        self._definitions: dict[tuple[object, StatementPlace, int], Unit] = {}

    def forget_ranges(self) -> None:
        """Compile all blocks again, without relying on the values of variables."""
        self.outline.ranges = {}
        self._units.clear()

    def unit(self, scope: Scope, key: Key, careful: bool = False, caught: bool = False) -> Unit:
        """The compiled block of an entry in a scope; `caught`: the run has caught an error."""
        known = (scope.identity, key, careful, caught)
        unit = self._units.get(known)
        if unit is None:
            emitter = BlockEmitter(self.outline, scope, key, careful, caught)
            if key[2] == LOOP_BODY:
                body_block(emitter)
            else:
                emitter.run()
            name = self.outline.block_name(key)
            unit = self._units[known] = self._compiled(name, key, careful, emitter)
        return unit

    def definition(self, scope: Scope, symbol: Symbol, depth: int) -> Unit:
        """The compiled function of a DEF, for use with `depth` words of stack already taken."""
        assert symbol.function is not None
        known = (scope.identity, symbol.function, depth)
        unit = self._definitions.get(known)
        if unit is None:
            key = (*symbol.function, 0)
            emitter = BlockEmitter(self.outline, scope, key, False)
            emitter.definition(self.outline.function(symbol, depth), depth)
            unit = self._compiled(python_of(symbol), key, False, emitter, emitter.parameters)
            unit.is_function = True
            self._definitions[known] = unit
        return unit

    def _compiled(
        self, name: str, key: Key, careful: bool, emitter: BlockEmitter, parameters: str = ""
    ) -> Unit:
        free = sorted(emitter.free)
        head = [f"def make({', '.join(free)}):"]
        for maker, text in emitter.makers.items():
            head += [f"    def {maker}():", *text]
        head.append(f"    def {name}({parameters}):")
        if emitter.assigned:
            head.append(f"        nonlocal {', '.join(sorted(emitter.assigned))}")
        source = "\n".join([*head, *emitter.text.lines, ""])
        filename = f"{NAMED}{next(_serial)}>"
        codes = _codes(source, filename)
        marks = [(0, (key[0], key[1]))]
        marks += [(line + len(head), place) for line, place in emitter.text.marks]
        unit = Unit(
            name,
            key,
            careful,
            codes[name],
            source,
            marks,
            emitter.blocks,
            emitter.symbols,
            emitter.depths,
            emitter.sites,
        )
        unit.constants = emitter.constants
        unit.numbers = self.listing.numbers
        first = len(head) + 1
        unit.sums = {first + index: charges for index, charges in emitter.text.sums.items()}
        unit.carried = frozenset(first + index for index in emitter.text.carried)
        unit.counters = {first + index: number for index, number in emitter.text.counting.items()}
        unit.makers = {maker: codes[maker] for maker in emitter.makers}
        self.files[filename] = unit
        return unit

    def block_of(self, error: BaseException) -> tuple[Unit, int] | None:
        """The outermost block that an exception came out of, and the line in it."""
        traceback = error.__traceback__
        while traceback is not None:
            unit = self.unit_of(traceback.tb_frame)
            if unit is not None:
                return unit, traceback.tb_lineno
            traceback = traceback.tb_next
        return None

    def unit_of(self, frame: FrameType) -> Unit | None:
        """The block or DEF that a Python frame is in."""
        code = frame.f_code
        if not code.co_filename.startswith(NAMED):
            return None
        unit = self.files.get(code.co_filename)
        return unit if unit is not None and code is unit.code else None


_COMPILED: dict[str, dict[str, CodeType]] = {}
"""Source → the code of its functions. Programs are started again with a line changed, or in another
form, and the programs of a series begin and end alike: many of their blocks have the same source.
"""
MOST_COMPILED = 4096
"""Most sources that are kept; beyond that the collection starts again."""


def _codes(source: str, filename: str) -> dict[str, CodeType]:
    """The code objects of the functions inside `make`, by name; `filename` leads to their unit."""
    known = _COMPILED.get(source)
    if known is not None:
        return {name: _in_file(code, filename) for name, code in known.items()}
    module = compile(source, filename, "exec")
    make = next(c for c in module.co_consts if isinstance(c, CodeType))
    code_of = {c.co_name: c for c in make.co_consts if isinstance(c, CodeType)}
    if len(_COMPILED) >= MOST_COMPILED:
        _COMPILED.clear()
    _COMPILED[source] = code_of
    return code_of


def _in_file(code: CodeType, filename: str) -> CodeType:
    """The same code as that of another file, with the functions inside it."""
    inner = tuple(_in_file(c, filename) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=filename, co_consts=inner)


def without_names(compiler: Compiler) -> Compiler:
    """The same program as if its pre-scan had met no name, no DATA and no subprogram.

    Places in blocks of the previous compiler can still be found, and its counters are kept.
    """
    listing, outline = compiler.listing, compiler.outline
    memory = MemoryTaken(tokens for _, tokens in listing)
    scan = Scan(memory=memory, later=compiler.scan.later)
    renewed = Compiler(listing, scan, stepping=outline.stepping, declared=outline.declarations)
    renewed.files = compiler.files
    renewed.outline.counters = outline.counters
    return renewed


def renumbered(compiler: Compiler, lines: Iterable[tuple[int, bytes]]) -> Compiler:
    """The same program after RES: `lines` with other numbers, and other numbers in them.

    All places stay, and so do the names of the pre-scan.
    """
    outline = compiler.outline
    listing = Listing(lines)
    return Compiler(
        listing,
        compiler.scan,
        watched=outline.watched,
        stepping=outline.stepping,
        declared=outline.declarations,
    )
