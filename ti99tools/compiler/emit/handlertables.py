"""Tables of addresses: where control goes on after an error, and who uses a DEF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import Section
from ti99tools.compiler.ir import Spot
from ti99tools.computer.console.compiledmemory import NOWHERE

END = ">FFFF"


class Resume(NamedTuple):
    """Labels: where code of a statement begins that can fail, its block, the block of the next
    statement, the handlers of its variant; and its line.
    """

    mark: str
    again: str
    after: str
    handlers: str
    line: int


def resume_table(emission: Emission) -> Iterator[str]:
    """Rows of RESUMS of the section, by address; then the handlers."""
    yield f"RESUMS{emission.out.section.suffix}"
    for row in resumes_of(emission):
        yield f"       DATA {','.join(map(str, row))}"
    yield f"       DATA {END}"
    yield from handler_rows(emission)


def resumes_of(emission: Emission) -> Iterator[Resume]:
    """Where control goes on after an error in the section."""
    code, labels = emission.code, _handler_labels(emission)
    last = None
    for name, spot, variant, _ in emission.out.section.marks:
        ways = code.resumes.get((variant, spot))
        row = (variant, spot)
        if variant in code.certain:
            # One row is enough: its handlers, which are not there, tell that none is called.
            row = (variant, NOWHERE)
        if ways is None or row == last or not all(way in code.blocks for way in ways):
            continue
        last = row
        again, after = map(emission.way, ways)
        yield Resume(name, again, after, labels[variant], spot[0])


def _handler_labels(emission: Emission) -> dict[str, str]:
    end = emission.out.section.suffix
    return {variant: f"HT{number}{end}" for number, variant in enumerate(emission.code.handlers)}


def handler_rows(emission: Emission) -> Iterator[str]:
    """The handlers of each variant of the section."""
    code, labels = emission.code, _handler_labels(emission)
    used = {mark.variant for mark in emission.out.section.marks}
    for variant, blocks in code.handlers.items():
        if variant not in used and emission.banked:
            continue
        # A variant in which nothing that is reached can fail has no handlers.
        there = ["0" if name not in code.blocks else emission.way(name) for name in blocks]
        yield f"{labels[variant]:<6} DATA {','.join(there)}"


ITSELF = -1
"""In place of a line: a DEF uses itself."""


def function_table(section: Section) -> Iterator[str]:
    """Rows of DEFS, by address: where code of a DEF begins and ends, its line and those from which
    it was used, the innermost first; then these lines.
    """
    chains: dict[tuple[int, ...], str] = {}
    own = section.suffix
    yield f"DEFS{own}"
    ends = [*(mark.label for mark in section.marks[1:]), section.end]
    for (name, spot, _, inside), end in zip(section.marks, ends, strict=False):
        if inside:
            chain = inside[-1][0], *_callers(spot, inside)
            label = chains.setdefault(chain, f"DC{len(chains)}{own}")
            yield f"       DATA {name},{end},{label}"
    yield f"       DATA {END}"
    for chain, label in chains.items():
        yield f"{label:<6} DATA {','.join(map(str, chain))},0"


def _callers(spot: Spot, inside: tuple[Spot, ...]) -> Iterator[int]:
    """The lines that a message names after that of the innermost DEF."""
    last = 0
    for inner, outer in pairwise([*reversed(inside), spot]):
        if inner != outer:
            last = outer[0]
            yield last
        elif last != ITSELF:
            last = ITSELF
            yield last
