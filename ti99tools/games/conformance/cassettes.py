"""Recorded conversations with a cassette recorder: the screens at the prompts, and after keys.

The form is described in tests/conformance/README.md. A name stands for the keys: `save-E2` is SAVE
CS1 with E at the second prompt, `open-193` a program that opens records of 193 bytes. In the
recorded rows edge characters and the cursor are blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.screendiff import CURSOR, side_by_side
from ti99tools.games.conformance.compare import NAMES
from ti99tools.games.conformance.outcome import Difference
from ti99tools.games.conformance.playback import play
from ti99tools.hardware.machine.screen import EDGE
from ti99tools.media.tape.cassette import Cassette

APART = 90
"""Frames that pass after each key."""
LATER = 16
"""Frames after which ours has written the text that the recording shows half written."""
_BLANKS = {EDGE: " ", ord(CURSOR): " "}
_LAST = 23
_ROWS_IN = 2
"""The most rows scrolled between two looks, where a recorded screen shows a scroll in progress."""
_NAME = re.compile(r"(save|old|stop|check|nodata|open)-([A-Z]|clear|\d+)([1-9]?)")

Step = Mapping[str, Any]
_ENTER: Step = {"press": "ENTER"}
_PAUSE: Step = {"wait": APART}
_RECORDED: tuple[Step, ...] = (
    {"type": "SAVE CS1\n"},
    _PAUSE,
    _ENTER,
    _PAUSE,
    _ENTER,
    {"until": {"text": "CASSETTE STOP"}},
)
_BEFORE: dict[str, tuple[Step, ...]] = {
    "save": ({"type": "SAVE CS1\n"}, _PAUSE),
    "old": ({"type": "OLD CS1\n"}, _PAUSE),
    "open": ({"until": {"text": "PRESS ENTER"}}, _PAUSE),
    "stop": _RECORDED,
    "check": (*_RECORDED, _ENTER, _PAUSE),
    "nodata": (
        {"type": "OLD CS1\n"},
        _PAUSE,
        _ENTER,
        _PAUSE,
        _ENTER,
        {"until": {"text": "TO EXIT"}},
    ),
}
"""What comes before the first screen that is kept (of `stop`: before the key)."""
_HELLO = ['100 PRINT "HELLO"', "110 END"]
_TWO = [
    '100 OPEN #1:"CS1",OUTPUT,FIXED 64',
    '110 PRINT #1:"ONE"',
    '120 PRINT "ONE"',
    '130 PRINT #1:"TWO"',
    '140 PRINT "TWO"',
]


def differences(data: Mapping[str, Any]) -> list[Difference]:
    """Play a conversation on our console and compare its screens with the recording."""
    recorded: Sequence[list[str]] = data["snaps"]
    seen = play(case(data["name"], len(recorded)), {"CS1": Cassette()})
    ours = {name: _plain(snap.rows) for name, snap in seen.snaps.items()}
    places = [(f"screen {name}", recorded[int(name) - 1], rows) for name, rows in ours.items()]
    places.append(("final screen", data["screen"], _plain(seen.final.rows)))
    found = list(_found(places))
    return [*found, Difference("script", seen.notes)] if found and seen.notes else found


def _found(places: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> Iterator[Difference]:
    for place, theirs, ours in places:
        if not same(theirs, ours):
            wrong = {row for row in range(_LAST + 1) if theirs[row] != ours[row]}
            yield Difference(place, tuple(side_by_side(theirs, ours, wrong, NAMES)))


def case(name: str, screens: int) -> dict[str, Any]:
    """The program and the script of a conversation of which `screens` were kept.

    Raises TIError for a name that stands for nothing known.
    """
    ready: Step = {"until": "ready"}
    if name == "two":
        begin: list[Step] = [{"until": {"text": "PRESS ENTER"}}, _PAUSE, _ENTER, _PAUSE, _ENTER]
        return _scripted(_TWO, [*begin, ready], [[{"wait": LATER}], [_PAUSE]])
    match = _NAME.fullmatch(name)
    if match is None:
        raise TIError(f"a conversation of no known form: {name}")
    where, key, number = match.groups()
    presses = [_ENTER] * (int(number or 1) - 1)
    source = _HELLO
    if where == "open":
        length = int(key) if key.isdigit() else 64
        source = [f'100 OPEN #1:"CS1",OUTPUT,FIXED {length}']
    if not key.isdigit():
        presses.append({"press": "CLEAR" if key == "clear" else key})
    presses += [_ENTER] * (screens - 1 - len(presses))
    before = list(_BEFORE[where] if where == "open" else (ready, _PAUSE, *_BEFORE[where]))
    pieces = [[], *([press, _PAUSE] for press in presses)]
    return _scripted(source, before, pieces[1:] if where == "stop" else pieces)


def _scripted(
    source: list[str], before: Sequence[Step], pieces: Sequence[Sequence[Step]]
) -> dict[str, Any]:
    """A case that keeps a screen after each piece of its script."""
    script = list(before)
    for number, piece in enumerate(pieces, 1):
        script += [*piece, {"snap": str(number)}]
    return {"source": source, "script": script}


def _plain(rows: Sequence[str]) -> list[str]:
    return [row.translate(_BLANKS) for row in rows]


def same(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    """Tell whether two screens agree.

    The recorded screen may show the machine while it was writing its last row, or scrolling; ours,
    which does both at once, is then up to two rows further.
    """
    return list(theirs) == list(ours) or any(
        _written(theirs, ours, rows) or _scrolled(theirs, ours, rows)
        for rows in range(1, _ROWS_IN + 1)
    )


def _written(theirs: Sequence[str], ours: Sequence[str], rows: int) -> bool:
    """Tell whether the last row is the beginning of a row of ours, which has others below it."""
    text, whole = theirs[_LAST].rstrip(), ours[_LAST - rows].rstrip()
    above = list(theirs[rows:_LAST]) == list(ours[: _LAST - rows])
    return above and bool(text) and text != whole and whole.startswith(text)


def _scrolled(theirs: Sequence[str], ours: Sequence[str], rows: int) -> bool:
    """Tell whether the upper rows have been moved up by one and the others have not.

    The row at the border appears twice. Ours has been scrolled by `rows`.
    """
    for border in range(1, _LAST):
        if not theirs[border].strip() or theirs[border - 1] != theirs[border]:
            continue
        upper = theirs[max(0, rows - 1) : border], ours[: border - max(0, rows - 1)]
        lower = theirs[border:], ours[border - rows : _LAST + 1 - rows]
        if upper[0] == upper[1] and lower[0] == lower[1]:
            return True
    return False
