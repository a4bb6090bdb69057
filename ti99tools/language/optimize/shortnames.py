"""Pass `names`: long names of variables become short ones, the most used the shortest.

A reference takes 268 cycles more for each further character of the name (recorded loops of `A=A+1`
with names of 1, 5, 10 and 15 characters), and a byte of memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from string import ascii_uppercase, digits

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import scan
from ti99tools.language.optimize.facts import Facts
from ti99tools.language.optimize.rows import Row, Rows, bodies, names, words

COMMAND_WORDS = frozenset(("CON", "NUM", "OLD", "RES", "BYE", "NEW"))
"""Short words that the editor takes for commands."""


def shorten_names(rows: Rows, facts: Facts) -> Rows:
    """The program with short names; each SUB has its own names."""
    del facts
    new = new_names(rows)
    subs: list[Row] = []
    for body in bodies(rows.subs):
        subs += with_names(body, new[name_of(body)])
    return replace(rows, main=with_names(rows.main, new[""]), subs=tuple(subs))


def new_names(rows: Rows) -> dict[str, dict[str, str]]:
    """The names that `shorten_names` gives: name of the SUB (empty: main) → old → new.

    Where errors are handled, no short name is in use on the other side.
    """
    main, apart = _used(rows.main), handles_errors(rows)
    found = {"": _short_names(main, set(_used(rows.subs)) if apart else set())}
    taken = {*main, *found[""].values()} if apart else set()
    for body in bodies(rows.subs):
        found[name_of(body)] = _short_names(_used(body), taken)
    return found


def handles_errors(rows: Iterable[Row]) -> bool:
    """Tell whether there is an ON ERROR: a handler may run with the names of a SUB."""
    return any({t.ON, t.ERROR} <= words(row.tokens) for row in rows)


def name_of(body: Sequence[Row]) -> str:
    """The name of a SUB."""
    return next(element.text for element in scan(body[0].tokens) if element.token == t.UNQUOTED)


def _used(body: Iterable[Row]) -> Counter[str]:
    return Counter(element.text for row in body for element in names(row.tokens))


def _short_names(used: Counter[str], taken_elsewhere: set[str]) -> dict[str, str]:
    """Name → shorter one, for names that have a shorter one; the most used first."""
    taken = taken_elsewhere | {name for name in used if len(name.rstrip("$")) == 1}
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
    """Names that are not words of Extended BASIC, the shortest first.

    None begins with E: after a number, where a program has a mistake, it would be listed as an
    exponent.
    """
    letters = ascii_uppercase.replace("E", "")
    yield from letters
    for pair in map("".join, product(letters, ascii_uppercase + digits)):
        if pair not in t.TOKENS and pair not in COMMAND_WORDS:
            yield pair
    yield from map("".join, product(letters, digits, digits))


def with_names(rows: Iterable[Row], new: Mapping[str, str]) -> tuple[Row, ...]:
    """The rows with other names for the variables that have a `new` one."""
    return tuple(replace(row, tokens=_with_names(row.tokens, new)) for row in rows)


def _with_names(tokens: bytes, new: Mapping[str, str]) -> bytes:
    made = bytearray()
    at = 0
    for element in names(tokens):
        made += tokens[at : element.start]
        made += new.get(element.text, element.text).encode("latin-1")
        at = element.end
    return bytes(made + tokens[at:])
