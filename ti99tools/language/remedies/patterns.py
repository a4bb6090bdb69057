"""Slips as data: the kind of a statement and a pattern of its tokens → words, and a correction.

A pattern is words with spaces between them. Capitals and signs are tokens, small letters are kinds
of tokens (`KINDS`); `name:DO` is the name DO. `A|B` is one of both, `~A` any token but A, `A*` any
number of them, `…` any tokens, `…~A` any but A, `.` the end of the statement, and `▸` is where the
console stops in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ti99tools.base import tokens as t
from ti99tools.language.findings import Edit, EditKind, ForeignWord, Hint
from ti99tools.language.listing.listing import BEGINNINGS, NAME, Element

_FUNCTIONS = (*range(t.EOF, t.RND), *range(t.SEG, t.PI), t.MAX, t.MIN, t.RPT, t.TAB)
"""Functions with something in parentheses, except REC, which is also a word of file statements."""
_JOINING = (t.AND, t.OR, t.XOR)
_COMPARED = (t.EQUAL, t.LESS, t.GREATER)
_TYPES = (t.NUMERIC, t.DIGIT, t.UALPHA)
_CLAUSES = (
    t.AT, t.BASE, t.BEEP, t.ERASE, t.SIZE, t.USING, t.VALIDATE, t.VARIABLE, t.RELATIVE, t.INTERNAL,
    t.SEQUENTIAL, t.OUTPUT, t.UPDATE, t.APPEND, t.FIXED, t.PERMANENT,
)  # fmt: skip
"""Words that begin no statement and no expression."""
_LETTERS = [token for token, word in t.KEYWORDS.items() if word[0].isalpha()]
KINDS = {
    name: frozenset(tokens)
    for name, tokens in {
        "text": (t.QUOTED,),
        "number": (t.UNQUOTED,),
        "line": (t.LINE_NUMBER,),
        "name": (NAME,),
        "value": (NAME, t.QUOTED, t.UNQUOTED),
        "ended": (NAME, t.QUOTED, t.UNQUOTED, t.RPAREN, t.PI, t.RND),
        "keyword": {*t.KEYWORDS} - {t.THEN},
        "inner": {*_LETTERS, NAME, t.UNQUOTED} - {t.THEN, t.ELSE, *_JOINING},
        "beginning": BEGINNINGS,
        "compared": _COMPARED,
        "joining": _JOINING,
        "wanting": (
            *_COMPARED, *_JOINING, t.PLUS, t.MINUS, t.MULTIPLY, t.DIVIDE, t.POWER, t.CONCAT, t.NOT,
            t.STEP, t.LPAREN,
        ),
        "jump": (t.GOTO, t.GOSUB, t.GO, t.ERROR),
        "sign": (t.PLUS, t.MINUS, t.MULTIPLY, t.DIVIDE, t.CONCAT),
        "function": _FUNCTIONS,
        "unary": {*_FUNCTIONS} - {t.MAX, t.MIN},
        "shown": (t.RND, t.PI, *_FUNCTIONS),
        "setting": (t.LET, t.FOR, t.NEXT, t.READ, t.INPUT, t.DIM),
        "type": _TYPES,
        "clause": _CLAUSES,
        "word": (
            *_FUNCTIONS, *_TYPES, *_JOINING, *_CLAUSES, t.PI, t.RND, t.NOT, t.ALL, t.TO, t.STEP,
        ),
        "of-text": (t.ASC, t.LEN, t.POS, t.RPT, t.SEG, t.VAL),
        "of-number": (
            t.ABS, t.ATN, t.CHR, t.COS, t.EXP, t.INT, t.LOG, t.SGN, t.SIN, t.SQR, t.STR, t.TAB,
            t.TAN,
        ),
        "to-text": (t.CHR, t.RPT, t.SEG, t.STR),
        "to-number": (
            t.ABS, t.ASC, t.ATN, t.COS, t.EXP, t.INT, t.LEN, t.LOG, t.POS, t.RND, t.SGN, t.SIN,
            t.SQR, t.TAN, t.VAL,
        ),
    }.items()
}  # fmt: skip
"""Kinds of tokens. `word` are those that people use as names: TI BASIC allows many of them. `shown`
after a function's name tells that the function is meant."""
_ALL = frozenset((NAME, *t.KEYWORDS, *range(0x80, 0x100)))
_BY_TEXT: dict[str, tuple[frozenset[int], Callable[[Element], bool]]] = {
    "name$": (KINDS["name"], lambda e: e.text.endswith("$")),
    "numeric": (KINDS["name"], lambda e: not e.text.endswith("$")),
    "numeral": (
        KINDS["number"] | KINDS["name"],
        lambda e: e.token == t.UNQUOTED or not e.text.endswith("$"),
    ),
    "string": (
        KINDS["text"] | KINDS["name"],
        lambda e: e.token == t.QUOTED or e.text.endswith("$"),
    ),
    "unequal": (frozenset((t.BANG,)), lambda e: e.data.startswith(b"=")),
}
"""Kinds of tokens that their text decides; `unequal` is a comment that was to be `!=`."""
_STOP, _END, _GAP = "▸", ".", "…"


