"""What to do about an error that RUN finds before the first statement.

The console names the error and a line; the tokens show which name or loop it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.listing import NAME, Element, scan

_REMEDIES = {
    xb.ILLEGAL_AFTER_SUBPROGRAM: "after SUBEND stand only other SUBs, REM and END: move the line",
    xb.MISSING_SUBEND: "end the SUB before it with SUBEND",
    xb.MUST_BE_IN_SUBPROGRAM: "SUBEND and SUBEXIT stand in a SUB only",
    xb.OPTION_BASE_ERROR: "write OPTION BASE once, before all arrays",
    xb.BAD_VALUE: "with OPTION BASE 1 sizes begin with 1",
    xb.MEMORY_FULL: "make arrays or program smaller",
}


def advice(
    code: int, tokens: bytes, before: Iterable[bytes], names: Mapping[str, int]
) -> tuple[int, str]:
    """The offset in the line's `tokens` that the error `code` is about, and what to do.

    `before` are the lines of its scope up to this one, `names` the subscripts of each name met so
    far.
    """
    if code == xb.IMPROPERLY_USED_NAME:
        return _misused(tokens, {e.text for line in before for e in scan(line)}, names)
    if code == xb.NEXT_WITHOUT_FOR:
        return 0, "there are more NEXT than FOR up to here: remove one, or write its FOR before it"
    if code == xb.FOR_NEXT_NESTING:
        return 0, _open_loop((*before, tokens))
    return 0, _REMEDIES.get(code, "correct the line")


def _misused(tokens: bytes, met: set[str], names: Mapping[str, int]) -> tuple[int, str]:
    """The first name of the line used differently than before; `met` are in earlier lines."""
    elements = list(scan(tokens))
    declares = bool(elements) and elements[0].token in (t.DIM, t.DEF)
    for at, element in enumerate(elements):
        if element.token != NAME or element.text not in names:
            continue
        known, here = names[element.text], _subscripts(elements[at + 1 :])
        if known != here:
            remedy = f"{element.text} is {_kind(known)} elsewhere and {_kind(here)} here"
            return element.start, f"{remedy}: choose another name" + (
                f", or move the {t.KEYWORDS[elements[0].token]} up" if declares else ""
            )
        if declares and element.text in met:
            word = t.KEYWORDS[elements[0].token]
            return element.start, f"{element.text} stands above already: move the {word} up"
        met.add(element.text)
    return 0, "a name is used in two ways: choose another one"


def _kind(subscripts: int) -> str:
    if not subscripts:
        return "no array"
    return f"an array of {subscripts} subscript{'s' * (subscripts > 1)}"


def _subscripts(following: list[Element]) -> int:
    """How many subscripts a name has, by the elements after it."""
    if not following or following[0].token != t.LPAREN:
        return 0
    depth, commas = 0, 0
    for element in following:
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        if not depth:
            break
        commas += depth == 1 and element.token == t.COMMA
    return commas + 1


def _open_loop(lines: Iterable[bytes]) -> str:
    """Which FOR has no NEXT, if their variables tell."""
    loops: Counter[str] = Counter()
    for tokens in lines:
        for word, name in pairwise(scan(tokens)):
            if word.token in (t.FOR, t.NEXT) and name.token == NAME:
                loops[name.text] += 1 if word.token == t.FOR else -1
    left = next((name for name, count in loops.items() if count > 0), "")
    return f"FOR {left} has no NEXT: write NEXT {left}" if left else "write a NEXT for each FOR"
