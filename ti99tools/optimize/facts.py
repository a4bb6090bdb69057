"""What is known of a program before it is changed, and whether it may be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base.xberrors import XBError
from ti99tools.optimize.rows import called, words
from ti99tools.source.prescan import Prescan, Scan
from ti99tools.source.scan import Element, scan

MEMORY_CALLS = frozenset(("LOAD", "LINK", "INIT", "PEEK"))
"""Subprograms by which a program may look at its own lines in memory."""
NAME_TABLE = {"8196", *map(str, range(0x3F00, 0x4000))}
"""Where LOAD enters the names of routines."""
ERR_LINE = 4
"""The argument of CALL ERR that tells a line number."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The pre-scan's tables, and what forbids some changes.

    `refused` says why nothing may be changed; `tells_lines`: the program learns or shows its own
    line numbers (CALL ERR with four arguments, TRACE), so that they must stay.
    """

    scan: Scan
    refused: str = ""
    tells_lines: bool = False
    switched: bool = False
    """Tell whether the program switches the pre-scan itself."""
    hot: tuple[str, ...] = ()
    """Names of the main program that are known to be looked up most, as they are called now."""


def facts_of(lines: Sequence[tuple[int, bytes]], routines: Collection[str] = ()) -> Facts:
    """The facts of a program; `routines` of machine code are known to leave it alone."""
    prescan = Prescan(lines)
    try:
        found = prescan.program()
    except XBError as error:
        return Facts(Scan(), f"RUN would stop with {error} before the first statement")
    tokens = [line for _, line in lines]
    for number, line in lines:
        if MEMORY_CALLS & set(called(line)) and not _leaves_alone(line, routines):
            return Facts(found, f"line {number} may look at the program in memory")
        if not _begins_with_sub(line):
            return Facts(found, f"SUB in line {number} is not at its beginning")
    return Facts(
        found,
        tells_lines=any(_tells_lines(line) for line in tokens),
        switched=any(_switches(line) for line in tokens),
    )


def _leaves_alone(line: bytes, routines: Collection[str]) -> bool:
    """Tell whether all calls of INIT, LOAD and LINK in a line only serve known routines."""
    elements = list(scan(line))
    for at, element in enumerate(elements):
        if element.token != t.CALL or element is elements[-1]:
            continue
        name = elements[at + 1].text
        first = elements[at + 3].text if at + 3 < len(elements) else ""
        known = name == "INIT" or (name == "LOAD" and first in NAME_TABLE)
        if name in MEMORY_CALLS and not (routines and (known or first in routines)):
            return False
    return True


def _begins_with_sub(line: bytes) -> bool:
    """Tell whether each SUB of the line begins it, or belongs to GO SUB."""
    return all(a.token == t.GO for a, b in pairwise(scan(line)) if b.token == t.SUB)


def _switches(line: bytes) -> bool:
    return any(
        element.token in (t.BANG, t.REM) and element.data[:3].upper() in (b"@P-", b"@P+")
        for element in scan(line)
    )


def _tells_lines(line: bytes) -> bool:
    if words(line) & {t.TRACE, t.UNTRACE}:
        return True
    elements = list(scan(line))
    return any(
        element.token == t.CALL and _is_err(elements[at + 1 :])
        for at, element in enumerate(elements)
    )


def _is_err(after: list[Element]) -> bool:
    """Tell whether what follows CALL is ERR with an argument for the line number."""
    if len(after) < 2 or after[0].data != b"ERR":
        return False
    depth, commas = 0, 0
    for element in after[1:]:
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        commas += depth == 1 and element.token == t.COMMA
        if depth == 0:
            break
    return commas >= ERR_LINE - 1
