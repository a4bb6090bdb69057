"""Statements of screen, keyboard and files: PRINT, DISPLAY, INPUT, ACCEPT, OPEN and the like."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.cursor import Cursor
from ti99tools.language.syntax.expressions import CLAUSE_WORDS, Statements
from ti99tools.language.syntax.nodes import Expression, Fault, Target, faulty

PLAIN = (tk.DISPLAY, tk.INTERNAL, tk.INPUT, tk.OUTPUT, tk.UPDATE, tk.APPEND, tk.PERMANENT)
NUMBERED = (tk.SEQUENTIAL, tk.RELATIVE, tk.FIXED, tk.VARIABLE)
"""Attributes that may be followed by a number: how many records at first, or their length."""


class FileStatements(Statements):
    """Readers of the file statements."""

    def open(self, at: int) -> st.Statement:
        """Read OPEN #n:name and its attributes."""
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
        """Read CLOSE #n, and :DELETE if it follows."""
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
        """RESTORE #n[,REC r]; the rest of the statement is looked at afterwards."""
        file, fault = self.file_reference()
        if fault is None and file.record is None:
            self.cursor.take(tk.COMMA)
        if fault is None:
            self.lose_after_name()
        return self.done(st.RestoreFile, at, file=file, fault=fault)

    def delete(self, at: int) -> st.Statement:
        """Read DELETE and the name of a file."""
        return self.done(st.Delete, at, name=self.string(tk.BANG))


SEPARATORS = (tk.SEMICOLON, tk.COMMA, tk.COLON)


