"""The keyboard of MAME's driver ti99_4a: ports and fields of characters and named keys."""

from __future__ import annotations

from ti99tools.base.errors import HostError

CAPS: dict[str, tuple[str, str]] = {
    "=": (":COL0", "= + QUIT"), " ": (":COL0", "Space"), "\n": (":COL0", "Enter"),
    "FCTN": (":COL0", "FCTN"), "SHIFT": (":COL0", "Shift"), "CTRL": (":COL0", "CTRL"),
    ".": (":COL1", ".  >"), "2": (":COL1", "2  @  F2"), "9": (":COL1", "9 ( BACK"),
    "L": (":COL1", "l  L"), "O": (":COL1", "o  O  '"), "S": (":COL1", "s  S  Cursor Left"),
    "W": (":COL1", "w  W  ~"), "X": (":COL1", "x  X  Cursor Down"),
    ",": (":COL2", ",  <"), "3": (":COL2", "3 # ERASE"), "8": (":COL2", "8 * REDO"),
    "C": (":COL2", "c  C  `"), "D": (":COL2", "d  D  Cursor Right"),
    "E": (":COL2", "e  E  Cursor Up"), "I": (":COL2", "i  I  ?"), "K": (":COL2", "k  K"),
    "4": (":COL3", "4 $ CLEAR"), "7": (":COL3", "7 & AID"), "F": (":COL3", "f  F  {"),
    "J": (":COL3", "j  J"), "M": (":COL3", "m  M"), "R": (":COL3", "r  R  ["),
    "U": (":COL3", "u  U  _"), "V": (":COL3", "v  V"), "5": (":COL4", "5 % BEGIN"),
    "6": (":COL4", "6 ^ PROC'D"), "B": (":COL4", "b  B"), "G": (":COL4", "g  G  }"),
    "H": (":COL4", "h  H"), "N": (":COL4", "n  N"), "T": (":COL4", "t  T  ]"),
    "Y": (":COL4", "y  Y"), "/": (":COL5", "/  -"), "0": (":COL5", "0  )  F10"),
    "1": (":COL5", "1  !  Delete"), ";": (":COL5", ";  :"), "A": (":COL5", "a  A  |"),
    "P": (":COL5", 'p  P  "'), "Q": (":COL5", "q  Q"), "Z": (":COL5", "z  Z  \\"),
}  # fmt: skip
"""Key cap → port and field of MAME's driver ti99_4a."""

SHIFTED = dict(zip("!@#$%^&*()-+:<>", "1234567890/=;,.", strict=True))
WITH_FCTN = dict(zip("\"'?_~[]{}|\\`", "POIUWRTFGAZC", strict=True))
NAMED = {
    "AID": "7", "CLEAR": "4", "DEL": "1", "INS": "2", "REDO": "8", "ERASE": "3", "LEFT": "S",
    "RIGHT": "D", "DOWN": "X", "UP": "E", "PROCEED": "6", "BEGIN": "5", "BACK": "9",
}  # fmt: skip
"""Function keys → the cap pressed with FCTN."""


def fields_of(key: str) -> list[tuple[str, str]]:
    """The fields to press for a character or a named key, modifier first.

    Raises HostError for a key that the keyboard lacks.
    """
    if key in NAMED:
        return [CAPS["FCTN"], CAPS[NAMED[key]]]
    key = {"ENTER": "\n", "SPACE": " "}.get(key, key)
    if key in SHIFTED:
        return [CAPS["SHIFT"], CAPS[SHIFTED[key]]]
    if key in WITH_FCTN:
        return [CAPS["FCTN"], CAPS[WITH_FCTN[key]]]
    if key.isalpha() and key.isupper():
        return [CAPS["SHIFT"], CAPS[key]]
    if key.upper() in CAPS:
        return [CAPS[key.upper()]]
    raise HostError(f"mame: no key {key!r} on the keyboard")
