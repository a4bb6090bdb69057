"""One thing that happened in a game, as the play log writes it: `KIND arg…`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """A kind (one word, upper case) and its arguments, words without blanks."""

    kind: str
    args: tuple[str, ...] = ()

    @classmethod
    def of(cls, kind: str, *args: object) -> Event:
        """Make an event; numbers become their digits, lists and tuples their elements."""
        words: list[str] = []
        for arg in args:
            words.extend(map(str, arg) if isinstance(arg, list | tuple) else [str(arg)])
        return cls(kind, tuple(words))

    @classmethod
    def parse(cls, line: str) -> Event:
        """Read a line; runs of blanks count as one, an empty line is a ValueError."""
        words = line.split()
        if not words:
            raise ValueError("an empty line is not an event")
        return cls(words[0], tuple(words[1:]))

    def __str__(self) -> str:
        return " ".join((self.kind, *self.args))
