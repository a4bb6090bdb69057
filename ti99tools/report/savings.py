"""What each optimization pass saves the games: as text, and as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from ti99tools import __version__
from ti99tools.report.style import page as framed

COLUMNS = {
    "lines": "lines",
    "size": "bytes",
    "start": "to the title",
    "load": "load",
    "prescan": "pre-scan",
    "match": "match",
}
"""Key of a row → heading. The last four are seconds of the machine; None where there are none."""
SECONDS = ("start", "load", "prescan", "match")

Row = Mapping[str, Any]
"""A game after some passes: `name` of the last one, whether it was `applied`, and `COLUMNS`."""


def text(found: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """A table for each game, a line a pass; what the pass saved stands in brackets."""
    for game, rows in found.items():
        yield f"{game:12}" + "".join(f"{heading:>18}" for heading in COLUMNS.values())
        for row, before in _pairs(rows):
            cells = "".join(f"{_shown(row, key) + _saved(row, before, key):>18}" for key in COLUMNS)
            yield f"  {row['name']:10}{cells}" + ("" if row["applied"] else "  (nothing to do)")
        if len(rows) > 1:
            cells = "".join(f"{_saved(rows[-1], rows[0], key) or '-':>18}" for key in COLUMNS)
            yield f"  {'all':10}{cells}"


def page(found: Mapping[str, Sequence[Row]]) -> str:
    """The page as text."""
    body = [
        "<h1>What optimization saves</h1>",
        f'<p class="lead">ti99tools {__version__}</p>',
        "<p>Each row has one pass more than the row above. Times are seconds of the machine: from "
        "choosing Extended BASIC to the title, with loading and the pre-scan as parts of it, and "
        "of the standard match after that. In brackets: what the pass changed.</p>",
    ]
    for game, rows in found.items():
        body += _game(game, rows)
    return framed("What optimization saves", body)


def _game(game: str, rows: Sequence[Row]) -> Iterator[str]:
    yield f'<section><h2>{escape(game)}</h2><div class="wide" tabindex="0"><table><thead><tr>'
    yield '<th scope="col">pass</th>'
    yield from (f'<th scope="col" class="n">{heading}</th>' for heading in COLUMNS.values())
    yield "</tr></thead><tbody>"
    for row, before in _pairs(rows):
        note = "" if row["applied"] else " (nothing to do)"
        cells = (
            f'<td class="n">{_shown(row, key)}{_saved(row, before, key)}</td>' for key in COLUMNS
        )
        yield f'<tr><th scope="row">{escape(row["name"])}{note}</th>{"".join(cells)}</tr>'
    if len(rows) > 1:
        cells = (f'<td class="n">{_saved(rows[-1], rows[0], key) or "–"}</td>' for key in COLUMNS)
        yield f'<tr><th scope="row">all</th>{"".join(cells)}</tr>'
    yield "</tbody></table></div></section>"


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row with the one before; the first with itself."""
    return zip(rows, [*rows[:1], *rows], strict=False)


def _shown(row: Row, key: str) -> str:
    value = row[key]
    if value is None:
        return "–"
    return f"{value:.1f}" if key in SECONDS else str(value)


def _saved(row: Row, before: Row, key: str) -> str:
    """How far a row differs from another, in brackets; nothing when it does not."""
    if row[key] is None or before[key] is None:
        return ""
    change = row[key] - before[key]
    if abs(change) < (0.05 if key in SECONDS else 1):
        return ""
    return f" ({change:+.1f})" if key in SECONDS else f" ({change:+d})"