class _Word(NamedTuple):
    """A word of a pattern: the tokens that it means and, where these do not decide, a test.

    `many`: any number of them. `ends`: the end of the statement will do. `stop`: it means no token.
    """

    tokens: frozenset[int]
    test: Callable[[Element], bool] | None = None
    many: bool = False
    ends: bool = False
    stop: bool = False

    def fits(self, element: Element) -> bool:
        return element.token in self.tokens and (self.test is None or self.test(element))


def _word(word: str) -> _Word:
    if word == _STOP:
        return _Word(_ALL, stop=True)
    if word[0] == _GAP or (word[-1] == "*" and len(word) > 1):
        return _word(word.strip(f"{_GAP}*") or "any")._replace(many=True)
    if word[0] == "~":
        barred = _word(word[1:])
        return barred._replace(tokens=_ALL - barred.tokens)
    if word in _BY_TEXT:
        return _Word(*_BY_TEXT[word])
    kind, _, text = word.partition(":")
    if text and kind in KINDS:
        return _Word(KINDS[kind], lambda e: e.text == text)
    parts = word.split("|")
    tokens = frozenset().union(*(_tokens(part) for part in parts if part != _END))
    return _Word(tokens, ends=_END in parts)


def _tokens(part: str) -> frozenset[int]:
    if part == "any":
        return _ALL
    return KINDS[part] if part in KINDS else frozenset((t.TOKENS[part],))


class _Pattern(NamedTuple):
    """A pattern taken apart: a statement begins with one of `first`, and has one `of` each set."""

    words: tuple[_Word, ...]
    anywhere: bool
    first: frozenset[int]
    of: tuple[frozenset[int], ...]


@cache
def _pattern(kind: str, pattern: str) -> _Pattern:
    first = _word(kind) if kind else _Word(_ALL)
    words = tuple(map(_word, pattern.split()))
    anywhere = kind == "" or kind[0] == "~"
    if not anywhere:
        words = (first, *words)
    needed = tuple(word.tokens for word in words if not (word.many or word.ends or word.stop))
    return _Pattern(words, anywhere, first.tokens, needed)


class Case(NamedTuple):
    """A statement that fails: its elements and the one at which the console stops (None: unknown).

    `offset` is where it begins in its line, `words` are what statements may begin with besides the
    words of Extended BASIC, `subs` the program's own subprograms, `number` the line's, 0 for none.
    """

    own: Sequence[Element]
    stop: Element | None
    offset: int = 0
    words: Sequence[str] = ()
    subs: Collection[str] = ()
    number: int = 0


Answer = Callable[[Case, list[Element]], str]
"""Works out the words for a case and the elements that a pattern has met; empty for none."""


