"""Statements that declare and call: DIM, OPTION BASE, DEF, SUB with SUBEXIT and SUBEND, CALL."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.basic import HIGHEST_INTEGER
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.expressions import Statements, want
from ti99tools.language.syntax.nodes import String

MAX_DIMENSIONS = 7


class NameStatements(Statements):
    """Readers of declarations of arrays, functions and subprograms, and of calls."""

    def dim(self, at: int) -> st.Statement:
        """DIM A(n,…),…: one to seven sizes, each a constant."""
        arrays: list[tuple[str, tuple[int, ...]]] = []
        cursor = self.cursor
        while cursor.is_name():
            name = cursor.name()
            sizes = self._sizes()
            if isinstance(sizes, int):
                return self.done(st.Dim, at, arrays=tuple(arrays), fault=sizes)
            arrays.append((name, sizes))
            if not cursor.take(tk.COMMA):
                return self.done(st.Dim, at, arrays=tuple(arrays))
        return self.done(st.Dim, at, arrays=tuple(arrays), fault=xb.SYNTAX_ERROR)

    def _sizes(self) -> tuple[int, ...] | int:
        """Read the sizes in parentheses, or the error in them.

        The machine reads a size digit by digit: above 32767 it is a BAD VALUE whatever follows.
        """
        cursor = self.cursor
        if not cursor.take(tk.LPAREN):
            return xb.SYNTAX_ERROR
        sizes: list[int] = []
        while cursor.token == tk.UNQUOTED:
            text = cursor.text()
            digits = text[: len(text) - len(text.lstrip("0123456789"))]
            if not digits or digits != text:
                return xb.BAD_VALUE if int(digits or 0) > HIGHEST_INTEGER else xb.SYNTAX_ERROR
            sizes.append(int(digits))
            if cursor.take(tk.RPAREN):
                return tuple(sizes) if len(sizes) <= MAX_DIMENSIONS else xb.SYNTAX_ERROR
            if not cursor.take(tk.COMMA):
                break
        return xb.SYNTAX_ERROR

    def option(self, at: int) -> st.Statement:
        """OPTION BASE 0 or 1."""
        cursor = self.cursor
        if not cursor.take(tk.BASE) or cursor.token != tk.UNQUOTED:
            return self.syntax_error(at)
        text = cursor.text()
        if len(text) != 1:
            return self.syntax_error(at)
        if text not in ("0", "1"):
            return self.done(st.OptionBase, at, base=0, fault=xb.OPTION_BASE_ERROR)
        return self.done(st.OptionBase, at, base=int(text))

    def define(self, at: int) -> st.Statement:
        """DEF name[(parameter)]=expression; wrong syntax in it fails where the function is used."""
        cursor = self.cursor
        if not cursor.is_name():
            return self.syntax_error(at)
        name = cursor.name()
        parameter = None
        if cursor.take(tk.LPAREN):
            if not cursor.is_name():
                return self.syntax_error(at)
            parameter = cursor.name()
            if not cursor.take(tk.RPAREN):
                return self.syntax_error(at)
        if not cursor.take(tk.EQUAL):
            return self.syntax_error(at)
        body = want(self.expression(tk.BANG), name.endswith("$"))
        self.skip_statement()
        return self.done(st.Def, at, name=name, parameter=parameter, body=body)

    def sub(self, at: int) -> st.Statement:
        """SUB name[(parameters)]; a whole array is `A()` or `A(,)`."""
        cursor = self.cursor
        name = self._subprogram_name()
        if not name:
            return self.syntax_error(at)
        parameters: list[st.Parameter] = []
        if cursor.take(tk.LPAREN):
            while True:
                variable = self._parameter_name()
                dimensions = 0
                if cursor.take(tk.LPAREN):
                    dimensions = 1
                    while cursor.take(tk.COMMA):
                        dimensions += 1
                parameters.append(st.Parameter(variable, dimensions))
                fault = self._parameter_fault(variable, dimensions)
                if fault is not None:
                    return self.done(
                        st.Sub, at, name=name, parameters=tuple(parameters), fault=fault
                    )
                if cursor.take(tk.RPAREN):
                    break
                cursor.at += 1
        return self.done(st.Sub, at, name=name, parameters=tuple(parameters))

    def _parameter_name(self) -> str:
        """Read a parameter's name: whatever token is there, and a name after it.

        So a constant, or a comma at the start of the list, gives a parameter that nothing can use.
        Source: recorded lang-asked and fuzz cases; the published listing of the ROM.
        """
        cursor = self.cursor
        if cursor.at_end:
            return ""
        token = "" if cursor.is_name() else chr(cursor.token)
        cursor.at += len(token)
        return token + cursor.name()

    def _parameter_fault(self, name: str, dimensions: int) -> int | None:
        """What is wrong with a parameter that has been read; for an element it is BAD ARGUMENT."""
        cursor = self.cursor
        if not name:
            return xb.SYNTAX_ERROR
        if dimensions and cursor.at_end:
            return xb.SYNTAX_ERROR
        if dimensions and not cursor.take(tk.RPAREN):
            return xb.BAD_ARGUMENT
        return None if cursor.token in (tk.COMMA, tk.RPAREN) else xb.SYNTAX_ERROR

    def _subprogram_name(self) -> str:
        cursor = self.cursor
        if cursor.token == tk.UNQUOTED:
            return cursor.text()
        return cursor.name() if cursor.is_name() else ""

    def subend(self, at: int) -> st.Statement:
        """Read SUBEND, which has nothing after it."""
        return self.done(st.Subend, at)

    def subexit(self, at: int) -> st.Statement:
        """Read SUBEXIT, which has nothing after it."""
        return self.done(st.Subexit, at)

    def call(self, at: int) -> st.Statement:
        """CALL name[(arguments)]; of SAY's words and codes, each may be left out before a comma.

        CHARPAT does not look at what is between a code and its variable (recorded: a `;`).
        """
        cursor = self.cursor
        name = self._subprogram_name()
        if not name:
            return self.syntax_error(at)
        if not cursor.take(tk.LPAREN):
            return self.done(st.Call, at, name=name, arguments=None)
        arguments: list[st.Argument] = []
        broken: int | None = None
        while True:
            left_out = name == "SAY" and cursor.token == tk.COMMA
            arguments.append(String("") if left_out else self._argument())
            if cursor.take(tk.COMMA):
                continue
            anything = name == "CHARPAT" and len(arguments) & 1
            if anything and cursor.token in (tk.SEMICOLON, tk.COLON):
                cursor.at += 1
                continue
            if not cursor.take(tk.RPAREN):
                broken = xb.SYNTAX_ERROR
            break
        if broken is not None:
            return st.Call(
                at=at, end=cursor.at, name=name, arguments=tuple(arguments), broken=broken
            )
        return self.done(st.Call, at, name=name, arguments=tuple(arguments))

    def _argument(self) -> st.Argument:
        cursor = self.cursor
        if cursor.take(tk.HASH):
            return st.Hash(self.number(tk.LPAREN))
        if cursor.take(tk.ALL):
            return st.All()
        whole = self._whole_array()
        return whole if whole is not None else self.expression(tk.LPAREN)

    def _whole_array(self) -> st.WholeArray | None:
        """`A()` or `A(,)`, if one is here."""
        cursor = self.cursor
        start = cursor.at
        if cursor.is_name():
            name = cursor.name()
            if cursor.take(tk.LPAREN) and cursor.token in (tk.COMMA, tk.RPAREN):
                dimensions = 1
                while cursor.take(tk.COMMA):
                    dimensions += 1
                if cursor.take(tk.RPAREN):
                    return st.WholeArray(name, dimensions)
        cursor.at = start
        return None
