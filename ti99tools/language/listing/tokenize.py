"""From a typed line to its tokens, as the editor does it, and what the editor refuses.

The editor reads a line from left to right, once. A name is scanned to its end and then looked up:
`PRINTA` is a variable, `PRINT A` a statement. Numbers, text and line numbers carry their length. It
does not look at the meaning: `THEN ELSE` and `A(` are stored and fail when they run.

Learned from the recorded editor sessions (Extended BASIC v110); every refusal has the console's
own message and the column where the scan stood.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place, Remedy, SourceError

MAX_NAME = 15
"""Characters of a variable's name, `$` included. Names after CALL and SUB have no limit."""
MAX_LINE_NUMBER = 32767


class Rule(Enum):
    """The rule of the editor that a refused line breaks; its console has few messages for them."""

    MESSAGE = auto()
    """The one that the console's message names."""
    NUMBER = auto()
    """A line begins with its number."""
    SIZE = auto()
    """A line has room for some bytes of tokens."""
    COMMAND = auto()
    """A command is not part of a program; the word is it."""
    NAMES = auto()
    """Something stands between two names; these are the words."""
    EXPONENT = auto()
    """A number has one E."""
    FIRST = auto()
    """DATA and IMAGE begin their line; the word is one of them."""
    CALLED = auto()
    """A name follows CALL and SUB."""
    ITEM = auto()
    """After an item of DATA in quotes comes a comma."""
    FORMAT = auto()
    """Nothing comes after a format of IMAGE in quotes."""


class Refusal(NamedTuple):
    """What the editor sees of a line, `text`, when it refuses it `at` a 0-based index.

    The refused part begins at `start`; `tokens` are those before it, and a line has room for
    `limit` bytes of them.
    """

    text: str
    at: int
    rule: Rule = Rule.MESSAGE
    start: int = 0
    words: tuple[str, ...] = ()
    limit: int = 0
    tokens: bytes = b""


class EntryError(SourceError):
    """A line that the editor refuses; `problem` begins with the console's message.

    `xb_code` is the error's number as `XBError` has it, 0 when the console has no such error.
    `number` is the line's; None where it is unknown or itself the mistake. What to do about
    `refusal` is known by remedies/statements, which whoever shows the error asks.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str | Remedy = "",
        place: Place | None = None,
        xb_code: int = 0,
        number: int | None = None,
        refusal: Refusal | None,
    ) -> None:
        super().__init__(problem, remedy=remedy, place=place)
        self.xb_code = xb_code
        self.number = number
        self.refusal = refusal

    def moved(self, place: Place, remedy: str | None = None) -> EntryError:
        """The same refusal at another place, perhaps with another remedy."""
        advice = self.remedy if remedy is None else remedy
        return EntryError(
            self.problem,
            remedy=advice,
            place=place,
            xb_code=self.xb_code,
            number=self.number,
            refusal=self.refusal,
        )


def refuse(code: int, index: int, remedy: str = "", refusal: Refusal | None = None) -> EntryError:
    """The console's refusal `code` at character `index` (0-based) of the line."""
    return EntryError(
        xb.TEXTS[code],
        remedy=remedy,
        place=Place(column=index + 1),
        xb_code=code,
        refusal=refusal or Refusal("", index),
    )


EDITOR_COLUMNS = 140
"""Characters that can be typed for one line; further keys overwrite the last."""
EDITOR_LINE_BYTES = 158
"""Token bytes of one line, without the final 00, that the editor stores."""
MAX_LINE_BYTES = 254
"""Token bytes of one line that a program file can hold (its length byte counts the 00 too)."""

COMMANDS: dict[str, int] = {
    "NEW": 0, "CON": 1, "CONTINUE": 1, "LIST": 2, "BYE": 3, "NUM": 4, "NUMBER": 4, "OLD": 5,
    "RES": 6, "RESEQUENCE": 6, "SAVE": 7, "MERGE": 8,
}  # fmt: skip
"""Words of the command line; in a program line they are refused wherever they stand."""

REFERENCE_LISTS = frozenset({
    t.ELSE, t.GO, t.GOTO, t.GOSUB, t.RETURN, t.BREAK, t.UNBREAK, t.RESTORE, t.ERROR, t.RUN, t.THEN,
    t.USING,
})  # fmt: skip
KEEP_REFERENCES = frozenset({t.COMMA, t.TO, t.SUB})

