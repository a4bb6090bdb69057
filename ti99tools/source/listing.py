"""From tokens back to text: LIST.

LIST puts blanks by one rule: two words side by side are parted by a blank, symbols are not, and a
statement's keyword (tokens below B3, and USING) always has a blank after it. A string counts as a
symbol before it and as a word after it: `A=B"X"`, `PRINT "X" A`. Learned from the recorded
listings; `1::PRINT` lists as `1 :: PRINT`, `A(1)::X` as `A(1):: X`, `IF(A)THEN` as `IF (A)THEN`.
Colons side by side are parted too (`PRINT : : :: X`), even where a line ends and the next begins
with one (recorded: `80 :`, `90  ::`). So are strings, which no editor puts side by side: together
they would be read back as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ti99tools.base import tokens as t
from ti99tools.source.scan import NAME, Element, scan

LIST_WIDTH = 80
"""Columns of a listing written to a file or printer opened by LIST."""

_SYMBOLS = frozenset(
    token for token, word in t.KEYWORDS.items() if not word[0].isalpha() and token >= t.COMMA
)
_COLONS = frozenset((t.COLON, t.STATEMENT_SEP))
_ROOM_AFTER = frozenset((*range(t.ELSE, t.COMMA), t.USING))


def list_tokens(tokens: bytes, after_colon: bool = False) -> str:
    """A line's text as LIST shows it, without its number; code points are character codes.

    `after_colon`: the line listed before ends with a colon. Total: a token that has no word stands
    as the character of its code.
    """
    parts: list[str] = []
    room = False  # a blank is due before any token
    word = False  # a blank is due before a word
    text = False  # a blank is due before a string
    colon = after_colon  # a blank is due before a colon
    for element in scan(tokens):
        token = element.token
        symbol = token in _SYMBOLS
        quoted = token == t.QUOTED
        colons = colon and token in _COLONS
        if room or colons or (text if quoted else word and not symbol):
            parts.append(" ")
        parts.append(_text(element))
        room = token in _ROOM_AFTER
        word = not symbol
        text = quoted
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


def list_line(number: int, tokens: bytes, after_colon: bool = False) -> str:
    """A whole line as LIST shows it, e.g. `100 PRINT "A";B`; see `list_tokens`."""
    return f"{number} {list_tokens(tokens, after_colon)}"


def list_lines(lines: Iterable[tuple[int, bytes]]) -> Iterator[str]:
    """Lines one after another as LIST shows them; number and tokens of each."""
    after_colon = False
    for number, tokens in lines:
        yield list_line(number, tokens, after_colon)
        after_colon = _ends_with_colon(tokens)


def _ends_with_colon(tokens: bytes) -> bool:
    """Tell whether the last token is a colon, not a character of a text or comment."""
    if not tokens or tokens[-1] != t.COLON:
        return False
    *_, last = scan(tokens)
    return last.token == t.COLON and not last.text


def wrap(line: str, width: int = LIST_WIDTH) -> list[str]:
    """Cut a listed line into records of `width`, as LIST to a file does (no regard for words)."""
    return [line[i : i + width] for i in range(0, len(line), width)] or [""]
