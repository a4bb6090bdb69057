"""Ranges of numbers: what a comparison leaves of them."""

from math import inf

import pytest

from ti99tools.language.analysis.intervals import Interval, within

WHOLE, HALVES = Interval(0, 10), Interval(0, 10, whole=False)
FIVE, ABOUT_FIVE = Interval(5, 5), Interval(5, 6, whole=False)


@pytest.mark.parametrize(
    ("own", "relation", "other", "left"),
    [
        (WHOLE, "lt", FIVE, Interval(0, 4)),
        (WHOLE, "le", FIVE, Interval(0, 5)),
        (WHOLE, "gt", FIVE, Interval(6, 10)),
        (WHOLE, "ge", FIVE, Interval(5, 10)),
        # 4.5 is less than 5, and 5 is less than 5.5.
        (HALVES, "lt", FIVE, Interval(0, 5, whole=False)),
        (HALVES, "gt", FIVE, Interval(5, 10, whole=False)),
        (WHOLE, "lt", ABOUT_FIVE, Interval(0, 6)),
        (WHOLE, "gt", ABOUT_FIVE, Interval(5, 10)),
        (WHOLE, "eq", FIVE, FIVE),
        (WHOLE, "ne", Interval(0, 0), Interval(1, 10)),
        (WHOLE, "ne", Interval(10, 10), Interval(0, 9)),
        (HALVES, "ne", Interval(0, 0), HALVES),
        (WHOLE, "gt", Interval(10, inf), None),
    ],
)
def test_what_a_comparison_leaves(
    own: Interval, relation: str, other: Interval, left: Interval | None
) -> None:
    assert within(own, relation, other) == left
