"""The Python text of one block while it is written: lines, temporaries, names, places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.activation import Activation, Key
from ti99tools.interp.emit.expressions import ExpressionEmitter
from ti99tools.interp.emit.registry import FAMILIES
from ti99tools.interp.frames import Place
from ti99tools.interp.listing import COMMAND
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import END_OF_STATEMENT
from ti99tools.interp.symbols import python_name

if TYPE_CHECKING:
    from ti99tools.interp.compiler import Compiler
    from ti99tools.interp.symbols import Scope

PROGRAM_ONLY = (st.Goto, st.Gosub, st.OnGo, st.If, st.Return, st.OnError, st.OnWarning, st.OnBreak)
"""Statements that a line typed without a number may not hold."""

MAX_LINES = 400
"""A block that has grown to so many lines of Python hands over to the next one."""


class Emitter(ExpressionEmitter):
    """Writes one block: the statements from a place on, as far as control runs straight."""

    def __init__(self, compiler: Compiler, scope: Scope, key: Key, careful: bool) -> None:
        super().__init__(compiler, scope)
        self.key = key
        self.careful = careful
        self.listing = compiler.listing
        self.lines: list[str] = []
        self.marks: list[tuple[int, Place]] = []
        self.blocks: dict[str, Key] = {}
        self.objects: dict[str, Callable[[Activation], Any]] = {}
        self.makers: dict[str, list[str]] = {}
        self.line_index = key[0]
        self.statement: st.Statement | None = None
        self.stopped = False
        self.parameters = ""
        self.phase = 0
        self._indent = 2
        self._serial = 0

    # -- lines ----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write one line at the present indentation."""
        self.lines.append("    " * self._indent + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent what is written inside."""
        self._indent += 1
        yield
        self._indent -= 1

    def stop(self) -> None:
        """Say that control never comes behind the line just written."""
        self.stopped = True

    def fail(self, code: int) -> None:
        """Raise an error of Extended BASIC."""
        self.line(f"raise XBError({code})  # {xb.TEXTS[code]}")
        self.stop()

    def unique(self, word: str) -> str:
        """A name for something of this block that no other block uses."""
        self._serial += 1
        return f"{word}_{self.compiler.block_name(self.key)}_{self._serial}"

    @property
    def is_command(self) -> bool:
        """Whether this is a line typed without a number."""
        return self.listing.numbers[:1] == [COMMAND]

    # -- where control goes ---------------------------------------------------------------

    def block(self, place: Place, phase: int = 0) -> str:
        """Source of the block that starts at a place."""
        name = self.compiler.block_name((*place, phase))
        self.blocks[name] = (*place, phase)
        self.free.add(name)
        return name

    def resume(self, place: Place) -> None:
        """Go on at a place."""
        self.line(f"return {self.block(place)}")
        self.stop()

    def goto(self, number: int) -> None:
        """Go on at a line; LINE NOT FOUND if there is none."""
        index = self.listing.index.get(number)
        if index is None:
            self.fail(xb.LINE_NOT_FOUND)
        else:
            self.resume((index, 0))

    def next_phase(self) -> None:
        """End the block before the statement's next phase, which is a block of its own."""
        assert self.statement is not None
        self.line(f"return {self.block((self.line_index, self.statement.at), self.phase + 1)}")
        self.stop()

    def after(self) -> Place | None:
        """The place behind the present statement; None when what follows is wrong syntax."""
        assert self.statement is not None
        tokens = self.listing.tokens[self.line_index]
        end = self.statement.end
        token = tokens[end] if end < len(tokens) else 0
        if token == tk.STATEMENT_SEP:
            return (self.line_index, end + 1)
        if token in END_OF_STATEMENT:
            return (self.line_index + 1, 0)
        return None

    # -- DEF ------------------------------------------------------------------------------

    def definition(self, node: st.Def) -> None:
        """Write the body of a DEF as a function of its parameter."""
        self._indent = 2
        self.marks.append((1, (self.line_index, node.at)))
        if node.parameter is not None:
            local = f"{python_name(node.parameter)}_p"
            self.parameters = f"{local}, mismatch"
            self.local[node.parameter] = local
            self.line(f"if mismatch: fault({xb.STRING_NUMBER_MISMATCH})")
        if self.compiler.defined_by_itself(self.scope, node):
            self.line("endless_function()")
        self.line(f"return {self.value(node.body)}")

    # -- statements -----------------------------------------------------------------------

    def run(self) -> None:
        """Write the whole block."""
        line, at, phase = self.key
        self.phase = phase
        self.line("if clock.cycles >= clock.next_event: attend()")
        while True:
            if line >= len(self.listing):
                self.line("return end_of_program")
                self.stop()
                return
            self._line_statements(line, at)
            if self.stopped:
                return
            line, at = line + 1, 0
            joins = line < len(self.listing) and line in self.listing.targets
            if self.careful or joins or len(self.lines) > MAX_LINES:
                self.resume((line, 0))
                return

    def _line_statements(self, line: int, at: int) -> None:
        self.line_index = line
        if self.careful and not at and not self.phase:
            self.line(f"at_line({self.listing.numbers[line]}, {line})")
            self.marks.append((len(self.lines), (line, at)))
        self.statements(self.listing.statements(line, at))

    def statements(self, nodes: tuple[st.Statement, ...]) -> None:
        """Write statements in a row, until control stops."""
        for node in nodes:
            self.emit(node)
            if self.stopped:
                return

    def emit(self, node: st.Statement) -> None:
        """Write one statement, with its cost and the fault at its end."""
        self.statement = node
        self.marks.append((len(self.lines) + 1, (self.line_index, node.at)))
        phase, self.phase = self.phase, 0
        if self.is_command and isinstance(node, PROGRAM_ONLY):
            self.fail(xb.ONLY_LEGAL_IN_A_PROGRAM)
            return
        family = FAMILIES.get(type(node))
        if family is None:
            self.line(f"raise NotYet({type(node).__name__!r})")
            self.stop()
            return
        cost = self.compiler.cost(node)
        if cost and not phase:
            self.line(f"clock.cycles += {cost}")
        self.phase = phase
        family.emit(self, node, phase)
        self.phase = 0
        self.statement = node
        if node.fault is not None and not self.stopped:
            self.fail(node.fault)
