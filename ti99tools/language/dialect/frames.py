"""The tree of blocks that a source is, and the blocks open while it is read.

The tree of blocks that a source is, of IF, WHILE and REPEAT with what is in them.

The blocks that are open while a source is read, and what is wrong with how they close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ti99tools.base.errors import Place, SourceError
from ti99tools.language.dialect.lexer import Lexeme, Report
from ti99tools.language.dialect.misspelt import unopened
from ti99tools.language.dialect.statements import Statement, starts


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


class Keys:
    """Names for the labels that the generator itself needs."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        """A key no user's label has."""
        return f"%{next(self._numbers)}"


Condition = tuple[Lexeme, ...]


def mapped(
    body: Body,
    turn: Callable[[Statement], Iterable[Node]],
    ask: Callable[[Condition], Condition] = lambda condition: condition,
) -> Body:
    """A body with other statements in place of each one, and conditions that `ask` gives."""
    result: Body = []
    for node in body:
        if isinstance(node, Statement):
            result += turn(node)
        elif isinstance(node, If):
            branches = [
                Branch(ask(branch.condition), mapped(branch.body, turn, ask), branch.place)
                for branch in node.branches
            ]
            otherwise = None if node.otherwise is None else mapped(node.otherwise, turn, ask)
            result.append(If(branches, otherwise, node.packing))
        elif isinstance(node, Loop):
            inner = mapped(node.body, turn, ask)
            result.append(replace(node, condition=ask(node.condition), body=inner))
        else:
            result.append(node)
    return result


def statements_of(body: Body) -> Iterator[Statement]:
    """All statements of a body, in the order of the text."""
    for node in body:
        if isinstance(node, Statement):
            yield node
        elif isinstance(node, If):
            for part in (*(branch.body for branch in node.branches), node.otherwise or []):
                yield from statements_of(part)
        elif isinstance(node, Loop):
            yield from statements_of(node.body)


def lexemes_of(body: Body) -> Iterator[Lexeme]:
    """The lexemes of all statements and conditions of a body, in the order of the text."""
    for node in body:
        if isinstance(node, Statement):
            yield from node.lexemes
        elif isinstance(node, If):
            for branch in node.branches:
                yield from branch.condition
                yield from lexemes_of(branch.body)
            yield from lexemes_of(node.otherwise or [])
        elif isinstance(node, Loop):
            yield from node.condition
            yield from lexemes_of(node.body)


CLOSING = {
    "IF": "END IF",
    "SELECT": "END SELECT",
    "WHILE": "END WHILE",
    "REPEAT": "UNTIL",
    "FOR": "NEXT",
    "SUB": "SUBEND",
    "PROC": "END PROC",
}
"""Kinds of blocks, and what closes them."""
LOOPS = ("FOR", "WHILE", "REPEAT")
ENDED = ("IF", "SELECT", "WHILE")
"""What END and another word close."""
_PARTS = ("ELSE", "CASE")
"""What words that part a block begin with."""
_ROUTINES = ("MAIN", "SUB", "PROC")
_MAX_DEPTH = 100


@dataclass
class Frame:
    """An open block and what it has collected; `place` is where it was opened."""

    kind: str
    place: Place
    nodes: Body
    part: Place | None = None
    """Where its last part begins, if it has been parted: an ELSE, a CASE."""
    exit: str | None = None
    """The label after the block, once an EXIT asked for it."""
    condition: tuple[Lexeme, ...] = ()
    branches: list[Branch] = field(default_factory=list)
    in_else: bool = False
    packing: bool = True
    name: str = ""
    chosen: tuple[Lexeme, ...] = ()
    """What a SELECT CASE chooses by: a variable or a literal."""
    variable: str = ""
    """What a FOR counts, as far as it says so."""


