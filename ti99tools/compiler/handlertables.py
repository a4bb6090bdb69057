"""Tables of addresses: where control goes on after an error, and who uses a DEF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.ir import Spot

END = ">FFFF"


def resume_table(emission: Emission) -> Iterator[str]:
    """Rows of RESUMS, by address: where code of a statement begins that can fail, its block, the
    block of the next statement, the handlers of its variant, its line; then the handlers.
    """
    code = emission.code
    if "CAUGHT" not in emission.out.used:
        return
    yield "RESUMS"
    labels = {variant: f"HT{number}" for number, variant in enumerate(code.handlers)}
    last = None
    for (name, spot), variant in zip(emission.out.marks, emission.out.variants, strict=True):
        ways = code.resumes.get((variant, spot))
        row = (variant, spot)
        if ways is None or row == last or not all(way in code.blocks for way in ways):
            continue
        last = row
        again, after = map(emission.block_label, ways)
        yield f"       DATA {name},{again},{after},{labels[variant]},{spot[0]}"
    yield f"       DATA {END}"
    for variant, blocks in code.handlers.items():
        # A variant in which nothing that is reached can fail has no handlers.
        there = ["0" if name not in code.blocks else emission.block_label(name) for name in blocks]
        yield f"{labels[variant]:<6} DATA {','.join(there)}"


ITSELF = -1
"""In place of a line: a DEF uses itself."""


def function_table(emission: Emission) -> Iterator[str]:
    """Rows of DEFS, by address: where code of a DEF begins and ends, and the lines from which it
    was used, the innermost first; then these lines.
    """
    if "INDEF" not in emission.out.used:
        return
    chains: dict[tuple[int, ...], str] = {}
    names = [name for name, _ in emission.out.marks]
    yield "DEFS"
    ends = [*names[1:], "LINES"]
    for (name, spot), inside, end in zip(
        emission.out.marks, emission.out.insides, ends, strict=True
    ):
        if inside:
            chain = tuple(_callers(spot, inside))
            yield f"       DATA {name},{end},{chains.setdefault(chain, f'DC{len(chains)}')}"
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
