"""Sprites whose character has no drawing, or none yet.

Characters 128 to 143 have no pattern of their own (`hardware.machine.vdp`); 32 to 127 have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ti99tools.language.analysis.constants import constant, whole
from ti99tools.language.analysis.flow import Reach
from ti99tools.language.analysis.names import scoped
from ti99tools.language.findings import Noted
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st

_BLANK = range(128, 144)
"""Characters that show nothing until CALL CHAR draws them."""
_DIGITS, _MOST = 16, 4
"""Digits of one character, and how many characters one pattern draws at most."""
_DRAWS_ANY = ("LOAD", "LINK")
"""Subprograms that may write to the patterns by machine code."""


@dataclass(eq=False, repr=False, slots=True)
class _Sprites:
    """What a program draws, and the characters that it gives to sprites.

    `draws`: the codes, line and offset of each pattern; `characters`: character, line and CALL.
    `larger`: some sprites have four characters.
    """

    draws: list[tuple[range, int, int]] = field(default_factory=list)
    characters: list[tuple[int, int, st.Call]] = field(default_factory=list)
    larger: bool = False

    def undrawn(self) -> Iterator[tuple[int, int, st.Call, list[tuple[int, int]]]]:
        """Each blank character given to a sprite: itself, line, CALL, and where it is drawn."""
        for character, number, call in self.characters:
            at = character & ~3 if self.larger else character
            codes = range(at, at + (4 if self.larger else 1))
            draws = [(line, offset) for drawn, line, offset in self.draws if _meet(drawn, codes)]
            if character in _BLANK:
                yield character, number, call, draws


def _meet(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _sprites(parsed: st.Parsed) -> _Sprites | None:
    """The sprites of a program.

    None where a character or a pattern is computed, machine code is called, or another program is
    run: these may draw any.
    """
    sprites = _Sprites()
    for _, number, statement in scoped(parsed):
        if isinstance(statement, st.Run):
            return None
        if not isinstance(statement, st.Call) or statement.broken is not None:
            continue
        arguments = statement.arguments or ()
        if statement.name in _DRAWS_ANY:
            return None
        if statement.name == "CHAR":
            for code, pattern in zip(arguments[::2], arguments[1::2], strict=False):
                first = whole(constant(code))
                if first is None:
                    return None
                drawn = range(first, first + _characters(pattern))
                sprites.draws.append((drawn, number, statement.at))
        elif statement.name == "MAGNIFY":
            sprites.larger = sprites.larger or not _is_small(arguments)
        else:
            codes = _codes(statement, arguments)
            sprites.characters += ((code, number, statement) for code in codes)
    return sprites


def undrawn(parsed: st.Parsed) -> Iterator[Noted]:
    """Warnings about sprites whose character no CALL CHAR of the program draws."""
    sprites = _sprites(parsed)
    for character, number, call, draws in sprites.undrawn() if sprites else ():
        if not draws:
            message = f"nothing draws character {character}: its sprite cannot be seen"
            remedy = f"draw it with CALL CHAR({character},pattern)"
            yield Noted("undrawn", number, call.at, message, remedy)


def drawn_late(parsed: st.Parsed, reach: Reach) -> Iterator[Noted]:
    """Warnings about sprites that every run makes before their character is drawn.

    No way from the first line to a CALL CHAR of the character leads past the CALL that shows it.
    """
    sprites = _sprites(parsed)
    for character, number, call, draws in sprites.undrawn() if sprites else ():
        if not draws or any(line == number and at < call.at for line, at in draws):
            continue
        before = reach.lines(end=number)
        if not any(line in before and line != number for line, _ in draws):
            message = f"nothing has drawn {character} when this sprite is made"
            remedy = "put its #art or CALL CHAR before this statement"
            remedy += "; Draw in the page puts it there"
            yield Noted("drawn-late", number, call.at, message, remedy)


def _characters(pattern: st.Argument) -> int:
    """How many characters a pattern draws; the most where that is not known."""
    if not isinstance(pattern, nodes.String):
        return _MOST
    return min(max(-(-len(pattern.text) // _DIGITS), 1), _MOST)


def _is_small(arguments: tuple[st.Argument, ...]) -> bool:
    """Tell whether CALL MAGNIFY makes sprites of one character each, for certain."""
    return len(arguments) == 1 and whole(constant(arguments[0])) in (1, 2)


def _codes(call: st.Call, arguments: tuple[st.Argument, ...]) -> Iterator[int]:
    """The characters that CALL SPRITE or CALL PATTERN gives to sprites, as far as known."""
    if call.name not in ("SPRITE", "PATTERN"):
        return
    for sprite, code in pairwise(arguments):
        number = None if isinstance(code, st.Hash) else whole(constant(code))
        if isinstance(sprite, st.Hash) and number is not None:
            yield number
