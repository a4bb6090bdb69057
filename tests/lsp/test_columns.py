"""Columns of editors, which count UTF-16 units, and ours, which count characters."""

import pytest

from ti99tools.fronts.lsp.documents import column, units


@pytest.mark.parametrize(
    ("row", "characters", "count"),
    [("ABC", 2, 2), ("Aä€C", 3, 3), ("A🎲C", 2, 3), ("🎲🎲C", 2, 4), ("AB", 2, 2)],
)
def test_a_column_goes_there_and_back(row: str, characters: int, count: int) -> None:
    assert units(row, characters) == count
    assert column(row, count) == characters


def test_a_column_after_the_end_is_the_end() -> None:
    assert column("A🎲", 99) == 2
