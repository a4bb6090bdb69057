"""Active scopes, and what lies on the program's stack: loops, subroutines, subprograms, errors.

Generated functions are closures over cells. They are compiled from text one at a time, when control
first reaches them, and given the cells of the activation they run in. So a block that is compiled
late sees the same variables as all others, a SUB that gets a variable by reference has the caller's
cell in place of the parameter, and a line of the main program that runs while a SUB is active is
compiled once more with the SUB's names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from types import CellType, CodeType, FunctionType
from typing import Any

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import CAUGHT, CAUGHT_PASSED, LOOP_DROPPED
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.units import (
    BODY,
    PHASE,
    PLACE,
    STEP,
    VARIABLE,
    Block,
    ForFrame,
    GosubFrame,
    Key,
    StatementPlace,
    SubCall,
    Unit,
    cells_of,
    python_of,
)
from ti99tools.computer.interp.run.signals import NoLoop
from ti99tools.computer.numbers.radix import LARGEST, Number
from ti99tools.hardware.machine.clock import Clock
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.prescan.symbols import LOOP_FRAME, OTHER_FRAME, SUB_FRAME, Scope, Symbol
from ti99tools.language.syntax.cursor import next_statement
from ti99tools.language.syntax.nodes import Variable
from ti99tools.language.syntax.statements import For


class Activation:
    """The main program, or a SUB with what is bound to its parameters."""

    def __init__(
        self,
        compiler: Compiler,
        scope: Scope,
        names: dict[str, Any],
        bound: dict[str, CellType] | None = None,
        shared: dict[str, CellType] | None = None,
    ) -> None:
        """`names` are the globals of generated code, `bound` the parameters' cells; `shared` are
        cells that all activations of a SUB have in common: its own variables keep their values.
        """
        self.compiler = compiler
        self.caught = False
        self.scope = scope
        self.names = names
        self.variables: dict[str, CellType] = {} if shared is None else shared
        self.bound = bound or {}
        self.cells_of_blocks: dict[tuple[bool, str], CellType] = {}
        self.stubs: list[tuple[CellType, Block]] = []
        self.callees: list[Activation] = []
        self.statics: dict[str, dict[str, CellType]] = {}

    def call(self, scope: Scope, bound: dict[str, CellType]) -> Activation:
        """An activation of a SUB with its parameters bound; its own variables are shared."""
        shared = self.statics.setdefault(scope.name, {})
        callee = Activation(self.compiler.program, scope, self.names, bound, shared)
        callee.statics = self.statics
        callee.caught = self.caught
        self.callees.append(callee)
        return callee

    def strings(self) -> Iterator[str]:
        """All strings that variables hold, those of SUBs included."""
        for cells in (self.variables, *self.statics.values()):
            for name, cell in cells.items():
                if name.endswith("_s"):
                    yield cell.cell_contents
                elif name.endswith("_sa"):
                    yield from cell.cell_contents

    def block(self, place: StatementPlace, phase: int = 0, careful: bool = False) -> Block:
        """The block that starts at a place; it is compiled when it first runs."""
        key = (*place, phase)
        cell = self._block_cell(self.compiler.outline.block_name(key), key, careful)
        block: Block = cell.cell_contents
        return block

    def value(self, symbol: Symbol) -> Any:
        """What a variable holds: a number, a string or the flat list of an array."""
        if symbol.element:
            array, position = (self.bound[name].cell_contents for name in cells_of(symbol))
            return array[position]
        return self.variable(symbol).cell_contents

    def assign(self, symbol: Symbol, value: Number | str, index: int | None = None) -> None:
        """Give a variable, or the element `index` of the flat list of an array, a value."""
        if index is not None:
            self.value(symbol)[index] = value
        elif symbol.element:
            array, position = (self.bound[name].cell_contents for name in cells_of(symbol))
            array[position] = value
        else:
            self.variable(symbol).cell_contents = value

    def ranges_hold(self) -> bool:
        """Tell whether typed lines left all variables within the ranges that compiled blocks rely
        on.
        """
        for name, (low, high) in self.compiler.outline.ranges.items():
            symbol = self.scope.symbols.get(name)
            if symbol is not None and not symbol.dimensions and symbol.function is None:
                value = self.value(symbol)
                if type(value) is not int or not low <= value <= high:
                    return False
        return True

    def variable(self, symbol: Symbol) -> CellType:
        """The cell of a variable, made with its first value when it is new."""
        name = python_of(symbol)
        cell = self.bound.get(name)
        if cell is None:
            cell = self.variables.get(name)
        if cell is None:
            cell = self.variables[name] = CellType(self.first_value(symbol))
        return cell

    def first_value(self, symbol: Symbol) -> Any:
        """What a variable holds before anything is assigned to it."""
        empty: Any = "" if symbol.is_string else 0
        if not symbol.dimensions:
            return empty
        return [empty] * prod(symbol.extents(self.compiler.scan.base))

    def _block_cell(self, name: str, key: Key, careful: bool) -> CellType:
        cell = self.cells_of_blocks.get((careful, name))
        if cell is None:
            cell = self.cells_of_blocks[careful, name] = CellType()
            self.stubs.append((cell, self._stub(cell, key, careful)))
            cell.cell_contents = self.stubs[-1][1]
        return cell

    def _stub(self, cell: CellType, key: Key, careful: bool) -> Block:
        """A placeholder in a block's cell until control first reaches it: it compiles the block.

        Loops on the stack that have kept the placeholder get the block instead.
        """

        def stub() -> Block:
            if cell.cell_contents is stub:
                unit = self.compiler.unit(self.scope, key, careful, self.caught)
                cell.cell_contents = self.function(unit.code, unit)
            block: Block = cell.cell_contents
            for frame in self.names["frames"]:
                if frame.__class__ is list and frame[BODY] is stub:
                    frame[BODY] = block
            return block

        vars(stub)["key"] = key
        return stub

    def renew(self, compiler: Compiler) -> None:
        """Continue with another compiler of the same lines and names; the variables stay."""
        self.compiler = compiler
        self.cells_of_blocks, self.stubs, self.callees = {}, [], []

    def compile_again(self, caught: bool) -> None:
        """Forget the compiled blocks, here and in the SUBs called from here.

        `caught`: new ones are compiled for a run that has caught an error.
        """
        if self.caught != caught:
            blocks = {id(cell) for cell, _ in self.stubs}
            self.cells_of_blocks = {
                name: cell for name, cell in self.cells_of_blocks.items() if id(cell) in blocks
            }
            self.caught = caught
        for cell, stub in self.stubs:
            cell.cell_contents = stub
        for callee in self.callees:
            callee.compile_again(caught)

    def function(self, code: CodeType, unit: Unit) -> Block:
        """The function of a piece of generated code, with this activation's cells.

        It refers to its unit, so that places in it can be found as long as it can run.
        """
        self.names.update(unit.constants)
        if unit.counters:
            self.names["grow"]()
        cells = tuple(self._cell(name, unit) for name in code.co_freevars)
        function = FunctionType(code, self.names, code.co_name, None, cells)
        vars(function)["unit"], vars(function)["key"] = unit, unit.key
        return function

    def _cell(self, name: str, unit: Unit) -> CellType:
        key = unit.blocks.get(name)
        if key is not None:
            return self._block_cell(name, key, unit.careful)
        if name in self.bound:
            return self.bound[name]
        symbol = unit.symbols.get(name)
        if symbol is not None and symbol.function is None:
            return self.variable(symbol)
        cell = self.cells_of_blocks.get((unit.careful, name))
        if cell is not None:
            return cell
        cell = self.cells_of_blocks[unit.careful, name] = CellType()
        if symbol is not None:
            defined = self.compiler.definition(self.scope, symbol, unit.depths[name])
            cell.cell_contents = self.function(defined.code, defined)
        elif name in unit.makers:
            cell.cell_contents = self.function(unit.makers[name], unit)()
        else:
            cell.cell_contents = CallSite(self, unit.sites[name])
        return cell


class CallSite:
    """A CALL of a SUB: binds its parameters; made once for each activation that holds the CALL.

    By reference the parameter is the caller's own cell. Values go into cells that belong to the
    call site, so that one activation of the SUB serves every call from here.
    """

    __slots__ = ("callee", "given", "returned", "start", "sub", "values")

    def __init__(self, caller: Activation, site: SubCall) -> None:
        self.sub = sub = site.sub
        declared = caller.compiler.outline.declared
        self.given: list[tuple[Symbol, int]] = []
        """Parameters, but for arrays, that have a RANGE: the number of that."""
        self.returned: list[tuple[Symbol, int]] = []
        """Parameters that stand for something of the caller that has a RANGE."""
        shape = tuple(one.shape for one in site.passed)
        scope = sub.variant(shape) if any(shape) else sub
        self.values: list[CellType] = []
        bound: dict[str, CellType] = {}
        for parameter, one in zip(sub.parameters, site.passed, strict=True):
            symbol = scope.symbols[parameter.name]
            if not symbol.dimensions:
                if (number := declared.get((sub.name, symbol.name))) is not None:
                    self.given.append((symbol, number))
                own = "" if one.symbol is None else one.symbol.name
                if (number := declared.get((caller.scope.name, own))) is not None:
                    self.returned.append((symbol, number))
            if one.symbol is None and symbol.dimensions:
                bound[python_of(symbol)] = CellType(caller.first_value(symbol))
            elif one.symbol is None:
                cell = CellType("" if symbol.is_string else 0)
                bound[python_of(symbol)] = cell
                self.values.append(cell)
            elif not one.is_element:
                bound[python_of(symbol)] = caller.variable(one.symbol)
            elif one.symbol.element:
                for ours, theirs in zip(cells_of(symbol), cells_of(one.symbol), strict=True):
                    bound[ours] = caller.bound[theirs]
            else:
                array, position = cells_of(symbol)
                bound[array] = caller.variable(one.symbol)
                bound[position] = CellType(0)
                self.values.append(bound[position])
        self.callee = caller.call(scope, bound)
        self.start = scope.first_statement

    def bind(self, values: tuple[Any, ...]) -> None:
        """Put the values of a call into their cells."""
        for cell, value in zip(self.values, values, strict=True):
            cell.cell_contents = value


class CallFrame:
    """A running SUB: who called it from which line, and where the caller goes on.

    `warning` is what ON WARNING had set before: SUBEND restores it (published listing of the ROM).
    """

    __slots__ = ("block", "caller", "line", "place", "returned", "warning")

    def __init__(
        self,
        caller: Activation,
        line: int,
        block: Block,
        place: StatementPlace,
        warning: str,
        returned: Sequence[tuple[Symbol, int]] = (),
    ) -> None:
        self.returned = returned
        self.caller = caller
        self.warning = warning
        self.line = line
        self.block = block
        self.place = place


class ErrorFrame:
    """An error that a handler works on: RETURN tries the statement again, RETURN NEXT goes on."""

    __slots__ = ("after", "error", "failed", "line")

    def __init__(
        self, error: XBError, line: int, failed: StatementPlace, after: StatementPlace
    ) -> None:
        self.error = error
        self.line = line
        self.failed = failed
        self.after = after

    def begin(self, frames: list[Frame], half: ForFrame | None) -> int:
        """Push the frame, in place of an earlier error, above the loop that a failed FOR left.

        Returns the cycles that it takes.
        """
        if half is not None:
            frames.append(half)
        passed = sum(not isinstance(one, list) for one in frames)
        frames[:] = [one for one in frames if not isinstance(one, ErrorFrame)]
        frames.append(self)
        return CAUGHT + CAUGHT_PASSED * passed


Frame = ForFrame | GosubFrame | CallFrame | ErrorFrame


def after(tokens: bytes, place: StatementPlace) -> StatementPlace:
    """Where RETURN NEXT goes on after a statement: after the next `::`, or in the next line."""
    following = next_statement(tokens, place[1])
    return (place[0] + 1, 0) if following is None else (place[0], following)


def drop_loop(frames: list[Frame], clock: Clock, variable: str) -> None:
    """FOR: a running loop of the same variable leaves the stack, even from below subroutines.

    Loops of a SUB's caller stay.
    """
    for i in range(len(frames) - 1, -1, -1):
        frame = frames[i]
        if isinstance(frame, CallFrame):
            break
        if isinstance(frame, list) and frame[VARIABLE] == variable:
            del frames[i]
            clock.cycles += LOOP_DROPPED
            break


def half_loop(
    error: XBError, tokens: bytes, place: StatementPlace, scope: Scope, block: Block
) -> ForFrame | None:
    """What FOR leaves on the stack when it fails in its start, its limit or its step.

    Its NEXT finds a loop that has ended. (On the machine limit and step are what lay there, a tiny
    number: only a variable above 0 is past it. With others the machine goes astray.) Source: the
    published listing of the ROM.
    """
    at = place[1]
    if tokens[at : at + 1] != bytes((tk.FOR,)) or isinstance(error, NoLoop):
        return None
    node = statements_from(tokens, at)[0]
    if not isinstance(node, For) or node.start is None or error.code == xb.MEMORY_FULL:
        return None
    if not isinstance(node.variable, Variable):
        return None
    symbol = scope.symbols.get(node.variable.name)
    if symbol is None or symbol.dimensions or symbol.function is not None:
        return None
    return [symbol.name, LARGEST, 0, block, place, 0]


def find_loop(frames: list[Frame], variable: str) -> ForFrame:
    """NEXT: the variable's loop; inner loops that were left are dropped. NEXT WITHOUT FOR."""
    while frames:
        frame = frames[-1]
        if not isinstance(frame, list):
            break
        if frame[VARIABLE] == variable:
            return frame
        frames.pop()
    raise XBError(xb.NEXT_WITHOUT_FOR, detail=f"no loop of {variable} is open here")