class Slip(NamedTuple):
    """One slip: `words` are what to do about it, `example` is a statement that has it.

    `kind` is what the statement begins with, and the pattern goes on from there. With an empty
    `kind`, or one of the form `~KIND`, the pattern may begin anywhere. In `words` and in the `edit`
    (wrong, right), `{0}` is the first token met, `{stop}` the one where the console stops.
    """

    kind: str
    pattern: str
    words: str | Answer
    example: str
    edit: tuple[str, str] | None = None
    how: EditKind = EditKind.WORD
    elsewhere: str = ""

    def advice(self, case: Case, met: list[Element]) -> str:
        """What to do about the elements that the pattern has met; empty where that is unknown."""
        if isinstance(self.words, Hint):
            return self.words
        if not isinstance(self.words, str):
            return self.words(case, met)
        parts = [text_of(each) for each in met]
        stop = name_of(case.stop) if case.stop is not None else ""
        text = self.words.format(*parts, stop=stop)
        edit = None
        if self.edit is not None:
            wrong, right = (part.format(*parts) for part in self.edit)
            edit = Edit(wrong, right, self.how)
        elsewhere = ForeignWord(self.elsewhere) if self.elsewhere else None
        return Hint(text, edit, elsewhere) if edit or elsewhere else text


class Table:
    """Slips in the order in which they are looked for."""

    def __init__(self, *slips: Slip) -> None:
        self.slips = slips
        self._beginning: dict[int, list[tuple[Slip, _Pattern]]] = {}
        """Token that a statement begins with → slips that it can have."""

    def first(self, case: Case) -> tuple[Slip, str] | None:
        """The first slip that a statement has, and what to do; None if it has none of them."""
        own = case.own
        tokens = {element.token for element in own}
        for slip, pattern in self._of(own[0].token):
            for needed in pattern.of:
                if needed.isdisjoint(tokens):
                    break
            else:
                for at in range(len(own) if pattern.anywhere else 1):
                    met = _met(pattern.words, 0, case, at)
                    if met is not None and (text := slip.advice(case, met)):
                        return slip, text
        return None

    def _of(self, token: int) -> list[tuple[Slip, _Pattern]]:
        if token not in self._beginning:
            each = ((slip, _pattern(slip.kind, slip.pattern)) for slip in self.slips)
            self._beginning[token] = [(s, pattern) for s, pattern in each if token in pattern.first]
        return self._beginning[token]


def _met(words: Sequence[_Word], at: int, case: Case, index: int) -> list[Element] | None:
    """The elements from `index` on that the words from `at` on meet, gaps aside; None if unfit."""
    own = case.own
    if at == len(words):
        return []
    word = words[at]
    if word.stop:
        stops = index < len(own) and own[index] is case.stop
        return _met(words, at + 1, case, index) if stops else None
    if word.many:
        found = (_met(words, at + 1, case, begin) for begin in _reached(word, own, index))
        return next((met for met in found if met is not None), None)
    if index == len(own):
        return [] if word.ends else None
    if not word.fits(own[index]):
        return None
    met = _met(words, at + 1, case, index + 1)
    return None if met is None else [own[index], *met]


def _reached(word: _Word, own: Sequence[Element], index: int) -> Iterator[int]:
    """The indexes to which elements lead from `index` on that all fit a word."""
    yield index
    while index < len(own) and word.fits(own[index]):
        index += 1
        yield index


def text_of(element: Element) -> str:
    """An element as a program has it, a text without its quotes."""
    if element.token in (NAME, t.QUOTED, t.UNQUOTED):
        return element.text
    return name_of(element)


def name_of(element: Element) -> str:
    """An element as an error names it."""
    if element.token == t.QUOTED:
        return "the text"
    if element.token == t.UNQUOTED:
        return element.text
    if element.token == t.LINE_NUMBER:
        return str(element.line_number)
    return t.KEYWORDS.get(element.token, "this")
