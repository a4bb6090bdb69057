"""Slips as data: the kind of a statement and a pattern of its tokens → words, and a correction.

A pattern is words with blanks between them. Capitals and signs are tokens, small letters are kinds
of tokens (`KINDS`); `name:DO` is the name DO. `A|B` is one of both, `~A` any token but A, `A*` any
number of them, `…` any tokens, `…~A` any but A, `.` the end of the statement, and `▸` is where the
console stops in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ti99tools.base import tokens as t
from ti99tools.language.findings import Edit, Elsewhere, Hint, How
from ti99tools.language.listing.listing import NAME, Element

BEGINNINGS = (
    *range(t.IF, t.LET + 1), t.BREAK, t.UNBREAK, t.TRACE, t.UNTRACE, t.INPUT, t.DATA, t.RESTORE,
    t.RANDOMIZE, t.NEXT, t.READ, t.STOP, t.DELETE, t.REM, t.ON, t.PRINT, t.CALL, t.OPTION, t.OPEN,
    t.CLOSE, t.SUB, t.DISPLAY, t.IMAGE, t.ACCEPT, t.SUBEXIT, t.SUBEND, t.RUN, t.LINPUT,
)  # fmt: skip
"""Tokens that statements begin with."""
_FUNCTIONS = (*range(t.EOF, t.RND), *range(t.SEG, t.PI), t.MAX, t.MIN, t.RPT, t.TAB)
"""Functions with something in parentheses, except REC, which is also a word of file statements."""
_JOINING = (t.AND, t.OR, t.XOR)
_COMPARED = (t.EQUAL, t.LESS, t.GREATER)
_TYPES = (t.NUMERIC, t.DIGIT, t.UALPHA)
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
        "word": (
            *_FUNCTIONS, *_TYPES, *_JOINING, t.PI, t.RND, t.NOT, t.SIZE, t.ALL, t.USING, t.BEEP,
            t.ERASE, t.AT, t.BASE, t.VALIDATE, t.TO, t.STEP, t.VARIABLE, t.RELATIVE, t.INTERNAL,
            t.SEQUENTIAL, t.OUTPUT, t.UPDATE, t.APPEND, t.FIXED, t.PERMANENT,
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
_BY_TEXT: dict[str, Callable[[Element], bool]] = {
    "any": lambda e: True,
    "name$": lambda e: e.token == NAME and e.text.endswith("$"),
    "numeric": lambda e: e.token == NAME and not e.text.endswith("$"),
    "string": lambda e: e.token == t.QUOTED or (e.token == NAME and e.text.endswith("$")),
    "unequal": lambda e: e.token == t.BANG and e.data.startswith(b"="),
}
"""Kinds of tokens that their text decides; `unequal` is a comment that was to be `!=`."""
_STOP, _END, _GAP = "▸", ".", "…"


class Case(NamedTuple):
    """A statement that fails: its elements and the one at which the console stops (None: unknown).

    `offset` is where it begins in its line, `words` are what statements may begin with besides the
    words of Extended BASIC, `subs` the program's own subprograms.
    """

    own: Sequence[Element]
    stop: Element | None
    offset: int = 0
    words: Sequence[str] = ()
    subs: Collection[str] = ()


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
    how: How = How.WORD
    elsewhere: str = ""

    @property
    def anywhere(self) -> bool:
        """Tell whether the pattern may begin anywhere."""
        return self.kind == "" or self.kind.startswith("~")

    def answer(self, case: Case, at: int) -> str:
        """What to do where the pattern begins `at` an element; empty where it does not fit."""
        own = case.own
        if self.kind and not _fits(self.kind, own[0]):
            return ""
        words = (self.kind, *self.pattern.split()) if not self.anywhere else self.pattern.split()
        met = _met(tuple(words), 0, case, at)
        if met is None:
            return ""
        if not isinstance(self.words, str):
            return self.words(case, met)
        parts = [text_of(each) for each in met]
        stop = shown(case.stop) if case.stop is not None else ""
        said = self.words.format(*parts, stop=stop)
        edit = None
        if self.edit is not None:
            wrong, right = (part.format(*parts) for part in self.edit)
            edit = Edit(wrong, right, self.how)
        elsewhere = Elsewhere(self.elsewhere) if self.elsewhere else None
        return Hint(said, edit, elsewhere) if edit or elsewhere else said


def first(slips: Iterable[Slip], case: Case) -> tuple[Slip, str] | None:
    """The first slip that a statement has, and what to do; None if it has none of them."""
    for slip in slips:
        for at in range(len(case.own) if slip.anywhere else 1):
            if said := slip.answer(case, at):
                return slip, said
    return None


def _met(words: tuple[str, ...], at: int, case: Case, index: int) -> list[Element] | None:
    """The elements from `index` on that the words from `at` on meet, gaps aside; None if unfit."""
    own = case.own
    if at == len(words):
        return []
    word = words[at]
    if word == _STOP:
        stops = case.stop is not None and index < len(own) and own[index] is case.stop
        return _met(words, at + 1, case, index) if stops else None
    if word[0] == _GAP or (word[-1] == "*" and len(word) > 1):
        within = word[1:] or "any" if word[0] == _GAP else word[:-1]
        for begin in _reached(within, own, index):
            met = _met(words, at + 1, case, begin)
            if met is not None:
                return met
        return None
    if index == len(own):
        return [] if word.endswith(_END) else None
    if not _fits(word, own[index]):
        return None
    met = _met(words, at + 1, case, index + 1)
    return None if met is None else [own[index], *met]


def _reached(word: str, own: Sequence[Element], index: int) -> Iterator[int]:
    """The indexes to which elements lead from `index` on that all fit a word."""
    yield index
    while index < len(own) and _fits(word, own[index]):
        index += 1
        yield index


def _fits(word: str, element: Element) -> bool:
    return _test(word)(element)


@cache
def _test(word: str) -> Callable[[Element], bool]:
    """The test of an element for a word of a pattern."""
    if word[0] == "~":
        barred = _test(word[1:])
        return lambda e: not barred(e)
    parts = [part for part in word.split("|") if part != _END]
    if parts != [word]:
        tests = [_test(part) for part in parts]
        return lambda e: any(test(e) for test in tests)
    if word in _BY_TEXT:
        return _BY_TEXT[word]
    kind, _, text = word.partition(":")
    if kind in KINDS:
        tokens = KINDS[kind]
        return lambda e: e.token in tokens and (not text or e.text == text)
    token = t.TOKENS[word]
    return lambda e: e.token == token


def text_of(element: Element) -> str:
    """An element as a program has it, a text without its quotes."""
    if element.token in (NAME, t.QUOTED, t.UNQUOTED):
        return element.text
    return shown(element)


def shown(element: Element) -> str:
    """An element as an error names it."""
    if element.token == t.QUOTED:
        return "the text"
    if element.token == t.UNQUOTED:
        return element.text
    if element.token == t.LINE_NUMBER:
        return str(element.line_number)
    return t.KEYWORDS.get(element.token, "this")
