"""What lint and the editor report, as data: findings, and messages that carry data.

A `Hint` is a remedy with the edit that carries it out, a `Failing` a message with the error it
reports. Both are texts for people; programs use the data.
"""

from __future__ import annotations

import enum
from typing import Any

from ti99tools.base.errors import Place, TIError, Where
from ti99tools.base.record import Record
from ti99tools.base.xberrors import TEXTS


class EditKind(enum.Enum):
    """How an edit is made in its row."""

    WORD = enum.auto()
    """At the text nearest to the place, outside of quotes."""
    SIGN = enum.auto()
    """At all signs of word processors, also within quotes."""
    CALL = enum.auto()
    """At a statement `NAME …`, whose values get parentheses."""
    AGAIN = enum.auto()
    """At an assignment `A+=1`, whose variable is written again."""
    JOIN = enum.auto()
    """At a + beside a text."""
    NEXT = enum.auto()
    """At a NEXT without the variable of its loop."""
    PART = enum.auto()
    """At the place itself."""
    STATUS = enum.auto()
    """At a CALL KEY, which gets a variable for the status that the source does not use."""


class Edit(Record):
    """A correction: `wrong` becomes `right`, in the row of `place`, in the way `how` says."""

    wrong: str
    right: str
    how: EditKind = EditKind.WORD
    place: Place = Place()


class ForeignWord(Record):
    """A word of another BASIC; `lacking`: a function or operator that Extended BASIC lacks."""

    word: str
    lacking: bool = False


class Hint(str):
    """What to do about a mistake; `edit` does it, `elsewhere` is the other BASIC's word."""

    __slots__ = ("edit", "elsewhere")

    edit: Edit | None
    elsewhere: ForeignWord | None

    def __new__(
        cls, words: str, edit: Edit | None = None, elsewhere: ForeignWord | None = None
    ) -> Hint:
        """The sentence `words`, which is for people only."""
        hint = super().__new__(cls, words)
        hint.edit, hint.elsewhere = edit, elsewhere
        return hint

    def __getnewargs__(self) -> tuple[str, Edit | None, ForeignWord | None]:  # type: ignore[override]
        """Return what copying and pickling rebuild it from."""
        return str(self), self.edit, self.elsewhere


class Failing(str):
    """The message that a statement fails with the error `code`; `fact` is what else it says."""

    __slots__ = ("code", "fact")

    code: int
    fact: str

    def __new__(cls, words: str, code: int, fact: str = "") -> Failing:
        """The sentence `words`, which is for people only."""
        message = super().__new__(cls, words)
        message.code, message.fact = code, fact
        return message

    def __getnewargs__(self) -> tuple[str, int, str]:  # type: ignore[override]
        """Return what copying and pickling rebuild it from."""
        return str(self), self.code, self.fact


def failing(code: int, fact: str = "") -> Failing:
    """`FACT: this fails with ERROR`, or without a fact the rest."""
    text = f"this fails with {TEXTS[code]}"
    return Failing(f"{fact}: {text}" if fact else text, code, fact)


def did_you_mean(word: str, wrong: str) -> Hint:
    """`did you mean WORD?`; the edit puts it in place of `wrong`."""
    return Hint(f"did you mean {word}?", Edit(wrong, word))


def one_name(name: str, word: str) -> Hint:
    """The message that a name begins with a word that must stand alone: `GOTO100`."""
    edit = Edit(name, f"{word} {name.removeprefix(word)}")
    return Hint(f"{name} is one name: put a space after {word}", edit)


def instead(right: str, wrong: str, before: str = "") -> Hint:
    """`write RIGHT instead of WRONG`, after some words."""
    return Hint(f"{before}write {right} instead of {wrong}", Edit(wrong, right))


def call_it(name: str, before: str = "", after: str = "") -> Hint:
    """`write CALL NAME`, between some words."""
    edit = Edit(name, f"CALL {name}", EditKind.CALL)
    return Hint(f"{before}write CALL {name}{after}", edit)


_ALIKE = 0.75
"""Like CLEER and CLEAR, not like BOARD and LOAD."""


def misspelt(edit: Edit | None) -> bool:
    """Tell whether the word that an edit replaces is for certain a misspelling of the new one."""
    from difflib import SequenceMatcher

    return edit is not None and SequenceMatcher(None, edit.wrong, edit.right).ratio() > _ALIKE


def edit_of(remedy: str) -> Edit | None:
    """The edit that a remedy carries."""
    return remedy.edit if isinstance(remedy, Hint) else None


def elsewhere_of(remedy: str) -> ForeignWord | None:
    """The word of another BASIC that a remedy is about."""
    return remedy.elsewhere if isinstance(remedy, Hint) else None


class Severity(enum.IntEnum):
    """How bad a finding is; only errors make lint fail."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """Lower-case word for people and JSON."""
        return self.name.lower()


class Finding(Record):
    """Something about a program: `code` names the rule, `line` the numbered line (if any).

    `message` and `remedy` are for people. Programs use the rest: `edit` corrects it (None:
    unknown), `error` is the number of the console's error it reports (0: none), `fact` what it
    reports besides (None: all of the message), `elsewhere` the word of another BASIC (None: none).
    """

    severity: Severity
    code: str
    place: Place
    message: str
    remedy: str = ""
    line: int | None = None
    edit: Edit | None = None
    error: int = 0
    fact: str | None = None
    elsewhere: ForeignWord | None = None

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        line = f" (line {self.line})" if self.line is not None else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}{self.severity.label}: {self.message}{line}{remedy} [{self.code}]"

    def as_dict(self) -> dict[str, Any]:
        """The finding for JSON."""
        return {
            "severity": self.severity.label,
            "code": self.code,
            "file": self.place.file,
            "row": self.place.line,
            "column": self.place.column,
            "line": self.line,
            "message": self.message,
            "remedy": self.remedy,
        }


class Noted(Record):
    """What a check of a program has found, in the program: `line` and `offset` in its tokens."""

    code: str
    line: int
    offset: int
    message: str
    remedy: str
    severity: Severity = Severity.WARNING

    def placed(self, where: Where) -> Finding:
        """The finding, in the source."""
        place = where(self.line, self.offset)
        return new_finding(self.severity, self.code, place, self.message, self.remedy, self.line)


def from_error(error: TIError, code: str) -> Finding:
    """An error that stopped a reader, as a finding."""
    return new_finding(Severity.ERROR, code, error.place, error.problem, error.remedy)


def new_finding(
    severity: Severity,
    code: str,
    place: Place,
    message: str,
    remedy: str = "",
    line: int | None = None,
) -> Finding:
    """A finding, with the data that its message and its remedy carry."""
    edit = edit_of(remedy)
    if edit is not None:
        edit = Edit(edit.wrong, edit.right, edit.how, place)
    failing = message if isinstance(message, Failing) else None
    error, fact = (0, None) if failing is None else (failing.code, failing.fact)
    elsewhere = elsewhere_of(remedy)
    return Finding(severity, code, place, message, remedy, line, edit, error, fact, elsewhere)
