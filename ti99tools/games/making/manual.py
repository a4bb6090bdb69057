"""A game's manual for the TI: Markdown turned into plain text of at most 80 columns.

Headings become capitals, tables get aligned columns, everything else is wrapped. Only the Markdown
that manuals need is supported: headings, paragraphs, lists, tables, fenced code; emphasis, code and
links within a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from ti99tools.base.errors import BuildError, Place

WIDTH = 80
"""Columns of a record, and of the usual text editors of the TI."""
GAP, INDENT = 2, 2

_PLAIN = str.maketrans(
    {
        "×": "x",
        "·": "-",
        "–": "-",
        "—": "-",
        "−": "-",
        "…": "...",
        "→": "->",
        "≥": ">=",
        "≤": "<=",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "½": "1/2",
        "\N{NO-BREAK SPACE}": " ",
    }
)
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*(?:[-*+]|\d+\.)\s+)(.*)")
_FENCE = re.compile(r"\s*```")
_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*$")
_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"(`+)(.+?)\1")


def plain_text(markdown: str, file: str | None = None) -> str:
    """The text of a manual as lines of at most `WIDTH` characters of ASCII.

    Raises BuildError, with file and line, for a character that has no ASCII form.
    """
    lines = markdown.removeprefix("\ufeff").translate(_PLAIN).splitlines()
    for number, line in enumerate(lines, 1):
        foreign = next((c for c in line if not c.isascii()), None)
        if foreign is not None:
            raise BuildError(
                f"the TI has no character {foreign!r}",
                remedy="write it in ASCII",
                place=Place(file, number, line.index(foreign) + 1),
            )
    written: list[str] = []
    for block in _blocks(lines):
        if written:
            written.append("")
        written += block
    return "".join(f"{line.rstrip()}\n" for line in written)


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of the text, block by block; blocks are separated by empty lines."""
    at = 0
    while at < len(lines):
        start = at
        if not lines[at].strip():
            at += 1
        elif heading := _HEADING.match(lines[at]):
            yield [_inline(heading[2]).upper()]
            at += 1
        elif _FENCE.match(lines[at]):
            at = _after(lines, at + 1, lambda line: _FENCE.match(line) is None)
            yield [" " * INDENT + line for line in lines[start + 1 : at]]
            at += 1
        elif lines[at].lstrip().startswith("|"):
            at = _after(lines, at, lambda line: line.lstrip().startswith("|"))
            yield _table(lines[start:at])
        elif _ITEM.match(lines[at]):
            at = _after(lines, at, lambda line: line.strip() != "")
            yield _items(lines[start:at])
        else:
            at = _after(lines, at, _is_text)
            yield wrap(_inline(" ".join(lines[start:at])), WIDTH)


def _after(lines: Sequence[str], at: int, belongs: Callable[[str], object]) -> int:
    """The number of the first line from `at` on for which `belongs` is false."""
    while at < len(lines) and belongs(lines[at]):
        at += 1
    return at


def _is_text(line: str) -> bool:
    special = (_HEADING, _FENCE, _ITEM)
    return bool(line.strip()) and not (
        line.lstrip().startswith("|") or any(kind.match(line) for kind in special)
    )


def _inline(text: str) -> str:
    """A text without Markdown's marks, except inside backquotes.

    Code that is only punctuation gets quotes, since it would be lost in the sentence.
    """
    pieces, last = [], 0
    for code in _CODE.finditer(text):
        code_text = code[2] if any(c.isalnum() for c in code[2]) else f'"{code[2]}"'
        pieces += [_unmarked(text[last : code.start()]), code_text]
        last = code.end()
    return "".join([*pieces, _unmarked(text[last:])]).strip()


def _unmarked(text: str) -> str:
    text = _LINK.sub(r"\1", text)
    return _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))


def _items(lines: Sequence[str]) -> list[str]:
    """A list, wrapped; a line that does not begin an item continues the one above."""
    items: list[tuple[str, str]] = []
    for line in lines:
        item = _ITEM.match(line)
        if item:
            items.append((item[1], item[2]))
        else:
            items[-1] = items[-1][0], f"{items[-1][1]} {line.strip()}"
    return [
        line
        for mark, text in items
        for line in wrap(
            _inline(text), WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark)
        )
    ]


def _table(lines: Sequence[str]) -> list[str]:
    """A table with aligned columns; the last one is wrapped if it is too wide."""
    rows = [
        [_inline(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        for line in lines
        if not _RULE.match(line.strip())
    ]
    columns = max(len(row) for row in rows)
    rows = [row + [""] * (columns - len(row)) for row in rows if any(row)]
    widths = [max(len(row[n]) for row in rows) for n in range(columns - 1)]
    left = sum(widths) + GAP * len(widths)
    if left > WIDTH * 3 // 4:
        return [line for row in rows for line in wrap(" ".join(filter(None, row)), WIDTH)]
    written = []
    for row in rows:
        head = "".join(
            cell.ljust(width + GAP) for cell, width in zip(row[:-1], widths, strict=True)
        )
        for line in wrap(row[-1], WIDTH - left) or [""]:
            written.append(head + line)
            head = " " * left
    return written
