"""Two screens side by side as text, for people who look for the difference."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

EDGE, CURSOR = "\x1f", "\x1e"


def visible(row: str) -> str:
    """A row with its edge characters as `.`, the cursor as `_`, other codes as `~`."""
    return "".join(
        "." if c == EDGE else "_" if c == CURSOR else c if " " <= c <= "~" else "~" for c in row
    )


def side_by_side(
    left: Sequence[str],
    right: Sequence[str],
    wrong: Collection[int],
    names: tuple[str, str] = ("left", "right"),
) -> Iterator[str]:
    """The rows of two screens side by side; those in `wrong` (from 0) are marked `!`.

    Rows are strings of code points. Rows that are blank on both sides and not wrong are left out.
    """
    yield f"   {names[0]:32} | {names[1]}"
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        if a.strip(f" {EDGE}") or b.strip(f" {EDGE}") or row in wrong:
            mark = "!" if row in wrong else " "
            yield f"{row + 1:2}{mark}{visible(a)} | {visible(b)}"
