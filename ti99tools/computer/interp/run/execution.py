"""Runs a program: the trampoline over its blocks, and everything that moves control elsewhere.

Blocks return the block that comes next. Errors leave them as exceptions; Python's traceback shows
which statement it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import TRACED
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.compile.compiler import Compiler, without_names
from ti99tools.computer.interp.compile.timing import scanning
from ti99tools.computer.interp.compile.units import (
    COMMAND,
    LINE,
    LOOP_BODY,
    Block,
    Listing,
    StatementPlace,
)
from ti99tools.computer.interp.run import library, locating, stack
from ti99tools.computer.interp.run.datareader import DataReader
from ti99tools.computer.interp.run.heap import Heap
from ti99tools.computer.interp.run.locating import (
    ahead,
    described,
    line_of,
    out_of_range,
    spot_now,
    spots_now,
    spots_of,
    unspent,
)
from ti99tools.computer.interp.run.runtime import Runtime, Where
from ti99tools.computer.interp.run.signals import (
    BreakReached,
    ClearPressed,
    EndlessStatement,
    FailedAgain,
    ModeChange,
    Overwritten,
    ProgramEnd,
    RunAgain,
    Unplayable,
)
from ti99tools.computer.interp.run.stack import Activation, CallFrame, CallSite, ErrorFrame, Frame
from ti99tools.computer.interp.run.statement_counts import Tally
from ti99tools.computer.machinecode.addresses import CodeError
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.machine.clock import Pause
from ti99tools.language.analysis.analysis import scan_typed
from ti99tools.language.prescan import Scan
from ti99tools.language.prescan.symbols import SUB_FRAME, Scope, Work

_NO_GOSUB = "no GOSUB led here: put END above the subroutine, and enter it by GOSUB only"
_NO_HANDLER = "this RETURN is for ON ERROR: it leaves a handler, and none runs"


class Execution:
    """A program with its variables, stack and state; made anew for every RUN."""

    def __init__(self, rt: Runtime, listing: Listing, compiler: Compiler) -> None:
        self.rt = rt
        self.listing = listing
        self.compiler = compiler
        self.frames: list[Frame] = []
        self.data = DataReader(listing, compiler.scan.first_data, rt.clock)
        self.entered: set[str] = set()
        self.handler: int | None = None
        self.marks = rt.marks
        self.careful = False
        self.always_careful = False
        """Set to run careful blocks in any case: to stop at lines, or to compare."""
        self.error_where = Where()
        self.next_block: Block | None = None
        self.names_lost = False
        """Set once the program runs on without its names; see `lose_names`."""
        self.typing = False
        """Set while a line typed without a number runs."""
        self._shown: int | None = None
        self.typed: Scan | None = None
        self.heap = Heap(
            compiler.scan.memory,
            self.frames,
            lambda: self.main.strings(),
            rt.files.memory,
            rt.clock.request_attention,
            self._collecting,
            compiler.outline.placed,
        )
        rt.pending.made = self.heap.shown
        rt.screenio.reads = self.heap.reads
        self.names = self.heap.names = library.names(rt, self.frames, self.data, self.heap)
        self.names.update(self._controls())
        self.tally: Tally | None = None
        self.main = Activation(compiler, compiler.scan.main, self.names)
        self.active = self.main

    def _collecting(self, cycles: int) -> None:
        """Take the time of collecting the strings in use."""
        self.rt.clock.cycles += cycles

    def _controls(self) -> dict[str, Any]:
        return {
            "drop_loop": partial(stack.drop_loop, self.frames, self.rt.clock),
            "find_loop": partial(stack.find_loop, self.frames),
            "return_": self.return_,
            "end_of_program": self.end_of_program,
            "run_again": self.run_again,
            "enter_sub": self.enter_sub,
            "refuse_sub": self.refuse_sub,
            "entered": self.entered,
            "leave_sub": self.leave_sub,
            "on_error": self.on_error,
            "break_here": self.break_here,
            "set_breakpoints": self.set_breakpoints,
            "trace": self.trace,
            "same_mode": self._block,
            "at_line": self.at_line,
            "endless_statement": self.endless_statement,
            "attend": self.attend,
            "attend_within": self.attend_within,
            "midway": self.midway,
            "within": self.within,
        }

    def within(self, value: Number, number: int) -> Number:
        """Return a value unchanged; OutOfRange if it violates the RANGE of the source."""
        limits = self.compiler.outline.declarations[number]
        if isinstance(value, int) and limits.low <= value <= limits.high:
            return value
        raise out_of_range(self.compiler, number, value)

    # -- the trampoline -------------------------------------------------------------------

    def start(self, line: int = 0) -> None:
        """Get ready to begin at line index `line`."""
        self.typing = False
        self.next_block = self.main.block((line, 0), careful=self.careful)

    def go_on(self, place: StatementPlace) -> None:
        """Get ready to go on where a break stopped the program (CON)."""
        hold = self.active.ranges_hold()
        if not hold:
            self.compiler.forget_ranges()
        if not hold or self.main.caught:
            self._compile_again()
        self.typing = False
        self.next_block = self._block(place)

    def _compile_again(self, caught: bool = False) -> None:
        """Compile blocks anew: `caught` has changed, or ranges of variables no longer hold."""
        self.main.compile_again(caught)
        stack.renew(self.frames, self.active, self.careful)

    def command(self, tokens: bytes) -> None:
        """Get ready for a line typed without a number; raises XBError if it cannot be scanned.

        It sees the variables of the program, or of the SUB in which it was stopped.
        """
        listing = Listing([(COMMAND, tokens)])
        active = self.active
        if self.typed is None:
            self.typed = self.compiler.scan.copy()
            self.heap.memory = self.typed.memory
        before, scope = self.typed.with_scopes(), self.scope
        work = self.typed.work = Work()
        try:
            scan_typed(listing, self.typed, scope)
        except XBError:
            # A refused line leaves none of its new names (recorded: random4-minimal-size-array).
            self.typed, self.heap.memory = before, before.memory
            raise
        finally:
            self.rt.clock.cycles += scanning(work)
        compiler = Compiler(listing, self.typed, self.compiler)
        line = Activation(compiler, scope, self.names, active.bound, active.variables)
        line.statics = active.statics
        self.typing = True
        self.next_block = line.block((0, 0))

    @property
    def scope(self) -> Scope:
        """The names that a typed line sees: the program's, and those of typed lines before it.

        The program's own tables stay as its scan made them: they belong to the next RUN, too.
        """
        active = self.active.scope
        if self.typed is None:
            return active
        return self.typed.scopes.setdefault(active.identity, active.copy())

    def abandon(self) -> None:
        """Forget loops and subroutines, so that CON cannot go on; in a SUB, its variables stay."""
        self.frames.clear()
        self.handler = None

    def end_stack_as(self, before: Sequence[Frame]) -> None:
        """Restore the end of the stack after a typed line; see `stack.end_as`."""
        symbols = self.active.scope.symbols
        stack.end_as(self.frames, before, lambda name: self.active.value(symbols[name]))

    def lose_names(self) -> None:
        """Forget all names and the stack while the program goes on (recorded).

        Anything that names a variable, an array or a function is a SYNTAX ERROR from here on, and
        CALL finds no subprogram, not even a built-in one. The line of ON ERROR stays.
        """
        self.names_lost = True
        self.compiler = without_names(self.compiler)
        self.heap.memory = self.compiler.scan.memory
        self.typed = None
        self.frames.clear()
        self.entered.clear()
        self.main = self.active = Activation(self.compiler, self.compiler.scan.main, self.names)

    def renumber(self, compiler: Compiler) -> None:
        """Take the lines that RES has renumbered from `compiler`; all else stays as it was."""
        self.compiler, self.listing = compiler, compiler.listing
        self.data.renumber(self.listing)
        callers = [frame.caller for frame in self.frames if isinstance(frame, CallFrame)]
        for activation in (self.main, self.active, *callers):
            activation.renew(compiler)
        stack.renew(self.frames, self.active, self.careful)

    def run(self) -> None:
        """Run until the program ends (ProgramEnd, WarningStop, RunAgain), stops (BreakReached),
        fails (XBError) or pauses (Pause; call again to go on).
        """
        block = self.next_block
        assert block is not None
        if self._in_other_mode:
            block = self._in_mode(block)
        while True:
            try:
                while True:
                    block = block()
            except Pause:
                self.next_block = block
                raise
            except XBError as error:
                block = self._failed(error)
            except ModeChange:
                block = self._in_mode(block)
            except ClearPressed as pressed:
                if self.tally is not None:
                    self.tally.stopped(pressed)
                raise locating.cleared(pressed, self.compiler) from None
            except BreakReached as stop:
                locating.locate(stop, self.compiler, self.listing)
                raise
            except (Unplayable, CodeError) as problem:
                spots = spots_of(self.compiler, problem)
                problem.line = spots[0][0].number(spots[0][1]) if spots else None
                raise

    def _failed(self, error: XBError) -> Block:
        """The block of the handler that ON ERROR named; without one, raise the error.

        If a device asks for something, its questions come first.
        """
        if self.rt.files.asking:
            return partial(self._answer, error)
        spots = spots_of(self.compiler, error)
        if not spots:
            raise error
        if isinstance(error, FailedAgain):
            spots = [(spots[0][0], error.place)]
        unit, (line, at) = spots[0]
        if self.tally is not None:
            self.tally.failed(error)
        self.rt.clock.cycles -= unspent(self.compiler, error)
        inner = spots[-1][0].number(spots[-1][1])
        error.line = None if inner == COMMAND else inner
        self.error_where = described(spots, self.frames, self.active.scope)
        if self.handler is None or unit.number((line, at)) == COMMAND:
            raise error
        if isinstance(error, Overwritten):
            raise error
        handler, self.handler = self.handler, None
        error.met(handled=True)
        place, tokens = (line, at), self.listing.tokens[line]
        half = stack.half_loop(error, tokens, place, self.active.scope, self._block(place))
        frame = ErrorFrame(error, unit.number(place), place, stack.after(tokens, place))
        self.rt.clock.cycles += frame.begin(self.frames, half)
        if not self.main.caught and self.listing.after_error is not self.listing:
            self._compile_again(caught=True)
        return self._block((handler, 0))

    def _answer(self, error: XBError) -> NoReturn:
        """Fail once the device's questions are answered."""
        self.rt.files.answer()
        raise error

    def _block(self, place: StatementPlace) -> Block:
        """The block at a place, of the kind now in use."""
        return self.active.block(place, careful=self.careful)

    def where(self, pushed: str = "") -> Where:
        """Where the program is now (called from below a running block); see `described`."""
        return described(spots_now(self.compiler), self.frames, self.active.scope, pushed)

    @property
    def line(self) -> int | None:
        """The number of the line at work (called from below a running block)."""
        spot = spot_now(self.compiler)
        return None if spot is None else line_of(spot)

    def ahead(self) -> int:
        """Cycles that the clock is ahead of the statement at work (called below a block)."""
        return ahead(self.compiler)

    # -- loops and subroutines ------------------------------------------------------------

    def return_(self, next: bool, line: int | None, fault: int | None) -> Block:
        """RETURN: from the last GOSUB, or from the handler of an error.

        RETURN NEXT, RETURN with a line, or wrong syntax looks for a handler only; subroutines on
        the way there end.
        """
        frames = self.frames
        while frames and not isinstance(frames[-1], CallFrame):
            frame = frames.pop()
            if isinstance(frame, tuple):
                if not next and line is None and fault is None:
                    return frame[0]
            elif isinstance(frame, ErrorFrame):
                if fault is not None:
                    raise FailedAgain(fault, frame.failed)
                if next or line is None:
                    place = frame.after if next else frame.failed
                    return self.active.block(place, 0 if self.careful else LINE, self.careful)
                return self._block((self.line_index(line), 0))
        detail = _NO_HANDLER if next or line is not None else _NO_GOSUB
        raise XBError(xb.RETURN_WITHOUT_GOSUB, detail=detail if fault is None else "")

    def line_index(self, number: int) -> int:
        """The index of a line; LINE NOT FOUND if it is missing."""
        index = self.listing.index.get(number)
        if index is None:
            raise XBError(xb.LINE_NOT_FOUND)
        return index

    # -- subprograms ----------------------------------------------------------------------

    def enter_sub(
        self, site: CallSite, line: int, block: Block, place: StatementPlace, *values: Any
    ) -> Block:
        """CALL of a SUB: bind its parameters and go to its first statement."""
        if site.sub.name in self.entered:
            raise XBError(xb.RECURSIVE_SUBPROGRAM_CALL)
        self.entered.add(site.sub.name)
        site.bind(values)
        warning = self.rt.options.warning
        self.frames.append(CallFrame(self.active, line, block, place, warning, site.returned))
        self.heap.pushed(SUB_FRAME)
        self.active = site.callee
        for symbol, number in site.given:
            self.within(self.active.value(symbol), number)
        return self._block(site.start)

    def refuse_sub(self, name: str) -> NoReturn:
        """CALL of a SUB in a line without a number."""
        active = name in self.entered
        raise XBError(xb.RECURSIVE_SUBPROGRAM_CALL if active else xb.ONLY_LEGAL_IN_A_PROGRAM)

    def leave_sub(self) -> Block:
        """SUBEND and SUBEXIT: drop what the SUB left on the stack, restore ON WARNING."""
        frames = self.frames
        while frames:
            frame = frames.pop()
            if isinstance(frame, CallFrame):
                for symbol, number in frame.returned:
                    self.within(self.active.value(symbol), number)
                self.entered.discard(self.active.scope.name)
                self.active = frame.caller
                self.rt.options.warning = frame.warning
                return frame.block
        raise XBError(xb.MUST_BE_IN_SUBPROGRAM)

    # -- errors, breaks, trace ------------------------------------------------------------

    def on_error(self, line: int | None) -> None:
        """ON ERROR: remember the handler's line; LINE NOT FOUND if it is missing."""
        self.handler = None if line is None else self.line_index(line)

    def endless_statement(self) -> NoReturn:
        """Stop a statement whose nested DEFs run far beyond their time; see `PATIENCE`."""
        raise EndlessStatement

    def end_of_program(self) -> NoReturn:
        """END, STOP, or after the last line."""
        raise ProgramEnd

    def run_again(self, line: int | None, file: str | None) -> NoReturn:
        """RUN as a statement."""
        if line is not None:
            self.line_index(line)
        raise RunAgain(line, None if file is None else self.rt.store.ask_for(file))

    def break_here(self) -> NoReturn:
        """BREAK without lines: stop before the next statement."""
        raise BreakReached(0, None)

    def set_breakpoints(self, lines: tuple[int, ...], remove: bool) -> None:
        """BREAK and UNBREAK with lines."""
        locating.mark_lines(self.marks, lines, remove, self.listing.index, self.rt.warn)
        self._choose_mode()

    def trace(self, on: bool) -> None:
        """TRACE and UNTRACE: print line numbers from now on, or no longer."""
        self.marks.tracing = on
        self._choose_mode()

    @property
    def _to_be_careful(self) -> bool:
        """Tell whether careful blocks are required, which check at every line and statement."""
        watched = self.marks.tracing or bool(self.marks.breakpoints) or self.always_careful
        return watched or self.heap.tight

    @property
    def _in_other_mode(self) -> bool:
        """Tell whether blocks of the other kind are due; a typed line keeps its own."""
        return self.careful != self._to_be_careful and not self.typing

    def _choose_mode(self) -> None:
        """Use careful blocks while there is something to look for."""
        if self.careful != self._to_be_careful:
            self.careful = not self.careful
            stack.renew(self.frames, self.active, self.careful)

    def attend(self) -> None:
        """Attend to what is due as a block begins: events, CLEAR, or other blocks from here on."""
        self.rt.attend()
        if self._in_other_mode:
            raise ModeChange

    def midway(self, charged: int) -> bool:
        """As `attend`, within a block, before a statement that has been charged `charged` cycles.

        True if the block must be left here: for a pause, or for other blocks.
        """
        left = self.rt.attend_within(charged)
        if self._in_other_mode:
            self.rt.clock.request_attention()
            return True
        return left

    def attend_within(self) -> None:
        """Attend to what is due as the block of a charged statement begins."""
        if self.rt.attend_later():
            try:
                self.rt.clock.service()
            finally:
                self.rt.attend_later()
        if self._in_other_mode:
            raise ModeChange

    def _in_mode(self, block: Block) -> Block:
        """The block of the kind now required that begins where `block` does."""
        self._choose_mode()
        key = vars(block).get("key")
        if key is None:
            return block  # the end of the program
        line, at, phase = key
        again = 0 if phase in (LINE, LOOP_BODY) else phase
        return self.active.block((line, at), again, self.careful)

    def at_line(self, number: int, index: int) -> None:
        """Note that a line begins (careful blocks only): TRACE shows it, a breakpoint stops before
        it.
        """
        last, self._shown = self._shown, None
        if self.marks.tracing and last != index:
            printer = self.rt.screenio.printer()
            printer.string(f"<{number}>")
            printer.semicolon()
            printer.end()
            self.rt.clock.cycles += TRACED
        if number in self.marks.breakpoints and self.rt.options.stop_at_breaks:
            self.marks.breakpoints.discard(number)
            self._shown = index
            self._choose_mode()
            raise BreakReached(number, (index, 0))
        if not self._to_be_careful:
            raise ModeChange
