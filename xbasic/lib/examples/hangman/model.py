"""HANGMAN: three words, guessed letter by letter; the rules that hangman.xb must keep.

A word is INT(RND*number) of the file, drawn again while it is one of the two before.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from string import ascii_uppercase

from ti99tools.games.models.model import Ask, Flow, Model
from ti99tools.games.models.playlog import Event

ROUNDS, PARTS, INITIALS = 3, 6, 3
WORDS = Path(__file__).parent / "words.txt"
LETTERS = tuple(map(ord, ascii_uppercase))


class Hangman(Model):
    """A match of HANGMAN."""

    game = "HANGMAN"
    version = "1.0"

    def play(self) -> Flow:
        """Three words, the score, and the name for the table of the best."""
        words = WORDS.read_text(encoding="ascii").split()
        before: list[str] = []
        total = 0
        for _ in range(ROUNDS):
            word = words[self.rnd.below(len(words))]
            while word in before:
                word = words[self.rnd.below(len(words))]
            before = [*before, word][-2:]
            wrong = yield from self._guess(word)
            if wrong < PARTS:
                points = 10 * len(word) + 5 * (PARTS - wrong)
                total += points
                self.say("SOLVED", points, total)
            else:
                self.say("HANGED", word)
        self.say("SCORE", total)
        if total:
            name = ""
            for _ in range(INITIALS):
                name += chr((yield from self._letter(LETTERS)))
            self.say("NAME", name)

    def _guess(self, word: str) -> Generator[Ask, int, int]:
        """A word: how many letters were wrong."""
        self.say("WORD", word)
        tried: set[int] = set()
        wrong = 0
        while wrong < PARTS and not set(map(ord, word)) <= tried:
            left = tuple(letter for letter in LETTERS if letter not in tried)
            good = next(letter for letter in map(ord, word) if letter not in tried)
            key = yield from self._letter(left, good)
            tried.add(key)
            hits = word.count(chr(key))
            wrong += not hits
            self.say("GUESS", chr(key), hits, wrong)
        return wrong

    def _letter(self, allowed: Sequence[int], good: int | None = None) -> Generator[Ask, int, int]:
        """The next letter that is allowed; `good` is one that a player who knows the word takes."""
        tempting = tuple(letter for letter in LETTERS if letter not in allowed)
        ask = Ask(0, tuple(allowed), safe=good, bold=allowed[0], tempting=tempting)
        while (key := (yield ask)) not in allowed:
            self.say("REFUSED", key)
        return key

    def keys_of(self, event: Event) -> Sequence[int]:
        """The letter of a guess, or those of the name."""
        match event.kind, event.args:
            case "GUESS", (letter, _, _):
                return (ord(letter),)
            case "NAME", (name,):
                return tuple(map(ord, name))
        return super().keys_of(event)
