"""The keys: their places in the matrix, codes and repeats, and how a script presses them.

Units of CALL KEY: 0 = the mapping used last, 1 and 2 = left and right half of the keyboard (and the
joysticks' buttons), 3 = as the TI-99/4 (capitals only), 4 = Pascal, 5 = BASIC. Source: the key maps
of the User's Reference Guide; units 0–5 confirmed by the recorded key cases.

The matrix knows which keys are down, and which of them a scan finds. A key held down repeats in a
line editor; the times are recorded, with keys held 98 to 120 frames.

A key of a script is held for some frames of machine time and then released for some. So that a slow
loop loses no key, it goes down when the program asks for one (INPUT and ACCEPT always do; for CALL
KEY, `computer.console.asking` has the rule), stays down until CALL KEY, INPUT, ACCEPT or machine
code has read it, and the next waits until the reader has found none. Keys with a CLEAR after them
in the queue do not wait: they go down and up in real time, seen or not, so that CLEAR stops a busy
program. The scans of CALL JOYST and CALL SOUND read no key: no key of a script goes down for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from ti99tools.base.codes import CLEAR, ENTER, KEY_NAMES
from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.base.errors import ScriptError
from ti99tools.hardware.machine.clock import FRAME, NEVER, Clock, ScheduledEvent
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


@dataclass(frozen=True, slots=True)
class Key:
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
    """The key that types a character, or the one named LEFT, CLEAR, CTRL-A, ….

    Raises ScriptError for what the keyboard does not have.
    """
    if len(name) == 1:
        return _typing_key(name)
    upper = name.upper()
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

    def clear(self) -> None:
        """Release all keys that are down."""
        self._down.clear()

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


DELAY, GAP = 79 * FRAME // 2, 99 * FRAME // 20
"""Cycles until a character first repeats, and between its further repeats."""
FUNCTION_DELAY, FUNCTION_GAP = 43 * FRAME, 52 * FRAME // 10
"""The same for LEFT and the other keys that type no character."""


class Repeat:
    """When the key that is held down repeats."""

    def __init__(self) -> None:
        self._key: Key | None = None
        self._rested: int | None = None
        self.at = NEVER
        """The cycle at which the key repeats."""

    def start(self, key: Key, now: int) -> None:
        """Start with a key that was pressed, or found down."""
        self._key = key
        self.at = now + (DELAY if key.basic >= BLANK else FUNCTION_DELAY)

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
        self.at = NEVER

    def comes(self, key: Key, now: int) -> bool:
        """Tell whether a key that is still down repeats now."""
        if key is not self._key:
            self.start(key, now)
        if now < self.at:
            return False
        self.at = now + (GAP if key.basic >= BLANK else FUNCTION_GAP)
        return True


MISSES = 3
"""Scans after which a key that none of them can find (it lies in the other half of the keyboard)
counts as read, and a missing gap as seen.
"""


class KeyStroke:
    """One key pressed for `hold` frames, then up for `gap` frames; not before a given cycle.

    `anywhere`: any look may find it, whether or not the program asks for a key there.
    """

    __slots__ = ("anywhere", "gap", "hold", "key", "missed", "not_before", "seen")

    def __init__(
        self, key: Key, hold: int, gap: int, not_before: int, anywhere: bool = False
    ) -> None:
        self.anywhere = anywhere
        self.key = key
        self.hold = hold
        self.gap = gap
        self.not_before = not_before
        self.missed = 0
        self.seen = False


class KeyQuestions(Protocol):
    """What knows whether the program asks for a key; see `computer.console.questions`."""

    def asks(self, half: bool) -> bool:
        """Note a look at the keyboard, or at a half of it, that finds no key; tell whether the
        program asks for one.
        """
        ...

    def given(self) -> None:
        """A key was given."""
        ...


class Typist:
    """Presses queued keys on a matrix, one after the other. Without an `asker` every look asks."""

    def __init__(self, clock: Clock, matrix: Matrix) -> None:
        self.asker: KeyQuestions | None = None
        self._clock = clock
        self._matrix = matrix
        self._queue: deque[KeyStroke] = deque()
        self._when_rested: Callable[[], None] | None = None
        self._rest_event: ScheduledEvent | None = None
        self._down: KeyStroke | None = None
        self._down_until = 0
        self._up_until = 0
        self._gap_seen = True
        self._gap_missed = 0
        self._reader = 0
        self._clears = 0
        self._clear_event: ScheduledEvent | None = None

    @property
    def busy(self) -> bool:
        """Tell whether a key was down or queued at the last `update`."""
        return self._down is not None or bool(self._queue)

    @property
    def rested(self) -> bool:
        """Tell whether no key is down or queued, and the last gap is over."""
        self.update()
        return not self.busy and self._clock.cycles >= self._up_until

    @property
    def quiet_at(self) -> int:
        """The cycle at which the gap after the last key ends, if every key is seen in time."""
        self.update()
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until) + self._down.gap * FRAME
        for press in self._queue:
            at = max(at, press.not_before) + (press.hold + press.gap) * FRAME
        return at

    def press(self, key: Key, hold: int, gap: int, anywhere: bool) -> None:
        """Queue one key; `hold` and `gap` are frames."""
        self._queue.append(KeyStroke(key, hold, gap, self._clock.cycles, anywhere))
        if key.basic == CLEAR:
            self._clears += 1
            self._watch_for_clear()

    def tell_when_rested(self, listener: Callable[[], None] | None) -> None:
        """Call a function when the last key has been seen and its gap is over.

        None cancels it.
        """
        self._when_rested = listener
        if listener is None and self._rest_event is not None:
            self._clock.cancel(self._rest_event)

    def stop(self) -> None:
        """Forget all keys, both down and queued."""
        if self._down is not None:
            self._matrix.release(self._down.key)
        self._queue.clear()
        self._clears = 0
        self._down = None

    def read(self, unit: int, key: Key | None) -> None:
        """Note that CALL KEY or a line editor has scanned a unit, and found a key or none."""
        half = unit if unit in (1, 2) else 0
        press = self._down
        if press is None:
            self._gap_missed += 1
            # The gap must be seen by the reader of the key, not by a look at the other half.
            self._gap_seen |= half == self._reader or self._gap_missed >= MISSES
        elif not press.seen:
            press.missed += 1
            if key is press.key or press.missed >= MISSES:
                self._reader = half
                if half:  # the whole keyboard may be looked at next
                    until = self._clock.cycles + press.hold * FRAME
                    self._down_until = max(self._down_until, until)
                self.looked()

    def looked(self) -> None:
        """Note that the key that is down has been seen: it may go up, or the next go down."""
        press = self._down
        if press is None:
            self._gap_seen = True
        elif not press.seen:
            press.seen = True
            if self._when_rested is not None and not self._queue:
                rested = self._down_until + press.gap * FRAME
                self._rest_event = self._clock.schedule(rested, self._when_rested)

    def unread(self, key: Key | None) -> bool:
        """Tell whether a key is the script's and nobody has read it yet."""
        press = self._down
        return press is not None and not press.seen and key is press.key

    def lift(self) -> None:
        """Release the key that is down if its time has come."""
        if self._down is not None:
            self._lift(self._clock.cycles)

    def update(self) -> None:
        """Release and press keys as the time and the scans since the last look require.

        A key that waits for a question goes down only in `scanned` and `wanted`.
        """
        self._go_on(scans=False)

    def wanted(self) -> None:
        """As `update`, before a look of a line editor or of machine code, which wants any key."""
        self._go_on(scans=True)

    def scanned(self, unit: int) -> None:
        """As `update`, before a look of CALL KEY at a unit."""
        self._go_on(scans=False)
        if self._down is None and self._queue:
            self._go_on(self.asker is None or self.asker.asks(unit in (1, 2)))

    def _go_on(self, scans: bool) -> None:
        now = self._clock.cycles
        while self._down is not None or self._queue:
            changed = self._lift(now) if self._down is not None else self._strike(now, scans)
            if not changed:
                return

    @property
    def next_change(self) -> int:
        """When the key that is down goes up, or else the next goes down; NEVER without keys."""
        if self._down is not None:
            return self._down_until if self._queue else NEVER
        return max(self._up_until, self._queue[0].not_before) if self._queue else NEVER

    @property
    def lifts_at(self) -> int:
        """When the key that is down goes up, if it has been seen; NEVER without one."""
        return NEVER if self._down is None else self._down_until

    def _lift(self, now: int) -> bool:
        """Release the key that is down if its time has come."""
        press = self._down
        assert press is not None
        # A CLEAR in the queue must not wait for a program that never looks at its keys.
        if now < self._down_until or not (press.seen or self._clears):
            return False
        self._up_until = self._down_until + press.gap * FRAME
        self._gap_seen = False
        self._gap_missed = 0
        self._down = None
        self._matrix.release(press.key)
        return True

    def _strike(self, now: int, scans: bool) -> bool:
        """Press the next key if its time has come."""
        press = self._queue[0]
        start = max(self._up_until, press.not_before)
        due = self._gap_seen and (scans or press.anywhere)
        if now < start or not (due or self._clears):
            return False
        self._queue.popleft()
        if self.asker is not None:
            self.asker.given()
        self._down = press
        self._down_until = start + press.hold * FRAME
        self._matrix.press(press.key)
        if press.key.basic == CLEAR:
            self._clears -= 1
            if self._clears:
                self._watch_for_clear()
        return True

    def _watch_for_clear(self) -> None:
        """Make running code look at the keyboard when CLEAR goes down."""
        if self._clear_event is not None:
            self._clock.cancel(self._clear_event)
        at = max(self._clock.cycles, self._up_until)
        if self._down is not None:
            at = max(at, self._down_until + self._down.gap * FRAME)
        for press in self._queue:
            at = max(at, press.not_before)
            if press.key.basic == CLEAR:
                break
            at += (press.hold + press.gap) * FRAME
        self._clear_event = self._clock.schedule(at, self._clock.request_attention)
