"""From tokens back to text: LIST.

LIST puts blanks by one rule: two words side by side are parted by a blank, symbols are not, and a
statement's keyword (tokens below B3) always has a blank behind it. Learned from the recorded
listings; `1::PRINT` lists as `1 :: PRINT`, `A(1)::X` as `A(1):: X`, `IF(A)THEN` as `IF (A)THEN`.
Colons side by side are parted too (`PRINT : : :: X`), as the console must have it to read them
again (not recorded).
"""

from __future__ import annotations

from ti99tools.base import tokens as t
from ti99tools.source.scan import NAME, Element, scan

LIST_WIDTH = 80
"""Columns of a listing written to a file or printer opened by LIST."""

_SYMBOLS = frozenset(
    token for token, word in t.KEYWORDS.items() if not word[0].isalpha() and token >= t.COMMA
)
_COLONS = frozenset((t.COLON, t.STATEMENT_SEP))
_ROOM_BEHIND = range(t.ELSE, t.COMMA)


def list_tokens(tokens: bytes) -> str:
    """A line's text as LIST shows it, without its number; code points are character codes.

    Total: a token that has no word stands as the character of its code.
    """
    parts: list[str] = []
    room = False  # a blank is due before any token
    word = False  # a blank is due before a word
    colon = False  # a blank is due before a colon
    for element in scan(tokens):
        token = element.token
        symbol = token in _SYMBOLS
        colons = colon and token in _COLONS
        leading = not parts and token == t.STATEMENT_SEP
        if room or leading or colons or (word and not symbol):
            parts.append(" ")
        parts.append(_text(element))
        room = token in _ROOM_BEHIND
        word = not symbol
        colon = token == t.COLON
    return "".join(parts)


def _text(element: Element) -> str:
    token = element.token
    if token == t.QUOTED:
        return '"' + element.text.replace('"', '""') + '"'
    if token == t.LINE_NUMBER:
        return str(element.line_number)
    if token in (NAME, t.UNQUOTED):
        return element.text
    return t.KEYWORDS.get(token, chr(token)) + element.text


def list_line(number: int, tokens: bytes) -> str:
    """A whole line as LIST shows it, e.g. `100 PRINT "A";B`."""
    return f"{number} {list_tokens(tokens)}"


def wrap(line: str, width: int = LIST_WIDTH) -> list[str]:
    """Cut a listed line into records of `width`, as LIST to a file does (no regard for words)."""
    return [line[i : i + width] for i in range(0, len(line), width)] or [""]
