"""The keys: their caps, their codes for CALL KEY, and which of them are down in the matrix.

Units of CALL KEY: 0 = the mapping used last, 1 and 2 = left and right half of the keyboard (and the
joysticks' buttons), 3 = as the TI-99/4 (capitals only), 4 = Pascal, 5 = BASIC. Source: the key maps
of the User's Reference Guide; units 0–5 confirmed by the recorded key cases.
"""

from __future__ import annotations

from functools import cache

from ti99tools.base.codes import CLEAR, ENTER, KEY_NAMES
from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.base.errors import ScriptError
from ti99tools.base.record import Record
from ti99tools.hardware.machine.clock import FRAME, NEVER
from ti99tools.hardware.machine.screen import BLANK

NO_KEY = -1

_HALVES = ("12345QWERTASDFGZXCVB", "67890YUIOPHJKL;NM,./")
_HALF_CODES = (19, 7, 8, 9, 10, 18, 4, 5, 6, 11, 1, 2, 3, 12, 17, 15, 0, 14, 13, 16)
SPLIT: tuple[dict[str, int], dict[str, int]] = (
    dict(zip(_HALVES[0], _HALF_CODES, strict=True)),
    dict(zip(_HALVES[1], _HALF_CODES, strict=True)),
)
"""Key cap → code in units 1 and 2. The two halves mirror each other: X and M are 0, Q and Y 18.

The keys at the sides (=, ENTER, space, FCTN, SHIFT, CTRL) belong to neither half.
"""

_SHIFTED = dict(zip("!@#$%^&*()-+:<>", "1234567890/=;,.", strict=True))
"""Character typed with SHIFT → its key cap."""

_FUNCTION = dict(zip("\"'?_~[]{}|\\`", "POIUWRTFGAZC", strict=True))
"""Character typed with FCTN → its key cap."""

_NAMED = {
    "AID": "7",
    "CLEAR": "4",
    "DEL": "1",
    "INS": "2",
    "QUIT": "=",
    "REDO": "8",
    "ERASE": "3",
    "LEFT": "S",
    "RIGHT": "D",
    "DOWN": "X",
    "UP": "E",
    "PROCEED": "6",
    "BEGIN": "5",
    "BACK": "9",
}
"""Name of a function key → the key cap pressed together with FCTN."""

FUNCTION_KEYS = {
    **{cap: character for character, cap in _FUNCTION.items()},
    **{cap: name for name, cap in _NAMED.items() if name != "QUIT"},
}
"""Key cap → the name by which `find_key` knows the key typed with FCTN; without QUIT, which is the
console's own.
"""

FUNCTION = "FCTN"
FUNCTION_NAMES = {f"FCTN-{cap}": name for cap, name in FUNCTION_KEYS.items()}
"""The other name of each of these keys → its name."""
WITH_FUNCTION = {**FUNCTION_KEYS, "=": "QUIT"}
"""Key cap → the key that it is with FCTN down, with QUIT."""

_CONTROL_BASIC = {
    **{chr(ord("A") + i): 129 + i for i in range(26)},
    ",": 128,
    ".": 155,
    ";": 156,
    "=": 157,
    "8": 158,
    "9": 159,
    "/": 187,
    **{str(i): 176 + i for i in range(8)},
}
"""Key cap → code with CTRL in the BASIC mapping."""

_NOT_IN_UNIT_3 = frozenset(b"`{|}~")
"""Characters that the TI-99/4's keyboard had no key for (recorded)."""

_PASCAL_FUNCTION = 0x80
_PASCAL_CONTROL_LIMIT = 160
"""Unit 4 has the codes of Pascal: FCTN adds 128 to control characters, CTRL takes 128 off."""


class Key(Record):
    """One key with the modifiers held: its cap and its code in the BASIC mapping."""

    cap: str
    basic: int
    control: bool = False

    @property
    def held(self) -> str:
        """The modifier that is down with it: 1 FCTN, 2 SHIFT, 3 CTRL as a character, or none."""
        character = chr(self.basic)
        if self.control:
            return "\x03"
        if character in _SHIFTED:
            return "\x02"
        function = character in _FUNCTION or (self.basic < 32 and self.basic != ENTER)
        return "\x01" if function else ""

    def code(self, unit: int, alpha_lock: bool) -> int:
        """The code that CALL KEY(unit, …) gives (1–5), or −1 if the unit has no such key."""
        if unit in (1, 2):
            return SPLIT[unit - 1].get(self.cap, NO_KEY)
        code = self.basic
        if unit == 3 and code in _NOT_IN_UNIT_3:
            return NO_KEY
        # Letters are capitals with ALPHA LOCK down, and always in unit 3.
        if 97 <= code <= 122 and (alpha_lock or unit == 3):
            return code - 32
        if self.control:
            if unit == 3:
                return NO_KEY
            return code - 128 if unit == 4 and code < _PASCAL_CONTROL_LIMIT else code
        if unit == 4 and code < 16 and code != ENTER:
            return code + _PASCAL_FUNCTION
        return code


BUTTONS = (Key("Q", ord("Q")), Key("Y", ord("Y")))
"""The buttons of the joysticks: the left half's scan takes one for Q, the right's for Y."""


