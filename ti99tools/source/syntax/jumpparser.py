"""Statements that name lines: GOTO, GOSUB, RETURN, and what ON decides."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.base import Statements
from ti99tools.source.syntax.nodes import faulty


class JumpStatements(Statements):
    """Readers of jumps."""

    def go(self, at: int) -> st.Statement:
        """GO TO or GO SUB n."""
        if self.cursor.take(tk.TO):
            return self.goto(at)
        if self.cursor.take(tk.SUB):
            return self.gosub(at)
        return self.syntax_error(at)

    def goto(self, at: int) -> st.Statement:
        """GOTO n."""
        line = self.cursor.line_number()
        if line is None:
            return self.syntax_error(at)
        return st.Goto(at=at, end=self.cursor.at, line=line)

    def gosub(self, at: int) -> st.Statement:
        """GOSUB n."""
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
        """Read line numbers parted by commas; the flag says whether the list was complete."""
        found: list[int] = []
        while True:
            line = self.cursor.line_number()
            if line is None:
                return tuple(found), False
            found.append(line)
            if not self.cursor.take(tk.COMMA):
                return tuple(found), True

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
