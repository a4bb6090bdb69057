"""Pass `names`: long names of variables become short ones, those used most the shortest.

A reference takes 268 cycles more for each further character of the name (recorded loops of
`A=A+1` with names of 1, 5, 10 and 15 characters), and a byte of memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from string import ascii_uppercase, digits

from ti99tools.base import tokens as t
from ti99tools.optimize.facts import Facts
from ti99tools.optimize.rows import Row, Rows, bodies, names
from ti99tools.source.scan import scan

COMMAND_WORDS = frozenset(("CON", "NUM", "OLD", "RES", "BYE", "NEW"))
"""Short words that the editor takes for commands."""


def shorten_names(rows: Rows, facts: Facts) -> Rows:
    """The program with short names; each SUB has names of its own."""
    del facts
    main = _renamed(rows.main)
    subs: list[Row] = []
    for body in bodies(rows.subs):
        subs += _renamed(body)
    return replace(rows, main=tuple(main), subs=tuple(subs))


def new_names(rows: Rows) -> dict[str, dict[str, str]]:
    """What `shorten_names` calls the variables: name of the SUB (empty: main) → old → new."""
    found = {"": _short_names(_used(rows.main))}
    for body in bodies(rows.subs):
        sub = next(element.text for element in scan(body[0].tokens) if element.token == t.UNQUOTED)
        found[sub] = _short_names(_used(body))
    return found


def _used(body: Iterable[Row]) -> Counter[str]:
    return Counter(element.text for row in body for element in names(row.tokens))


def _renamed(body: Iterable[Row]) -> list[Row]:
    body = list(body)
    short = _short_names(_used(body))
    return [replace(row, tokens=_with_names(row.tokens, short)) for row in body]


def _short_names(used: Counter[str]) -> dict[str, str]:
    """Name → shorter one, for names that there is a shorter one for; most used first."""
    taken = {name for name in used if len(name.rstrip("$")) == 1}
    found: dict[str, str] = {}
    for name, _ in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        if name in taken:
            continue
        end = "$" if name.endswith("$") else ""
        free = next(n + end for n in _candidates() if n + end not in taken)
        if len(free) < len(name):
            found[name] = free
            taken.add(free)
        else:
            taken.add(name)
    return found


def _candidates() -> Iterator[str]:
    """Names that are no words of Extended BASIC, the shortest first.

    E is none of their first letters: after a number, where a program has a mistake, it would be
    listed as an exponent.
    """
    letters = ascii_uppercase.replace("E", "")
    yield from letters
    for pair in map("".join, product(letters, ascii_uppercase + digits)):
        if pair not in t.TOKENS and pair not in COMMAND_WORDS:
            yield pair
    yield from map("".join, product(letters, digits, digits))


def _with_names(tokens: bytes, short: dict[str, str]) -> bytes:
    made = bytearray()
    at = 0
    for element in names(tokens):
        made += tokens[at : element.start]
        made += short.get(element.text, element.text).encode("latin-1")
        at = element.end
    return bytes(made + tokens[at:])
