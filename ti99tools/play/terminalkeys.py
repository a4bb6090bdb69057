"""What a terminal sends for keys, and which keys of the TI-99/4A they are.

Characters come as themselves, function and arrow keys as sequences that begin with ESC (xterm,
rxvt and the Linux console differ a little), a key with Alt as ESC and the key: that is FCTN.
Terminals do not tell when a key goes up. Sources: ECMA-48; xterm's control sequences.
"""

from __future__ import annotations

import re
from enum import Enum

from ti99tools.machine.keymap import FUNCTION_KEYS
from ti99tools.play.stage import Control, function_key


class Leave(Enum):
    """The key that ends the game."""

    LEAVE = 3


Key = str | Control | Leave

_ESC = 0x1B
_SEQUENCE = re.compile(
    rb"\x1b(?:\[\[(?P<linux>[A-E])|\[(?P<numbers>[0-9;]*)(?P<end>[@-Z\\-~])|O(?P<ss3>[@-~]))"
)
_BEGUN = re.compile(rb"\x1b(?:\[\[?[0-9;]*|O)?")
_ARROWS = {b"A": "UP", b"B": "DOWN", b"C": "RIGHT", b"D": "LEFT"}
_NUMBERED: dict[bytes, Key] = {
    b"2": "INS", b"3": "DEL",
    **{str(code).encode(): function_key(n) for n, code in enumerate(
        (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), 1)},
}  # fmt: skip
_FIRST_FOUR = {bytes((ord("P") + n,)): function_key(n + 1) for n in range(4)}
_CODES: dict[int, Key] = {
    3: Leave.LEAVE, 8: "LEFT", 9: Control.TURBO, 10: "ENTER", 13: "ENTER", 32: "SPACE",
    127: "LEFT",
}  # fmt: skip


class KeyReader:
    """Makes keys of the bytes a terminal sends, however they are cut up."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def waiting(self) -> bool:
        """Tell whether the last bytes may be the beginning of a longer key."""
        return bool(self._rest)

    def read(self, data: bytes) -> list[Key]:
        """The keys that are complete."""
        data, self._rest = self._rest + data, b""
        keys: list[Key | None] = []
        while data:
            if data[0] != _ESC:
                keys.append(_plain(data[0]))
                data = data[1:]
            elif match := _SEQUENCE.match(data):
                keys.append(_sequence(match))
                data = data[match.end() :]
            elif _BEGUN.fullmatch(data):
                self._rest = data
                break
            else:
                keys.append(_escaped(data[1]))
                data = data[2:]
        return [key for key in keys if key is not None]

    def give_up(self) -> list[Key]:
        """Nothing more comes: what is left is a key of its own."""
        rest, self._rest = self._rest, b""
        if rest == b"\x1b":
            return ["BACK"]
        key = _escaped(rest[1]) if len(rest) == 2 else None
        return [] if key is None else [key]


def _plain(byte: int) -> Key | None:
    """A key that sends one byte; Ctrl with a letter is CTRL with that letter."""
    if byte in _CODES:
        return _CODES[byte]
    if byte < 27:
        return f"CTRL-{chr(byte + 64)}"
    return chr(byte) if 32 < byte < 127 else None


def _escaped(byte: int) -> Key | None:
    """A key typed with Alt: FCTN. ESC twice is BACK."""
    return "BACK" if byte == _ESC else FUNCTION_KEYS.get(chr(byte).upper())


def _sequence(match: re.Match[bytes]) -> Key | None:
    if match["linux"]:
        return function_key(match["linux"][0] - ord("A") + 1)
    end = match["ss3"] or match["end"]
    if end == b"~":
        return _NUMBERED.get(match["numbers"].split(b";")[0])
    return _ARROWS.get(end) or _FIRST_FOUR.get(end)