_NAME_START = r"A-Za-z@\[\]\\_"
_NAME = re.compile(rf"[{_NAME_START}][{_NAME_START}0-9]*\$?")
_SUBPROGRAM = re.compile(rf"[{_NAME_START}][{_NAME_START}0-9]*")
_NUMBER = re.compile(r"[0-9.](?:[0-9.]|E[-+*/^&<=>#!]?)*")
"""The editor takes any operator after an E into the number (published listing of the ROM)."""
_DIGITS = re.compile(r"[0-9]+")
_LAST_ASCII, _LAST_TYPED = "\x7f", "\xff"
"""The last character that may be the first of a line, in a file and typed."""
_SYMBOLS = {word: token for word, token in t.TOKENS.items() if not word[0].isalpha()}


class MarkedLine(NamedTuple):
    """A tokenized line; `marks` are (offset in the tokens, 1-based column), ascending."""

    number: int
    tokens: bytes
    marks: tuple[tuple[int, int], ...]


def split_number(text: str) -> tuple[int | None, int]:
    """The line number that `text` begins with and the index after it.

    None and 0 when there is not a number; BAD LINE NUMBER outside 1–32767.
    """
    start = len(text) - len(text.lstrip(" "))
    digits = _DIGITS.match(text, start)
    if digits is None:
        return None, 0
    return _line_number(digits.group(), start), digits.end()


def number_of(text: str) -> int | None:
    """The number of a line; None if it has none from 1 to 32767."""
    try:
        return split_number(text)[0]
    except EntryError:
        return None


def tokenize_line(
    text: str, *, limit: int = EDITOR_LINE_BYTES, typed: bool = False
) -> tuple[int, bytes]:
    """Tokenize a numbered line: its number and its tokens without the final 00.

    No tokens means that the line is to be deleted. Trailing spaces are dropped, as the editor
    does. `limit` is the most token bytes allowed: what can be typed by default, at most
    `MAX_LINE_BYTES`. In a line that is `typed`, the first character may be a key with CTRL or FCTN,
    whose code becomes a token. Raises EntryError with the console's message and the column.
    """
    line = tokenize_marked(text, limit=limit, typed=typed)
    return line.number, line.tokens


@lru_cache(maxsize=4096)
def tokenize_marked(
    text: str,
    *,
    limit: int = EDITOR_LINE_BYTES,
    strict: bool = True,
    trim: bool = True,
    typed: bool = False,
) -> MarkedLine:
    """As `tokenize_line`, with the place of each token in the text.

    If not `strict`, lines are accepted that the editor refuses but a program file made elsewhere
    can hold: DATA and IMAGE after other statements, CALL and SUB without a name, long names, names
    with only texts or numbers in between, a text without closing quote, EE in a number. If not
    `trim`, trailing spaces belong to the line. The last lines are cached: a game that is built
    again has nearly all of them.
    """
    number, index = split_number(text)
    if number is None:
        raise _unnumbered(text)
    scan = _Scan(text.rstrip(" ") if trim else text, index, limit, strict=strict)
    scan.first(_LAST_TYPED if typed else _LAST_ASCII)
    return MarkedLine(number, scan.run(), tuple(scan.marks))


def crunch(text: str) -> bytes:
    """Tokenize a line without a number, as the command line does; without the final 00.

    A command (`COMMANDS`) is its byte 00–08 followed, if there is more on the line, by the rest as
    typed in an unquoted string (C8).
    """
    text = text.rstrip(" ")
    name = _NAME.match(text, len(text) - len(text.lstrip(" ")))
    # A command is only known at the start of a line; elsewhere its word is an error.
    if name and name.group().upper() in COMMANDS:
        rest = text[name.end() :].strip(" ").encode("latin-1", "replace")
        command = bytes([COMMANDS[name.group().upper()]])
        return command + bytes([t.UNQUOTED, len(rest)]) + rest if rest else command
    return _Scan(text, 0, EDITOR_LINE_BYTES, numbered=False).run()


def as_typed(text: str) -> str:
    """What arrives when `text` is typed: keys after the 140th overwrite the last character."""
    return text if len(text) <= EDITOR_COLUMNS else text[: EDITOR_COLUMNS - 1] + text[-1]


def _unnumbered(text: str) -> EntryError:
    """The error of a line without a number in a program text."""
    try:
        tokens = crunch(text)
    except EntryError:  # of a part of a line, its first mistake says nothing
        tokens = b""
    # From the comma's token on come symbols: no statement begins with one.
    if tokens and tokens[0] >= t.COMMA:
        return refuse(xb.SYNTAX_ERROR, 0, refusal=Refusal(text, 0, Rule.NUMBER))
    refusal = Refusal(text, 0, Rule.NUMBER, tokens=tokens)
    return EntryError("line without a number", place=Place(column=1), refusal=refusal)


