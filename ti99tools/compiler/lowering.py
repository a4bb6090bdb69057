"""Statements to blocks: control flow, assignments, DATA, loops and subprograms.

The program is walked once, line by line; what is not compiled is refused at its line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import SourceError, Where, together
from ti99tools.compiler import ir
from ti99tools.compiler.lowering_actions import lower_call, lower_display, lower_print
from ti99tools.compiler.lowering_loops import Loops, find_loops, lower_for, lower_next
from ti99tools.compiler.lowering_subs import declare_arrays
from ti99tools.compiler.lowering_values import Binding, Context
from ti99tools.compiler.refusing import STRING_VARIABLE, Refused, located, refuse
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Radix
from ti99tools.language.analysis import Analysis
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan import Scan
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.parser import Parser
from ti99tools.language.syntax.statements import every_statement

UNCOMPILED: dict[type[st.Statement], str] = {
    st.Input: "INPUT waits for a line",
    st.Linput: "LINPUT waits for a line",
    st.Accept: "ACCEPT waits for a line",
    st.Open: "OPEN uses a file",
    st.Close: "CLOSE uses a file",
    st.RestoreFile: "RESTORE # uses a file",
    st.Delete: "DELETE uses a disk",
    st.OnError: "ON ERROR goes on after an error",
    st.OnWarning: "ON WARNING tells what to do at a warning",
    st.OnBreak: "ON BREAK tells what to do at FCTN-4 (CLEAR)",
    st.Run: "RUN starts another program",
    st.Break: "BREAK goes to the prompt",
    st.Trace: "TRACE is for the prompt",
}
"""Statements that are refused → why."""


class Lowering(Context):
    """Makes the blocks of a program; `code` is the result."""

    def __init__(self, program: Analysis, where: Where, ranges: Sequence[Declared] = ()) -> None:
        super().__init__(program.lines, _scanned(program, where))
        self.where = where
        self.tokens = program.tokens
        self._declared = {self._declared_name(one): (one.low, one.high) for one in ranges}
        """Variable or array with a RANGE → its lowest and highest value."""
        self.parsed = [*program.parsed.items()]
        self.loops: Loops = find_loops(program)
        self.code.stacked = {scope for scope, _ in self.loops.stacked}
        flow = program.flow
        self._scopes = {number: flow.nodes[at].scope for number, at in flow.first.items()}
        """Number of a line → the SUB that it belongs to."""
        self._errors: list[SourceError] = []
        self._data_at: dict[int, int] = {}
        """Number of a line with DATA → index of its first item."""
        self._bad_data: dict[int, str] = {}

    def run(self) -> ir.Code:
        """Lower all lines. Raises SourceError with everything that is refused."""
        self._collect_data()
        self.code.first = self.own(f"L{self.lines[0][0]}")
        self._body(0, 0)
        while self.variants.waiting:
            self._lower_sub(*self.variants.waiting.pop(0))
        if self._errors:
            raise together(self._errors)
        return self.code

    def _lower_sub(self, name: str, binding: Binding) -> None:
        """Lower the lines of a SUB, in the variant with this binding of its parameters."""
        if name not in self.code.subs:
            self.code.subs.append(name)
        self.scope = self.scan.subs[name]
        self.part = name
        pairs = zip(self.scope.parameters, binding, strict=True)
        self.variants.bound = {one.name: bound for one, bound in pairs if bound is not None}
        self.suffix = self.variants.label(name, binding)
        index, offset = self.scope.first_statement
        while index < len(self.parsed):
            for at, statement in enumerate(self.parsed[index][1]):
                if statement.at >= offset:
                    self._body(index, at, begins=True)
                    return
            index, offset = index + 1, 0
        self.put(self.own(f"SUB {name}"), ir.Stop(self.spot))

    def _body(self, first: int, at: int, begins: bool = False) -> None:
        """Lower the statements of a scope, from a place on; `begins`: a SUB begins there."""
        declare_arrays(self)
        if begins:
            self.put(self.own(f"L{self.parsed[first][0]}"), ir.Stop(self.spot))
            self.enter(self.own(f"SUB {self.scope.name}"))
        for index in range(first, len(self.parsed)):
            number, statements = self.parsed[index]
            if index > first or not begins:
                self.enter(self.own(f"L{number}"))
            for statement in statements[at if index == first else 0 :]:
                self.spot = (number, statement.at)
                if isinstance(statement, st.Sub):  # a program that runs into it is at its end
                    self.finish(ir.Stop(self.spot))
                    break
                self._guarded(number, statement)
                if isinstance(statement, st.Subend):
                    break
            else:
                continue
            break
        if self._block is not None:
            self.finish(ir.Stop(self.spot))
        waiting, self.waiting = self.waiting, []
        for work in waiting:
            work()

    def target(self, number: int) -> str:
        """The block of a line that a statement names."""
        if number not in self.tokens:
            refuse(f"there is no line {number}", "name a line that is there")
        if self._scopes[number] != self.scope.name:
            refuse(f"line {number} is not in the same subprogram", "name a line of the same one")
        return self.own(f"L{number}")

    # -- statements -----------------------------------------------------------------------

    def _guarded(self, number: int, statement: st.Statement) -> None:
        try:
            self.statement(number, statement)
        except Refused as refused:
            at = self.spot[1] if self.spot[0] == number else statement.at
            error = located(refused, number, self.where(number, at))
            if all(error.problem != known.problem for known in self._errors):
                self._errors.append(error)

    def statement(self, number: int, statement: st.Statement) -> None:
        """One statement. Raises Refused."""
        self.spot = (number, statement.at)
        kind = type(statement)
        if isinstance(statement, st.Input | st.Linput) and statement.file is not None:
            refuse(f"{kind.__name__.upper()} # uses a file")
        if kind in UNCOMPILED:
            refuse(UNCOMPILED[kind])
        if statement.fault is not None:
            refuse(f"it fails with {xb.TEXTS[statement.fault]}", "correct it")
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, statement)

    def statements(self, number: int, statements: tuple[st.Statement, ...]) -> None:
        """The statements of a branch."""
        for statement in statements:
            self.statement(number, statement)

    def let(self, node: st.Let) -> None:
        """A,B(I)=value."""
        if node.value is None:
            refuse("it is not an assignment", "correct it")
        if node.value.is_string or any(target.is_string for target in node.targets):
            refuse(STRING_VARIABLE)
        value = self.number(node.value)
        # Calculated once: RND or a changed variable would give each target another value.
        if len(node.targets) > 1 and value.op not in ("const", "var"):
            kept = self.hidden("each target")
            self.assign(kept, value)
            value = ir.var(kept)
        for target in node.targets:
            self.store(target, value)

    def store(self, target: nd.Target, value: ir.Expr) -> None:
        """Assign to a variable or an element."""
        place = self.place(target)
        limits = self._declared.get(place if isinstance(place, str) else place[0])
        if limits is not None:
            value = ir.Expr("round", (value,), (*limits, xb.BAD_VALUE))
        self.store_at(place, value)

    def _declared_name(self, declared: Declared) -> str:
        scope = self.scan.subs.get(declared.scope, self.scan.main)
        return self.full_name(scope, declared.name)

    def if_(self, node: st.If) -> None:
        """IF … THEN … ELSE …: what follows in the line belongs to a branch."""
        number = self.spot[0]
        if node.condition.is_string:
            refuse("it fails with STRING-NUMBER MISMATCH", "compare the string")
        condition = self.number(node.condition)
        self._check_else(node)
        after = self._after(number)
        names = [
            self.target(b.line)
            if isinstance(b, st.Jump)
            else after
            if b is None
            else self.fresh("if")
            for b in (node.then, node.otherwise)
        ]
        self.finish_at(ir.Branch(condition, names[0], names[1], self.spot))
        for branch, name in zip((node.then, node.otherwise), names, strict=True):
            if isinstance(branch, tuple):
                self.enter(name)
                self.statements(number, branch)
                self.finish(ir.Jump(after, self.spot))

    def _check_else(self, node: st.If) -> None:
        """Refuse a GOSUB or CALL right before an ELSE that has a `::` (see below; recorded)."""
        if not isinstance(node.then, tuple) or not isinstance(node.otherwise, tuple):
            return
        last = list(every_statement(node.then))[-1]
        # RETURN and SUBEND go on after the next `::`, which is within the ELSE.
        comes_back = isinstance(last, st.Gosub) or (isinstance(last, st.OnGo) and last.gosub)
        comes_back |= isinstance(last, st.Call) and last.name in self.scan.subs
        if comes_back and len(list(every_statement(node.otherwise))) > 1:
            refuse(
                "after GOSUB or CALL, before ELSE, the machine goes on within the ELSE",
                "give the ELSE a line of its own",
            )

    def _after(self, number: int) -> str:
        """The block of the line after a line; after the last line, a block that stops."""
        later = [n for n, _ in self.lines if n > number]
        if later and self._scopes[later[0]] == self.scope.name:
            return self.own(f"L{later[0]}")
        name = self.own("over " + self.scope.name)
        self.put(name, ir.Stop(self.spot))
        return name

    def goto(self, node: st.Goto) -> None:
        """GOTO."""
        self.finish_at(ir.Jump(self.target(node.line), self.spot))

    def gosub(self, node: st.Gosub) -> None:
        """GOSUB."""
        back = self.fresh("back")
        self.finish_at(ir.Gosub(self.target(node.line), back, self.spot))
        self.enter(back)

    def on_go(self, node: st.OnGo) -> None:
        """ON … GOTO, ON … GOSUB; a number without a line is a BAD VALUE."""
        selector = self.whole(node.selector, 1, len(node.lines), xb.BAD_VALUE)
        lines = tuple(self.target(line) for line in node.lines)
        back = self.fresh("back") if node.gosub else None
        self.finish_at(ir.Switch(selector, lines, self.spot, back))
        if back is not None:
            self.enter(back)

    def return_(self, node: st.Return) -> None:
        """RETURN from a GOSUB."""
        if node.next or node.line is not None:
            refuse("RETURN with more words is for ON ERROR")
        self.finish_at(ir.Return(self.scope.name, self.spot))

    def end(self, node: st.Statement) -> None:
        """END, STOP."""
        self.finish_at(ir.Stop(self.spot))

    # -- loops ----------------------------------------------------------------------------

    def for_(self, node: st.For) -> None:
        """FOR."""
        lower_for(self, node, self.loops)

    def next(self, node: st.Next) -> None:
        """NEXT."""
        lower_next(self, node, self.loops)

    # -- DATA -----------------------------------------------------------------------------

    def _collect_data(self) -> None:
        for number, statements in self.parsed:
            for statement in every_statement(statements):
                if isinstance(statement, st.Data):
                    self._data_at.setdefault(number, len(self.code.data))
                    for text, quoted in statement.items:
                        self._item(text, quoted)

    def _item(self, text: str, quoted: bool) -> None:
        try:
            value = parse_number(text)
            if quoted or (isinstance(value, Radix) and value.overflow):
                raise ValueError
        except ValueError:
            self._bad_data[len(self.code.data)] = text
            value = 0
        self.code.data.append(value)

    def read(self, node: st.Read) -> None:
        """READ of numbers."""
        if any(target.is_string for target in node.targets):
            refuse(STRING_VARIABLE)
        # Which item a READ meets shows only as the program runs: all of them have to be numbers.
        if self._bad_data:
            text = next(iter(self._bad_data.values()))
            refuse(f'DATA holds "{text}", which is not a number')
        if self.scan.first_data is None:
            refuse("it fails with DATA ERROR: the pre-scan has met no DATA", "add DATA")
        for target in node.targets:
            place = self.place(target)
            if isinstance(place, str) and place not in self._declared:
                self.do("read", results=(place,))
                continue
            kept = self.hidden("item read")
            self.do("read", results=(kept,))
            self.store(target, ir.var(kept))

    def restore(self, node: st.Restore) -> None:
        """RESTORE: the items from a line on; DATA ERROR comes at READ where none follows."""
        if node.line is not None:
            self.target(node.line)
        line = 0 if node.line is None else node.line
        places = [at for number, at in self._data_at.items() if number >= line]
        self.do("restore", data=min(places, default=len(self.code.data)))

    def randomize(self, node: st.Randomize) -> None:
        """RANDOMIZE [seed]."""
        if node.seed is None:
            self.do("randomize by chance")
        elif node.seed.is_string:
            refuse("it fails with STRING-NUMBER MISMATCH", "use a number")
        else:
            self.do("randomize", self.number(node.seed))

    # -- subprograms ----------------------------------------------------------------------

    def leave(self, node: st.Statement) -> None:
        """SUBEND, SUBEXIT."""
        self.finish_at(ir.Leave(self.scope.name, self.spot))

    def call(self, node: st.Call) -> None:
        """CALL."""
        if node.name not in self.scan.subs:
            again = Parser.for_built_in(self.tokens[self.spot[0]], node.at, 0).statement()
            if isinstance(again, st.Call):
                node = again  # parsed with the stack words that a built-in subprogram leaves
        if node.broken is not None:
            refuse(f"it fails with {xb.TEXTS[node.broken]}", "correct it")
        lower_call(self, node)

    def print(self, node: st.Print) -> None:
        """PRINT."""
        lower_print(self, node)

    def display(self, node: st.Display) -> None:
        """DISPLAY."""
        lower_display(self, node)


def _scanned(program: Analysis, where: Where) -> Scan:
    """What the pre-scan finds. Raises SourceError where it fails."""
    found = program.scanned
    if found.error is None:
        return found.scan
    line = found.line or 0
    refused = Refused(f"RUN stops there with {xb.TEXTS[found.error]}", "correct the line")
    raise located(refused, line, where(line, 0))


_HANDLERS: dict[type[st.Statement], Callable[[Lowering, Any], None]] = {
    st.Let: Lowering.let,
    st.If: Lowering.if_,
    st.Goto: Lowering.goto,
    st.Gosub: Lowering.gosub,
    st.OnGo: Lowering.on_go,
    st.Return: Lowering.return_,
    st.End: Lowering.end,
    st.For: Lowering.for_,
    st.Next: Lowering.next,
    st.Read: Lowering.read,
    st.Restore: Lowering.restore,
    st.Randomize: Lowering.randomize,
    st.Subend: Lowering.leave,
    st.Subexit: Lowering.leave,
    st.Call: Lowering.call,
    st.Print: Lowering.print,
    st.Display: Lowering.display,
}
