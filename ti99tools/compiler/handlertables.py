"""Tables for ON ERROR: where an error may come from, and where control goes on then."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.compiler.emit.emission import Emission

END = ">FFFF"


def resume_table(made: Emission) -> Iterator[str]:
    """Rows of RESUMS, by address: where code of a statement begins that can fail, its block, the
    block of the next statement, and the handlers of its variant; then the tables of handlers.
    """
    code = made.code
    if not code.handlers:
        return
    yield "RESUMS"
    labels = {variant: f"HT{number}" for number, variant in enumerate(code.handlers)}
    last = None
    for (name, spot), variant in zip(made.out.marks, made.out.variants, strict=True):
        ways = code.resumes.get((variant, spot))
        row = (variant, spot)
        if ways is None or row == last or not all(way in code.blocks for way in ways):
            continue
        last = row
        again, after = map(made.block_label, ways)
        yield f"       DATA {name},{again},{after},{labels[variant]}"
    yield f"       DATA {END}"
    for variant, blocks in code.handlers.items():
        # A variant in which nothing that is reached can fail has no handlers.
        there = ["0" if name not in code.blocks else made.block_label(name) for name in blocks]
        yield f"{labels[variant]:<6} DATA {','.join(there)}"
