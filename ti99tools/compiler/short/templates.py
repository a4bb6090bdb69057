"""What a byte stands for: shapes that are used often, also several one after another.

A shape is the words of an instruction without the operands that differ from use to use.
Shapes are joined, and get operands of their own, as long as that saves bytes. A program has at most
`MOST` templates; what is used too rarely is written out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from ti99tools.compiler.emit.assembly import AssemblyRow
from ti99tools.hardware.assembler.assembling import assemble

_MEMORY = re.compile(r"@([^,(]+)(\(R\d+\))?")
_WITH_VALUE = frozenset({"LI", "AI", "ANDI", "ORI", "CI"})
_OVER_A_CALL = 2
"""The distance of a jump in a template, in words: over the call that goes on with the next step."""
BLWP = ">0420"


class Shape(NamedTuple):
    """The words of a template; None: a word that comes from the bytes. `jumps`: a jump ends it."""

    words: tuple[str | None, ...]
    jumps: bool = False

    @property
    def holes(self) -> int:
        """How many words come from the bytes."""
        return self.words.count(None)


@dataclass(slots=True)
class Step:
    """One use of a shape: its operands, and the label that it may jump to."""

    shape: Shape
    operands: tuple[str, ...] = ()
    target: str = ""


@dataclass
class Table:
    """Words in memory that code reads: the ways of an ON."""

    label: str
    words: str


Piece = Step | str | Table
"""A step, a label, or a table."""


def pieces(rows: Iterable[AssemblyRow], labels: set[str]) -> Iterator[Piece]:
    """The steps of some rows, with the labels between them."""
    waiting = list(reversed(list(rows)))
    while waiting:
        row = waiting.pop()
        if row.label:
            after = waiting[-1] if waiting else None
            if after is not None and after.operation == "DATA":
                yield Table(row.label, waiting.pop().operands)
            else:
                yield row.label
        elif row.jumps or (row.operation == "B" and row.operands[1:] in labels):
            to = row.operands.removeprefix("@")
            yield Step(_jump("JMP" if row.operation == "B" else row.operation), (), to)
        elif row.operation == "BLWP":
            data: list[str] = []
            while waiting and waiting[-1].operation == "DATA":
                data += waiting.pop().operands.split(",")
            yield Step(Shape((BLWP, row.operands[1:], *[None] * len(data))), tuple(data))
        else:
            yield _instruction(row.operation, row.operands)


def _jump(operation: str) -> Shape:
    return Shape((_word(f"{operation:<4} $+{2 + 2 * _OVER_A_CALL}"),), True)


def _instruction(operation: str, operands: str) -> Step:
    found = tuple(each[0] for each in _MEMORY.findall(operands))
    plain = _MEMORY.sub(lambda each: f"@>1000{each[2] or ''}", operands)
    if operation in _WITH_VALUE:
        plain, _, value = operands.partition(",")
        found, plain = (value,), f"{plain},>1000"
    elif operation == "LIMI":
        found, plain = (operands,), ">1000"
    return Step(Shape((_word(f"{operation:<4} {plain}"), *[None] * len(found))), found)


@lru_cache(maxsize=4096)
def _word(instruction: str) -> str:
    """The first word of an instruction."""
    image = assemble(f"       AORG >A000\n       {instruction}\n       END\n").image()
    return f">{int.from_bytes(image.data[:2], 'big'):04X}"


FIRST = 254
"""Templates that one byte names, besides the one for words that follow themselves, and the one for
templates that two bytes name.
"""
MOST = FIRST + 256
"""Templates that a program may have."""
MOST_WORDS = 15
"""Words of a template: each has a bit of its first word, which a further bit ends."""
WRITTEN_WORDS = 7
"""Words of a step that is written out."""
_ROUNDS, _AT_ONCE, _LEAST_GAIN = 60, 12, 2
_USUAL, _WRITTEN = 1.3, 2.5
"""Bytes of an operand, and of a word that is written out."""
Segment = list[Step]
"""Steps without a label between them."""


def _cost(shape: Shape) -> int:
    """The bytes of a template: its address, its bits, its words."""
    return 4 + 2 * (len(shape.words) - shape.holes)


class Join(NamedTuple):
    """A step of one shape, then one of another."""

    first: Shape
    second: Shape

    @property
    def shape(self) -> Shape:
        """The shape of both."""
        return Shape(self.first.words + self.second.words, self.second.jumps)


class Given(NamedTuple):
    """A shape, the number of one of its operands, and what that is."""

    first: Shape
    number: int
    word: str

    @property
    def shape(self) -> Shape:
        """The shape that has this operand itself."""
        words = self.first.words
        at = [n for n, each in enumerate(words) if each is None][self.number]
        return Shape((*words[:at], self.word, *words[at + 1 :]), self.first.jumps)


Change = Join | Given


def templates(segments: list[Segment]) -> list[Shape]:
    """Choose templates, and change the steps to those that they have.

    Shapes of steps that are not among the templates are written out.
    """
    own = _worth_a_byte(segments)
    for _ in range(_ROUNDS):
        uses = Counter(step.shape for segment in segments for step in segment)
        uses = Counter({shape: count for shape, count in uses.items() if shape in own})
        most = max(0, min(MOST - len(uses), _AT_ONCE))
        changes = {change: change.shape for change in islice(_changes(segments, uses), most)}
        if not changes:
            break
        own |= set(changes.values())
        for segment in segments:
            segment[:] = _changed(segment, changes)
    uses = Counter(step.shape for segment in segments for step in segment)
    return [shape for shape, _ in uses.most_common() if shape in own]


def _worth_a_byte(segments: list[Segment]) -> set[Shape]:
    """The shapes that get a template: those that would take more bytes written out."""
    uses = Counter(step.shape for segment in segments for step in segment)

    def gain(shape: Shape) -> float:
        own = len(shape.words) - shape.holes
        return uses[shape] * (1 + _WRITTEN * own) - _cost(shape)

    must = {shape for shape in uses if shape.jumps or len(shape.words) > WRITTEN_WORDS}
    good = sorted((s for s in uses if s not in must and gain(s) > 0), key=gain, reverse=True)
    return must | set(good[: MOST - len(must)])


def _changes(segments: list[Segment], uses: Counter[Shape]) -> Iterator[Change]:
    """What saves most, the best first; no shape twice."""
    counts: Counter[Change] = Counter()
    for segment in segments:
        for step, after in pairwise(segment):
            if not step.shape.jumps:
                counts[Join(step.shape, after.shape)] += 1
        for step in segment:
            for number, word in enumerate(step.operands):
                counts[Given(step.shape, number, word)] += 1
    gains = ((_gain(change, count, uses), change) for change, count in counts.items() if count > 2)
    found = [each for each in gains if each[0] >= _LEAST_GAIN]
    found.sort(key=lambda each: each[0], reverse=True)
    taken: set[Shape] = set()
    for _, change in found:
        both = {*change} if isinstance(change, Join) else {change.first}
        if not both & taken:
            taken |= both
            yield change


def _gain(change: Change, count: int, uses: Counter[Shape]) -> float:
    """The bytes that a change saves."""
    both = {*change} if isinstance(change, Join) else {change.first}
    if not all(shape in uses for shape in both):
        return 0
    words = sum(len(shape.words) for shape in change) if isinstance(change, Join) else 0
    if words > MOST_WORDS:
        return 0
    saved = count * (1 if isinstance(change, Join) else _USUAL)
    return saved - _cost(change.shape) + sum(_cost(one) for one in both if uses[one] == count)


def _changed(segment: Segment, changes: Mapping[Change, Shape]) -> Segment:
    """The steps of a segment with new shapes."""
    found: Segment = []
    for step in segment:
        before = found[-1] if found else None
        shape = before and changes.get(Join(before.shape, step.shape))
        if before and shape:
            found[-1] = Step(shape, before.operands + step.operands, step.target)
        else:
            found.append(step)
    return [_with_given(step, changes) for step in found]


def _with_given(step: Step, changes: Mapping[Change, Shape]) -> Step:
    for number, word in enumerate(step.operands):
        shape = changes.get(Given(step.shape, number, word))
        if shape is not None:
            rest = step.operands[:number] + step.operands[number + 1 :]
            return Step(shape, rest, step.target)
    return step


def used(segments: Iterable[Segment]) -> Counter[str]:
    """How often each operand is used."""
    return Counter(word for segment in segments for step in segment for word in step.operands)
