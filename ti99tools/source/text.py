"""Text pages: paragraphs wrapped to the 28 columns of PRINT and DISPLAY AT, as DATA.

The data of a text are, for each page, the number of its lines and then the lines; a 0 ends the
text. A pager is five statements of Extended BASIC (see xbasic/DIALECT.md).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ti99tools.base.errors import Place, SourceError

COLUMNS = 28
DEFAULT_ROWS = 20

Page = list[str]


def wrap_pages(
    rows: Sequence[tuple[str, Place]], *, height: int = DEFAULT_ROWS, width: int = COLUMNS
) -> list[Page]:
    """The pages of a text, lines of at most `width` characters, pages of at most `height` lines.

    Lines of a paragraph are joined and wrapped; an empty line separates paragraphs; a line that
    begins with a blank or `|` stays as it is, `^` centres it; `---` begins a new page.
    Raises SourceError for a fixed line or a word that is too wide.
    """
    pages: list[Page] = [[]]
    paragraph: list[tuple[str, Place]] = []

    def flush() -> None:
        if paragraph:
            _extend(pages, _wrapped(paragraph, width), height)
            paragraph.clear()

    for text, place in rows:
        line = text.rstrip()
        if line.startswith("---"):
            flush()
            pages.append([])
        elif not line:
            flush()
            if pages[-1] and len(pages[-1]) < height:
                pages[-1].append("")
        elif line[0] in " |^":
            flush()
            _extend(pages, [_fixed(line, place, width)], height)
        else:
            paragraph.append((line, place))
    flush()
    return [trimmed for page in pages if (trimmed := _without_blank_ends(page))]


def _extend(pages: list[Page], lines: list[str], height: int) -> None:
    """Add a paragraph; it goes to the next page whole if it fits a page but not this one."""
    if len(pages[-1]) + len(lines) > height and len(lines) <= height:
        pages.append([])
    for line in lines:
        if len(pages[-1]) >= height:
            pages.append([])
        pages[-1].append(line)


def _without_blank_ends(page: Page) -> Page:
    lines = list(page)
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def _wrapped(paragraph: Sequence[tuple[str, Place]], width: int) -> list[str]:
    for text, place in paragraph:
        for word in text.split():
            if len(word) > width:
                raise SourceError(
                    f"the word {word} is wider than {width} columns",
                    remedy="split it",
                    place=place,
                )
    joined = " ".join(text for text, _ in paragraph)
    return textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)


def _fixed(line: str, place: Place, width: int) -> str:
    text = line[1:].strip().center(width).rstrip() if line[0] == "^" else line
    if line[0] == "|":
        text = line[1:]
    if len(text) > width:
        raise SourceError(
            f"the line has {len(text)} characters, a row {width}",
            remedy="shorten it",
            place=place,
        )
    return text


def data_items(pages: Sequence[Page]) -> list[str]:
    """The items of the DATA statements, as they are written there."""
    items: list[str] = []
    for page in pages:
        items.append(str(len(page)))
        items.extend('"' + line.replace('"', '""') + '"' for line in page)
    return [*items, "0"]


def data_statements(items: Sequence[str], limit: int) -> list[str]:
    """DATA statements that hold the items in order, each at most `limit` characters long."""
    statements: list[str] = []
    for item in items:
        if statements and len(statements[-1]) + 1 + len(item) <= limit:
            statements[-1] += "," + item
        else:
            statements.append("DATA " + item)
    return statements
