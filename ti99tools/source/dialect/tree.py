"""The tree of blocks that a source is, of IF, WHILE and REPEAT with what is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from ti99tools.base.errors import Place
from ti99tools.source.dialect.lexer import Lexeme
from ti99tools.source.dialect.statements import Statement


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
