"""The Python text of one block while it is written: lines, temporaries, names, places."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.interp.compile.emit.expressions import ExpressionEmitter
from ti99tools.interp.compile.emit.registry import FAMILIES
from ti99tools.interp.compile.layout import Key, Place
from ti99tools.interp.compile.lines import COMMAND
from ti99tools.interp.compile.names import python_name
from ti99tools.interp.compile.outline import Outline
from ti99tools.interp.compile.unit import Site
from ti99tools.source.prescan.symbols import Scope
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.cursor import END_OF_STATEMENT
from ti99tools.source.syntax.nodes import names_in

TIMELESS = (
    st.Let,
    st.If,
    st.For,
    st.Next,
    st.Goto,
    st.Gosub,
    st.OnGo,
    st.Return,
    st.Nothing,
    st.Data,
    st.Dim,
    st.Def,
    st.Read,
    st.Restore,
)
"""Statements to which it does not matter when exactly they happen."""

MAX_FUNCTIONS = 23
"""Functions of DEF that may be entered one inside the other: as many as parentheses
(estimated, not recorded)."""

PATIENCE = 1_800_000_000
"""Cycles (ten minutes) that a statement may work on when it should have been interrupted: functions
that use functions multiply, so one statement could last for years."""

MAX_LINES = 400
"""A block that has grown to so many lines of Python hands over to the next one."""


class Emitter(ExpressionEmitter):
    """Writes one block: the statements from a place on, as far as control runs straight."""

    def __init__(self, outline: Outline, scope: Scope, key: Key, careful: bool) -> None:
        super().__init__(outline, scope)
        self.key = key
        self.careful = careful
        self.listing = outline.listing
        self.timing = outline.timing(scope)
        self.lines: list[str] = []
        self.marks: list[tuple[int, Place]] = []
        self.blocks: dict[str, Key] = {}
        self.sites: dict[str, Site] = {}
        self.makers: dict[str, list[str]] = {}
        self.line_index = key[0]
        self.statement: st.Statement | None = None
        self.stopped = False
        self.parameters = ""
        self.phase = 0
        self._indent = 2
        self._serial = 0
        self.until: Place | None = None
        self.onward: Place | None = None
        self.inline = 0
        self.in_branch = 0
        self.loop_depth = 0
        self.loops_to_start = False
        self.counted = False
        self.segment: int | None = None
        self.sums: dict[int, list[tuple[Place, int]]] = {}
        self.carried: list[int] = []

    # -- lines ----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write one line at the present indentation."""
        self.lines.append("    " * self._indent + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent what is written inside; it has a time of its own."""
        self._indent += 1
        self.segment = None
        yield
        self._indent -= 1
        self.segment = None

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
        return f"{word}_{self.outline.block_name(self.key)}_{self._serial}"

    @property
    def is_command(self) -> bool:
        """Whether this is a line typed without a number."""
        return self.listing.numbers[:1] == [COMMAND]

    # -- where control goes ---------------------------------------------------------------

    def block(self, place: Place, phase: int = 0) -> str:
        """Source of the block that starts at a place."""
        name = self.outline.block_name((*place, phase))
        self.blocks[name] = (*place, phase)
        self.free.add(name)
        return name

    def resume(self, place: Place) -> None:
        """Go on at a place."""
        if (*place, 0) == self.key and not self.loop_depth and not self.careful:
            self.line("continue")
            self.loops_to_start = True
        else:
            self.line(f"return {self.block(place)}")
        self.stop()

    @property
    def depth(self) -> int:
        """How deep the lines are indented."""
        return self._indent

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
        if node.name in names_in(node.body):
            self.line("endless_function()")
        if self.outline.nesting(self.scope, (self.line_index, node.at)) > MAX_FUNCTIONS:
            self.line(f"fault({xb.STACK_OVERFLOW})")
            return
        inner = self.timing.functions(node.body)
        if inner:
            self.line(f"clock.cycles += {inner}")
            self.line(f"if clock.cycles > clock.next_event + {PATIENCE}: endless_statement()")
        self.line(f"return {self.value(node.body)}")

    # -- statements -----------------------------------------------------------------------

    def run(self) -> None:
        """Write the whole block."""
        line, at, self.phase = self.key
        self.line("if clock.cycles >= clock.next_event: attend()")
        self.walk((line, at), None)
        self.close()

    def walk(self, place: Place, until: Place | None) -> None:
        """Write statements in the program's order until `until` is reached or control stops.

        Lines that others jump to end the block, except inside a loop or a skipped part, which
        go through them: who jumps there gets a block of its own.
        """
        outer, self.until = self.until, until
        first = True
        while not self.stopped and (until is None or place < until):
            if not first and self._hands_over(place):
                self.resume(place)
                break
            first = False
            place = self._line_from(place)
        self.until = outer

    def _hands_over(self, place: Place) -> bool:
        line, at = place
        if at or line >= len(self.listing):
            return False
        joins = line in self.listing.targets and not self.inline
        return self.careful or joins or len(self.lines) > MAX_LINES

    def _line_from(self, place: Place) -> Place:
        """Write the statements of one line from a place on; returns where to go on."""
        line, at = place
        if line >= len(self.listing):
            self.line("return end_of_program")
            self.stop()
            return place
        self.line_index = line
        if self.careful and not at and not self.phase:
            self.line(f"at_line({self.listing.numbers[line]}, {line})")
            self.marks.append((len(self.lines), place))
        self.reach(line)
        self.onward = None
        for node in self.listing.statements(line, at):
            if self.until is not None and (line, node.at) >= self.until:
                return (line, node.at)
            self.emit(node)
            if self.stopped or self.onward is not None:
                break
        return self.onward or (line + 1, 0)

    def reach(self, line: int) -> None:
        """Note that line index `line` runs, if that is wanted."""
        if self.outline.watched:
            self.line(f"reached.add({self.listing.numbers[line]})")

    def statements(self, nodes: tuple[st.Statement, ...]) -> None:
        """Write the statements of a branch of IF, until control stops."""
        self.in_branch += 1
        for node in nodes:
            self.emit(node)
            if self.stopped:
                break
        self.in_branch -= 1

    def emit(self, node: st.Statement) -> None:
        """Write one statement, with its cost and the fault at its end."""
        self.statement = node
        phase, self.phase = self.phase, 0
        family = FAMILIES.get(type(node))
        if family is None:
            self.mark(node)
            self.line(f"raise NotYet({type(node).__name__!r})")
            self.stop()
            return
        timeless = isinstance(node, TIMELESS) and not self.timing.functions_in(node)
        if not timeless:
            self.segment = None
        if not phase:
            self.charge(node)
        counted = self.counted and not timeless
        if counted:
            self._carry()
            self.line("spent = 0")
        self.mark(node)
        self.phase = phase
        if family.phases == 1:
            family.handler(self, node)
        else:
            family.handler(self, node, phase)
        self.phase = 0
        self.statement = node
        if not timeless:
            self.segment = None
        if counted and not self.stopped:
            self.line("room = clock.next_event - clock.cycles")
        if node.fault is not None and not self.stopped:
            self.fail(node.fault)

    def mark(self, node: st.Statement) -> None:
        """The lines from here on belong to a statement."""
        self.marks.append((len(self.lines) + 1, (self.line_index, node.at)))

    # -- time -----------------------------------------------------------------------------

    def charge(self, node: st.Statement) -> None:
        """Let a statement take its time; one line adds up the times of all up to a branch."""
        if self.segment is None:
            self.segment = len(self.lines)
            self.sums[self.segment] = []
            self.line("spent += {}" if self.counted else "clock.cycles += {}")
        place = (self.line_index, node.at)
        self.sums[self.segment].append((place, self.timing.statement(node)))

    def _carry(self) -> None:
        """Give the clock what has been added up in a local variable."""
        self.carried.append(len(self.lines))
        self.line("clock.cycles += spent")

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Inside, time is added up in a local variable; the clock gets it on every way out."""
        self.line("room = clock.next_event - clock.cycles")
        self.line("spent = 0")
        self.line("try:")
        self.counted = True
        with self.indented():
            yield
        self.counted = False
        self.line("finally:")
        with self.indented():
            self._carry()

    def close(self) -> None:
        """Fill in the costs, and wrap the block in a loop if it jumps to its own start."""
        for index, charges in self.sums.items():
            line = self.lines[index]
            self.lines[index] = line.format(sum(cycles for _, cycles in charges))
        if self.loops_to_start:
            self.lines = ["        while True:", *("    " + text for text in self.lines)]
            self.marks = [(line + 1, place) for line, place in self.marks]
            self.sums = {index + 1: charges for index, charges in self.sums.items()}
            self.carried = [index + 1 for index in self.carried]
