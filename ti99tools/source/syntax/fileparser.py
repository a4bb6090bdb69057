"""Statements of files: OPEN, CLOSE, RESTORE #, DELETE."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.source.syntax import statements as st
from ti99tools.source.syntax.base import Statements
from ti99tools.source.syntax.nodes import faulty

PLAIN = (tk.DISPLAY, tk.INTERNAL, tk.INPUT, tk.OUTPUT, tk.UPDATE, tk.APPEND, tk.PERMANENT)
NUMBERED = (tk.SEQUENTIAL, tk.RELATIVE, tk.FIXED, tk.VARIABLE)
"""Attributes that a number may follow: of records at first, or the length of one."""


class FileStatements(Statements):
    """Readers of the file statements."""

    def open(self, at: int) -> st.Statement:
        """OPEN #n:name[,attributes]."""
        cursor = self.cursor
        if not cursor.take(tk.HASH):
            return self.syntax_error(at)
        number = self.number(tk.COLON)
        if faulty(number) or not cursor.take(tk.COLON):
            return self.done(
                st.Open, at, number=number, name=None, attributes=(), fault=xb.SYNTAX_ERROR
            )
        name = self.string(tk.COMMA)
        attributes: list[st.Attribute] = []
        fault: int | None = None
        while not faulty(name) and cursor.take(tk.COMMA):
            word = cursor.token
            if word in PLAIN:
                cursor.at += 1
                attributes.append(st.Attribute(word))
            elif word in NUMBERED:
                cursor.at += 1
                value = None
                if cursor.token != tk.COMMA and not cursor.at_end:
                    value = self.number(tk.COMMA)
                attributes.append(st.Attribute(word, value))
                if value is not None and faulty(value):
                    break
            else:
                fault = xb.SYNTAX_ERROR
                break
        return self.done(
            st.Open, at, number=number, name=name, attributes=tuple(attributes), fault=fault
        )

    def close(self, at: int) -> st.Statement:
        """CLOSE #n[:DELETE]."""
        cursor = self.cursor
        if not cursor.take(tk.HASH):
            return self.syntax_error(at)
        number = self.number(tk.COLON)
        delete = False
        fault: int | None = None
        if not faulty(number) and cursor.take(tk.COLON):
            delete = cursor.take(tk.DELETE)
            fault = None if delete else xb.SYNTAX_ERROR
        return self.done(st.Close, at, number=number, delete=delete, fault=fault)

    def restore_file(self, at: int) -> st.Statement:
        """RESTORE #n[,REC r]; what else stands there is looked at when it has been done."""
        file, fault = self.file_reference()
        if fault is None and file.record is None:
            self.cursor.take(tk.COMMA)
        if fault is None:
            self.lose_after_name()
        return self.done(st.RestoreFile, at, file=file, fault=fault)

    def delete(self, at: int) -> st.Statement:
        """DELETE name."""
        return self.done(st.Delete, at, name=self.string(tk.BANG))
