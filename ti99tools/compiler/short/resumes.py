"""Where control goes on after errors: the table in few bytes, see the runtime's resume.a99."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise

from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import END, Resume, handler_rows, resumes_of
from ti99tools.compiler.emit.sections import line_of

_WITH_LINE, _EXPLICIT = 254, 255


def short_resumes(emission: Emission, offsets: Mapping[str, int], end: int) -> Iterator[str]:
    """Rows of the tables RESUMS and RESVAR, and the handlers.

    `offsets` of all labels in the code, which has `end` bytes.
    """
    rows = list(resumes_of(emission))
    if not rows:  # nothing can fail
        yield from ("RESUMS", f"       DATA {END}", "RESVAR", f"       DATA {END},0")
        yield from handler_rows(emission)
        return
    base = offsets[rows[0].mark]
    data = bytearray()
    marks = [*(offsets[row.mark] for row in rows), end]
    lines = _Lines(emission, offsets)
    for row, (mark, following) in zip(rows, pairwise(marks), strict=True):
        if lines.at(offsets[row.again]) != row.line:
            data += _words(_WITH_LINE, row, base, offsets) + row.line.to_bytes(2)
        else:
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
        if 0 < after - mark < _WITH_LINE:
            return bytes((after - mark,))
    return _words(_EXPLICIT, row, base, offsets)


def _words(code: int, row: Resume, base: int, offsets: Mapping[str, int]) -> bytes:
    words = ((offsets[label] - base) & 0xFFFF for label in (row.again, row.after))
    return bytes((code,)) + b"".join(word.to_bytes(2) for word in words)


class _Lines:
    """The lines that the runtime finds for places."""

    def __init__(self, emission: Emission, offsets: Mapping[str, int]) -> None:
        marks = emission.out.section.marks
        self._places = [offsets[mark.label] for mark in marks]
        self._lines = [line_of(mark) for mark in marks]

    def at(self, place: int) -> int:
        """The line of the code at an offset: that of its last mark."""
        return self._lines[bisect_right(self._places, place) - 1]