class IOStatements(Statements):
    """Readers of the I/O statements' parts."""

    def print(self, at: int) -> st.Statement:
        """PRINT: to the screen, or to a file with `#`."""
        cursor = self.cursor
        file: st.FileRef | None = None
        fault: int | None = None
        using: st.Using | None = None
        if cursor.token == tk.HASH:
            file, fault = self.file_reference()
            if fault is None and cursor.take(tk.COMMA):
                if not cursor.take(tk.USING):
                    fault = xb.SYNTAX_ERROR
                else:
                    using = self._format()
            elif fault is None and not cursor.at_end and not cursor.take(tk.COLON):
                fault = xb.SYNTAX_ERROR
        elif cursor.take(tk.USING):
            using = self._format()
        if fault is not None:
            return self.done(
                st.Print, at, file=file, using=using, items=(), listed=False, fault=fault
            )
        return self._printed(at, file, using)

    def _printed(self, at: int, file: st.FileRef | None, using: st.Using | None) -> st.Statement:
        if using is None:
            items, fault = self._items()
        else:
            items, fault = self._values(using)
        return self.done(st.Print, at, file=file, using=using, items=items, fault=fault)

    def _format(self) -> st.Using:
        line = self.cursor.line_number()
        if line is not None:
            return st.Using(None, line)
        image = self.expression(tk.COLON)
        if not faulty(image) and not image.is_string:
            image = Fault(xb.IMAGE_ERROR, (image,))
        return st.Using(image)

    def _items(self) -> tuple[tuple[st.PrintItem, ...], int | None]:
        """Read a print list: items and separators in any possible number and order."""
        cursor = self.cursor
        items: list[st.PrintItem] = []
        while not cursor.at_end:
            if cursor.token in SEPARATORS:
                items.append(st.Separator(cursor.token))
                cursor.at += 1
                continue
            item = self._item()
            items.append(item)
            if faulty(item.column if isinstance(item, st.Tab) else item):
                return tuple(items), xb.SYNTAX_ERROR
            if cursor.token not in SEPARATORS and not cursor.at_end:
                return tuple(items), xb.SYNTAX_ERROR
        return tuple(items), None

    def _item(self) -> st.Tab | Expression:
        """Read an expression, or TAB: what follows its parentheses belongs to its number.

        `TAB(5)+3` is column 8. Source: the published listing of the ROM.
        """
        cursor = self.cursor
        if cursor.take(tk.TAB):
            if cursor.token != tk.LPAREN:
                return Fault(xb.SYNTAX_ERROR)
            return st.Tab(self.number(tk.RPAREN))
        return self.expression(tk.COLON)

    def _values(self, using: st.Using) -> tuple[tuple[st.PrintItem, ...], int | None]:
        """Read what follows USING: `:` and values separated by commas, one `;` at the end."""
        cursor = self.cursor
        if using.image is not None and faulty(using.image):
            return (), xb.SYNTAX_ERROR
        if cursor.at_end:
            return (), None
        if not cursor.take(tk.COLON):
            return (), xb.SYNTAX_ERROR
        items: list[st.PrintItem] = []
        while True:
            value = self.expression(tk.COLON)
            items.append(value)
            if faulty(value):
                return tuple(items), xb.SYNTAX_ERROR
            if cursor.take(tk.SEMICOLON):
                items.append(st.Separator(tk.SEMICOLON))
                return tuple(items), None if cursor.at_end else xb.SYNTAX_ERROR
            if not cursor.take(tk.COMMA):
                return tuple(items), None if cursor.at_end else xb.SYNTAX_ERROR
            items.append(st.Separator(tk.COMMA))

    def display(self, at: int) -> st.Statement:
        """DISPLAY with its options in any order, each once."""
        cursor = self.cursor
        clauses, fault = self._clauses((tk.AT, tk.SIZE, tk.BEEP, tk.ERASE))
        using: st.Using | None = None
        items: tuple[st.PrintItem, ...] = ()
        listed = not clauses or cursor.at_end or cursor.take(tk.COLON)
        if fault is None and not listed:
            fault = xb.SYNTAX_ERROR
        if fault is not None:
            return self.done(
                st.Display, at, clauses=clauses, using=None, items=(), listed=False, fault=fault
            )
        if cursor.take(tk.USING):
            using = self._format()
            items, fault = self._values(using)
        else:
            items, fault = self._items()
        return self.done(st.Display, at, clauses=clauses, using=using, items=items, fault=fault)

    def accept(self, at: int) -> st.Statement:
        """ACCEPT with its options in any order, each once."""
        cursor = self.cursor
        clauses, fault = self._clauses((tk.AT, tk.SIZE, tk.BEEP, tk.ERASE, tk.VALIDATE))
        if fault is None and clauses and not cursor.take(tk.COLON):
            fault = xb.SYNTAX_ERROR
        target: Target | None = None
        if fault is None:
            target, fault = self._only_target()
        return self.done(st.Accept, at, clauses=clauses, target=target, fault=fault)

    def _only_target(self) -> tuple[Target | None, int | None]:
        """Read the variable of ACCEPT or LINPUT, and a name after it, which makes the rest of the
        line vanish.
        """
        target = self.target()
        if target is None:
            return None, xb.SYNTAX_ERROR
        if not faulty(target):
            self.lose_after_name()
        return target, None

    def _clauses(self, words: tuple[int, ...]) -> tuple[tuple[st.Clause, ...], int | None]:
        cursor = self.cursor
        clauses: list[st.Clause] = []
        while cursor.token in words:
            word = cursor.token
            if any(clause.token == word for clause in clauses):
                return tuple(clauses), xb.SYNTAX_ERROR
            cursor.at += 1
            match word:
                case tk.BEEP:
                    clauses.append(st.Clause(word))
                case tk.ERASE:
                    if not cursor.take(tk.ALL):
                        return tuple(clauses), xb.SYNTAX_ERROR
                    clauses.append(st.Clause(word))
                case _:
                    clause, fault = self._arguments(word)
                    clauses.append(clause)
                    if fault is not None:
                        return tuple(clauses), fault
        return tuple(clauses), None

    def _arguments(self, word: int) -> tuple[st.Clause, int | None]:
        """Read the parentheses of AT, SIZE or VALIDATE."""
        cursor = self.cursor
        if not cursor.take(tk.LPAREN):
            return st.Clause(word, (Fault(xb.SYNTAX_ERROR),)), xb.SYNTAX_ERROR
        arguments: list[Expression | int] = []
        wanted = {tk.AT: 2, tk.SIZE: 1}.get(word)
        while True:
            if word == tk.VALIDATE and cursor.token in (tk.NUMERIC, tk.DIGIT, tk.UALPHA):
                arguments.append(cursor.token)
                cursor.at += 1
            else:
                depth = self.depth + (CLAUSE_WORDS if word == tk.AT and not arguments else 0)
                read = self.string if word == tk.VALIDATE else self.number
                node = read(tk.LPAREN, depth)
                arguments.append(node)
                if faulty(node):
                    return st.Clause(word, tuple(arguments)), xb.SYNTAX_ERROR
            if wanted is not None and len(arguments) == wanted:
                break
            if not cursor.take(tk.COMMA):
                break
        if (wanted is not None and len(arguments) != wanted) or not cursor.take(tk.RPAREN):
            arguments.append(Fault(xb.SYNTAX_ERROR))
            return st.Clause(word, tuple(arguments)), xb.SYNTAX_ERROR
        return st.Clause(word, tuple(arguments)), None

    def input(self, at: int) -> st.Statement:
        """INPUT from the keyboard, or from a file with `#`."""
        cursor = self.cursor
        if cursor.token == tk.HASH:
            file, fault = self.file_reference()
            if fault is None and not cursor.take(tk.COLON):
                fault = xb.SYNTAX_ERROR
            if fault is not None:
                return self.done(st.Input, at, file=file, prompt=None, targets=(), fault=fault)
            return self._input_list(at, file, None)
        prompt, fault = self._prompt()
        if fault is not None:
            return self.done(st.Input, at, file=None, prompt=prompt, targets=(), fault=fault)
        return self._input_list(at, None, prompt)

    def _input_list(
        self, at: int, file: st.FileRef | None, prompt: Expression | None
    ) -> st.Statement:
        targets: list[Target] = []
        more = False
        fault: int | None = None
        while True:
            target = self.target()
            if target is None:
                more = bool(targets) and file is not None and self.cursor.at_end
                fault = None if more else xb.SYNTAX_ERROR
                break
            targets.append(target)
            if faulty(target) or not self.cursor.take(tk.COMMA):
                break
        return self.done(
            st.Input, at, file=file, prompt=prompt, targets=tuple(targets), more=more, fault=fault
        )

    def _prompt(self) -> tuple[Expression | None, int | None]:
        """Read the prompt of INPUT or LINPUT: a string before a colon, if there is one."""
        cursor = self.cursor
        ahead = Cursor(cursor.data, cursor.at)
        while ahead.token != tk.COLON:
            if ahead.at_end:
                return None, None
            ahead.step()
        node = self.expression(tk.COLON)
        if faulty(node):
            return node, xb.SYNTAX_ERROR
        if not node.is_string:
            return Fault(xb.STRING_NUMBER_MISMATCH, (node,)), xb.STRING_NUMBER_MISMATCH
        if not cursor.take(tk.COLON):
            return node, xb.SYNTAX_ERROR
        return node, None

    def linput(self, at: int) -> st.Statement:
        """LINPUT from the keyboard, or from a file with `#`."""
        cursor = self.cursor
        file: st.FileRef | None = None
        prompt: Expression | None = None
        if cursor.token == tk.HASH:
            file, fault = self.file_reference()
            if fault is None and not cursor.take(tk.COLON):
                fault = xb.SYNTAX_ERROR
        else:
            prompt, fault = self._prompt()
        target: Target | None = None
        if fault is None:
            target, fault = self._only_target()
        return self.done(st.Linput, at, file=file, prompt=prompt, target=target, fault=fault)
