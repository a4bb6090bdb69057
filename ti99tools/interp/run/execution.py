"""Runs a program: the trampoline over its blocks, and all that takes control elsewhere.

Blocks return the block that comes next. Errors come out of them as exceptions; Python's traceback
says which statement it was.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.interp.compile.blocks import LOOP_BODY, Block, Place
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import COMMAND, Listing
from ti99tools.interp.compile.timing import scanning
from ti99tools.interp.run import frames as stack
from ti99tools.interp.run import library
from ti99tools.interp.run.activation import Activation, CallSite
from ti99tools.interp.run.datareader import DataReader
from ti99tools.interp.run.frames import CallFrame, ErrorFrame, Frame
from ti99tools.interp.run.heap import Heap
from ti99tools.interp.run.locating import described, line_of, spot_now, spots_now, spots_of
from ti99tools.interp.run.messages import TRACED, Where
from ti99tools.interp.run.refunds import ahead, unspent
from ti99tools.interp.run.runtime import Runtime
from ti99tools.interp.run.signals import (
    Breakpoint,
    ClearPressed,
    EndlessStatement,
    FailedAgain,
    ModeChange,
    ProgramEnd,
    RunAgain,
    Unplayable,
)
from ti99tools.interp.run.tally import Tally
from ti99tools.machine.clock import Pause
from ti99tools.machinecode.errors import CodeError
from ti99tools.source.prescan import Prescan, Scan
from ti99tools.source.prescan.sizes import SUB_FRAME
from ti99tools.source.prescan.symbols import Scope
from ti99tools.source.prescan.work import Work
from ti99tools.source.syntax.cursor import next_statement


class Execution:
    """A program with its variables, stack and state; made anew for every RUN."""

    def __init__(self, rt: Runtime, listing: Listing, compiler: Compiler) -> None:
        self.rt = rt
        self.listing = listing
        self.compiler = compiler
        self.frames: list[Frame] = []
        self.data = DataReader(listing, compiler.scan.first_data)
        self.entered: set[str] = set()
        self.handler: int | None = None
        self.breakpoints: set[int] = set()
        self.tracing = False
        self.careful = False
        self.always_careful = False
        """True if blocks that look at every line run in any case: to stop there, or to compare."""
        self.error_where = Where()
        self.next_block: Block | None = None
        self._typing = False
        self.typed: Scan | None = None
        self.heap = Heap(
            compiler.scan.taken, self.frames, lambda: self.main.strings(), rt.files.memory,
            rt.clock.request_attention, lambda: rt.pending.made, compiler.outline.placed,
        )  # fmt: skip
        self.names = self.heap.names = library.names(rt, self.frames, self.data, self.heap)
        self.names.update(self._controls())
        self.tally: Tally | None = None
        self.main = Activation(compiler, compiler.scan.main, self.names)
        self.active = self.main

    def _controls(self) -> dict[str, Any]:
        return {
            "drop_loop": partial(stack.drop_loop, self.frames, self.rt.clock),
            "find_loop": partial(stack.find_loop, self.frames), "return_": self.return_,
            "end_of_program": self.end_of_program, "run_again": self.run_again,
            "enter_sub": self.enter_sub, "refuse_sub": self.refuse_sub,
            "entered": self.entered, "leave_sub": self.leave_sub, "on_error": self.on_error,
            "break_here": self.break_here, "set_breakpoints": self.set_breakpoints,
            "trace": self.trace, "same_mode": self._block, "at_line": self.at_line,
            "endless_statement": self.endless_statement, "attend": self.attend,
        }  # fmt: skip

    # -- the trampoline -------------------------------------------------------------------

    def start(self, line: int = 0) -> None:
        """Stand before line index `line`."""
        self._typing = False
        self.next_block = self.main.block((line, 0), careful=self.careful)

    def go_on(self, place: Place) -> None:
        """Stand at the place where a break stopped the program (CON)."""
        hold = self.active.ranges_hold()
        if not hold:
            self.compiler.forget_ranges()
        if not hold or self.main.caught:
            self._compile_again()
        self._typing = False
        self.next_block = self._block(place)

    def _compile_again(self, caught: bool = False) -> None:
        """Use other blocks from here on: what `caught` says has changed, or nothing is known."""
        self.main.compile_again(caught)
        stack.renew(self.frames, self.active, self.careful)

    def command(self, tokens: bytes) -> None:
        """Stand before a line typed without a number; raises XBError if it cannot be scanned.

        It sees the variables of the program, or of the SUB in which it was stopped.
        """
        listing = Listing([(COMMAND, tokens)])
        active = self.active
        if self.typed is None:
            self.typed = self.compiler.scan.copy()
            self.heap.taken = self.typed.taken
        scope = self.scope
        self.typed.work = Work()
        try:
            Prescan(listing, self.typed).command(scope)
        finally:
            self.rt.clock.cycles += scanning(self.typed.work)
        compiler = Compiler(listing, self.typed, self.compiler)
        line = Activation(compiler, scope, self.names, active.bound, active.variables)
        line.statics = active.statics
        self._typing = True
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
        """Nothing can go on: forget loops and subroutines; the variables stay those of a SUB."""
        self.frames.clear()
        self.handler = None

    def run(self) -> None:
        """Run until the program is over (ProgramEnd, WarningStop, RunAgain), stops (Breakpoint),
        fails (XBError) or pauses (Pause; call again to go on).
        """
        block = self.next_block
        assert block is not None
        if self.careful != self._to_be_careful and not self._typing:
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
                raise self._cleared(pressed) from None
            except Breakpoint as stop:
                self._locate_break(stop)
                raise
            except (Unplayable, CodeError) as problem:
                spots = spots_of(self.compiler, problem)
                problem.line = spots[0][0].number(spots[0][1]) if spots else None
                raise

    def _failed(self, error: XBError) -> Block:
        """The block of the handler that ON ERROR named; without one the error goes out.

        A device that asks for something is answered first.
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
        handler, self.handler = self.handler, None
        place, tokens = (line, at), self.listing.tokens[line]
        half = stack.half_loop(error, tokens, place, self.active.scope, self._block(place))
        frame = ErrorFrame(error, unit.number(place), place, stack.after(tokens, place))
        self.rt.clock.cycles += frame.begin(self.frames, half)
        if not self.main.caught and self.listing.after_error is not self.listing:
            self._compile_again(caught=True)
        return self._block((handler, 0))

    def _answer(self, error: XBError) -> NoReturn:
        """Fail as soon as the device's questions are answered."""
        self.rt.files.answer()
        raise error

    def _block(self, place: Place) -> Block:
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

        With more words it looks for a handler only; subroutines on the way there are over.
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
                if next:
                    return self._block(frame.after)
                if line is None:
                    return self._block(frame.failed)
                return self._block((self.line_index(line), 0))
        raise XBError(xb.RETURN_WITHOUT_GOSUB)

    def line_index(self, number: int) -> int:
        """The index of a line; LINE NOT FOUND if it is missing."""
        index = self.listing.index.get(number)
        if index is None:
            raise XBError(xb.LINE_NOT_FOUND)
        return index

    # -- subprograms ----------------------------------------------------------------------

    def enter_sub(
        self, site: CallSite, line: int, block: Block, place: Place, *values: Any
    ) -> Block:
        """CALL of a SUB: bind its parameters and go to its first statement."""
        if site.sub.name in self.entered:
            raise XBError(xb.RECURSIVE_SUBPROGRAM_CALL)
        self.entered.add(site.sub.name)
        site.bind(values)
        self.frames.append(CallFrame(self.active, line, block, place, self.rt.options.warning))
        self.heap.pushed(SUB_FRAME)
        self.active = site.callee
        return self._block(site.start)

    def refuse_sub(self, name: str) -> NoReturn:
        """CALL of a SUB in a line without a number."""
        active = name in self.entered
        raise XBError(xb.RECURSIVE_SUBPROGRAM_CALL if active else xb.ONLY_LEGAL_IN_A_PROGRAM)

    def leave_sub(self) -> Block:
        """SUBEND and SUBEXIT: what the SUB left on the stack goes, ON WARNING is as it was."""
        frames = self.frames
        while frames:
            frame = frames.pop()
            if isinstance(frame, CallFrame):
                self.entered.discard(self.active.scope.name)
                self.active = frame.caller
                self.rt.options.warning = frame.warning
                return frame.block
        raise XBError(xb.MUST_BE_IN_SUBPROGRAM)

    # -- errors, breaks, trace ------------------------------------------------------------

    def on_error(self, line: int | None) -> None:
        """ON ERROR: remember the handler's line; LINE NOT FOUND if it is missing."""
        self.handler = None if line is None else self.line_index(line)
        self.rt.clock.cycles -= 0 if line is None else stack.rearming(self.frames)

    def endless_statement(self) -> NoReturn:
        """Time is long over, and a function of DEF goes on to use others."""
        raise EndlessStatement

    def end_of_program(self) -> NoReturn:
        """END, STOP, or after the last line."""
        raise ProgramEnd

    def run_again(self, line: int | None, file: str | None) -> NoReturn:
        """RUN as a statement."""
        if line is not None:
            self.line_index(line)
        raise RunAgain(line, None if file is None else self.rt.store.load(file))

    def break_here(self) -> NoReturn:
        """BREAK without lines."""
        raise Breakpoint(0, None)

    def _locate_break(self, stop: Breakpoint) -> None:
        """Find out where a bare BREAK stands: CON goes on after it only if its line ends there."""
        if stop.line:
            return
        unit, (line, at) = spots_of(self.compiler, stop)[0]
        stop.line = unit.number((line, at))
        if stop.line != COMMAND and next_statement(self.listing.tokens[line], at) is None:
            stop.continue_at = (line + 1, 0)

    def _cleared(self, pressed: ClearPressed) -> Breakpoint:
        """CLEAR was pressed: where that was, and that CON goes on there."""
        unit, place = spots_of(self.compiler, pressed)[0]
        number = unit.number(place)
        return Breakpoint(number, None if number == COMMAND else place, pressed.typing)

    def set_breakpoints(self, lines: tuple[int, ...], remove: bool) -> None:
        """BREAK and UNBREAK with lines; UNBREAK without any takes all away.

        Lines that are not there are warned of (Extended BASIC manual; not recorded).
        """
        if not lines:
            self.breakpoints.clear()
        for line in lines:
            if line not in self.listing.index:
                self.rt.warn(xb.LINE_NOT_FOUND)
            elif remove:
                self.breakpoints.discard(line)
            else:
                self.breakpoints.add(line)
        self._choose_mode()

    def trace(self, on: bool) -> None:
        """TRACE and UNTRACE."""
        self.tracing = on
        self._choose_mode()

    @property
    def _to_be_careful(self) -> bool:
        """Tell whether the blocks are required that look at every line and statement."""
        watched = self.tracing or bool(self.breakpoints) or self.always_careful
        return watched or self.heap.tight

    def _choose_mode(self) -> None:
        """Use the blocks that look at every line while there is something to look for."""
        if self.careful != self._to_be_careful:
            self.careful = not self.careful
            stack.renew(self.frames, self.active, self.careful)

    def attend(self) -> None:
        """A block begins and something is due: events, CLEAR, or other blocks from here on."""
        self.rt.attend()
        if self.careful != self._to_be_careful and not self._typing:
            raise ModeChange

    def _in_mode(self, block: Block) -> Block:
        """The block of the kind now wanted that begins where `block` does."""
        self._choose_mode()
        key = vars(block).get("key")
        if key is None:
            return block  # the end of the program
        line, at, phase = key
        return self.active.block((line, at), 0 if phase == LOOP_BODY else phase, self.careful)

    def at_line(self, number: int, index: int) -> None:
        """A line begins (careful blocks only): TRACE shows it, a breakpoint stops before it."""
        if number in self.breakpoints and self.rt.options.stop_at_breaks:
            self.breakpoints.discard(number)
            self._choose_mode()
            raise Breakpoint(number, (index, 0))
        if not self._to_be_careful:
            raise ModeChange
        if self.tracing:
            printer = self.rt.screenio.printer()
            printer.string(f"<{number}>")
            printer.semicolon()
            printer.end()
            self.rt.clock.cycles += TRACED


def prepare(rt: Runtime, listing: Listing) -> Execution:
    """Scan a program as RUN does and make it ready; raises XBError with the line."""
    return Execution(rt, listing, Compiler(listing, Prescan(listing).program()))
