r"""Key scripts: what a player does, written so that the same text plays again.

One step per line. Blank lines, and lines that begin with `#`, are ignored.

    until ready          continue when the program has ended (`* READY *` is on the screen)
    until PLAYERS?       continue when this text is in one row of the screen
    until asked          continue when the program waits for a key and nothing else changes
    until asked 340 350  the same, if it waits in one of these lines
    type 3               type characters; `\n` is ENTER, `\\` a backslash
    type "  BOB\n"       quotes around the whole keep spaces at the ends
    type ""A,B",7\n"     what is within them is typed as it is, here "A,B",7 and ENTER
    press LEFT           press a key: a name, or one character
    press A hold 30 gap 10     hold it for 30 frames, then wait for 10
    tap A                press a key as a person does: down for 6 frames, seen or not, up for 6
    tap A hold 9 gap 20        down for 9 frames, up for 20
    hold E               press a key and keep it down while other keys are pressed
    release E            release it
    joystick 1 UP FIRE   move joystick 1 or 2: LEFT or RIGHT, UP or DOWN, FIRE; it stays there
    joystick 1 CENTER    release it
    wait 60              wait for 60 frames (60 a second)
    rest 300             continue when the screen has not changed for 300 frames
    snap board           keep the screen under this name

A typed or pressed key goes down when the program asks for one, and stays down until CALL KEY,
INPUT, ACCEPT or the editor has read it, however busy the program is. docs/keyscripts.md tells when
a program asks. The machine does not wait like that: a key that is tapped, or held and released, is
seen by whoever looks while it is down, and lost if nobody does, as it is for a person at the
keyboard.

Names of keys: LEFT RIGHT UP DOWN ENTER SPACE CLEAR ERASE REDO BACK DEL INS PROCEED AID BEGIN,
CTRL-A and the like, and FCTN-4 and the like, which are other names of these: FCTN-4 is CLEAR.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ti99tools.base.codes import KEY_NAMES
from ti99tools.base.errors import Place, ScriptError
from ti99tools.base.record import Record
from ti99tools.hardware.machine.keyboard import GAP, HOLD
from ti99tools.hardware.machine.keycodes import FUNCTION_NAMES

TAPPED = 6
"""Frames that a tap lasts, and that pass before the next one: 0.1 s each, as a quick person's."""
AFTER_READY = 30
"""Frames that pass after `* READY *` is seen."""
AT_REST = 1200
"""Frames without a change of the screen after which a program waits for a key, if nothing else is
known of it: longer than any pause in which it looks for keys.
"""
KEYS = (*(name for name in KEY_NAMES if name != "QUIT"), "SPACE")


@dataclass(frozen=True, slots=True)
class Until:
    """Go on when `text` stands in a row of the screen; None: when the program has ended."""

    text: str | None = None

    def __str__(self) -> str:
        return "until ready" if self.text is None else f"until {_quoted(self.text)}"


class Asked(Record):
    """Go on when the program waits for a key, in these lines if any are named, and the screen
    rests.
    """

    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(("until asked", *map(str, self.lines)))


class Type(Record):
    """Type characters in order, ENTER being a line feed."""

    text: str

    def __str__(self) -> str:
        return f"type {_quoted(self.text)}"


class Press(Record):
    """Press one key, by name or character, for `hold` frames; `gap` frames follow."""

    key: str
    hold: int = HOLD
    gap: int = GAP

    def __str__(self) -> str:
        frames = "" if (self.hold, self.gap) == (HOLD, GAP) else f" hold {self.hold} gap {self.gap}"
        return f"press {self.key}{frames}"


class Tap(Record):
    """Press one key for exactly `hold` frames, seen or not; `gap` frames follow."""

    key: str
    hold: int = TAPPED
    gap: int = TAPPED

    def __str__(self) -> str:
        usual = (self.hold, self.gap) == (TAPPED, TAPPED)
        return f"tap {self.key}" + ("" if usual else f" hold {self.hold} gap {self.gap}")


class Hold(Record):
    """Press a key and keep it down, by itself or with others, until `Release`."""

    key: str

    def __str__(self) -> str:
        return f"hold {self.key}"


class Release(Record):
    """Release a key pressed by `Hold`."""

    key: str

    def __str__(self) -> str:
        return f"release {self.key}"


class Joystick(Record):
    """Move joystick `unit` (1 or 2): `x` and `y` are −4, 0 or 4, right and up positive."""

    unit: int
    x: int = 0
    y: int = 0
    fire: bool = False

    def __str__(self) -> str:
        words = [word for word, shift in _DIRECTIONS.items() if shift in ((self.x, 0), (0, self.y))]
        words += ["FIRE"] * self.fire
        return f"joystick {self.unit} {' '.join(words) or 'CENTER'}"


@dataclass(frozen=True, slots=True)
class Wait:
    """Let so many frames pass, 60 a second."""

    frames: int

    def __str__(self) -> str:
        return f"wait {self.frames}"


class Rest(Record):
    """Go on when the screen's characters have stayed the same for `frames` frames."""

    frames: int

    def __str__(self) -> str:
        return f"rest {self.frames}"


class Snap(Record):
    """Remember the screen under a name."""

    name: str

    def __str__(self) -> str:
        return f"snap {self.name}"


Step = Until | Asked | Type | Press | Tap | Hold | Release | Joystick | Wait | Rest | Snap

_ASKED = re.compile("asked((?: +[0-9]{1,5})*)")
_DIRECTIONS = {"LEFT": (-4, 0), "RIGHT": (4, 0), "UP": (0, 4), "DOWN": (0, -4)}


def write(steps: Iterable[Step]) -> str:
    """The text of a script; `parse` reads it back."""
    return "".join(f"{step}\n" for step in steps)


