"""Where control goes on after errors: the table in few bytes, see the runtime's resume.a99."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import Resume, handler_rows, resumes_of

_EXPLICIT = 255


def short_resumes(emission: Emission, offsets: Mapping[str, int], end: int) -> Iterator[str]:
    """Rows of the tables RESUMS and RESVAR, and the handlers.

    `offsets` of all labels in the code, which has `end` bytes.
    """
    rows = list(resumes_of(emission))
    if not rows:
        return
    base = offsets[rows[0].mark]
    data = bytearray()
    marks = [*(offsets[row.mark] for row in rows), end]
    for row, (mark, following) in zip(rows, pairwise(marks), strict=True):
        data += _way(row, mark, following if following != end else -1, base, offsets)
        distance = following - mark
        data += bytes((distance,)) if 0 < distance < 256 else bytes((0, *distance.to_bytes(2)))
    yield "RESUMS"
    yield f"       DATA {rows[0].mark}"
    yield from byte_rows(data)
    yield "       EVEN"
    yield "RESVAR"
    for row, after in pairwise(rows):
        if after.handlers != row.handlers:
            yield f"       DATA {after.mark},{row.handlers}"
    yield f"       DATA >FFFF,{rows[-1].handlers}"
    yield from handler_rows(emission)


def _way(row: Resume, mark: int, following: int, base: int, offsets: Mapping[str, int]) -> bytes:
    """How RETURN and RETURN NEXT go on."""
    again, after = offsets[row.again], offsets[row.after]
    if again == mark:
        if after == following:
            return bytes((0,))
        if 0 < after - mark < _EXPLICIT:
            return bytes((after - mark,))
    words = ((place - base) & 0xFFFF for place in (again, after))
    return bytes((_EXPLICIT,)) + b"".join(word.to_bytes(2) for word in words)
