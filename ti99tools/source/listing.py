"""From tokens back to text: LIST.

LIST puts blanks by one rule: two words side by side are parted by a blank, symbols are not, and a
statement's keyword (tokens below B3) always has a blank behind it. Learned from the recorded
listings; `1::PRINT` lists as `1 :: PRINT`, `A(1)::X` as `A(1):: X`, `IF(A)THEN` as `IF (A)THEN`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.base import tokens as t

LIST_WIDTH = 80
"""Columns of a listing written to a file or printer opened by LIST."""

_SYMBOLS = frozenset(
    token for token, word in t.KEYWORDS.items() if not word[0].isalpha() and token >= t.COMMA
)
_ROOM_BEHIND = range(t.ELSE, t.COMMA)


def pieces(tokens: bytes) -> Iterator[tuple[int, str]]:
    """Split a line's tokens into (token, text as listed); names have token 0.

    Ends at the end or at a 00 byte. Total: what runs over the end is cut, tokens that have no
    word stand as the character of their code.
    """
    index = 0
    while index < len(tokens) and tokens[index]:
        token = tokens[index]
        start = index
        index += 1
        if token < 0x80:
            while index < len(tokens) and 0 < tokens[index] < 0x80:
                index += 1
            yield 0, tokens[start:index].decode("latin-1")
        elif token in (t.QUOTED, t.UNQUOTED):
            length = tokens[index] if index < len(tokens) else 0
            text = tokens[index + 1 : index + 1 + length].decode("latin-1")
            index += 1 + length
            yield token, '"' + text.replace('"', '""') + '"' if token == t.QUOTED else text
        elif token == t.LINE_NUMBER:
            yield token, str(int.from_bytes(tokens[index : index + 2], "big"))
            index += 2
        elif token in (t.REM, t.BANG):
            rest = tokens[index:].split(b"\0", 1)[0]
            yield token, t.KEYWORDS[token] + rest.decode("latin-1")
            return
        else:
            yield token, t.KEYWORDS.get(token, chr(token))


def list_tokens(tokens: bytes) -> str:
    """A line's text as LIST shows it, without its number; code points are character codes."""
    parts: list[str] = []
    room = False  # a blank is due before any token
    word = False  # a blank is due before a word
    for token, text in pieces(tokens):
        symbol = token in _SYMBOLS
        leading = not parts and token == t.STATEMENT_SEP
        if room or leading or (word and not symbol):
            parts.append(" ")
        parts.append(text)
        room = token in _ROOM_BEHIND
        word = not symbol
    return "".join(parts)


def list_line(number: int, tokens: bytes) -> str:
    """A whole line as LIST shows it, e.g. `100 PRINT "A";B`."""
    return f"{number} {list_tokens(tokens)}"


def wrap(line: str, width: int = LIST_WIDTH) -> list[str]:
    """Cut a listed line into records of `width`, as LIST to a file does (no regard for words)."""
    return [line[i : i + width] for i in range(0, len(line), width)] or [""]
