"""What is known of a program before it is changed, and whether it may be changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base.xberrors import XBError
from ti99tools.language.listing.listing import Element, scan
from ti99tools.language.optimize.rows import called, words
from ti99tools.language.prescan import Prescan, Scan

MEMORY_CALLS = frozenset(("LOAD", "LINK", "INIT", "PEEK"))
"""Subprograms by which a program may look at its own lines in memory."""
NAME_TABLE = {"8196", *map(str, range(0x3F00, 0x4000))}
"""Where LOAD enters the names of routines."""
INTERRUPT_FLAGS = 0x83C2
"""LOAD of a byte there makes the interrupt routine skip sprites, sound or QUIT."""
PLAIN_CELLS = (0x8378, 0x8379, 0x837A, 0x837B, INTERRUPT_FLAGS)
"""Cells that say nothing about the program: random byte, frames, sprites, video status, flags."""
LOW_MEMORY = range(0x2000, 0x4000)
"""Memory without program lines."""
ERR_LINE = 4
"""The argument of CALL ERR that gives a line number."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The pre-scan's tables, and what forbids some changes.

    `refused` says why nothing may be changed. `tells_lines`: the program learns or shows its own
    line numbers (CALL ERR with four arguments, TRACE), so that they must stay.
    """

    scan: Scan
    refused: str = ""
    tells_lines: bool = False
    switched: bool = False
    """Set when the program switches the pre-scan itself."""
    hot: tuple[str, ...] = ()
    """Names of the main program known to be looked up most, as they are called now."""


def facts_of(lines: Sequence[tuple[int, bytes]], routines: Collection[str] = ()) -> Facts:
    """The facts of a program; `routines` of machine code are known not to look at it."""
    prescan = Prescan(lines)
    try:
        found = prescan.program()
    except XBError as error:
        return Facts(Scan(), f"RUN would stop with {error} before the first statement")
    tokens = [line for _, line in lines]
    entered = any("INIT" in called(line) for line in tokens)
    for number, line in lines:
        if MEMORY_CALLS & set(called(line)) and not _leaves_alone(line, routines, entered):
            return Facts(found, f"line {number} may look at the program in memory")
        if not _begins_with_sub(line):
            return Facts(found, f"SUB in line {number} is not at its beginning")
    return Facts(
        found,
        tells_lines=any(_tells_lines(line) for line in tokens),
        switched=any(_switches(line) for line in tokens),
    )


def _leaves_alone(line: bytes, routines: Collection[str], entered: bool) -> bool:
    """Tell whether all calls of INIT, LOAD, LINK and PEEK in a line leave the program alone.

    They do if they serve known routines, or concern only cells that have no part in it; LOAD of
    such a cell counts in a program that has `entered` machine code by CALL INIT.
    """
    elements = list(scan(line))
    for at, element in enumerate(elements):
        if element.token != t.CALL or element is elements[-1]:
            continue
        name = elements[at + 1].text
        if name not in MEMORY_CALLS or name == "INIT":
            continue
        first = elements[at + 3].text if at + 3 < len(elements) else ""
        if routines and (first in routines or (name == "LOAD" and first in NAME_TABLE)):
            continue
        if not _concerns_cells(name, elements[at + 3 :], entered):
            return False
    return True


def _concerns_cells(name: str, arguments: list[Element], entered: bool) -> bool:
    """Tell whether a call of PEEK or LOAD with these arguments is about harmless cells."""
    negative = bool(arguments) and arguments[0].token == t.MINUS
    given = arguments[negative:]
    if not given or given[0].token != t.UNQUOTED or not given[0].text.isdigit():
        return False
    address = (-int(given[0].text) if negative else int(given[0].text)) & 0xFFFF
    after = [element.token for element in given[1:]]
    one = after[0:1] == [t.COMMA] and after[2:3] == [t.RPAREN]
    if name == "PEEK":
        return address in LOW_MEMORY or (one and address in PLAIN_CELLS)
    return name == "LOAD" and entered and one and address == INTERRUPT_FLAGS


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
    """Tell whether CALL is followed by ERR with an argument for the line number."""
    if len(after) < 2 or after[0].data != b"ERR":
        return False
    depth, commas = 0, 0
    for element in after[1:]:
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        commas += depth == 1 and element.token == t.COMMA
        if depth == 0:
            break
    return commas >= ERR_LINE - 1
