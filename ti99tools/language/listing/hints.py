"""Sentences of lint and the editor that carry their data: nothing is chosen by its wording.

A `Hint` is a remedy with the edit that carries it out, a `Failing` a message with the error it
reports. Both are texts for people; programs use the data.
"""

from __future__ import annotations

import enum

from ti99tools.base.errors import Place
from ti99tools.base.record import Record
from ti99tools.base.xberrors import TEXTS


class How(enum.Enum):
    """How an edit is made in its row."""

    WORD = enum.auto()
    """At the text nearest to the place, outside of quotes."""
    SIGN = enum.auto()
    """At all signs of word processors, within quotes too."""
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


class Edit(Record):
    """A correction: `wrong` becomes `right`, in the row of `place`, in the way `how` says."""

    wrong: str
    right: str
    how: How = How.WORD
    place: Place = Place()


class Elsewhere(Record):
    """A word of another BASIC; `lacking`: a function or operator that Extended BASIC lacks."""

    word: str
    lacking: bool = False


class Hint(str):
    """What to do about a mistake; `edit` does it, `elsewhere` is the other BASIC's word."""

    __slots__ = ("edit", "elsewhere")

    edit: Edit | None
    elsewhere: Elsewhere | None

    def __new__(
        cls, words: str, edit: Edit | None = None, elsewhere: Elsewhere | None = None
    ) -> Hint:
        """The sentence `words`, which is for people only."""
        hint = super().__new__(cls, words)
        hint.edit, hint.elsewhere = edit, elsewhere
        return hint

    def __getnewargs__(self) -> tuple[str, Edit | None, Elsewhere | None]:  # type: ignore[override]
        """Return what copying and pickling rebuild it from."""
        return str(self), self.edit, self.elsewhere


class Failing(str):
    """The message that a statement ends in the error `code`; `fact` is what it says besides."""

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
    said = f"this fails with {TEXTS[code]}"
    return Failing(f"{fact}: {said}" if fact else said, code, fact)


def did_you_mean(word: str, wrong: str) -> Hint:
    """The word that `wrong` is similar to, to be put in its place."""
    return Hint(f"did you mean {word}?", Edit(wrong, word))


def one_name(name: str, word: str) -> Hint:
    """The message that a name begins with a word that must stand alone: `GOTO100`."""
    edit = Edit(name, f"{word} {name.removeprefix(word)}")
    return Hint(f"{name} is one name: put a blank after {word}", edit)


def instead(right: str, wrong: str, before: str = "") -> Hint:
    """`write RIGHT instead of WRONG`, after some words."""
    return Hint(f"{before}write {right} instead of {wrong}", Edit(wrong, right))


def call_it(name: str, before: str = "", after: str = "") -> Hint:
    """`write CALL NAME`, between some words."""
    edit = Edit(name, f"CALL {name}", How.CALL)
    return Hint(f"{before}write CALL {name}{after}", edit)


def edit_of(remedy: str) -> Edit | None:
    """The edit that a remedy carries."""
    return remedy.edit if isinstance(remedy, Hint) else None


def elsewhere_of(remedy: str) -> Elsewhere | None:
    """The word of another BASIC that a remedy is about."""
    return remedy.elsewhere if isinstance(remedy, Hint) else None
