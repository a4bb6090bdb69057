"""Where each block goes if the code does not fit into high memory: there, or into which bank.

Code in a bank is as quick as code in high memory; going from one bank to another costs time. So
blocks that often follow each other lie together, and what many banks use is in high memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ti99tools.compiler import ir
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import Section
from ti99tools.compiler.graph import calls, following, ways_on
from ti99tools.compiler.heat import Heat

LOOP = 8
"""How much more a way counts with each loop around it."""
TOGETHER = LOOP**20
"""The weight of a way within a statement: its parts lie together."""
STATEMENT = 2_000
"""The most bytes of statements that lie together in any case."""
LINE_ROW, RESUME_ROW = 4, 10
"""Bytes of a line in the table of lines, and of a statement that can fail if errors are handled."""
CLUSTERS = 4
"""How many groups of blocks high memory has room for, at least."""


def sizes_of(emission: Emission) -> Counter[str]:
    """The bytes of each block: its code, its constants, and its rows in tables."""
    names = {emission.block_label(name): name for name in emission.code.blocks}
    found: Counter[str] = Counter()
    for section in emission.out.sections:
        found.update(section.constant_bytes)
        rows = dict(_rows(emission.code, section))
        block = ""
        for row in section.listing.rows:
            block = names.get(row.label, block)
            found[block] += row.size + rows.get(row.label, 0)
    return found


def _rows(code: ir.Code, section: Section) -> Iterator[tuple[str, int]]:
    """The bytes that marks have in the tables."""
    line, last = 0, None
    for mark in section.marks:
        size = LINE_ROW * (mark.spot[0] != line)
        line = mark.spot[0]
        one = mark.variant, mark.spot
        if one != last and one in code.resumes:
            size += RESUME_ROW
        last = one
        yield mark.label, size


class Placing:
    """The ways between blocks, and how often control takes them."""

    def __init__(self, code: ir.Code, heat: Heat, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self._order = {name: at for at, name in enumerate(code.blocks)}
        heats = {name: _heat(block, heat) for name, block in code.blocks.items()}
        self.ways: Counter[tuple[str, str]] = Counter()
        for block in code.blocks.values():
            spot = None if block.end is None else block.end.spot
            for one, other in _ways(block):
                if one != other:
                    pair = (one, other) if self._order[one] < self._order[other] else (other, one)
                    same = _begins(code.blocks[other]) == spot
                    self.ways[pair] += TOGETHER if same else LOOP ** min(heats[one], heats[other])
        self._strongest = sorted(self.ways, key=self._rank)
        self._beside: dict[str, list[tuple[str, int]]] = {name: [] for name in code.blocks}
        """Block → the blocks that it goes to or that go to it, and how often."""
        for (one, other), weight in self.ways.items():
            self._beside[one].append((other, weight))
            self._beside[other].append((one, weight))

    def _rank(self, pair: tuple[str, str]) -> tuple[int, int, int]:
        """Ways that are taken often come first, of these short ones."""
        first, second = (self._order[name] for name in pair)
        return -self.ways[pair], second - first, first

    def homes(self, high: int, bank: int) -> dict[str, int]:
        """Block → its section; at most `high` bytes are in high memory, and `bank` in each bank."""
        found = dict.fromkeys(self._for_high_memory(high), 0)
        groups = self._groups([name for name in self._order if name not in found], bank)
        rooms: list[int] = []
        for group in sorted(groups, key=self._size, reverse=True):
            size = self._size(group)
            ties: Counter[int] = Counter()
            members = set(group)
            for one in group:
                for other, weight in self._beside[one]:
                    if other not in members:
                        ties[found.get(other, 0)] += weight
            fitting = [at for at, room in enumerate(rooms, 1) if room >= size]
            if fitting:
                home = max(fitting, key=lambda at: (ties[at], -rooms[at - 1]))
            else:
                rooms.append(bank)
                home = len(rooms)
            rooms[home - 1] -= size
            found |= dict.fromkeys(group, home)
        return found

    def move_out(
        self, homes: dict[str, int], section: int, size: int, spare: int, bank: int
    ) -> None:
        """Move the last blocks of a section, of `size` bytes at least, to the last section if it is
        `spare` or a later one and has at most `bank` bytes then; else to a new one.
        """
        moved = []
        for name in reversed([name for name in self._order if homes[name] == section]):
            if size > 0:
                moved.append(name)
                size -= self.sizes[name]
        last = max(homes.values())
        there = self._size(name for name, home in homes.items() if home == last)
        fits = spare <= last != section and there + self._size(moved) <= bank
        homes |= dict.fromkeys(moved, last if fits else last + 1)

    def _size(self, group: Iterable[str]) -> int:
        return sum(self.sizes[name] for name in group)

    def _for_high_memory(self, high: int) -> Iterator[str]:
        """The blocks that gain most from it: others often go to them and come from them."""
        groups = self._groups(self._order, high // CLUSTERS)
        homes = {name: at for at, group in enumerate(groups) for name in group}
        outside: Counter[int] = Counter()
        for (one, other), weight in self.ways.items():
            if homes[one] != homes[other]:
                outside[homes[one]] += weight
                outside[homes[other]] += weight
        sizes = [max(1, self._size(group)) for group in groups]
        for at in sorted(range(len(groups)), key=lambda at: -outside[at] / sizes[at]):
            if sizes[at] <= high:
                high -= sizes[at]
                yield from groups[at]

    def _groups(self, names: Iterable[str], most: int) -> list[list[str]]:
        """Groups of blocks that go to each other, each of at most `most` bytes if possible."""
        group_of = {name: [name] for name in names}
        sizes = {name: self.sizes[name] for name in group_of}
        for one, other in self._strongest:
            if one not in group_of or other not in group_of:
                continue
            first, second = group_of[one], group_of[other]
            size = sizes[first[0]] + sizes[second[0]]
            limit = max(most, STATEMENT) if self.ways[one, other] >= TOGETHER else most
            if first is not second and size <= limit:
                first += second
                sizes[first[0]] = size
                group_of.update(dict.fromkeys(second, first))
        return list({id(group): group for group in group_of.values()}.values())


def _begins(block: ir.Block) -> ir.Spot | None:
    """The statement to which the beginning of a block belongs."""
    first = block.body[0] if block.body else block.end
    return None if first is None else first.spot


def _heat(block: ir.Block, heat: Heat) -> int:
    """How hot the hottest statement of a block is."""
    spots = {action.spot for action in (*block.body, block.end) if action is not None}
    return max((heat.get(spot, 0) for spot in spots), default=0)


def _ways(block: ir.Block) -> Iterator[tuple[str, str]]:
    """The blocks between which control goes at the end of a block."""
    for to in following(block):
        yield block.name, to
    for to in calls(block.end):
        for back in ways_on(block.end):
            yield to, back
