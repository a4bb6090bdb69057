"""From lines of code to a tree of blocks: IF, SELECT CASE, WHILE, REPEAT, FOR and SUB.

A NEXT with the variable of another FOR is reported here: the console would stop there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ti99tools.base.errors import Place, SourceError
from ti99tools.language.dialect.block_tree import (
    ENDED,
    LOOPS,
    Body,
    ConditionalBlock,
    Frames,
    If,
    Label,
    LoopBlock,
    OpenBlock,
    OwnLabels,
    put_right,
    variable_of,
)
from ti99tools.language.dialect.declarations import Twin, declare, parted
from ti99tools.language.dialect.flatten import condition as case_condition
from ti99tools.language.dialect.flatten import kept_in
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report
from ti99tools.language.dialect.line_statements import (
    Statement,
    check_branches,
    keyword,
    split_statements,
    starts,
    symbol,
    with_one_variable,
    with_references,
    with_separators,
)
from ti99tools.language.dialect.procs import Proc, opened, take_locals
from ti99tools.language.dialect.reader import CodeLine
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.remedies.otherbasics import left_here
from ti99tools.language.remedies.worked_out import next_of

_OPERANDS = (Kind.NAME, Kind.KEYWORD, Kind.NUMBER, Kind.STRING)
_WORDS = (Kind.KEYWORD, Kind.NAME)
_CLOSED = ("IF", "PROC", "WHILE", "SELECT")
_BLOCK_ENDS = {"WEND": "WHILE", **{f"END{kind}": kind for kind in _CLOSED}}


class Blocks:
    """Builds the tree: `main`, the `procs` by name, the bodies of the subprograms in `subs`.

    Blocks that do not fit together are reported, and then treated as they were most likely meant,
    so that one mistake gives one message.
    """

    def __init__(self, keys: OwnLabels, report: Report) -> None:
        self.keys = keys
        self.report = report
        self.main: Body = []
        self.procs: dict[str, Proc] = {}
        self.subs: list[Body] = []
        self.twins: dict[str, Twin] = {}
        """Subprograms that have a twin in machine code."""
        self.labels: dict[str, Place] = {}
        """Every label of the user as `SCOPE:NAME`. The scope is the name of a subprogram, `PROC`
        and a name, or empty in the main program.
        """
        self.ranges: list[Declared] = []
        self._frames = Frames(self.main, report, self._add)
        self._proc: Proc | None = None
        """The PROC that is being read."""
        self._reserved: dict[str, tuple[str, Place]] = {}
        """Variables that the generator adds → what needs each, and where it was first needed."""
        self._put_right: set[Place] = set()
        """The beginnings of statements that were reported and corrected."""
        self._names: dict[str, Lexeme] = {}
        """The names that the source uses, each where it comes first."""

    def read(self, code: Iterable[CodeLine]) -> None:
        """Read all lines. Raises SourceError when too many blocks are open."""
        try:
            self._read_lines(code)
            self._frames.close_all()
        finally:
            # They lead back to here: the whole tree would wait for the garbage collector.
            del self._frames
        for name, (what, place) in self._reserved.items():
            self._refuse_name(name, what, place)

    def _read_lines(self, code: Iterable[CodeLine]) -> None:
        packing = True
        for line in code:
            if line.line is None:
                packing = line.packing
                continue
            if line.label is not None:
                self._label(line.label)
            for lexeme in line.lexemes:
                if lexeme.kind is Kind.NAME:
                    self._names.setdefault(lexeme.text, lexeme)
            for lexemes in self._statements(line):
                right = put_right(lexemes, self.report)
                if right != lexemes:
                    self._put_right.add(lexemes[0].place)
                proc = self._proc
                if proc is not None and not right[0].is_word("LOCAL"):
                    proc.meet(right)
                self._statement(proc.renamed(right) if proc else right, packing)

    def _statements(self, line: CodeLine) -> Iterator[tuple[Lexeme, ...]]:
        """The statements of a line, separated as they were most likely meant."""
        lexemes = with_separators(line.lexemes, self.report)
        for statement in split_statements(lexemes, self.report):
            yield from with_one_variable(statement, self.report)

    def refuse_names(self, names: Mapping[str, Place]) -> None:
        """Report names of the source that the generator needs for the tables at these places."""
        for name, place in names.items():
            self._refuse_name(name, "the table", place)

    def _refuse_name(self, name: str, what: str, place: Place) -> None:
        if name in self._names:
            problem = f"{what} at {place} uses the name {name} for itself"
            self._wrong(self._names[name], problem, "choose another name")

    def _label(self, name: Lexeme) -> None:
        key = f"{self._frames.scope}:{name.text}"
        if key in self.labels:
            problem = f"the label {name.text} stands at {self.labels[key]} too"
            self._wrong(name, problem, "rename one of them")
            return
        self.labels[key] = name.place
        self._frames.top.nodes.append(Label(key, name.place))

    def _statement(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        first = lexemes[0]
        shape = _SHAPES.get(first.text) if first.kind in _WORDS else None
        if shape is None or not shape(self, lexemes, packing):
            self._plain(lexemes, packing)

    def _branch(self, lexemes: tuple[Lexeme, ...], packing: bool) -> bool:
        """IF, ELSEIF or ELSE; tell whether it is of a block."""
        first, second = lexemes[0], _second(lexemes)
        then = lexemes[-1].is_word("THEN")
        if first.text == "IF":
            if then:
                self._open("IF", lexemes, packing, lexemes[1:-1])
            return then
        if first.text == "ELSEIF" and then:
            self._next_branch(first, lexemes[1:-1])
        elif first.text == "ELSEIF":
            self._wrong(first, "ELSEIF without THEN at its end", "write ELSEIF condition THEN")
            self._next_branch(first, lexemes[1:] or _always(first))
        elif second is not None and second.is_word("IF") and then:
            self._next_branch(first, lexemes[2:-1])
        else:
            if second is not None:
                self._wrong(second, "statements after ELSE", "put them on the next line")
            self._next_branch(first, None)
        return True

    def _choice(self, lexemes: tuple[Lexeme, ...], packing: bool) -> bool:
        """SELECT or CASE; tell whether it is of a block."""
        second = _second(lexemes)
        is_case = lexemes[0].text == "CASE"
        if is_case and not (second and second.is_symbol("=")):
            self._next_case(lexemes[0], lexemes[1:])
            return True
        if is_case or second is None or second.kind not in _OPERANDS:
            return False
        self._select(lexemes, packing)
        return True

    def _declaration(self, lexemes: tuple[Lexeme, ...], packing: bool) -> bool:
        """PROC, LOCAL or RANGE; tell whether it is one, and no variable called so."""
        second = _second(lexemes)
        misnamed = lexemes[0].text == "PROC" and (second is None or second.kind is Kind.KEYWORD)
        if not misnamed and (second is None or second.kind is not Kind.NAME):
            return False
        if lexemes[0].text == "PROC":
            self._begin_proc(lexemes)
        elif lexemes[0].text == "LOCAL":
            self._locals(lexemes, packing)
        else:
            scope = "" if self._proc else self._frames.scope
            declare(lexemes, scope, self.ranges, self.report)
        return True

    def _ending(self, lexemes: tuple[Lexeme, ...], _packing: bool) -> bool:
        """END or a word like ENDIF; tell whether it ends a block."""
        first, second = lexemes[0], _second(lexemes)
        if first.text == "END":
            if second is None or not second.is_word("PROC", *ENDED):
                return False
            word, rest = second.text, lexemes[2:]
        elif second is not None:
            return False
        else:
            word, rest = _BLOCK_ENDS[first.text], ()
        if rest:
            self._wrong(rest[0], f"{rest[0].text} after END {word}", "begin a new line")
        if word == "PROC":
            self._end_proc(first)
        elif frame := self._frames.close(first, word, f"END {word}"):
            self._add(frame, first.place)
        return True

    def _loop(self, lexemes: tuple[Lexeme, ...], packing: bool) -> bool:
        """WHILE, REPEAT or UNTIL; tell whether it is of a block."""
        first, second = lexemes[0], _second(lexemes)
        if first.text == "REPEAT":
            if second is None:
                self._open("REPEAT", lexemes, packing, _always(first))
            return second is None
        if second is not None and second.is_symbol("=", ","):
            return False
        if first.text == "WHILE":
            self._open("WHILE", lexemes, packing, lexemes[1:])
        else:
            self._until(first, lexemes[1:])
        return True

    def _open(
        self, kind: str, lexemes: Sequence[Lexeme], packing: bool, condition: tuple[Lexeme, ...]
    ) -> None:
        if not condition:
            self._wrong(lexemes[0], f"{kind} without a condition", "write one")
        condition = condition or _always(lexemes[0])
        self._frames.push(
            OpenBlock(kind, lexemes[0].place, [], condition=condition, packing=packing)
        )

    def _next_branch(self, at: Lexeme, condition: tuple[Lexeme, ...] | None) -> None:
        frame = self._frames.part(at, "IF")
        if frame is None:
            return
        if frame.in_else:
            self._wrong(at, f"{at.text} after ELSE", "ELSE comes last")
            return
        if condition is not None and not condition:
            self._wrong(at, "ELSEIF without a condition", "write one")
            condition = _always(at)
        self._finish_branch(frame)
        frame.nodes, frame.part = [], at.place
        frame.in_else = condition is None
        frame.condition = condition or ()

    def _select(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        """Open a SELECT CASE; its selector is evaluated once."""
        first, second, chosen = lexemes[0], lexemes[1], lexemes[2:]
        if not second.is_word("CASE"):
            self._wrong(first, "SELECT without CASE", "write SELECT CASE and the value")
            self._frames.forgive_select()
            return
        if not chosen:
            self._wrong(first, "SELECT CASE without a value", "write SELECT CASE A")
            chosen = _always(first)
        variable = kept_in(chosen, 1 + self._frames.count("SELECT"))
        if variable is not None:
            self._reserved.setdefault(variable.text, ("SELECT CASE", first.place))
            setting = (variable, symbol("=", variable.place), *chosen)
            self._frames.top.nodes.append(Statement(setting, packing))
            chosen = (variable,)
        self._frames.push(OpenBlock("SELECT", first.place, [], packing=packing, chosen=chosen))

    def _next_case(self, at: Lexeme, tests: tuple[Lexeme, ...]) -> None:
        frame = self._frames.part(at, "SELECT")
        if frame is None:
            return
        if frame.in_else:
            self._wrong(at, "CASE after CASE ELSE", "CASE ELSE comes last")
            return
        self._finish_case(frame)
        frame.nodes, frame.part = [], at.place
        if tests and tests[0].is_word("ELSE"):
            frame.in_else, frame.condition = True, ()
            if len(tests) > 1:
                self._wrong(tests[1], "statements after CASE ELSE", "put them on the next line")
        else:
            frame.condition = case_condition(frame.chosen, at, tests, self.report)

    def _finish_case(self, frame: OpenBlock) -> None:
        if frame.condition:
            self._finish_branch(frame)
        elif frame.nodes and not frame.in_else:
            first = frame.nodes[0]
            at = frame if isinstance(first, If) else first
            self._wrong(at, "statements before the first CASE", "put them above SELECT CASE")

    def _finish_branch(self, frame: OpenBlock) -> None:
        if not frame.in_else:
            referring = with_references(frame.condition, self.report)
            condition = tuple(self._with_scope(referring))
            frame.branches.append(
                ConditionalBlock(condition, frame.nodes, frame.part or frame.place)
            )

    def _until(self, at: Lexeme, condition: tuple[Lexeme, ...]) -> None:
        if not condition:
            self._wrong(at, "UNTIL without a condition", "write one")
        frame = self._frames.close(at, "REPEAT", "UNTIL")
        if frame is not None:
            frame.condition = condition or frame.condition
            self._add(frame, at.place)

    def _add(self, frame: OpenBlock, end: Place) -> None:
        """Put a complete block where it belongs."""
        nodes = self._frames.top.nodes
        if frame.kind == "IF":
            self._finish_branch(frame)
            nodes.append(If(frame.branches, frame.nodes if frame.in_else else None, frame.packing))
        elif frame.kind == "SELECT":
            self._add_select(frame)
        elif frame.kind != "FOR":
            loop = LoopBlock(
                frame.kind, frame.condition, frame.nodes, frame.place, end, frame.packing
            )
            nodes.append(loop)
        if frame.exit is not None:
            nodes.append(Label(frame.exit, end))

    def _add_select(self, frame: OpenBlock) -> None:
        self._finish_case(frame)
        otherwise = frame.nodes if frame.in_else else None
        if frame.branches:
            self._frames.top.nodes.append(If(frame.branches, otherwise, frame.packing))
        elif otherwise is not None:
            self._frames.top.nodes.extend(otherwise)
        else:
            self._wrong(frame, "SELECT CASE without a CASE", "write CASE and a value")

    def _plain(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        if lexemes[0].is_word("SUB"):
            lexemes, twin = parted(lexemes, self.report)
            if twin is not None:
                self.twins[twin.name] = twin
        resolved = self._with_scope(self._with_exits(with_references(lexemes, self.report)))
        if not resolved:
            return
        statement = Statement(tuple(resolved), packing)
        check_branches(statement, self.report)
        word = statement.word
        if word == "SUB":
            self._begin_sub(statement)
        elif word == "SUBEND":
            self._end_sub(statement)
        elif word == "FOR":
            self._frames.top.nodes.append(statement)
            counted = variable_of(statement)
            nodes, name = self._frames.top.nodes, "" if counted is None else counted.text
            self._frames.push(OpenBlock("FOR", statement.place, nodes, variable=name))
        elif word == "NEXT":
            statement = self._next_named(statement)
            frame = self._frames.close(lexemes[0], "FOR", "NEXT")
            self._frames.top.nodes.append(statement)
            if frame is not None:
                self._add(frame, statement.place)
        else:
            if word == "IF":
                self._frames.one_line_if(lexemes)
            self._frames.top.nodes.append(statement)

    def _next_named(self, statement: Statement) -> Statement:
        """Report a bare NEXT, and add the variable of its FOR; do neither where that is unknown."""
        name = self._frames.top.variable
        if len(statement.lexemes) > 1 or not name:
            return statement
        if statement.place not in self._put_right:
            self._wrong(statement, "NEXT without a variable", next_of(name))
        variable = Lexeme(Kind.NAME, name, statement.place)
        return replace(statement, lexemes=(*statement.lexemes, variable))

    def _begin_sub(self, statement: Statement) -> None:
        self._frames.close_all()
        self._proc = None
        name = statement.lexemes[1].text if len(statement.lexemes) > 1 else ""
        body: Body = [statement]
        self.subs.append(body)
        self._frames.push(OpenBlock("SUB", statement.place, body, name=name or "?"))

    def _end_sub(self, statement: Statement) -> None:
        frame = self._frames.close(statement.lexemes[0], "SUB", "SUBEND")
        if frame is not None:
            frame.nodes.append(statement)
        self._frames.forgive()

    def _begin_proc(self, lexemes: tuple[Lexeme, ...]) -> None:
        self._frames.close_all()
        proc = opened(lexemes, self.keys.new(), len(self.procs) + 1, self.report)
        if proc.name in self.procs:
            problem = f"the PROC {proc.name} is also at {self.procs[proc.name].place}"
            self._wrong(lexemes[0], problem, "rename one of them")
        self._reserve(proc)
        self.procs.setdefault(proc.name, proc)
        self._proc = proc
        scope = f"PROC {proc.name}"
        self._frames.push(OpenBlock("PROC", lexemes[0].place, proc.body, name=scope))

    def _locals(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        if self._proc is None:
            self._wrong(lexemes[0], "LOCAL outside a PROC", "remove it: a SUB has its own names")
            return
        arrays = take_locals(self._proc, lexemes, self.report)
        self._reserve(self._proc)
        if arrays:
            self._frames.top.nodes.append(Statement(arrays, packing))

    def _reserve(self, proc: Proc) -> None:
        for name in proc.own.values():
            self._reserved.setdefault(name, (f"PROC {proc.name}", proc.place))

    def _end_proc(self, at: Lexeme) -> None:
        frame = self._frames.close(at, "PROC", "END PROC")
        if frame is not None:
            frame.nodes.append(Statement((keyword("RETURN", at.place),)))
        self._proc = None
        self._frames.forgive()

    def _with_exits(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """The lexemes with each EXIT turned into a jump out of its loop, subprogram or PROC."""
        if not any(lexeme.text == "EXIT" for lexeme in lexemes):
            return lexemes
        result: list[Lexeme] = []
        begins = set(starts(lexemes))
        index = 0
        while index < len(lexemes):
            lexeme = lexemes[index]
            index += 1
            following = lexemes[index] if index < len(lexemes) else None
            if not (index - 1 in begins and lexeme.is_word("EXIT")) or (
                following is not None and following.is_symbol("=", ",", "(")
            ):
                result.append(lexeme)
                continue
            wanted = None
            if following is not None and following.is_word("PROC"):
                index += 1
                if self._proc is None:
                    self._wrong(lexeme, "EXIT PROC outside a PROC", "use GOTO or SUBEXIT")
                result.append(keyword("RETURN", lexeme.place))
                continue
            if following is not None and (left := left_here(following.text)):
                index += 1
                self._wrong(lexeme, f"there is no EXIT {following.text}", left)
                result.append(keyword("SUBEXIT", lexeme.place))
                continue
            if following is not None and following.is_word(*LOOPS):
                wanted = following.text
                index += 1
            frame = self._frames.loop(lexeme, wanted)
            if frame is None:
                continue
            frame.exit = frame.exit or self.keys.new()
            # After a line number, `::` begins what is done if the condition does not hold.
            alone = index == len(lexemes) or lexemes[index].is_word("ELSE")
            if not (alone and result and result[-1].is_word("THEN", "ELSE")):
                result.append(keyword("GOTO", lexeme.place))
            result.append(Lexeme(Kind.LABEL, frame.exit, lexeme.place))
        return result

    def _wrong(
        self, at: Lexeme | OpenBlock | Statement | Label | LoopBlock, problem: str, remedy: str
    ) -> None:
        self.report(SourceError(problem, remedy=remedy, place=at.place))

    def _with_scope(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """The lexemes with the user's labels as keys of this scope; missing ones show later."""
        return [
            Lexeme(Kind.LABEL, f"{self._frames.scope}:{x.text}", x.place)
            if x.kind is Kind.LABEL and not x.text.startswith("%")
            else x
            for x in lexemes
        ]


def _always(at: Lexeme) -> tuple[Lexeme, ...]:
    """A condition that always holds."""
    return (Lexeme(Kind.NUMBER, "1", at.place),)


def _second(lexemes: Sequence[Lexeme]) -> Lexeme | None:
    return lexemes[1] if len(lexemes) > 1 else None


_SHAPES = {
    **dict.fromkeys(("IF", "ELSEIF", "ELSE"), Blocks._branch),
    **dict.fromkeys(("SELECT", "CASE"), Blocks._choice),
    **dict.fromkeys(("PROC", "LOCAL", "RANGE"), Blocks._declaration),
    **dict.fromkeys(("END", *_BLOCK_ENDS), Blocks._ending),
    **dict.fromkeys(("WHILE", "REPEAT", "UNTIL"), Blocks._loop),
}
"""Words that may begin or end a block, or declare names, and what reads them."""
