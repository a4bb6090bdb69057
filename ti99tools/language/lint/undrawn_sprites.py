"""Sprites that nobody sees: their character is blank since the console was switched on.

Characters 128 to 143 have no pattern of their own (`hardware.machine.vdp`); 32 to 127 have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from ti99tools.base.errors import Place
from ti99tools.language.lint.findings import Finding, Severity, found
from ti99tools.language.lint.value_limits import constant, whole
from ti99tools.language.listing.failures import scoped
from ti99tools.language.syntax import nodes
from ti99tools.language.syntax import statements as st

_BLANK = range(128, 144)
"""Characters that show nothing until CALL CHAR draws them."""
_DIGITS, _MOST = 16, 4
"""Digits of one character, and how many characters one pattern draws."""
_DRAWS_ANY = ("LOAD", "LINK")
"""Subprograms that may write to the patterns by machine code."""


def undrawn(
    parsed: Mapping[int, tuple[st.Statement, ...]], where: Callable[[int, int], Place]
) -> Iterator[Finding]:
    """Warnings about sprites whose character no CALL CHAR of the program draws.

    None where a character or a pattern is computed, machine code is called, or another program is
    run: these may draw any.
    """
    drawn: set[int] = set()
    shown: list[tuple[int, int, st.Call]] = []
    larger = False
    for _, number, statement in scoped(parsed):
        if isinstance(statement, st.Run):
            return
        if not isinstance(statement, st.Call) or statement.broken is not None:
            continue
        arguments = statement.arguments or ()
        if statement.name in _DRAWS_ANY:
            return
        if statement.name == "CHAR":
            for code, pattern in zip(arguments[::2], arguments[1::2], strict=False):
                first = whole(constant(code))
                if first is None:
                    return
                drawn.update(range(first, first + _characters(pattern)))
        elif statement.name == "MAGNIFY":
            larger = larger or not _is_small(arguments)
        else:
            shown += ((code, number, statement) for code in _codes(statement, arguments))
    for character, number, call in shown:
        at = character & ~3 if larger else character
        if character in _BLANK and drawn.isdisjoint(range(at, at + (4 if larger else 1))):
            yield found(
                Severity.WARNING,
                "undrawn",
                where(number, call.at),
                f"nothing draws character {character}: its sprite cannot be seen",
                f"draw it with CALL CHAR({character},pattern)",
                number,
            )


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
