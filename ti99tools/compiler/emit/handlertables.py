"""Tables of addresses: where control goes on after an error, and who uses a DEF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import Section
from ti99tools.compiler.ir import Spot

END = ">FFFF"


def resume_table(emission: Emission) -> Iterator[str]:
    """Rows of RESUMS of the section, by address: where code of a statement begins that can fail,
    its block, the block of the next statement, the handlers of its variant, its line; then the
    handlers.
    """
    code, section = emission.code, emission.out.section
    end = section.suffix
    yield f"RESUMS{end}"
    labels = {variant: f"HT{number}{end}" for number, variant in enumerate(code.handlers)}
    last = None
    for name, spot, variant, _ in section.marks:
        ways = code.resumes.get((variant, spot))
        row = (variant, spot)
        if ways is None or row == last or not all(way in code.blocks for way in ways):
            continue
        last = row
        again, after = map(emission.way, ways)
        yield f"       DATA {name},{again},{after},{labels[variant]},{spot[0]}"
    yield f"       DATA {END}"
    used = {mark.variant for mark in section.marks}
    for variant, blocks in code.handlers.items():
        if variant not in used and emission.banked:
            continue
        # A variant in which nothing that is reached can fail has no handlers.
        there = ["0" if name not in code.blocks else emission.way(name) for name in blocks]
        yield f"{labels[variant]:<6} DATA {','.join(there)}"


ITSELF = -1
"""In place of a line: a DEF uses itself."""


def function_table(section: Section) -> Iterator[str]:
    """Rows of DEFS, by address: where code of a DEF begins and ends, and the lines from which it
    was used, the innermost first; then these lines.
    """
    chains: dict[tuple[int, ...], str] = {}
    own = section.suffix
    yield f"DEFS{own}"
    ends = [*(mark.label for mark in section.marks[1:]), section.end]
    for (name, spot, _, inside), end in zip(section.marks, ends, strict=False):
        if inside:
            chain = tuple(_callers(spot, inside))
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