def parse(text: str, file: str | None = None) -> list[Step]:
    """Read a script. Raises ScriptError with line and remedy."""
    return [
        _step(line, Place(file, number))
        for number, line in enumerate(text.splitlines(), 1)
        if _is_step(line)
    ]


def places(text: str, file: str | None = None) -> list[Place]:
    """The place of each step of a script."""
    lines = enumerate(text.splitlines(), 1)
    return [Place(file, number) for number, line in lines if _is_step(line)]


def _is_step(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def unescape(text: str) -> str:
    r"""Keys given on a command line: `\n` is ENTER, `\\` a backslash. Raises ScriptError."""
    return "".join(_characters(text, Place()))


def _step(line: str, place: Place) -> Step:
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    reader = _READERS.get(word.lower())
    if reader is None:
        words = ", ".join(_READERS)
        raise ScriptError(f"unknown step: {word}", remedy=f"steps are {words}", place=place)
    if not rest:
        raise ScriptError(
            f"{word} needs more", remedy=f"write {_SHAPES[word.lower()]}", place=place
        )
    return reader(rest, place)


def _until(rest: str, place: Place) -> Step:
    match = _ASKED.fullmatch(rest)
    if match is not None:
        return Asked(tuple(map(int, match[1].split())))
    return Until() if rest == "ready" else Until(_unquoted(rest, place))


def _type(rest: str, place: Place) -> Step:
    return Type(_unquoted(rest, place))


def _press(rest: str, place: Place) -> Step:
    return Press(*_key_and_frames(rest, "press", HOLD, place))


def _tap(rest: str, place: Place) -> Step:
    return Tap(*_key_and_frames(rest, "tap", TAPPED, place))


def _key_and_frames(rest: str, word: str, usual: int, place: Place) -> tuple[str, int, int]:
    match = re.fullmatch(r"(\S+)(?:\s+hold\s+([0-9]{1,6}))?(?:\s+gap\s+([0-9]{1,6}))?", rest)
    if not match:
        raise ScriptError(f"not a key press: {rest}", remedy=f"write {_SHAPES[word]}", place=place)
    hold, gap = (int(frames) if frames else usual for frames in match.groups()[1:])
    return _key(match[1], place), hold, gap


def _hold(rest: str, place: Place) -> Step:
    return Hold(_key(rest, place))


def _release(rest: str, place: Place) -> Step:
    return Release(_key(rest, place))


def _key(text: str, place: Place) -> str:
    key = text if len(text) == 1 else text.upper()
    key = FUNCTION_NAMES.get(key, key)
    if len(key) > 1 and key not in KEYS and not re.fullmatch(r"CTRL-[A-Z0-9,.;=/]", key):
        remedy = f"keys are one character, CTRL-A …, FCTN-1 …, or {' '.join(KEYS)}"
        raise ScriptError(f"unknown key: {key}", remedy=remedy, place=place)
    return key


def _joystick(rest: str, place: Place) -> Step:
    unit, *words = rest.upper().split()
    ways = [_DIRECTIONS[word] for word in words if word in _DIRECTIONS]
    x, y = sum(way[0] for way in ways), sum(way[1] for way in ways)
    fire = "FIRE" in words
    step = Joystick(int(unit), x, y, fire) if unit in ("1", "2") else None
    if step is None or set(words) != set(str(step).split()[2:]):
        raise ScriptError(
            f"not a joystick: {rest}", remedy=f"write {_SHAPES['joystick']}", place=place
        )
    return step


def _wait(rest: str, place: Place) -> Step:
    return Wait(_frames(rest, "wait 60", place))


def _rest(rest: str, place: Place) -> Step:
    return Rest(_frames(rest, "rest 300", place))


def _frames(text: str, shape: str, place: Place) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise ScriptError(
            f"not a number of frames: {text[:20]}", remedy=f"write {shape}", place=place
        )
    return int(text)


def _snap(rest: str, _place: Place) -> Step:
    return Snap(rest)


_READERS = {
    "until": _until,
    "type": _type,
    "press": _press,
    "tap": _tap,
    "hold": _hold,
    "release": _release,
    "joystick": _joystick,
    "wait": _wait,
    "rest": _rest,
    "snap": _snap,
}
_SHAPES = {
    "until": "until ready, until asked, or until and a text",
    "type": 'type and characters, for example type "BOB\\n"',
    "press": "press LEFT, or press A hold 30 gap 10",
    "tap": "tap A, or tap A hold 9 gap 20",
    "hold": "hold E",
    "release": "release E",
    "joystick": "joystick 1 UP FIRE, or joystick 1 CENTER",
    "wait": "wait 60",
    "rest": "rest 300",
    "snap": "snap and a name",
}


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    plain = text == text.strip() and not text.startswith('"') and text not in ("", "ready")
    plain = plain and not _ASKED.fullmatch(text)
    return text if plain else f'"{text}"'


def _unquoted(text: str, place: Place) -> str:
    if text.startswith('"'):
        if len(text) < 2 or not text.endswith('"'):
            raise ScriptError("no closing quote", remedy='end the text with "', place=place)
        text = text[1:-1]
    return "".join(_characters(text, place))


def _characters(text: str, place: Place) -> Iterator[str]:
    escaped = False
    for character in text:
        if escaped:
            if character not in "n\\":
                remedy = r"write \n for ENTER, \\ for a backslash"
                raise ScriptError(f"unknown: \\{character}", remedy=remedy, place=place)
            yield "\n" if character == "n" else "\\"
            escaped = False
        elif character == "\\":
            escaped = True
        elif not " " <= character <= "~":
            raise ScriptError(
                f"no such key: {character!r}", remedy="use the characters of the TI", place=place
            )
        else:
            yield character
    if escaped:
        raise ScriptError("a backslash alone", remedy=r"write \\", place=place)
