"""Rows split after so many of their statements."""

import pytest

from ti99tools.language.listing.listing import list_tokens
from ti99tools.language.optimize.rows import Part, split
from ti99tools.language.program.program import Program

LINE, NEXT = Program.from_listing("100 A=1 :: B=2 :: C=3\n110 D=4\n").lines
ROW = (Part(100, LINE.tokens), Part(110, NEXT.tokens))


@pytest.mark.parametrize(
    ("statements", "head", "tail", "first"),
    [
        (1, "A=1", ["B=2 :: C=3", "D=4"], 1),
        (2, "A=1 :: B=2", ["C=3", "D=4"], 2),
        (3, "A=1 :: B=2 :: C=3", ["D=4"], 0),
    ],
)
def test_a_row_is_split_after_some_statements(
    statements: int, head: str, tail: list[str], first: int
) -> None:
    left, right = split(ROW, statements)
    assert [list_tokens(part.tokens).strip() for part in left] == [head]
    assert [list_tokens(part.tokens).strip() for part in right] == tail
    assert right[0].first == first
    assert [part.number for part in right] == [100, 110][-len(tail) :]
