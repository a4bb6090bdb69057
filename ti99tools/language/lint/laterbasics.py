"""CALLs of missing machine code, and subprograms that other BASICs of the TI-99/4A have.

Programs written for those stop here, and whoever runs one wants to know where it belongs. Sources:
the RXB manual, the descriptions of Extended BASIC II Plus, of XB256 and of Extended BASIC 2.9, the
manuals of Myarc, of the Mini Memory and of the disk controller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.listing import NAME, Element, scan

NOT_DEFINED = "no machine code with that name has been loaded"
NO_INIT = "machine code needs CALL INIT first, and the 32K expansion"
LAST_CHARACTER, LAST_SET = 143, 14
ONLY_THERE = "characters 144 to 159 and sets 15 and 16 are those of TI BASIC"
_ELSEWHERE = {
    "RXB": """
        ALPHALOCK AMSBANK AMSINIT AMSMAP AMSOFF AMSON AMSPASS AMSSIZE BEEP BIAS BLOAD BSAVE BYE CAT
        CATALOG CHARSETALL CLEARPRINT CLSALL COLLIDE DIR DUPCHAR DUPCOLOR EA EALR EXECUTE GMOTION
        HEX HGET HONK HPUT INVERSE IO ISROFF ISRON JOYLOCATE JOYMOTION MOVE MOVES NEW ONKEY PEEKG
        PEEKV PLOAD POKEG POKER POKEV PRAM PSAVE QUITOFF QUITON RMOTION ROLLDOWN ROLLLEFT ROLLRIGHT
        ROLLUP SAMS SCROLLDOWN SCROLLLEFT SCROLLRIGHT SCROLLUP SECTOR SIZE SWAPCHAR SWAPCOLOR USER
        VDPSTACK VGET VPUT XB XBPGM""",
    "Extended BASIC II Plus": """
        ALLSET BHCOPY BYE FIND GPEEK HALT MLOAD MOVE MSAVE NEW QUITOFF QUITON RESTORE SCREENOF
        SCREENON SPROF SPRON VPEEK VPOKE WAIT""",
    "Myarc Extended BASIC II": """
        CIRCLE DCOLOR DRAW DRAWTO FILL GRAPHICS MARGINS POINT RECTANGLE TCOLOR""",
    "Extended BASIC 2.9 G.E.M.": "LDCR MOVE PEEKV POKEV STCR",
    "the Mini Memory cartridge": "PEEKV POKEV",
    "the disk controller (typed)": "FILES",
}
"""Where subprograms are that Extended BASIC v110 lacks."""
_XB256 = frozenset(
    """
    CHAR2 CHPAT2 CHSET2 COLOR2 CWRITE DISPLY FREEZE HILITE SCRLDN SCRLLF SCRLRT SCRLUP SCRN1
    SCRN2 THAW VREAD VWRITE
    """.split()
)
"""Routines that XB256 adds, reached with CALL LINK."""


def found_in(name: str) -> str:
    """The BASICs with a subprogram that Extended BASIC lacks; empty if unknown."""
    return ", ".join(where for where, names in _ELSEWHERE.items() if name in names.split())


def called(tokens: bytes) -> Iterator[tuple[str, int, Element | None]]:
    """For each CALL in a line: the name, its offset, and the first element of the arguments."""
    elements = list(scan(tokens))
    for at, (word, name) in enumerate(pairwise(elements)):
        if word.token == t.CALL and name.token in (NAME, t.UNQUOTED):
            first = elements[at + 3 : at + 4]
            yield name.text, word.start, first[0] if first else None


def routine_of_xb256(name: str, first: Element | None) -> str:
    """The name of XB256's routine that CALL LINK runs, else empty; `first` is its argument."""
    if name != "LINK" or first is None or first.token != t.QUOTED:
        return ""
    return first.text if first.text in _XB256 else ""


def enters_name(name: str, lines: Iterable[bytes]) -> bool:
    """Tell whether a program contains a routine of machine code by that name.

    Its letters are numbers in a CALL LOAD or in DATA, or object code is loaded.
    """
    letters = [str(ord(letter)) for letter in name]
    for tokens in lines:
        numbers = [e.text.strip() for e in scan(tokens) if e.token == t.UNQUOTED]
        if any(numbers[at : at + len(letters)] == letters for at in range(len(numbers))):
            return True
        loads = (first for word, _, first in called(tokens) if word == "LOAD" and first)
        if any(is_text(first) for first in loads):
            return True
    return False


def is_text(element: Element) -> bool:
    """Tell whether an argument that begins with `element` is a text."""
    return element.token == t.QUOTED or (element.token == NAME and element.text.endswith("$"))


def _no_code(code: int, name: str, first: Element | None, lines: Iterable[bytes]) -> str:
    """Why a LINK or LOAD failed; empty where the error says it."""
    if name == "LINK" and code == xb.SUBPROGRAM_NOT_FOUND:
        routine = routine_of_xb256(name, first)
        return NOT_DEFINED + (f": {routine} is of XB256" if routine else "")
    if name not in ("LINK", "LOAD") or code != xb.SYNTAX_ERROR:
        return ""
    begun = any(other == "INIT" for tokens in lines for other, _, _ in called(tokens))
    return NO_INIT if (first and is_text(first)) or not begun else ""


def _of_ti_basic(code: int, name: str, first: Element | None, lines: Iterable[bytes]) -> str:
    """Why a CHAR or COLOR of a program without `::` may have failed; empty for any other."""
    most = {"CHAR": LAST_CHARACTER, "COLOR": LAST_SET}.get(name)
    if code != xb.BAD_VALUE or most is None or first is None:
        return ""
    constant = first.text if first.token == t.UNQUOTED else ""
    fits = constant.isdigit() and int(constant) <= most
    apart = any(e.token == t.STATEMENT_SEP for tokens in lines for e in scan(tokens))
    return "" if fits or apart else ONLY_THERE


def why_failed(code: int, lines: Mapping[int, bytes], number: int, offset: int) -> str:
    """Why the error `code` in a program is an error here and not elsewhere; empty for any other
    one.

    `lines` are numbers and tokens, `offset` that of the failed statement in its line.
    """
    elements = [e for e in scan(lines.get(number, b"")) if e.start >= offset]
    ends = (e.start for e in elements if e.token == t.STATEMENT_SEP)
    statement = lines.get(number, b"")[offset : next(ends, None) if offset else None]
    for name, _, first in called(statement):
        if name in SUBPROGRAMS:
            no_code = _no_code(code, name, first, lines.values())
            known = no_code or _of_ti_basic(code, name, first, lines.values())
            if known:
                return known
        elif code == xb.SUBPROGRAM_NOT_FOUND and name not in set(_subs(lines.values())):
            where = found_in(name)
            return f"{name} is a subprogram of {where}" if where else f"there is no {name}"
    return ""


def _subs(lines: Iterable[bytes]) -> Iterator[str]:
    """Names of the program's own subprograms."""
    for tokens in lines:
        for word, name in pairwise(scan(tokens)):
            if word.token == t.SUB:
                yield name.text
