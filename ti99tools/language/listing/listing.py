"""From tokens back to text (LIST), and the words and statements of a line.

LIST inserts spaces by one rule: two words side by side are separated by a space, symbols are not,
and a statement's keyword (tokens below B3, and USING) always has a space after it. A string counts
as a symbol before it and as a word after it: `A=B"X"`, `PRINT "X" A`; # is a word before it and a
symbol after it: `G #H`. Learned from the recorded listings; `1::PRINT` lists as `1 :: PRINT`,
`A(1)::X` as `A(1):: X`, `IF(A)THEN` as `IF (A)THEN`. Adjacent colons are separated too (`PRINT : :
:: X`), even where a line ends and the next begins with one (recorded: `80 :`, `90  ::`). So are
strings, which no editor puts side by side: they would be read back as one.

LIST, RES, the memory report and lint need to know where a token begins and what it carries, not
what it means (that is `syntax`). The walk over tokens accepts anything: what runs past the end of
the line is cut off.

Statements are numbered in order, as source maps count them. The words of Extended BASIC and of our
dialect are grouped as editors colour them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ti99tools.base import tokens as t
from ti99tools.base.tokens import TOKENS
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.syntax.cursor import NAME_BYTES

NAME = 0
"""Token value of a variable's name, which has no token of its own."""
BEGINNINGS = (
    *range(t.IF, t.LET + 1), t.BREAK, t.UNBREAK, t.TRACE, t.UNTRACE, t.INPUT, t.DATA, t.RESTORE,
    t.RANDOMIZE, t.NEXT, t.READ, t.STOP, t.DELETE, t.REM, t.ON, t.PRINT, t.CALL, t.OPTION, t.OPEN,
    t.CLOSE, t.SUB, t.DISPLAY, t.IMAGE, t.ACCEPT, t.SUBEXIT, t.SUBEND, t.RUN, t.LINPUT,
)  # fmt: skip
"""Tokens that statements begin with."""


class Element(NamedTuple):
    """One token: `tokens[start:end]`; `data` is its name, text, number (2 bytes) or comment."""

    token: int
    start: int
    end: int
    data: bytes = b""

    @property
    def text(self) -> str:
        """The data as text; code points are character codes."""
        return self.data.decode("latin-1")

    @property
    def line_number(self) -> int:
        """The line that a LINE_NUMBER token names."""
        return int.from_bytes(self.data, "big")


def commas_in(elements: Iterable[Element]) -> int:
    """The commas of the parenthesis that elements begin with, without those of inner ones."""
    depth = commas = 0
    for element in elements:
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        commas += depth == 1 and element.token == t.COMMA
        if not depth:
            break
    return commas


@lru_cache(maxsize=4096)
def scan(tokens: bytes) -> tuple[Element, ...]:
    """The elements of a line, up to its end or a 00 byte.

    The last lines are cached, because lint and the pre-scan ask for each a dozen times.
    """
    return tuple(_elements(tokens))


def _elements(tokens: bytes) -> Iterator[Element]:
    index = 0
    size = len(tokens)
    while index < size and tokens[index]:
        token = tokens[index]
        start = index
        index += 1
        if token < 0x80:
            match = NAME_BYTES.match(tokens, start)
            index = match.end() if match else index
            yield Element(NAME, start, index, tokens[start:index])
        elif token in (t.QUOTED, t.UNQUOTED):
            length = tokens[index] if index < size else 0
            end = min(index + 1 + length, size)
            yield Element(token, start, end, tokens[index + 1 : end])
            index = end
        elif token == t.LINE_NUMBER:
            end = min(index + 2, size)
            yield Element(token, start, end, tokens[index:end])
            index = end
        elif token in (t.REM, t.BANG):
            end = tokens.find(0, index)
            end = size if end < 0 else end
            yield Element(token, start, end, tokens[index:end])
            index = end
        else:
            yield Element(token, start, index)


LIST_WIDTH = 80
"""Columns of a listing written to a file or printer opened by LIST."""

_SYMBOLS = frozenset(
    token for token, word in t.KEYWORDS.items() if not word[0].isalpha() and token >= t.COMMA
)
_COLONS = frozenset((t.COLON, t.STATEMENT_SEP))
_ROOM_AFTER = frozenset((*range(t.ELSE, t.COMMA), t.USING))


class Line(NamedTuple):
    """One program line: number 1–32767 and token bytes without the final 00."""

    number: int
    tokens: bytes


def list_tokens(tokens: bytes, after_colon: bool = False) -> str:
    """A line's text as LIST shows it, without its number; code points are character codes.

    `after_colon`: the line before it in the listing ends with a colon. Accepts anything: a token
    without a word is shown as the character of its code.
    """
    return "".join(blank + text for _, blank, text in _parts(tokens, after_colon))


def listed_marks(number: int, tokens: bytes) -> tuple[tuple[int, int], ...]:
    """Where LIST shows each token: (offset in the tokens, 1-based column), ascending."""
    column = len(str(number)) + 2
    marks: list[tuple[int, int]] = []
    for offset, blank, text in _parts(tokens):
        column += len(blank)
        marks.append((offset, column))
        column += len(text)
    return tuple(marks)


def _parts(tokens: bytes, after_colon: bool = False) -> Iterator[tuple[int, str, str]]:
    """For each token its offset, the space before it, and its text."""
    room = False  # a space is due before any token
    word = False  # a space is due before a word
    quotes = False  # a space is due before a string
    colon = after_colon  # a space is due before a colon
    for element in scan(tokens):
        token = element.token
        symbol = token in _SYMBOLS
        quoted = token == t.QUOTED
        colons = colon and token in _COLONS
        apart = quotes if quoted else word and (not symbol or token == t.HASH)
        yield element.start, " " if room or colons or apart else "", _text(element)
        room = token in _ROOM_AFTER
        word = not symbol
        quotes = quoted
        colon = token == t.COLON


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
    """Cut a listed line into records of `width`, as LIST to a file does (regardless of words)."""
    return [line[i : i + width] for i in range(0, len(line), width)] or [""]


def statement_offsets(tokens: bytes) -> Iterator[int]:
    """Where the statements of a line begin, with those after THEN and ELSE; without remarks."""
    start: int | None = 0
    for element in scan(tokens):
        if element.token in (t.REM, t.BANG):
            return
        if start is not None:
            if element.token != t.LINE_NUMBER:
                yield start
            start = None
        if element.token in (t.STATEMENT_SEP, t.THEN, t.ELSE):
            start = element.end


FUNCTIONS = tuple(
    """
    EOF ABS ATN COS EXP INT LOG SGN SIN SQR TAN LEN CHR$ RND SEG$ POS VAL STR$ ASC PI REC MAX
    MIN RPT$ TAB
    """.split()
)
OPERATORS = ("AND", "OR", "XOR", "NOT")
ADDED = tuple(
    """
    WHILE REPEAT UNTIL EXIT ELSEIF SELECT CASE IS CONST ENUM PROC LOCAL OUT RANGE KEEP ENDIF
    ENDWHILE ENDSELECT WEND
    """.split()
)
"""Words that the dialect adds."""


def statements() -> list[str]:
    """The other words of Extended BASIC."""
    words = (word for word in TOKENS if word[0].isalpha())
    return [word for word in words if word not in FUNCTIONS and word not in OPERATORS]


def word_lists() -> dict[str, list[str]]:
    """All groups by name: functions, operators, added, statements, subprograms."""
    return {
        "functions": list(FUNCTIONS),
        "operators": list(OPERATORS),
        "added": list(ADDED),
        "statements": statements(),
        "subprograms": sorted(SUBPROGRAMS),
    }
