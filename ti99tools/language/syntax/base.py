"""What all statement readers share: closing a statement with the check of its end."""

from __future__ import annotations

from typing import Any, TypeVar

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.syntax.expressions import Expressions
from ti99tools.language.syntax.nodes import Target, faulty
from ti99tools.language.syntax.statements import FileRef, Nothing, Statement

S = TypeVar("S", bound=Statement)


class Statements(Expressions):
    """Closing of statements; `target` comes from the parser."""

    def done(self, kind: type[S], at: int, *, fault: int | None = None, **parts: Any) -> S:
        """The statement read up to the cursor; anything that does not end it is a SYNTAX ERROR."""
        if fault is None and not self.cursor.at_end:
            fault = xb.SYNTAX_ERROR
        return kind(at=at, end=self.cursor.at, fault=fault, **parts)

    def skip_statement(self) -> None:
        """Go on to the end of the statement: the machine does not look at what is there."""
        while not self.cursor.at_end:
            self.cursor.step()

    def lose_after_name(self) -> None:
        """Skip the rest of the line if a name is next.

        Statements that do not look at what follows them do so: a token is a SYNTAX ERROR, but a
        name ends the line silently. Source: the published listing of the ROM.
        """
        if self.cursor.is_name():
            self.cursor.at = len(self.cursor.data)

    def syntax_error(self, at: int) -> Nothing:
        """A statement that fails before it does anything."""
        return Nothing(at=at, end=self.cursor.at, fault=xb.SYNTAX_ERROR)

    def file_reference(self) -> tuple[FileRef, int | None]:
        """Read `#n[,REC r]`; the second value is the error that ends the reading."""
        cursor = self.cursor
        cursor.at += 1
        number = self.number(tk.COLON)
        if faulty(number):
            return FileRef(number), xb.SYNTAX_ERROR
        if cursor.token == tk.COMMA and self._follows(tk.REC):
            cursor.at += 2
            record = self.number(tk.COLON)
            return FileRef(number, record), xb.SYNTAX_ERROR if faulty(record) else None
        return FileRef(number), None

    def _follows(self, token: int) -> bool:
        """Tell whether `token` comes after the next one."""
        cursor = self.cursor
        return cursor.at + 1 < len(cursor.data) and cursor.data[cursor.at + 1] == token

    def target(self) -> Target | None:
        """Read a variable or array element; None if there is no name here."""
        raise NotImplementedError
