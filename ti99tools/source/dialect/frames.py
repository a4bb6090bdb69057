"""The blocks that are open while a source is read, and what is wrong with how they close."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.lexer import Lexeme
from ti99tools.source.dialect.misspelt import unopened
from ti99tools.source.dialect.mistakes import Report
from ti99tools.source.dialect.statements import starts
from ti99tools.source.dialect.tree import Body, Branch

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
    chosen: tuple[Lexeme, ...] = ()
    """What a SELECT CASE chooses by: a variable or a literal."""


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
