"""HANGMAN for verification: what stands on its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ti99tools.games.models.model import Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import Adapter

WORD, LETTERS = 19, 21
"""Rows, from 0, of the word and of the letters so far."""


class HangmanAdapter(Adapter):
    """See `Adapter`: title, seed and end of a match are those of the library."""

    looks = 2

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """Points, what is known of the word, the letters; nothing while a name is typed."""
        if rows[LETTERS].split()[:1] != ["LETTERS"]:
            return {}
        points, number = rows[0].split()[-1], rows[1].split()[-1]
        tried = "".join(rows[LETTERS].split()[1:])
        return {"points": points, "word": number, "known": rows[WORD].strip(), "letters": tried}

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show after these events; nothing once the words are over."""
        points, number, word, tried = "0", 0, "", ""
        for event in events:
            match event.kind, event.args:
                case "WORD", (new,):
                    number, word, tried = number + 1, new, ""
                case "GUESS", (letter, _, _):
                    tried += letter
                case "SOLVED", (_, total):
                    points = total
                case "SCORE", _:
                    return {}
        known = "".join(letter if letter in tried else "-" for letter in word)
        return {"points": points, "word": str(number), "known": known, "letters": tried}
