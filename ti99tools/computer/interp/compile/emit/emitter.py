"""Writes the Python of one block: statements in order, what they cost, where control goes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

from ti99tools.base import xberrors as xb
from ti99tools.base.basic import DEEPEST_FUNCTION
from ti99tools.base.counts import USED
from ti99tools.computer.interp.compile.emit.expression_code import ExpressionEmitter
from ti99tools.computer.interp.compile.emit.pythontext import PythonText, StatementFlow
from ti99tools.computer.interp.compile.emit.registry import FAMILIES
from ti99tools.computer.interp.compile.needs import ENOUGH, MADE, litter, need
from ti99tools.computer.interp.compile.outline import Outline
from ti99tools.computer.interp.compile.shut import ALL_SHUT, Piece, heavy, of_statement, pieces
from ti99tools.computer.interp.compile.units import (
    CHARGED,
    LINE,
    SHORT,
    SPENT,
    Key,
    StatementPlace,
    SubCall,
    python_name,
)
from ti99tools.language.prescan.symbols import Scope
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import expressions_in

TIMELESS = (*ALL_SHUT, st.Data, st.Dim, st.Def, st.Read, st.Restore)
"""Statements whose exact time does not matter."""

PATIENCE = 1_800_000_000
"""Cycles (ten minutes) for which a statement may run on past the clock's next event. DEFs that use
DEFs multiply, so that one statement could last for years.
"""

GATHERED = 75_000
"""Cycles (1.5 frames) charged since the last check of what is due, after which another is made, so
that keys, CLEAR and pictures are on time within a long line.
"""

MAX_LINES = 400
"""Lines of Python after which a block hands over, not counting lines that count and step."""


class BlockEmitter(ExpressionEmitter):
    """Writes one block: the statements from a place on, as far as control runs straight.

    `text` is what it writes, `flow` where control is; `caught`: the run has caught an error.
    """

    def __init__(
        self, outline: Outline, scope: Scope, key: Key, careful: bool, caught: bool = False
    ) -> None:
        super().__init__(outline, scope)
        self.listing = outline.listing.after_error if caught else outline.listing
        self.text = PythonText(outline.counters)
        self.flow = StatementFlow(outline.listing, key, careful)
        self.blocks: dict[str, Key] = {}
        self.sites: dict[str, SubCall] = {}
        self.makers: dict[str, list[str]] = {}
        self.parameters = ""
        self._serial = 0
        self._costs: dict[int, int] = {}
        """By the `id` of a statement, which the listing keeps."""

    # -- lines ----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write one line at the present indentation."""
        self.text.line(text)

    def indented(self) -> AbstractContextManager[None]:
        """Indent what is written inside; its time is charged by itself."""
        return self.text.indented()

    def stop(self) -> None:
        """Note that control never comes after the line just written."""
        self.flow.stopped = True

    def fail(self, code: int) -> None:
        """Raise an error of Extended BASIC."""
        self.line(f"raise XBError({code})  # {xb.TEXTS[code]}")
        self.stop()

    def unique(self, word: str) -> str:
        """A name for something in this block that no other block uses."""
        self._serial += 1
        return f"{word}_{self.outline.block_name(self.flow.key)}_{self._serial}"

    # -- where control goes ---------------------------------------------------------------

    def block(self, place: StatementPlace, phase: int = 0) -> str:
        """Source of the block that starts at a place."""
        name = self.outline.block_name((*place, phase))
        self.blocks[name] = (*place, phase)
        self.free.add(name)
        return name

    def resume(self, place: StatementPlace) -> None:
        """Go on at a place."""
        if self.flow.is_start(place):
            self.line("continue")
            self.flow.endless = True
        else:
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
        """End the block before the statement's next phase, which is its own block."""
        self.line(f"return {self.block(self.flow.place, self.flow.phase + 1)}")
        self.stop()

    # -- DEF ------------------------------------------------------------------------------

    def definition(self, node: st.Def, depth: int) -> None:
        """Write the body of a DEF as a function of its parameter; `depth` is the stack in use."""
        self.text.mark((self.flow.line, node.at))
        if node.parameter is not None:
            local = f"{python_name(node.parameter)}_p"
            self.parameters = f"{local}, mismatch"
            self.local[node.parameter] = local
            self.line(f"if mismatch: fault({xb.STRING_NUMBER_MISMATCH})")
        if depth > DEEPEST_FUNCTION:
            self.line(f"fault({xb.STACK_OVERFLOW})")
            return
        self.text.count((self.flow.line, node.at), USED)
        self.line(f"clock.cycles += {self.timing.function(node)}")
        self.line("tidied()")
        self.shut(pieces(self.timing, [node.body]))
        if self.timing.functions_in(node.body):
            self.line(f"if clock.cycles > clock.next_event + {PATIENCE}: endless_statement()")
        self.charged(node.body)
        self.line(f"return {self.value(node.body)}")

    # -- statements -----------------------------------------------------------------------

    def run(self) -> None:
        """Write the whole block."""
        line, at, self.flow.phase = self.flow.key
        attend = "attend_within" if self.flow.phase == CHARGED else "attend"
        self.line(f"if clock.cycles >= clock.next_event: {attend}()")
        self.walk((line, at), None)
        self.close()

    def close(self) -> None:
        """End the text of the block, which goes on at its start if it is endless."""
        self.text.close(self.flow.endless)

    def walk(self, place: StatementPlace, until: StatementPlace | None) -> None:
        """Write statements in the program's order until `until` is reached or control stops.

        Lines that others jump to end the block, except inside a loop or a skipped part, which go
        through them: a jump to such a line gets its own block.
        """
        flow = self.flow
        start = place
        brief = flow.phase if until is None and flow.key == (*place, flow.phase) else 0
        single = brief in (SHORT, CHARGED)
        with flow.part(until):
            while not flow.stopped and (until is None or place < until):
                own = len(self.text.lines) - len(self.text.counting) - self.text.steps
                full = own > MAX_LINES
                done = single or (brief == LINE and not place[1])
                if place != start and done and place[0] < len(self.listing):
                    begins = not place[1] and (flow.careful or place[0] in self.listing.targets)
                    follows = SHORT if single else LINE
                    self.line(f"return {self.block(place, 0 if begins else follows)}")
                    self.stop()
                    break
                if place != start and flow.ends_before(place, full):
                    self.resume(place)
                    break
                place = self._line_from(place, single)

    def _line_from(self, place: StatementPlace, single: bool = False) -> StatementPlace:
        """Write the statements of one line from a place on, or a single one; returns where to go
        on.
        """
        flow = self.flow
        line, at = place
        if line >= len(self.listing):
            self.line("return end_of_program")
            self.stop()
            return place
        flow.line = line
        if flow.careful and not at and not flow.phase:
            self.line(f"at_line({self.listing.numbers[line]}, {line})")
            self.text.marks.append((len(self.text.lines), place))
        flow.onward = None
        empty = False
        for node in self.listing.statements(line, at):
            if flow.until is not None and (line, node.at) >= flow.until:
                return (line, node.at)
            self.emit(node, empty)
            empty = _is_empty(node)
            if single and not (empty or flow.stopped) and flow.onward is None:
                flow.onward = flow.after
            if flow.stopped or flow.onward is not None:
                break
        return flow.onward or (line + 1, 0)

    def branch(self, nodes: tuple[st.Statement, ...]) -> None:
        """Write the statements of a branch of IF, until control stops."""
        with self.flow.branch():
            empty = False
            for node in nodes:
                self.emit(node, empty)
                empty = _is_empty(node)
                if self.flow.stopped:
                    break

    def emit(self, node: st.Statement, after_empty: bool = False) -> None:
        """Write one statement, with its cost and the fault at its end.

        `after_empty`: nothing comes before the `::` that leads here, so most statements fail. No
        stop is placed there: resuming at the statement itself would not know about it.
        """
        flow, text = self.flow, self.text
        flow.statement = node
        phase, flow.phase = flow.phase, 0
        charged = phase == CHARGED
        if phase in (LINE, SHORT, CHARGED):
            phase = 0
        # Nothing of it has been done before, and its time has not been taken.
        fresh = not phase and not charged
        timeless = self._is_timeless(node)
        if not timeless:
            text.end_segment()
        elif text.gathered >= GATHERED and not after_empty:
            text.mark(flow.place)
            text.look_between(self.block(flow.place, SHORT))
        if fresh:
            self.charge(node)
        late = text.counted and not timeless
        if late:
            text.settle()
        text.mark(flow.place)
        if fresh:
            self.shut(of_statement(self.timing, node))
            self.step(node)
            if not timeless and not after_empty:
                text.look(self._cost(node), self.block(flow.place, CHARGED))
        flow.phase = phase
        self._prepare(node, phase)
        family = FAMILIES[type(node)]
        family.handler(self, node, *([phase] if family.phases > 1 else []))
        flow.phase = 0
        flow.statement = node
        if not timeless:
            text.end_segment()
            self._worked_long()
        self._close(node, late)

    def _close(self, node: st.Statement, late: bool) -> None:
        """Go on counting if that waited for the statement; fail where its syntax is wrong."""
        if self.flow.stopped:
            return
        if late:
            self.text.count_on()
        if node.fault is not None:
            self.fail(node.fault)

    def _is_timeless(self, node: st.Statement) -> bool:
        """Tell whether a statement takes the same time whenever it runs, and always little."""
        return (
            isinstance(node, TIMELESS)
            and not self.timing.functions_in(node)
            and not any(map(heavy, expressions_in(node)))
        )

    def _prepare(self, node: st.Statement, phase: int) -> None:
        """Check memory and count strings before a statement, and note the time of its parts."""
        if not phase and not isinstance(node, st.For):
            self.check_memory(node)
        if not phase and not self.outline.placed:
            self.count_strings(node)
        targets = len(node.targets) if isinstance(node, st.Let) else 0
        self.charged(*expressions_in(node), pushed=targets)

    def _worked_long(self) -> None:
        """Check what is due before the next statement, whatever it costs: the one just written may
        have scrolled rows, used files or waited for a sound, and how long that took is unknown.
        """
        self.text.gathered = GATHERED

    def shut(self, pieces: Iterable[Piece]) -> None:
        """Tell of the pieces of what has been charged last that let no interrupt in."""
        for since, cycles in pieces:
            self.text.when_watched(f"shut({since}, {cycles})")

    def step(self, node: st.Statement) -> None:
        """In stepping code, call `step` before a statement that does something; see `Stepper`."""
        if not self.outline.stepping:
            return
        if node.fault is None and isinstance(node, st.SILENT):
            return
        spent = f", {SPENT}" if self.text.counted else ""
        self.line(f"step({self.flow.line}, {node.at}{spent})")
        self.text.steps += 1

    def check_memory(self, node: st.Statement) -> None:
        """Check that there is room for what a statement needs, if this is a careful block."""
        size = need(node) if self.flow.careful else 0
        if size:
            self.line(f"need({size})")

    def count_strings(self, node: st.Statement) -> None:
        """Count the strings that a statement throws away; see `Heap`."""
        size = litter(node)
        if size:
            self.line(f"strings[{MADE}] += {size}")
        if size or (isinstance(node, st.Print) and node.items):
            self.line(f"if strings[{MADE}] > strings[{ENOUGH}]: tidy()")

    def spend(self, cycles: int) -> None:
        """Take time at this point of a statement, unless it fails earlier; see `TIMELESS`."""
        if cycles:
            self.text.spend(cycles)

    def charge(self, node: st.Statement) -> None:
        """Take the time of a statement."""
        self.text.charge((self.flow.line, node.at), self._cost(node))

    def _cost(self, node: st.Statement) -> int:
        """Cycles of a statement; GPL takes longer to come to the one after it."""
        if not node.at:
            return self.timing.statement(node)
        cost = self._costs.get(id(node))
        if cost is None:
            cost = self._costs[id(node)] = self._cost_within(node)
        return cost

    def _cost_within(self, node: st.Statement) -> int:
        """The same for a statement that is not the first of its line."""
        coming = self.timing.after(self.listing.statements(self.flow.line), node)
        return self.timing.statement(node) + coming


def _is_empty(node: st.Statement) -> bool:
    """Tell whether nothing at all comes before a `::` or the end of the line."""
    return isinstance(node, st.EmptyStatement) and node.at == node.end and node.fault is None