def bytes_of(frames: Iterable[object]) -> int:
    """Bytes that frames take."""
    kinds = list(map(type, frames))
    loops, subs = kinds.count(list), kinds.count(CallFrame)
    return LOOP_FRAME * loops + SUB_FRAME * subs + OTHER_FRAME * (len(kinds) - loops - subs)


def end_as(frames: list[Frame], before: Sequence[Frame], value: Callable[[str], Number]) -> None:
    """Make the stack end where it ended before a typed line, whatever the line has done to it.

    If a FOR of the program was typed again, its loop was taken out of the stack; the typed loop
    takes its place, and has ended (its memory is recorded; that it has ended is an inference).
    `value` returns the value of a variable.
    """
    end = bytes_of(before)
    while bytes_of(frames) > end:
        frames.pop()
    for frame in before:
        if isinstance(frame, list) and not any(frame is one for one in frames):
            variable = frame[VARIABLE]
            frames.append([variable, value(variable), *frame[STEP:PHASE], 0])
    if bytes_of(frames) != end:
        frames[:] = before


def renew(frames: list[Frame], activation: Activation, careful: bool) -> None:
    """Replace the blocks on the stack by those of the kind now in use."""
    for i in range(len(frames) - 1, -1, -1):
        frame = frames[i]
        if isinstance(frame, CallFrame):
            activation = frame.caller
            frame.block = activation.block(frame.place, careful=careful)
        elif isinstance(frame, list):
            phase = 0 if careful else frame[PHASE]
            frame[BODY] = activation.block(frame[PLACE], phase, careful)
        elif isinstance(frame, tuple):
            frames[i] = (activation.block(frame[1], careful=careful), frame[1])
