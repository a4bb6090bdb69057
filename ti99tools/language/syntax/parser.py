"""Parse the statements of a line from left to right, as the machine does: a function per keyword.

The first part reads statements that name lines: GOTO, GOSUB, RETURN, and those of ON.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor, data_items, find_else
from ti99tools.language.syntax.expressions import CALL_WORDS, RIGHT_LEVEL, Statements, want
from ti99tools.language.syntax.ioparser import FileStatements, IOStatements
from ti99tools.language.syntax.nodes import Element, Expression, Target, Variable, faulty
from ti99tools.language.syntax.subparser import NameStatements


class JumpStatements(Statements):
    """Readers of the statements that go to another line."""

    def go(self, at: int) -> st.Statement:
        """GO TO or GO SUB n."""
        if self.cursor.take(tk.TO):
            return self.goto(at)
        if self.cursor.take(tk.SUB):
            return self.gosub(at)
        return self.syntax_error(at)

    def goto(self, at: int) -> st.Statement:
        """Read the line number of GOTO."""
        line = self.cursor.line_number()
        if line is None:
            return self.syntax_error(at)
        return st.Goto(at=at, end=self.cursor.at, line=line)

    def gosub(self, at: int) -> st.Statement:
        """Read the line number of GOSUB."""
        line = self.cursor.line_number()
        if line is None:
            return self.syntax_error(at)
        return st.Gosub(at=at, end=self.cursor.at, line=line)

    def on(self, at: int) -> st.Statement:
        """ON x GOTO or GOSUB list; ON ERROR, ON WARNING, ON BREAK."""
        cursor = self.cursor
        match cursor.token:
            case tk.ERROR:
                cursor.at += 1
                return self._on_error(at)
            case tk.WARNING:
                cursor.at += 1
                return self._on_mode(st.OnWarning, at, (tk.PRINT, tk.STOP, tk.NEXT))
            case tk.BREAK:
                cursor.at += 1
                return self._on_mode(st.OnBreak, at, (tk.STOP, tk.NEXT))
        selector = self.number(tk.COMMA)
        if faulty(selector):
            return self.done(st.OnGo, at, selector=selector, gosub=False, lines=())
        gosub = self._which_go()
        if gosub is None:
            return self.done(
                st.OnGo, at, selector=selector, gosub=False, lines=(), fault=xb.SYNTAX_ERROR
            )
        lines, complete = self._lines()
        fault = None if complete else xb.SYNTAX_ERROR
        return self.done(st.OnGo, at, selector=selector, gosub=gosub, lines=lines, fault=fault)

    def _which_go(self) -> bool | None:
        cursor = self.cursor
        if cursor.take(tk.GOTO):
            return False
        if cursor.take(tk.GOSUB):
            return True
        if cursor.take(tk.GO):
            if cursor.take(tk.TO):
                return False
            if cursor.take(tk.SUB):
                return True
        return None

    def _lines(self) -> tuple[tuple[int, ...], bool]:
        """Read line numbers separated by commas; the flag tells whether the list was complete."""
        numbers: list[int] = []
        while True:
            line = self.cursor.line_number()
            if line is None:
                return tuple(numbers), False
            numbers.append(line)
            if not self.cursor.take(tk.COMMA):
                return tuple(numbers), True

    def _on_error(self, at: int) -> st.Statement:
        if self.cursor.take(tk.STOP):
            return self.done(st.OnError, at, line=None)
        line = self.cursor.line_number()
        if line is None:
            return self.syntax_error(at)
        return self.done(st.OnError, at, line=line)

    def _on_mode(
        self, kind: type[st.OnWarning] | type[st.OnBreak], at: int, modes: tuple[int, ...]
    ) -> st.Statement:
        for mode in modes:
            if self.cursor.take(mode):
                return self.done(kind, at, mode=mode)
        return self.syntax_error(at)

    def return_(self, at: int) -> st.Statement:
        """RETURN, RETURN NEXT, RETURN n."""
        if self.cursor.take(tk.NEXT):
            return st.Return(at=at, end=self.cursor.at, next=True)
        line = self.cursor.line_number()
        if line is not None:
            return st.Return(at=at, end=self.cursor.at, line=line)
        return self.done(st.Return, at)


Handler = Callable[["Parser", int], st.Statement]


@lru_cache(maxsize=4096)
def parse_line(tokens: bytes) -> tuple[st.Statement, ...]:
    """The statements of a line, nested ones inside their IF; the last lines are cached."""
    return Parser(tokens).statements()


def parse_from(tokens: bytes, at: int, depth: int = 0) -> tuple[st.Statement, ...]:
    """The statements from offset `at` of a line on, up to an ELSE or its end.

    `at` is after a `::`, a THEN, an ELSE, or anywhere else the machine may resume; `depth` is the
    number of stack words already in use.
    """
    return Parser(tokens, at, depth).statements()


class Parser(IOStatements, FileStatements, JumpStatements, NameStatements):
    """Reads statements; see the modules it is mixed from for expressions and I/O."""

    def __init__(self, tokens: bytes, at: int = 0, depth: int = 0) -> None:
        """`depth` is the number of stack words in use before a statement; see `for_built_in`."""
        super().__init__(Cursor(tokens, at), depth)

    @classmethod
    def for_built_in(cls, tokens: bytes, at: int, depth: int) -> Parser:
        """A reader of a CALL of a built-in subprogram."""
        return cls(tokens, at, depth + CALL_WORDS)

    def statements(self) -> tuple[st.Statement, ...]:
        """All statements up to an ELSE, the end of the line, or one that is always the last."""
        parsed: list[st.Statement] = []
        empty = False
        while True:
            if self.cursor.token in (0, tk.ELSE) and parsed:
                break
            statement = self.statement(empty)
            empty = self.cursor.at == statement.at
            parsed.append(statement)
            if statement.fault is not None or isinstance(statement, st.If | st.Goto):
                break
            if not self.cursor.take(tk.STATEMENT_SEP):
                break
        return tuple(parsed)

    def statement(self, after_empty: bool = False) -> st.Statement:
        """Read the statement at the cursor; `after_empty`: nothing comes before its `::`."""
        cursor = self.cursor
        at = cursor.at
        if cursor.is_name():
            return self._let(at)
        token = cursor.token
        if token == tk.STATEMENT_SEP and after_empty:
            return st.EmptyStatement(at=at, end=at, fault=xb.SYNTAX_ERROR, hangs=True)
        if token in (0, tk.STATEMENT_SEP):
            return st.EmptyStatement(at=at, end=at)
        handler = HANDLERS.get(token)
        if handler is None or (after_empty and token in NEVER_AFTER_EMPTY):
            return st.EmptyStatement(at=at, end=at, fault=xb.SYNTAX_ERROR)
        cursor.at += 1
        if after_empty and token in LOST_AFTER_EMPTY:
            return replace(handler(self, at), fault=xb.SYNTAX_ERROR)
        return handler(self, at)

    # -- assignment -----------------------------------------------------------------------

    def target(self) -> Target | None:
        """Read a variable or array element; None if there is no name here."""
        cursor = self.cursor
        if not cursor.is_name():
            return None
        name = cursor.name()
        if cursor.token == tk.LPAREN:
            return Element(name, self.subscripts(self.depth))
        return Variable(name)

    def targets(self) -> tuple[tuple[Target, ...], bool]:
        """Read names separated by commas; the flag tells whether the list was complete."""
        targets: list[Target] = []
        while True:
            target = self.target()
            if target is None:
                return tuple(targets), False
            targets.append(target)
            if faulty(target) or not self.cursor.take(tk.COMMA):
                return tuple(targets), True

    def _let(self, at: int) -> st.Statement:
        """An assignment: the last variable gets its value first, up to one of the other type."""
        targets, complete = self.targets()
        if not complete or faulty(targets[-1]) or not self.cursor.take(tk.EQUAL):
            return self.done(st.Let, at, targets=targets, value=None, fault=xb.SYNTAX_ERROR)
        value = self.expression(tk.BANG)
        unlike = [n for n, t in enumerate(targets) if t.is_string != value.is_string]
        if not unlike or faulty(value):
            return self.done(st.Let, at, targets=targets, value=value)
        assigned = targets[unlike[-1] + 1 :]
        if not assigned or any(isinstance(t, Element) for t in targets):
            value = want(value, not value.is_string)
            return self.done(st.Let, at, targets=targets, value=value)
        mismatch = xb.STRING_NUMBER_MISMATCH
        return self.done(st.Let, at, targets=assigned, value=value, fault=mismatch)

    # -- control --------------------------------------------------------------------------

    def _if(self, at: int) -> st.Statement:
        condition = self.number(tk.COMMA)
        if faulty(condition):
            return self.done(st.If, at, condition=condition, then=None, otherwise=None)
        if not self.cursor.take(tk.THEN) or self.cursor.token in (0, tk.BANG):
            return self.done(
                st.If, at, condition=condition, then=None, otherwise=None, fault=xb.SYNTAX_ERROR
            )
        data, then_at, depth = self.cursor.data, self.cursor.at, self.depth
        then = branch(data, then_at, depth)
        if isinstance(then, st.Jump):
            otherwise = after_line(data, then_at, at, depth)
        else:
            else_at = find_else(data, then_at)
            otherwise = None if else_at is None else branch(data, else_at, depth)
        return st.If(at=at, end=len(data), condition=condition, then=then, otherwise=otherwise)

    def _for(self, at: int) -> st.Statement:
        variable = self.target()
        if variable is None:
            return self.syntax_error(at)
        start: Expression | None = None
        limit: Expression | None = None
        step: Expression | None = None

        def statement(fault: int | None = None) -> st.Statement:
            return self.done(
                st.For, at, variable=variable, start=start, limit=limit, step=step, fault=fault
            )

        if isinstance(variable, Element) or variable.is_string:
            return statement(xb.IMPROPERLY_USED_NAME)
        if not self.cursor.take(tk.EQUAL):
            return statement(xb.SYNTAX_ERROR)
        start = self.expression(tk.TO)
        if faulty(start):
            return statement()
        if not self.cursor.take(tk.TO):
            return statement(xb.SYNTAX_ERROR)
        limit = self.number(tk.STEP)
        if faulty(limit):
            return statement()
        if self.cursor.take(tk.STEP):
            step = self.expression(tk.BANG)
            self.lose_after_name()
        return statement()

    def _next(self, at: int) -> st.Statement:
        """NEXT variable; an expression that begins with it is read to its end, without effect.

        Source: a recorded `NEXT I+1`, and `NEXT I,J`, which is refused.
        """
        if not self.cursor.is_name():
            return self.syntax_error(at)
        variable = self.cursor.name()
        fault: int | None = None
        if self.cursor.token in RIGHT_LEVEL:
            value = self.rest_of(Variable(variable), tk.BANG, self.depth + 1)
            fault = xb.SYNTAX_ERROR if faulty(value) else None
        return self.done(st.Next, at, variable=variable, fault=fault)

    def _end(self, at: int) -> st.Statement:
        return self.done(st.End, at)

    def _run(self, at: int) -> st.Statement:
        cursor = self.cursor
        if cursor.token == tk.QUOTED:
            return self.done(st.Run, at, file=cursor.text())
        return self.done(st.Run, at, line=cursor.line_number())

    # -- data -----------------------------------------------------------------------------

    def _read(self, at: int) -> st.Statement:
        targets, complete = self.targets()
        fault = None if complete else xb.SYNTAX_ERROR
        if complete and not faulty(targets[-1]):
            self.lose_after_name()
        return self.done(st.Read, at, targets=targets, fault=fault)

    def _data(self, at: int) -> st.Statement:
        items = data_items(self.cursor)
        self.cursor.at = len(self.cursor.data)
        return st.Data(at=at, end=self.cursor.at, items=items)

    def _image(self, at: int) -> st.Statement:
        cursor = self.cursor
        text = cursor.text() if cursor.token in (tk.QUOTED, tk.UNQUOTED) else ""
        cursor.at = len(cursor.data)
        return st.Image(at=at, end=cursor.at, text=text)

    def _restore(self, at: int) -> st.Statement:
        if self.cursor.token == tk.HASH:
            return self.restore_file(at)
        line = self.cursor.line_number()
        if line is not None:
            self.lose_after_name()
        elif not self.cursor.at_end:
            return self.syntax_error(at)
        return self.done(st.Restore, at, line=line)

    # -- others ---------------------------------------------------------------------------

    def _remark(self, at: int) -> st.Statement:
        data = self.cursor.data
        self.cursor.at = len(data)
        tail = at > 0 and data[at] == tk.BANG and data[at - 1] != tk.STATEMENT_SEP
        return st.EmptyStatement(at=at, end=self.cursor.at, tail=tail)

    def _randomize(self, at: int) -> st.Statement:
        seed = None if self.cursor.at_end else self.number(tk.BANG)
        if seed is not None and not faulty(seed):
            self.lose_after_name()
        return self.done(st.Randomize, at, seed=seed)

    def _break(self, at: int) -> st.Statement:
        remove = self.cursor.data[at] == tk.UNBREAK
        if self.cursor.at_end:
            return self.done(st.Break, at, lines=(), remove=remove)
        lines, complete = self._lines()
        fault = None if complete else xb.SYNTAX_ERROR
        if not lines:
            return self.syntax_error(at)
        return self.done(st.Break, at, lines=lines, remove=remove, fault=fault)

    def _trace(self, at: int) -> st.Statement:
        on = self.cursor.data[at] == tk.TRACE
        self.lose_after_name()
        return self.done(st.Trace, at, on=on)


def branch(data: bytes, at: int, depth: int) -> st.Branch:
    """What follows THEN or ELSE at `at`: a line number or statements."""
    cursor = Cursor(data, at)
    line = cursor.line_number()
    if line is not None:
        return st.Jump(line)
    if cursor.token in (0, tk.ELSE, tk.STATEMENT_SEP, tk.BANG):
        return (st.EmptyStatement(at=at, end=at, fault=xb.SYNTAX_ERROR),)
    return parse_from(data, at, depth)


def after_line(data: bytes, at: int, if_at: int, depth: int) -> st.Branch | None:
    """What runs when the condition before `THEN line` is false: an ELSE, or the rest of the line.

    `at` is where the line number is, `if_at` its IF. Source: recorded foreign cases.
    """
    cursor = Cursor(data, at)
    cursor.line_number()
    if cursor.take(tk.ELSE):
        return branch(data, cursor.at, depth)
    if cursor.take(tk.STATEMENT_SEP):
        return parse_from(data, cursor.at, depth)
    if cursor.at_end:
        return None
    return (st.EmptyStatement(at=if_at, end=if_at, fault=xb.SYNTAX_ERROR),)


NEVER_AFTER_EMPTY = frozenset(
    (
        tk.ACCEPT, tk.BREAK, tk.CLOSE, tk.DELETE, tk.DISPLAY, tk.FOR, tk.GO, tk.GOTO, tk.IF,
        tk.INPUT, tk.LET, tk.LINPUT, tk.NEXT, tk.ON, tk.OPEN, tk.PRINT, tk.RANDOMIZE, tk.READ,
        tk.RESTORE, tk.RUN, tk.TRACE, tk.UNBREAK, tk.UNTRACE,
    )
)  # fmt: skip
"""Statements that are a SYNTAX ERROR after an empty one. What follows a `::` at the start of a
statement is read twice there, so a statement that looks at its second token sees its first one
again. Names, CALL and statements that look at nothing (END, remarks, what the pre-scan does) are
not affected. Source: recorded (PRINT is one; assignments, CALL and END are not) and the published
listing of the ROM.
"""

LOST_AFTER_EMPTY = frozenset((tk.GOSUB, tk.RETURN))
"""Statements that put something on the stack, or take it off, before they fail like this."""

HANDLERS: dict[int, Handler] = {
    tk.BANG: Parser._remark,
    tk.IF: Parser._if,
    tk.GO: Parser.go,
    tk.GOTO: Parser.goto,
    tk.GOSUB: Parser.gosub,
    tk.RETURN: Parser.return_,
    tk.DEF: Parser.define,
    tk.DIM: Parser.dim,
    tk.END: Parser._end,
    tk.FOR: Parser._for,
    tk.LET: Parser._let,
    tk.BREAK: Parser._break,
    tk.UNBREAK: Parser._break,
    tk.TRACE: Parser._trace,
    tk.UNTRACE: Parser._trace,
    tk.INPUT: Parser.input,
    tk.DATA: Parser._data,
    tk.RESTORE: Parser._restore,
    tk.RANDOMIZE: Parser._randomize,
    tk.NEXT: Parser._next,
    tk.READ: Parser._read,
    tk.STOP: Parser._end,
    tk.DELETE: Parser.delete,
    tk.REM: Parser._remark,
    tk.ON: Parser.on,
    tk.PRINT: Parser.print,
    tk.CALL: Parser.call,
    tk.OPTION: Parser.option,
    tk.OPEN: Parser.open,
    tk.CLOSE: Parser.close,
    tk.SUB: Parser.sub,
    tk.DISPLAY: Parser.display,
    tk.IMAGE: Parser._image,
    tk.ACCEPT: Parser.accept,
    tk.SUBEXIT: Parser.subexit,
    tk.SUBEND: Parser.subend,
    tk.RUN: Parser._run,
    tk.LINPUT: Parser.linput,
}
"""The first token of a statement → how to read it."""