def _line_number(digits: str, index: int, text: str = "") -> int:
    # The length is compared first, so that int() never meets an absurdly long number.
    significant = digits.lstrip("0")
    if not significant or len(significant) > 5 or int(significant) > MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, index, refusal=Refusal(text, index))
    return int(significant)


class _Scan:
    """One pass over one line; `out` grows to its tokens."""

    def __init__(
        self, text: str, index: int, limit: int, *, strict: bool = True, numbered: bool = True
    ) -> None:
        self.text = text
        self.index = index
        self.limit = limit
        self.strict = strict
        self.numbered = numbered
        self.out = bytearray()
        self.marks: list[tuple[int, int]] = []
        self.references = False  # digits are line numbers now
        self.name_at: int | None = None  # where the last name is in `out`; no second one may follow

    def run(self) -> bytes:
        while self._skip_blanks():
            char = self.text[self.index]
            if char == '"':
                self._quoted()
            elif "0" <= char <= "9" or char == ".":
                self._number(char)
            elif match := _NAME.match(self.text, self.index):
                self._word(match.group())
            elif (token := self._symbol()) is not None:
                self._symbol_seen(token)
            else:
                raise self._unrecognized(char)
        return bytes(self.out)

    def first(self, last: str) -> None:
        """Take the character after a line number as it is, if it is above z, up to `last`.

        To the editor it is a name; from >80 on (CTRL or FCTN with a key) it becomes the token of
        its code. Source: a report from the machine; the published listing of the ROM.
        """
        if not self._skip_blanks() or not "z" < self.text[self.index] <= last:
            return
        start = self.index
        self.name_at = 0
        self._put(self._encoded(self.text[start], start), start)
        self.index += 1

    def _skip_blanks(self) -> bool:
        text = self.text
        while text.startswith(" ", self.index):
            self.index += 1
        return self.index < len(text)

    def _put(self, data: bytes, start: int) -> None:
        at = len(self.out)
        self.out += data
        if len(self.out) > self.limit:
            raise self._refused(xb.LINE_TOO_LONG, start, Rule.SIZE)
        self.marks.append((at, start + 1))

    def _refused(
        self, code: int, index: int, rule: Rule = Rule.MESSAGE, *words: str, start: int = -1
    ) -> EntryError:
        """The refusal at `index` of a part that begins at `start` (-1: there, too)."""
        start = index if start < 0 else start
        seen = Refusal(self.text, index, rule, start, words, self.limit, bytes(self.out))
        return refuse(code, index, refusal=seen)

    def _put_text(self, token: int, text: str, start: int) -> None:
        data = self._encoded(text, start)
        # The length is one byte.
        if len(data) > 255:
            raise self._refused(xb.LINE_TOO_LONG, start, Rule.SIZE)
        self._put(bytes([token, len(data)]) + data, start)

    def _encoded(self, text: str, start: int) -> bytes:
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError as error:
            raise self._unrecognized(text[error.start], start) from None

    def _unrecognized(self, char: str, start: int | None = None) -> EntryError:
        at = self.text.find(char, self.index if start is None else start)
        return self._refused(xb.UNRECOGNIZED_CHARACTER, max(at, 0))

    def _between(self, *, references: bool) -> None:
        """After a keyword or symbol a name may follow again."""
        self.references = references
        self.name_at = None

    def _quoted(self) -> None:
        """`"A""B"` → C7 03 41 22 42."""
        start = self.index
        index = start + 1
        parts = []
        while True:
            end = self.text.find('"', index)
            if end < 0:
                if self.strict:
                    raise self._refused(xb.UNMATCHED_QUOTES, start)
                end = len(self.text)
            parts.append(self.text[index:end])
            # Two quotes in a row stand for one in the text: the search goes on.
            if self.text[end + 1 : end + 2] != '"':
                break
            index = end + 2
        self._put_text(t.QUOTED, '"'.join(parts), start)
        self.index = end + 1

    def _number(self, char: str) -> None:
        start = self.index
        # After GOTO and the like digits are a line number; a point still begins a number.
        if self.references and char != ".":
            digits = _DIGITS.match(self.text, start)
            assert digits is not None
            number = _line_number(digits.group(), start, self.text)
            self._put(bytes([t.LINE_NUMBER, number >> 8, number & 0xFF]), start)
            self.index = digits.end()
            return
        match = _NUMBER.match(self.text, start)
        assert match is not None
        if "EE" in match.group() and self.strict:
            second = start + match.group().index("EE") + 1
            raise self._refused(xb.SYNTAX_ERROR, second, Rule.EXPONENT)
        self._put_text(t.UNQUOTED, match.group(), start)
        self.index = match.end()
        self.references = False

    def _word(self, word: str) -> None:
        start = self.index
        name = word.upper()
        self.index += len(word)
        if name in COMMANDS:
            code = xb.COMMAND_ILLEGAL_IN_PROGRAM if self.numbered else xb.SYNTAX_ERROR
            raise self._refused(code, start, Rule.COMMAND, name)
        token = t.TOKENS.get(name)
        if token is not None:
            self._keyword(token, start)
            return
        # A lenient scan refuses only names with nothing between them. Recorded: `A=B 5 C`, `A"X"B`
        # and `DELETE DSK1.IV` are refused as `A B` is.
        if self.name_at is not None and (self.strict or self.marks[-1][0] == self.name_at):
            raise self._refused(xb.SYNTAX_ERROR, start, Rule.NAMES, self._last_name(), name)
        if len(name) > MAX_NAME and self.strict:
            raise self._refused(xb.NAME_TOO_LONG, start)
        self.name_at = len(self.out)
        self._put(name.encode("ascii"), start)
        # A name ends a list of line numbers.
        self.references = False

    def _last_name(self) -> str:
        """The last name, without texts and numbers after it."""
        begin = self.name_at or 0
        end = next((at for at, _ in self.marks if at > begin), len(self.out))
        return self.out[begin:end].decode("latin-1")

    def _keyword(self, token: int, start: int) -> None:
        if token in (t.DATA, t.IMAGE) and self.out and self.strict:
            raise self._refused(xb.SYNTAX_ERROR, start, Rule.FIRST, t.KEYWORDS[token])
        self._put(bytes([token]), start)
        if token == t.REM:
            self._comment()
        elif token == t.DATA:
            self._data()
        elif token == t.IMAGE:
            self._image()
        # SUB after GO is the second half of GO SUB and takes no name.
        elif token == t.CALL or (token == t.SUB and not self.references):
            self._subprogram()
        if token in REFERENCE_LISTS:
            self._between(references=True)
        else:
            # Commas, and the second halves of GO TO and GO SUB, keep the list of line numbers
            # going.
            self._between(references=self.references and token in KEEP_REFERENCES)

    def _symbol(self) -> int | None:
        pair = self.text[self.index : self.index + 2]
        # Two colons are one token, the separator of statements; a single one is PRINT's.
        if pair == "::":
            return t.STATEMENT_SEP
        return _SYMBOLS.get(pair[0])

    def _symbol_seen(self, token: int) -> None:
        self._put(bytes([token]), self.index)
        self.index += len(t.KEYWORDS[token])
        self._between(references=self.references and token in KEEP_REFERENCES)
        if token == t.BANG:
            self._comment()

    def _comment(self) -> None:
        """The rest of the line verbatim: spaces, capitals and quotes as typed."""
        start = self.index
        # In a remark, which has no length, >00 would end the line in memory.
        if "\0" in self.text[start:]:
            raise self._unrecognized("\0", start)
        self._put(self._encoded(self.text[start:], start), start)
        self.index = len(self.text)

    def _subprogram(self) -> None:
        """The name after CALL or SUB: of any length, without `$`; it may be a keyword."""
        self._skip_blanks()
        match = _SUBPROGRAM.match(self.text, self.index)
        if match is None:
            if self.strict:
                raise self._refused(xb.SYNTAX_ERROR, self.index, Rule.CALLED)
            return
        self._put_text(t.UNQUOTED, match.group().upper(), self.index)
        self.index = match.end()

    def _data(self) -> None:
        """Items up to commas: quoted, unquoted (outer spaces dropped) or empty."""
        while self._skip_blanks():
            start = self.index
            if self.text[start] == '"':
                self._quoted()
                if self._skip_blanks() and self.text[self.index] != ",":
                    raise self._refused(xb.SYNTAX_ERROR, self.index, Rule.ITEM, start=start)
            # Two commas in a row: an empty item, which has no token of its own.
            elif self.text[start] != ",":
                end = self.text.find(",", start)
                end = len(self.text) if end < 0 else end
                self._put_text(t.UNQUOTED, self.text[start:end].rstrip(" "), start)
                self.index = end
            if self.index < len(self.text):
                self._put(bytes([t.COMMA]), self.index)
                self.index += 1

    def _image(self) -> None:
        """One format to the end of the line, quoted or not."""
        # An empty format has no token.
        if not self._skip_blanks():
            return
        start = self.index
        if self.text[start] == '"':
            self._quoted()
            if self._skip_blanks():
                raise self._refused(xb.SYNTAX_ERROR, self.index, Rule.FORMAT)
            return
        self._put_text(t.UNQUOTED, self.text[start:], start)
        self.index = len(self.text)
