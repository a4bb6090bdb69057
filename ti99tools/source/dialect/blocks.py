"""From lines of code to a tree of blocks: IF, WHILE, REPEAT, FOR and SUB."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.reader import Code
from ti99tools.source.dialect.statements import (
    Statement,
    check_branches,
    keyword,
    split_statements,
    starts,
    with_references,
)


@dataclass(frozen=True, slots=True)
class Label:
    """A place that can be jumped to; `key` is unique in the program."""

    key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Branch:
    """A condition and what happens when it holds."""

    condition: tuple[Lexeme, ...]
    body: Body
    place: Place


@dataclass(slots=True)
class If:
    """IF … ELSEIF … ELSE … END IF; `otherwise` None without ELSE."""

    branches: list[Branch]
    otherwise: Body | None
    packing: bool


@dataclass(slots=True)
class Loop:
    """WHILE (`condition` is asked first) or REPEAT (asked last, ends when it holds)."""

    kind: str
    condition: tuple[Lexeme, ...]
    body: Body
    place: Place
    end: Place
    packing: bool


Node = Statement | Label | If | Loop
Body = list[Node]


@dataclass
class _Frame:
    """An open block and what it has collected."""

    kind: str
    place: Place
    nodes: Body
    exit: str | None = None
    """The label behind the block, once an EXIT asked for it."""
    condition: tuple[Lexeme, ...] = ()
    branches: list[Branch] = field(default_factory=list)
    in_else: bool = False
    packing: bool = True
    name: str = ""


_CLOSING = {"IF": "END IF", "WHILE": "END WHILE", "REPEAT": "UNTIL", "FOR": "NEXT", "SUB": "SUBEND"}
_MAX_DEPTH = 100
_LOOPS = ("FOR", "WHILE", "REPEAT")
_BLOCK_ENDS = {"ENDIF": "IF", "WEND": "WHILE", "ENDWHILE": "WHILE"}


class Keys:
    """Names for the labels that the generator itself needs."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        """A key no user's label has."""
        return f"%{next(self._numbers)}"