@cache
def find_key(name: str) -> Key:
    """The key that types a character, or the one named LEFT, CLEAR, FCTN-4, CTRL-A, ….

    Raises ScriptError for what the keyboard does not have.
    """
    if len(name) == 1:
        return _typing_key(name)
    upper = name.upper()
    if upper in FUNCTION_NAMES:
        return find_key(FUNCTION_NAMES[upper])
    if upper in _NAMED:
        return Key(_NAMED[upper], KEY_NAMES[upper])
    if upper == "ENTER":
        return Key("\n", ENTER)
    if upper == "SPACE":
        return Key(" ", 32)
    cap = upper.removeprefix("CTRL-")
    if cap != upper and cap in _CONTROL_BASIC:
        return Key(cap, _CONTROL_BASIC[cap], control=True)
    raise ScriptError(f"no key {name!r}", remedy="use a character or a name such as LEFT or CLEAR")


def _typing_key(character: str) -> Key:
    if character in "\n\r":
        return Key("\n", ENTER)
    code = ord(character)
    if character in _SHIFTED:
        return Key(_SHIFTED[character], code)
    if character in _FUNCTION:
        return Key(_FUNCTION[character], code)
    if character == " " or character.upper() in _HALVES[0] + _HALVES[1] + "=":
        return Key(character.upper(), code)
    raise ScriptError(
        f"no key types {character!r}", remedy="the keyboard has ASCII 32 to 126 and ENTER"
    )


SCAN_ORDER = "ZQA10P;/BTG56YHNVRF47UJMCED38IK,XWS29OL.\n ="
"""Key caps in the order in which a scan looks at them, column by column; of several keys down it
finds the first. Source: recorded, all 903 pairs.
"""

FUNCTION_CAP, SHIFT_CAP, CONTROL_CAP, NOTHING = "\x01\x02\x03\x00"
COLUMNS = (
    f"= \n{NOTHING}{FUNCTION_CAP}{SHIFT_CAP}{CONTROL_CAP}{NOTHING}",
    ".LO92SWX",
    ",KI83DEC",
    "MJU74FRV",
    "NHY65GTB",
    "/;P01AQZ",
)
"""Key caps of each column of the matrix, row by row. Source: TI's technical data of the console."""

_PLACES = {cap: place for place, cap in enumerate(SCAN_ORDER)}
REPEAT_DELAY, REPEAT_GAP = 79 * FRAME // 2, 99 * FRAME // 20
"""Cycles until a character first repeats, and between its further repeats."""
FUNCTION_DELAY, FUNCTION_GAP = 43 * FRAME, 52 * FRAME // 10
"""The same for LEFT and the other keys that type no character."""
FOUND_SOONER = 7 * FRAME // 2
"""Cycles by which a key that is down when a line begins repeats sooner (recorded: random4-held)."""


class Matrix:
    """The keys that are down."""

    def __init__(self) -> None:
        self._down: list[Key] = []

    def __bool__(self) -> bool:
        """Tell whether any key is down."""
        return bool(self._down)

    def press(self, key: Key) -> None:
        """Hold a key down; several may be down."""
        self._down.append(key)
        self._down.sort(key=lambda down: _PLACES[down.cap])

    def release(self, key: Key) -> None:
        """Release a key; one that is not down stays up."""
        if key in self._down:
            self._down.remove(key)

    def caps(self) -> set[str]:
        """The caps that are down, with FCTN, SHIFT and CTRL."""
        if not self._down:
            return set()
        down = {key.cap for key in self._down}
        return down.union(*(key.held for key in self._down))

    def first(self, unit: int) -> Key | None:
        """The key that a scan of a unit finds; units 1 and 2 are the halves of the keyboard."""
        if unit not in (1, 2):
            return self._down[0] if self._down else None
        return next((key for key in self._down if key.code(unit, False) != NO_KEY), None)

    @property
    def breaks(self) -> bool:
        """Tell whether CLEAR is down; it stops a program whatever else is down."""
        return any(key.basic == CLEAR for key in self._down)

    @property
    def quits(self) -> bool:
        """Tell whether QUIT is down."""
        return any(key.cap == "=" and key.basic == KEY_NAMES["QUIT"] for key in self._down)


class Repeat:
    """When the key that is held down repeats in a line editor; CALL KEY only gives the status -1.

    The times are recorded, with keys held 98 to 120 frames.
    """

    def __init__(self) -> None:
        self._key: Key | None = None
        self._rested: int | None = None
        self._sooner = 0
        self.at = NEVER
        """The cycle at which the key repeats."""

    def begin(self) -> None:
        """Note that a line begins: a key that is down at once has been down before."""
        self._sooner = FOUND_SOONER

    def start(self, key: Key, now: int) -> None:
        """Start with a key that was pressed, or found down."""
        self._key = key
        self.at = now + (REPEAT_DELAY if key.basic >= BLANK else FUNCTION_DELAY) - self._sooner
        self._sooner = 0

    def rest(self, now: int) -> None:
        """Note that the line editor has taken a key; see `go_on`."""
        self._rested = now

    def go_on(self, now: int) -> None:
        """Wait for the next key: delay the repeat if the last key took longer than usual."""
        if self._rested is not None:
            self.at += max(0, now - self._rested - EDITOR_TAKEN)
            self._rested = None

    def stop(self) -> None:
        """Note that no key is down."""
        self._key = None
        self._sooner = 0
        self.at = NEVER

    def comes(self, key: Key, now: int) -> bool:
        """Tell whether a key that is still down repeats now."""
        if key is not self._key:
            self._sooner = 0  # for a key that is new alone
            self.start(key, now)
        if now < self.at:
            return False
        self.at = now + (REPEAT_GAP if key.basic >= BLANK else FUNCTION_GAP)
        return True
