"""Line numbers that are out of order: one alone is a mistake, several are not."""

import pytest

from ti99tools.language.program.sourcefile import Source


@pytest.mark.parametrize(
    ("numbers", "stray"),
    [
        ((100, 110, 1120, 130, 140), 1120),
        ((100, 110, 12, 130, 140), 12),
        ((100, 110, 105, 130, 140), None),
        ((100, 120, 110, 130, 140), None),
        ((100, 110, 500, 510, 120, 130), None),
        ((100, 110, 120, 500, 115), None),
    ],
)
def test_a_line_number_that_is_out_of_order_alone_is_told(
    numbers: tuple[int, ...], stray: int | None
) -> None:
    """As misread digits make them; lines that were added later are in no order either."""
    text = "".join(f"{number} PRINT {number}\n" for number in numbers)
    found = Source.of_listing(text, "a.bas").findings()
    assert [(each.code, each.line) for each in found] == ([("line-order", stray)] if stray else [])
    if stray:
        named = Source.of_listing(f"{text}900 GOTO {stray}\n", "a.bas").findings()
        assert named == [], "a line that is named has its number"