class Blocks:
    """Builds the tree; `main` and the bodies of the subprograms in `subs`, in order."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.main: Body = []
        self.subs: list[Body] = []
        self.labels: dict[str, Place] = {}
        """Every user's label: `SUBPROGRAM:NAME` (nothing before the colon in the main program)."""
        self._frames = [_Frame("MAIN", Place(), self.main)]

    def read(self, code: Iterable[Code]) -> None:
        """Take all lines. Raises SourceError for blocks that do not fit together."""
        packing = True
        for line in code:
            if line.line is None:
                packing = line.packing
                continue
            if line.label is not None:
                self._label(line.label)
            for lexemes in split_statements(line.lexemes):
                self._statement(lexemes, packing)
        self._must_be_closed("MAIN")

    @property
    def _top(self) -> _Frame:
        return self._frames[-1]

    @property
    def _scope(self) -> str:
        return self._frames[1].name if len(self._frames) > 1 and self._frames[1].name else ""

    def _must_be_closed(self, kind: str) -> None:
        if self._top.kind != kind:
            raise SourceError(
                f"{self._top.kind} is not closed",
                remedy=f"close it with {_CLOSING[self._top.kind]}",
                place=self._top.place,
            )

    def _label(self, name: Lexeme) -> None:
        key = f"{self._scope}:{name.text}"
        if key in self.labels:
            raise SourceError(
                f"the label {name.text} stands at {self.labels[key]} too",
                remedy="rename one of them",
                place=name.place,
            )
        self.labels[key] = name.place
        self._top.nodes.append(Label(key, name.place))

    def _statement(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        first = lexemes[0]
        second = lexemes[1] if len(lexemes) > 1 else None
        if first.is_word("IF", "ELSEIF") and lexemes[-1].is_word("THEN"):
            if first.text == "IF":
                self._open("IF", lexemes, packing).condition = lexemes[1:-1]
            else:
                self._next_branch(first, lexemes[1:-1])
        elif first.is_word("ELSEIF"):
            raise _error(first, "ELSEIF without THEN at its end", "write ELSEIF condition THEN")
        elif first.is_word("ELSE"):
            if second is None:
                self._next_branch(first, None)
            elif second.is_word("IF") and lexemes[-1].is_word("THEN"):
                self._next_branch(first, lexemes[2:-1])
            else:
                raise _error(second, "statements behind ELSE", "put them on the next line")
        elif first.is_word("END") and second is not None and second.is_word("IF", "WHILE"):
            self._end(first, second.text, lexemes[2:])
        elif first.is_word(*_BLOCK_ENDS) and second is None:
            self._end(first, _BLOCK_ENDS[first.text], ())
        elif first.is_word("WHILE") and not (second and second.is_symbol("=", ",")):
            self._open("WHILE", lexemes, packing).condition = lexemes[1:]
        elif first.is_word("REPEAT") and second is None:
            self._open("REPEAT", lexemes, packing)
        elif first.is_word("UNTIL") and not (second and second.is_symbol("=", ",")):
            self._until(first, lexemes[1:])
        else:
            self._plain(lexemes, packing)

    def _open(self, kind: str, lexemes: Sequence[Lexeme], packing: bool) -> _Frame:
        if kind in ("IF", "WHILE") and len(lexemes) < (3 if kind == "IF" else 2):
            raise _error(lexemes[0], f"{kind} without a condition", "write one")
        frame = _Frame(kind, lexemes[0].place, [], packing=packing)
        self._push(frame)
        return frame

    def _push(self, frame: _Frame) -> None:
        if len(self._frames) > _MAX_DEPTH:
            raise SourceError(
                f"more than {_MAX_DEPTH} blocks are open",
                remedy=f"close {self._top.kind} with {_CLOSING[self._top.kind]}",
                place=frame.place,
            )
        self._frames.append(frame)

    def _closing(self, at: Lexeme, kind: str, word: str) -> _Frame:
        if self._top.kind != kind:
            opened = self._top
            if opened.kind in ("MAIN", "SUB"):
                raise _error(at, f"{word} without {kind}", "remove it or open the block")
            raise _error(
                at,
                f"{word} while {opened.kind} at {opened.place} is open",
                f"close that with {_CLOSING[opened.kind]} first",
            )
        return self._frames.pop()

    def _next_branch(self, at: Lexeme, condition: tuple[Lexeme, ...] | None) -> None:
        frame = self._closing(at, "IF", at.text)
        self._frames.append(frame)
        if frame.in_else:
            raise _error(at, f"{at.text} behind ELSE", "ELSE comes last")
        if condition is not None and not condition:
            raise _error(at, "ELSEIF without a condition", "write one")
        self._finish_branch(frame)
        frame.nodes, frame.place = [], at.place
        frame.in_else = condition is None
        frame.condition = condition or ()

    def _finish_branch(self, frame: _Frame) -> None:
        if not frame.in_else:
            branch = Branch(tuple(with_references(frame.condition)), frame.nodes, frame.place)
            frame.branches.append(branch)

    def _end(self, at: Lexeme, kind: str, rest: Sequence[Lexeme]) -> None:
        if rest:
            raise _error(rest[0], f"{rest[0].text} behind END {kind}", "begin a new line")
        frame = self._closing(at, kind, f"END {kind}")
        if kind == "IF":
            self._finish_branch(frame)
            otherwise = frame.nodes if frame.in_else else None
            self._top.nodes.append(If(frame.branches, otherwise, frame.packing))
        else:
            self._add_loop(frame, frame.condition, at.place)

    def _until(self, at: Lexeme, condition: tuple[Lexeme, ...]) -> None:
        if not condition:
            raise _error(at, "UNTIL without a condition", "write one")
        self._add_loop(self._closing(at, "REPEAT", "UNTIL"), condition, at.place)

    def _add_loop(self, frame: _Frame, condition: tuple[Lexeme, ...], end: Place) -> None:
        loop = Loop(frame.kind, condition, frame.nodes, frame.place, end, frame.packing)
        self._top.nodes.append(loop)
        if frame.exit is not None:
            self._top.nodes.append(Label(frame.exit, end))

    def _plain(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        resolved = self._with_scope(self._with_exits(with_references(lexemes)))
        statement = Statement(tuple(resolved), packing)
        check_branches(statement)
        word = statement.word
        if word == "SUB":
            self._begin_sub(statement)
        elif word == "SUBEND":
            self._end_sub(statement)
        elif word == "FOR":
            self._top.nodes.append(statement)
            self._push(_Frame("FOR", statement.place, self._top.nodes))
        elif word == "NEXT":
            frame = self._closing(lexemes[0], "FOR", "NEXT")
            self._top.nodes.append(statement)
            if frame.exit is not None:
                self._top.nodes.append(Label(frame.exit, statement.place))
        else:
            self._top.nodes.append(statement)

    def _begin_sub(self, statement: Statement) -> None:
        if len(self._frames) > 1:
            self._must_be_closed("MAIN")
        name = statement.lexemes[1].text if len(statement.lexemes) > 1 else ""
        body: Body = [statement]
        self.subs.append(body)
        self._frames.append(_Frame("SUB", statement.place, body, name=name or "?"))

    def _end_sub(self, statement: Statement) -> None:
        self._closing(statement.lexemes[0], "SUB", "SUBEND").nodes.append(statement)

    def _with_exits(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """EXIT as a jump behind the loop."""
        result: list[Lexeme] = []
        begins = set(starts(lexemes))
        index = 0
        while index < len(lexemes):
            lexeme = lexemes[index]
            index += 1
            behind = lexemes[index] if index < len(lexemes) else None
            if not (index - 1 in begins and lexeme.is_word("EXIT")) or (
                behind is not None and behind.is_symbol("=", ",", "(")
            ):
                result.append(lexeme)
                continue
            wanted = None
            if behind is not None and behind.is_word(*_LOOPS):
                wanted = behind.text
                index += 1
            if not (result and result[-1].is_word("THEN", "ELSE")):
                result.append(keyword("GOTO", lexeme.place))
            result.append(Lexeme(Kind.LABEL, self._exit_label(lexeme, wanted), lexeme.place))
        return result

    def _exit_label(self, at: Lexeme, wanted: str | None) -> str:
        for frame in reversed(self._frames):
            if frame.kind == wanted or (wanted is None and frame.kind in _LOOPS):
                if frame.exit is None:
                    frame.exit = self.keys.new()
                return frame.exit
        raise _error(at, f"EXIT outside a {wanted or 'loop'}", "use GOTO or SUBEXIT")

    def _with_scope(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """User's labels as keys: of this SUB; which of them exist is checked at the end."""
        return [
            Lexeme(Kind.LABEL, f"{self._scope}:{x.text}", x.place)
            if x.kind is Kind.LABEL and not x.text.startswith("%")
            else x
            for x in lexemes
        ]


def _error(at: Lexeme, problem: str, remedy: str) -> SourceError:
    return SourceError(problem, remedy=remedy, place=at.place)