class Frames:
    """The open blocks, outermost first; `add` puts one that is complete where it belongs.

    A block that is closed wrongly is reported, and then taken as it was most likely meant.
    """

    def __init__(self, main: Body, report: Report, add: Callable[[Frame, Place], None]) -> None:
        self._report = report
        self._add = add
        self._frames = [Frame("MAIN", Place(), main)]
        self._closed_early: Counter[str] = Counter()
        """Kinds of blocks whose ends may still come although the blocks are gone."""
        self._ended_in_if: Counter[str] = Counter()
        """Kinds of blocks that an end within a one-line IF was meant to close."""

    @property
    def top(self) -> Frame:
        """The innermost open block."""
        return self._frames[-1]

    @property
    def scope(self) -> str:
        """The subprogram that is being read; empty in the main program."""
        return self._frames[1].name if len(self._frames) > 1 and self._frames[1].name else ""

    def count(self, kind: str) -> int:
        """How many blocks of a kind are open."""
        return sum(frame.kind == kind for frame in self._frames)

    def push(self, frame: Frame) -> None:
        """Open a block. Raises SourceError when far too many are."""
        if len(self._frames) > _MAX_DEPTH:
            raise SourceError(
                f"more than {_MAX_DEPTH} blocks are open",
                remedy=f"close {self.top.kind} with {CLOSING[self.top.kind]}",
                place=frame.place,
            )
        self._frames.append(frame)

    def close(self, at: Lexeme, kind: str, word: str) -> Frame | None:
        """Take the open block of a kind off; None, and a report, when there is none."""
        if self.top.kind == kind:
            return self._frames.pop()
        opened = self.top
        there = kind in self._kinds()
        if not there and self._closed_early[kind]:
            self._closed_early[kind] -= not word.startswith(_PARTS)
            return None
        if opened.kind in _ROUTINES:
            self._wrong(at.place, f"{word} without {kind}", unopened(kind, opened.nodes[-1:]))
            self._closed_early[kind] += word.startswith(_PARTS)
            return None
        self._wrong(
            at.place,
            f"{word} while {opened.kind} at {opened.place} is open",
            f"close that with {CLOSING[opened.kind]} first",
        )
        if not there:
            # The wrong word for its end, most likely.
            self._close_early()
            return None
        while self.top.kind != kind:
            self._close_early()
        return self._frames.pop()

    def part(self, at: Lexeme, kind: str) -> Frame | None:
        """The open block that a word such as ELSE parts; None, and a report, when there is none."""
        frame = self.close(at, kind, at.text)
        if frame is not None:
            self._frames.append(frame)
        return frame

    def close_all(self) -> None:
        """What is open now should have been closed."""
        for frame in self._frames[1:]:
            if not self._ended_in_if[frame.kind]:
                remedy = f"close it with {CLOSING[frame.kind]}"
                self._wrong(frame.place, f"{frame.kind} is not closed", remedy)
        while len(self._frames) > 1:
            self._close_early()
        self._closed_early.clear()
        self._ended_in_if.clear()

    def forgive(self) -> None:
        """A subprogram is complete: what was closed early in it does not matter any more."""
        self._closed_early.clear()

    def forgive_one(self, kind: str) -> None:
        """A block that was begun wrongly is not open: its parts and its end may come."""
        self._closed_early[kind] += 1

    def one_line_if(self, lexemes: Sequence[Lexeme]) -> None:
        """Remember what a wrong one-line IF, told elsewhere, has to do with blocks."""
        if not any(x.is_word("THEN") for x in lexemes):
            self._closed_early["IF"] += 1
        for index in starts(lexemes)[1:]:
            first, following = lexemes[index], lexemes[index + 1 : index + 2]
            if first.is_word("FOR", "WHILE", "REPEAT", "SELECT"):
                self._closed_early[first.text] += 1
            elif first.is_word("NEXT", "UNTIL"):
                self._ended_in_if["FOR" if first.text == "NEXT" else "REPEAT"] += 1
            elif first.is_word("END") and following and following[0].is_word(*ENDED):
                self._ended_in_if[following[0].text] += 1

    def loop(self, at: Lexeme, wanted: str | None) -> Frame | None:
        """The innermost loop, of the kind wanted if any; None, and a report, when there is none."""
        for frame in reversed(self._frames):
            if frame.kind == wanted or (wanted is None and frame.kind in LOOPS):
                return frame
        if not any(self._closed_early[kind] for kind in LOOPS):
            self._wrong(at.place, f"EXIT outside a {wanted or 'loop'}", "use GOTO or SUBEXIT")
        return None

    def _close_early(self) -> None:
        """Close the innermost block where its end is missing."""
        frame = self._frames.pop()
        self._closed_early[frame.kind] += 1
        if frame.kind not in _ROUTINES:
            self._add(frame, frame.place)

    def _kinds(self) -> list[str]:
        """Blocks that are open in this subprogram or PROC, or in the main program."""
        kinds = [frame.kind for frame in self._frames]
        inner = len(kinds) > 1 and kinds[1] in _ROUTINES
        return kinds[1:] if inner else kinds

    def _wrong(self, place: Place, problem: str, remedy: str) -> None:
        self._report(SourceError(problem, remedy=remedy, place=place))
