"""What the machine does with a program between RUN and its first statement.

It goes over the tokens of all lines once. It enters every name, with its number of subscripts, into
the symbol table of the main program or of its SUB, reserves arrays, counts FOR and NEXT, and checks
the structure of subprograms. Errors found here cannot be caught by ON ERROR. A name that this pass
did not see is a SYNTAX ERROR when it is used. `!@P-` as a line's last statement switches the pass
off, `!@P+` at the beginning of one on again: names, DATA and CALLs of built-in subprograms that
stand only between them do not exist, DEFs do not define. Source: recorded lang-control, lang-vars,
lang-subs, lang-errors and foreign cases; the Extended BASIC manual's supplement on the pre-scan;
which error comes first: the published listing of the ROM.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from math import prod

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram
from ti99tools.language.listing.tokenize import MAX_NAME
from ti99tools.language.prescan.symbols import HIGHEST_SUBSCRIPT, MemoryTaken, Scope, Symbol, Work
from ti99tools.language.syntax.cursor import Cursor
from ti99tools.language.syntax.parser import Parser
from ti99tools.language.syntax.statements import Def, Dim, OptionBase, Sub
from ti99tools.language.syntax.subparser import MAX_DIMENSIONS

BETWEEN_SUBPROGRAMS = frozenset((tk.STATEMENT_SEP, tk.BANG, tk.END, tk.REM, tk.SUB))
PROGRAM_ONLY = frozenset({
    tk.IF, tk.GO, tk.GOTO, tk.GOSUB, tk.RETURN, tk.DEF, tk.INPUT, tk.ON, tk.OPTION, tk.SUB,
    tk.SUBEXIT, tk.SUBEND, tk.LINPUT,
})  # fmt: skip
"""Statements that a line typed without a number may not hold."""
CARED_FOR = (
    tk.ELSE, tk.STATEMENT_SEP, tk.BANG, tk.IF, tk.GO, tk.GOTO, tk.GOSUB, tk.RETURN, tk.DEF, tk.DIM,
    tk.FOR, tk.INPUT, tk.DATA, tk.NEXT, tk.REM, tk.ON, tk.CALL, tk.OPTION, tk.SUB, tk.IMAGE,
    tk.SUBEXIT, tk.SUBEND, tk.LINPUT, tk.THEN,
)  # fmt: skip
"""Tokens with which the pre-scan compares the first one of a statement, in their order."""
NOT_IN_IF = frozenset((tk.FOR, tk.NEXT, tk.DIM, tk.DEF, tk.SUB, tk.OPTION))
_BRANCHES = frozenset((tk.THEN, tk.ELSE))
_TEXTS = frozenset((tk.REM, tk.DATA, tk.IMAGE))
"""Statements whose rest is text."""
SWITCHES = {b"@P-": False, b"@p-": False, b"@P+": True, b"@p+": True}
"""What follows the `!` of a remark that turns the pre-scan off and on."""


@dataclass(eq=False, repr=False, slots=True)
class Scan:
    """The result of the pass: scopes, OPTION BASE, and the index of the first line with DATA.

    `work` is what it had to do for that. `later` are the subprograms that a profile adds to those
    of the cartridge.
    """

    main: Scope = field(default_factory=Scope)
    subs: dict[str, Scope] = field(default_factory=dict)
    base: int = 0
    first_data: int | None = None
    called: set[str] = field(default_factory=set)
    memory: MemoryTaken = field(default_factory=MemoryTaken)
    scopes: dict[object, Scope] = field(default_factory=dict)
    work: Work = field(default_factory=Work)
    later: Mapping[str, Subprogram] = field(default_factory=dict)

    def copy(self) -> Scan:
        """A copy for typed lines, which may add to it; `scopes` are those they have added to."""
        own = Work()
        return replace(self, called=set(self.called), memory=copy(self.memory), scopes={}, work=own)

    def with_scopes(self) -> Scan:
        """A copy with copies of the `scopes`, to go back to."""
        scan = self.copy()
        scan.scopes = {identity: scope.copy() for identity, scope in self.scopes.items()}
        return scan


class Prescan:
    """One pass over a program (or over a typed line, into the scope it works in)."""

    def __init__(
        self,
        lines: Iterable[tuple[int, bytes]],
        scan: Scan | None = None,
        later: Mapping[str, Subprogram] | None = None,
    ) -> None:
        """`lines` are numbers and tokens, ascending; `scan` is what is known already.

        `later` are subprograms that a profile adds.
        """
        self.lines = list(lines)
        if scan is None:
            scan = Scan(memory=MemoryTaken(tokens for _, tokens in self.lines), later=later or {})
        self.scan = scan
        self.scope = self.scan.main
        self.open_loops = 0
        self.after_subprogram = False
        self.active = True
        self.base_given = False
        self.any_array = False
        self.line = 0
        self.in_if = False
        self.immediate = False
        self.surveys = False

    def program(self) -> Scan:
        """Go over all lines; raises XBError with its `line`."""
        try:
            for line in range(len(self.lines)):
                self.line = line
                self._line()
            if self.open_loops:
                raise XBError(xb.FOR_NEXT_NESTING)
            if self.scope is not self.scan.main and not self.after_subprogram:
                raise XBError(xb.MISSING_SUBEND)
        except XBError as error:
            # The line that was scanned last, even if the open loop is far above.
            error.line = self.lines[self.line][0]
            raise
        return self.scan

    def survey(self) -> Scan:
        """Go over all lines as if memory were endless; a mistake in a line hides the rest of that
        line.
        """
        self.surveys = True
        self.scan.memory.limited = False
        for line in range(len(self.lines)):
            self.line = line
            with suppress(XBError):
                self._line()
        return self.scan

    def command(self, scope: Scope) -> None:
        """Go over line 0 as a line typed without a number, its names going to `scope`."""
        self.scope = scope
        self.immediate = True
        self._line()
        if self.open_loops:
            raise XBError(xb.FOR_NEXT_NESTING)

    def _line(self) -> None:
        cursor = Cursor(self.lines[self.line][1])
        self.in_if = False
        # Such a line is counted apart: its statements are not scanned.
        remark = cursor.token == tk.BANG or not self.active
        self.scan.work.lines += not remark
        self.scan.work.remarks += remark
        if self.active:
            while self._statement(cursor):
                pass
        # A line that is switched off is only checked for the switch that turns it on again.
        elif cursor.token == tk.BANG:
            self._remark(cursor)

    def _statement(self, cursor: Cursor) -> bool:
        """Look at one statement; tell whether another one follows, at which the cursor then is."""
        token = cursor.token
        # The scanner compares the token with its list in order: the later, the longer it takes.
        self.scan.work.entries += min(bisect_left(CARED_FOR, token) + 1, len(CARED_FOR))
        self._allow(token)
        if token == tk.BANG:
            return self._remark(cursor)
        if token in _TEXTS:
            # READ begins at the first line with DATA; a typed line has none.
            if token == tk.DATA and self.scan.first_data is None and not self.immediate:
                self.scan.first_data = self.line
            return False
        effect = _EFFECTS.get(token)
        if effect is not None:
            effect(self, cursor)
        return self._names(cursor)

    def _allow(self, token: int) -> None:
        """Raise XBError for a statement that cannot stand here."""
        if self.after_subprogram and token not in BETWEEN_SUBPROGRAMS:
            raise XBError(xb.ILLEGAL_AFTER_SUBPROGRAM)
        if self.in_if and token in NOT_IN_IF:
            raise XBError(xb.SYNTAX_ERROR)
        if self.immediate and token in PROGRAM_ONLY:
            raise XBError(xb.ONLY_LEGAL_IN_A_PROGRAM)

    def _if(self, _cursor: Cursor) -> None:
        self.in_if = True

    def _for(self, _cursor: Cursor) -> None:
        self.open_loops += 1

    def _next(self, _cursor: Cursor) -> None:
        self.open_loops -= 1
        # A NEXT too many is an error at once; a FOR too many only at the end.
        if self.open_loops < 0:
            raise XBError(xb.NEXT_WITHOUT_FOR)

    def _names(self, cursor: Cursor) -> bool:
        """Note the names up to the end of the statement; tell whether another one follows.

        THEN and ELSE separate statements as `::` does, but only in a line with an IF before them.
        The text of a REM that begins no statement is a name.
        """
        work = self.scan.work
        while token := cursor.token:
            # Codes below 80h are the characters of names.
            if token < 0x80:
                self._name(cursor)
                continue
            if token == tk.BANG:
                return False
            if token == tk.REM:
                cursor.at += 1
                continue
            # THEN and ELSE belong to an IF of the same line.
            if token in _BRANCHES and not self.in_if:
                raise XBError(xb.SYNTAX_ERROR)
            cursor.step()
            work.tokens += 1
            if token == tk.LINE_NUMBER:
                work.jumps += 1
            elif token == tk.STATEMENT_SEP or token in _BRANCHES:
                work.statements += token == tk.STATEMENT_SEP
                return True
        return False

    def _remark(self, cursor: Cursor) -> bool:
        """Take the rest of the line as a remark, which may switch the pre-scan; nothing follows."""
        if not self.immediate:
            text = cursor.data[cursor.at + 1 : cursor.at + 4]
            # Text that is not a switch leaves it as it is.
            self.active = SWITCHES.get(text, self.active)
        return False

    def _name(self, cursor: Cursor) -> None:
        """Note the name at the cursor with its number of subscripts; step over the name only."""
        name = cursor.name()
        dimensions = self._subscripts(cursor) if cursor.token == tk.LPAREN else 0
        self.note(name, dimensions)

    def _subscripts(self, cursor: Cursor) -> int:
        """The number of subscripts in the parentheses at the cursor, without commas of inner ones.

        SYNTAX ERROR if they are not closed in the statement, and at the eighth comma.
        """
        # The cursor stays where it is: names in subscripts are scanned afterwards.
        ahead = Cursor(cursor.data, cursor.at)
        depth = 0
        commas = 0
        steps = 0
        # One comma too many ends the search: no array has that many dimensions.
        while not ahead.at_end and commas <= MAX_DIMENSIONS:
            depth += (ahead.token == tk.LPAREN) - (ahead.token == tk.RPAREN)
            commas += depth == 1 and ahead.token == tk.COMMA
            ahead.step()
            steps += 1
            if not depth:
                work = self.scan.work
                work.steps += steps
                work.ahead += ahead.at - cursor.at
                work.commas += commas
                return commas + 1
        raise XBError(xb.SYNTAX_ERROR)

    def note(self, name: str, dimensions: int) -> Symbol:
        """The symbol of a name used with a number of subscripts, entered if new. Raises XBError."""
        _check_length(name)
        self.scan.work.find(name, self.scope.symbols)
        symbol = self.scope.symbols.get(name)
        if symbol is None:
            symbol = Symbol(name, dimensions)
            self._enter(symbol)
        # A name is either a simple variable or an array of one number of dimensions.
        elif symbol.dimensions != dimensions:
            raise XBError(xb.IMPROPERLY_USED_NAME)
        return symbol

    def _declared(self, name: str, symbol: Symbol, elements: int | None = None) -> None:
        _check_length(name)
        self.scan.work.find(name, self.scope.symbols)
        if name in self.scope.symbols:
            raise XBError(xb.IMPROPERLY_USED_NAME)
        self._enter(symbol, elements)

    def _enter(self, symbol: Symbol, elements: int | None = None) -> None:
        """Put a new symbol into the table and reserve its memory (a parameter's is known)."""
        if elements is None:
            # An array parameter does not count for OPTION BASE.
            self.any_array = self.any_array or symbol.is_array
            elements = prod(symbol.extents(self.scan.base))
        self.scan.memory.symbol(symbol, elements)
        work = self.scan.work
        work.symbols += 1
        if symbol.is_array:
            work.dimensions += symbol.dimensions
            work.elements += 0 if symbol.is_string else elements
        self.scope.symbols[symbol.name] = symbol

    def _refuse(self, code: int) -> None:
        """Raise an error after which a survey goes on."""
        if not self.surveys:
            raise XBError(code)

    def _parsed(self, cursor: Cursor) -> Parser:
        return Parser(cursor.data, cursor.at)

    def _dim(self, cursor: Cursor) -> None:
        parser = self._parsed(cursor)
        statement = parser.statement()
        assert isinstance(statement, Dim)
        for name, sizes in statement.arrays:
            # With OPTION BASE 1 a highest subscript of 0 leaves no element.
            if (self.scan.base and 0 in sizes) or max(sizes) > HIGHEST_SUBSCRIPT:
                self._refuse(xb.BAD_VALUE)
            self.scan.work.declared += 1
            self._declared(name, Symbol(name, len(sizes), sizes))
        if statement.fault is not None:
            raise XBError(statement.fault)
        cursor.at = parser.cursor.at

    def _option(self, cursor: Cursor) -> None:
        parser = self._parsed(cursor)
        statement = parser.statement()
        # OPTION BASE must come before the first array, and only once.
        if (self.base_given or self.any_array) and not Cursor(cursor.data, cursor.at + 1).at_end:
            raise XBError(xb.OPTION_BASE_ERROR)
        if statement.fault is not None:
            raise XBError(statement.fault)
        assert isinstance(statement, OptionBase)
        self.base_given = True
        self.scan.base = statement.base
        self.scan.work.options += 1
        cursor.at = parser.cursor.at

    def _def(self, cursor: Cursor) -> None:
        place = (self.line, cursor.at)
        parser = self._parsed(cursor)
        statement = parser.statement()
        if not isinstance(statement, Def):
            raise XBError(statement.fault or xb.SYNTAX_ERROR)
        dimensions = 0 if statement.parameter is None else 1
        self.scan.work.functions += 1
        self.scan.work.arguments += dimensions
        self.scan.work.texts += (statement.parameter or "").endswith("$")
        self._declared(
            statement.name, Symbol(statement.name, dimensions, None, place, statement.parameter)
        )
        # The body of DEF is scanned for names after the equals sign.
        while cursor.token != tk.EQUAL:
            cursor.step()
        while cursor.token not in (0, tk.STATEMENT_SEP, tk.BANG):
            if not cursor.is_name():
                cursor.step()
                continue
            start = cursor.at
            # The parameter is known inside of its own function only.
            if cursor.name() != statement.parameter:
                cursor.at = start
                self._name(cursor)
            elif cursor.token == tk.LPAREN:
                # The parameter is never an array.
                self._subscripts(cursor)
                raise XBError(xb.IMPROPERLY_USED_NAME)

    def _sub(self, cursor: Cursor) -> None:
        # A SUB cannot begin inside of a loop of the text before it.
        if self.open_loops:
            raise XBError(xb.FOR_NEXT_NESTING)
        if self.scope is not self.scan.main and not self.after_subprogram:
            raise XBError(xb.MISSING_SUBEND)
        parser = self._parsed(cursor)
        statement = parser.statement()
        if not isinstance(statement, Sub) or statement.fault is not None:
            raise XBError(statement.fault or xb.SYNTAX_ERROR)
        _check_length(statement.name)
        cursor.at = parser.cursor.at
        self.after_subprogram = False
        more = cursor.token == tk.STATEMENT_SEP
        start = (self.line, cursor.at + 1) if more else (self.line + 1, 0)
        # From here to SUBEND the lines belong to this SUB.
        self.scope = Scope(statement.name, statement.parameters, start)
        self.scan.subs[statement.name] = self.scope
        self.scan.memory.subprogram(statement.name, len(statement.parameters))
        self.scan.work.subs += 1
        for parameter in statement.parameters:
            symbol = Symbol(parameter.name, parameter.dimensions)
            # An array parameter is the caller's, so it takes no elements of its own.
            self._declared(parameter.name, symbol, 0 if parameter.dimensions else 1)

    def _subend(self, cursor: Cursor) -> None:
        """Check that SUBEND and SUBEXIT are where they may be, and that they end there."""
        subend = cursor.token == tk.SUBEND
        if self.scope is self.scan.main:
            raise XBError(xb.MUST_BE_IN_SUBPROGRAM)
        # A loop must end in the SUB in which it begins.
        if subend and self.open_loops:
            raise XBError(xb.FOR_NEXT_NESTING)
        if subend and self.in_if:
            raise XBError(xb.SYNTAX_ERROR)
        if not Cursor(cursor.data, cursor.at + 1).at_end:
            raise XBError(xb.SYNTAX_ERROR)
        # SUBEXIT leaves the subprogram when it runs; only SUBEND ends its text.
        self.after_subprogram = subend

    def _call(self, cursor: Cursor) -> None:
        cursor.at += 1
        if cursor.token == tk.UNQUOTED:
            name = cursor.text()
        elif cursor.is_name():
            name = cursor.name()
        else:
            raise XBError(xb.SYNTAX_ERROR)
        if not name:
            raise XBError(xb.SYNTAX_ERROR)
        _check_length(name)
        built_in = name in SUBPROGRAMS or name in self.scan.later
        work = self.scan.work
        work.own += not built_in
        if built_in:
            work.built_in += 1
            work.letters += len(name)
            if name not in self.scan.called:
                work.new_letters += len(name)
                self.scan.memory.built_in(name)
        self.scan.called.add(name)


def _check_length(name: str) -> None:
    """Raise NAME TOO LONG for variables and for subprograms, which the editor does not check.

    Source: the list of messages in the Extended BASIC manual.
    """
    if len(name) > MAX_NAME:
        raise XBError(xb.NAME_TOO_LONG)


_EFFECTS = {
    tk.IF: Prescan._if,
    tk.FOR: Prescan._for,
    tk.NEXT: Prescan._next,
    tk.DIM: Prescan._dim,
    tk.OPTION: Prescan._option,
    tk.DEF: Prescan._def,
    tk.SUB: Prescan._sub,
    tk.SUBEND: Prescan._subend,
    tk.SUBEXIT: Prescan._subend,
    tk.CALL: Prescan._call,
}
"""Statements with an effect besides the names in them."""
