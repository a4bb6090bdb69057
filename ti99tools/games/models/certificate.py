"""The certificate of a match: twelve characters made from its game, seed, score and choices.

    R J4 222 FLER SF        game, seed, score, choices, check characters; shown in fours

Characters stand for numbers from 0 to 31, the most significant first. Seed: the seed modulo 1021.
Score: the score modulo 32768. Choices: the sum starts as the seed modulo 1048573, and each choice
c, a whole number from 0 to 9999, makes it (sum · 48271 + c) modulo 1048573. Check: the sum starts
as 0, and each of the ten characters, from the last to the first, makes it (sum · 37 + value) modulo
1021.

It contains no secret. It shows that a score follows from a given seed and given choices; it does
not show who made them, or how.
"""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.base.record import Record

# Thirty-two characters, five bits each; those that look alike are left out.
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The characters, by value; neither 0, O, 1 nor I."""
# The largest prime below 32 squared, so that two characters hold any remainder.
SEEDS, SCORES = 1021, 32768
# The largest prime below 32 to the fourth: four characters.
SUMS, FACTOR = 1048573, 48271
CHECKS, CHECK_FACTOR = 1021, 37
LENGTH = 12
_GAME, _SEED, _SCORE, _CHOICES = slice(0, 1), slice(1, 3), slice(3, 6), slice(6, 10)
_GROUP = 4


class Certificate(Record):
    """What twelve characters say: the game's letter, and the remainders of seed, score, choices."""

    letter: str
    seed: int
    score: int
    choices: int

    @classmethod
    def of(cls, letter: str, seed: int, choices: Iterable[int], score: int) -> Certificate:
        """The certificate of a match of the game with this letter."""
        total = seed % SUMS
        for choice in choices:
            total = (total * FACTOR + choice) % SUMS
        return cls(letter, seed % SEEDS, score % SCORES, total)

    @classmethod
    def read(cls, text: str) -> Certificate:
        """Read twelve characters; spaces, dashes and case do not matter.

        Raises ValueError when one of them is mistyped.
        """
        code = "".join(text.split()).replace("-", "").upper()
        if len(code) != LENGTH:
            raise ValueError(f"it has {len(code)} characters, not {LENGTH}")
        for character in code:
            if character not in LETTERS:
                raise ValueError(f"no certificate has the character {character}")
        certificate = cls(code[_GAME], *(_number(code[part]) for part in (_SEED, _SCORE, _CHOICES)))
        # Computed again, the check characters must be the same.
        if certificate.code != code:
            raise ValueError("it is mistyped: its last two characters do not fit the others")
        return certificate

    @property
    def code(self) -> str:
        """The twelve characters: letter, seed, score, choices, and two that check them."""
        body = self.letter + _text(self.seed, 2) + _text(self.score, 3) + _text(self.choices, 4)
        check = 0
        for character in reversed(body):
            check = (check * CHECK_FACTOR + LETTERS.index(character)) % CHECKS
        return body + _text(check, 2)

    def __str__(self) -> str:
        """The characters in groups, as the screen shows them: `RJ42 22FL ERSF`."""
        code = self.code
        return " ".join(code[start : start + _GROUP] for start in range(0, LENGTH, _GROUP))


def on_screen(rows: Iterable[str]) -> str | None:
    """The certificate at the end of a row of the screen, as `str` writes it; None without one."""
    for row in rows:
        try:
            # A title may come before the three groups.
            return str(Certificate.read(" ".join(row.split()[-LENGTH // _GROUP :])))
        except ValueError:
            continue
    return None


def _text(number: int, length: int) -> str:
    text = ""
    for _ in range(length):
        number, value = divmod(number, len(LETTERS))
        text = LETTERS[value] + text
    return text


def _number(text: str) -> int:
    number = 0
    for character in text:
        number = number * len(LETTERS) + LETTERS.index(character)
    return number
