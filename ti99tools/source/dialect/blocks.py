"""From lines of code to a tree of blocks: IF, WHILE, REPEAT, FOR and SUB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.misspelt import put_right, unopened
from ti99tools.source.dialect.mistakes import Report, strictly
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
    """The label after the block, once an EXIT asked for it."""
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
    """Builds the tree; `main` and the bodies of the subprograms in `subs`, in order.

    Blocks that do not fit together are reported, and then taken as they were most likely meant, so
    that one mistake gives one message.
    """

    def __init__(self, keys: Keys, report: Report = strictly) -> None:
        self.keys = keys
        self.report = report
        self.main: Body = []
        self.subs: list[Body] = []
        self.labels: dict[str, Place] = {}
        """Every user's label: `SUBPROGRAM:NAME` (nothing before the colon in the main program)."""
        self._frames = [_Frame("MAIN", Place(), self.main)]
        self._closed_early: Counter[str] = Counter()
        """Kinds of blocks whose ends may still come although the blocks are gone."""
        self._ended_in_if: Counter[str] = Counter()
        """Kinds of blocks that an end within a one-line IF was meant to close."""

    def read(self, code: Iterable[Code]) -> None:
        """Take all lines. Raises SourceError when far too many blocks are open."""
        packing = True
        for line in code:
            if line.line is None:
                packing = line.packing
                continue
            if line.label is not None:
                self._label(line.label)
            for lexemes in split_statements(line.lexemes, self.report):
                self._statement(put_right(lexemes, self.report), packing)
        self._close_all()

    @property
    def _top(self) -> _Frame:
        return self._frames[-1]

    @property
    def _scope(self) -> str:
        return self._frames[1].name if len(self._frames) > 1 and self._frames[1].name else ""

    def _close_all(self) -> None:
        """What is open now should have been closed."""
        for frame in self._frames[1:]:
            if self._ended_in_if[frame.kind]:
                continue
            self._wrong(
                frame, f"{frame.kind} is not closed", f"close it with {_CLOSING[frame.kind]}"
            )
        while len(self._frames) > 1:
            self._close_early()
        self._closed_early.clear()
        self._ended_in_if.clear()

    def _close_early(self) -> None:
        """Close the innermost block where its end is missing."""
        frame = self._frames.pop()
        self._closed_early[frame.kind] += 1
        if frame.kind != "SUB":
            self._add(frame, frame.place)

    def _label(self, name: Lexeme) -> None:
        key = f"{self._scope}:{name.text}"
        if key in self.labels:
            problem = f"the label {name.text} stands at {self.labels[key]} too"
            self._wrong(name, problem, "rename one of them")
            return
        self.labels[key] = name.place
        self._top.nodes.append(Label(key, name.place))

    def _statement(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
        first = lexemes[0]
        second = lexemes[1] if len(lexemes) > 1 else None
        if first.is_word("IF", "ELSEIF") and lexemes[-1].is_word("THEN"):
            if first.text == "IF":
                self._open("IF", lexemes, packing, lexemes[1:-1])
            else:
                self._next_branch(first, lexemes[1:-1])
        elif first.is_word("ELSEIF"):
            self._wrong(first, "ELSEIF without THEN at its end", "write ELSEIF condition THEN")
            self._next_branch(first, lexemes[1:] or _always(first))
        elif first.is_word("ELSE"):
            if second is None:
                self._next_branch(first, None)
            elif second.is_word("IF") and lexemes[-1].is_word("THEN"):
                self._next_branch(first, lexemes[2:-1])
            else:
                self._wrong(second, "statements after ELSE", "put them on the next line")
                self._next_branch(first, None)
        elif first.is_word("END") and second is not None and second.is_word("IF", "WHILE"):
            self._end(first, second.text, lexemes[2:])
        elif first.is_word(*_BLOCK_ENDS) and second is None:
            self._end(first, _BLOCK_ENDS[first.text], ())
        elif first.is_word("WHILE") and not (second and second.is_symbol("=", ",")):
            self._open("WHILE", lexemes, packing, lexemes[1:])
        elif first.is_word("REPEAT") and second is None:
            self._open("REPEAT", lexemes, packing, _always(first))
        elif first.is_word("UNTIL") and not (second and second.is_symbol("=", ",")):
            self._until(first, lexemes[1:])
        else:
            self._plain(lexemes, packing)

    def _open(
        self, kind: str, lexemes: Sequence[Lexeme], packing: bool, condition: tuple[Lexeme, ...]
    ) -> None:
        if not condition:
            self._wrong(lexemes[0], f"{kind} without a condition", "write one")
        condition = condition or _always(lexemes[0])
        self._push(_Frame(kind, lexemes[0].place, [], condition=condition, packing=packing))

    def _push(self, frame: _Frame) -> None:
        if len(self._frames) > _MAX_DEPTH:
            raise SourceError(
                f"more than {_MAX_DEPTH} blocks are open",
                remedy=f"close {self._top.kind} with {_CLOSING[self._top.kind]}",
                place=frame.place,
            )
        self._frames.append(frame)

    def _closing(self, at: Lexeme, kind: str, word: str) -> _Frame | None:
        """Take the open block of a kind off; None, and a report, when there is none."""
        if self._top.kind == kind:
            return self._frames.pop()
        opened = self._top
        there = kind in self._kinds_open()
        if not there and self._closed_early[kind]:
            self._closed_early[kind] -= not word.startswith("ELSE")
            return None
        if opened.kind in ("MAIN", "SUB"):
            self._wrong(at, f"{word} without {kind}", unopened(kind, opened.nodes[-1:]))
            self._closed_early[kind] += word.startswith("ELSE")
            return None
        self._wrong(
            at,
            f"{word} while {opened.kind} at {opened.place} is open",
            f"close that with {_CLOSING[opened.kind]} first",
        )
        if not there:
            # The wrong word for its end, most likely.
            self._close_early()
            return None
        while self._top.kind != kind:
            self._close_early()
        return self._frames.pop()

    def _kinds_open(self) -> list[str]:
        """Blocks that are open in this subprogram or in the main program."""
        kinds = [frame.kind for frame in self._frames]
        return kinds[kinds.index("SUB") :] if "SUB" in kinds else kinds

    def _next_branch(self, at: Lexeme, condition: tuple[Lexeme, ...] | None) -> None:
        frame = self._closing(at, "IF", at.text)
        if frame is None:
            return
        self._frames.append(frame)
        if frame.in_else:
            self._wrong(at, f"{at.text} after ELSE", "ELSE comes last")
            return
        if condition is not None and not condition:
            self._wrong(at, "ELSEIF without a condition", "write one")
            condition = _always(at)
        self._finish_branch(frame)
        frame.nodes, frame.place = [], at.place
        frame.in_else = condition is None
        frame.condition = condition or ()

    def _finish_branch(self, frame: _Frame) -> None:
        if not frame.in_else:
            condition = tuple(with_references(frame.condition, self.report))
            frame.branches.append(Branch(condition, frame.nodes, frame.place))

    def _end(self, at: Lexeme, kind: str, rest: Sequence[Lexeme]) -> None:
        if rest:
            self._wrong(rest[0], f"{rest[0].text} after END {kind}", "begin a new line")
        frame = self._closing(at, kind, f"END {kind}")
        if frame is not None:
            self._add(frame, at.place)

    def _until(self, at: Lexeme, condition: tuple[Lexeme, ...]) -> None:
        if not condition:
            self._wrong(at, "UNTIL without a condition", "write one")
        frame = self._closing(at, "REPEAT", "UNTIL")
        if frame is not None:
            frame.condition = condition or frame.condition
            self._add(frame, at.place)

    def _add(self, frame: _Frame, end: Place) -> None:
        """Put a block that is complete where it belongs."""
        nodes = self._top.nodes
        if frame.kind == "IF":
            self._finish_branch(frame)
            nodes.append(If(frame.branches, frame.nodes if frame.in_else else None, frame.packing))
        elif frame.kind != "FOR":
            loop = Loop(frame.kind, frame.condition, frame.nodes, frame.place, end, frame.packing)
            nodes.append(loop)
        if frame.exit is not None:
            nodes.append(Label(frame.exit, end))

    def _plain(self, lexemes: tuple[Lexeme, ...], packing: bool) -> None:
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
            self._top.nodes.append(statement)
            self._push(_Frame("FOR", statement.place, self._top.nodes))
        elif word == "NEXT":
            frame = self._closing(lexemes[0], "FOR", "NEXT")
            self._top.nodes.append(statement)
            if frame is not None:
                self._add(frame, statement.place)
        else:
            if word == "IF":
                self._one_line_if(lexemes)
            self._top.nodes.append(statement)

    def _one_line_if(self, lexemes: Sequence[Lexeme]) -> None:
        """Remember what a wrong one-line IF, told elsewhere, has to do with blocks."""
        if not any(x.is_word("THEN") for x in lexemes):
            self._closed_early["IF"] += 1
        for index in starts(lexemes)[1:]:
            first, following = lexemes[index], lexemes[index + 1 : index + 2]
            if first.is_word("FOR", "WHILE", "REPEAT"):
                self._closed_early[first.text] += 1
            elif first.is_word("NEXT", "UNTIL"):
                self._ended_in_if["FOR" if first.text == "NEXT" else "REPEAT"] += 1
            elif first.is_word("END") and following and following[0].is_word("IF", "WHILE"):
                self._ended_in_if[following[0].text] += 1

    def _begin_sub(self, statement: Statement) -> None:
        self._close_all()
        name = statement.lexemes[1].text if len(statement.lexemes) > 1 else ""
        body: Body = [statement]
        self.subs.append(body)
        self._frames.append(_Frame("SUB", statement.place, body, name=name or "?"))

    def _end_sub(self, statement: Statement) -> None:
        frame = self._closing(statement.lexemes[0], "SUB", "SUBEND")
        if frame is not None:
            frame.nodes.append(statement)
        self._closed_early.clear()

    def _with_exits(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """EXIT as a jump after the loop."""
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
            if following is not None and following.is_word(*_LOOPS):
                wanted = following.text
                index += 1
            label = self._exit_label(lexeme, wanted)
            if label is None:
                continue
            if not (result and result[-1].is_word("THEN", "ELSE")):
                result.append(keyword("GOTO", lexeme.place))
            result.append(Lexeme(Kind.LABEL, label, lexeme.place))
        return result

    def _exit_label(self, at: Lexeme, wanted: str | None) -> str | None:
        for frame in reversed(self._frames):
            if frame.kind == wanted or (wanted is None and frame.kind in _LOOPS):
                if frame.exit is None:
                    frame.exit = self.keys.new()
                return frame.exit
        if not any(self._closed_early[kind] for kind in _LOOPS):
            self._wrong(at, f"EXIT outside a {wanted or 'loop'}", "use GOTO or SUBEXIT")
        return None

    def _wrong(self, at: Lexeme | _Frame, problem: str, remedy: str) -> None:
        self.report(SourceError(problem, remedy=remedy, place=at.place))

    def _with_scope(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """User's labels as keys: of this SUB; which of them exist is checked at the end."""
        return [
            Lexeme(Kind.LABEL, f"{self._scope}:{x.text}", x.place)
            if x.kind is Kind.LABEL and not x.text.startswith("%")
            else x
            for x in lexemes
        ]


def _always(at: Lexeme) -> tuple[Lexeme, ...]:
    """A condition that holds."""
    return (Lexeme(Kind.NUMBER, "1", at.place),)
