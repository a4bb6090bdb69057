"""Console cases played: scripts, times, screens and files, and conversations with a recorder.

In a timing case with `until`, `exact` is the number of cycles from choosing Extended BASIC to that
text being on the screen. Without `until` it is the time from BEGIN! to END!, between which a loop
runs. Ours passes when it is off by at most `TOLERANCE` of the recorded time.

tests/conformance/README.md describes the form. The name of a conversation stands for its keys:
`save-E2` is SAVE CS1 with E at the second prompt, `open-193` a program that opens records of 193
bytes. In the recorded rows, edge characters and the cursor are spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import TIError
from ti99tools.computer.console.anyconsole import LOOK, AnyConsole
from ti99tools.computer.console.keyscript import Hold, Joystick, Press, Release, Step, Type, Wait
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.computer.console.timekeeper import Timekeeper
from ti99tools.computer.interp.run.signals import EmptyStatementHang
from ti99tools.games.conformance.comparing import HERE, CaseSnapshot, Difference, Observed
from ti99tools.hardware.machine.clock import CPU_HZ, FRAMES_A_SECOND
from ti99tools.hardware.machine.keyboard import GAP, HOLD
from ti99tools.hardware.machine.machine import Connected
from ti99tools.hardware.machine.screen import CURSOR_TEXT, EDGE, side_by_side
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType
from ti99tools.media.tape.cassette import Cassette

MOST_FRAMES = 36_000
_STICK = re.compile("J([12])(LEFT|RIGHT|UP|DOWN|FIRE)")
_MOVES = {
    "LEFT": (-4, 0, False),
    "RIGHT": (4, 0, False),
    "UP": (0, 4, False),
    "DOWN": (0, -4, False),
    "FIRE": (0, 0, True),
}
DEFAULT_SECONDS = 600.0
"""Seconds of machine time after which a script gives up; the recordings needed far less."""


def play(case: Mapping[str, Any], connected: Connected | None = None) -> Observed:
    """Run a console case from power-on to the end of its script."""
    image = disk(case)
    console = machine(case, image, connected)
    wanted = tuple(case.get("capture") or ())
    snaps: dict[str, CaseSnapshot] = {}
    notes: list[str] = []
    player = ScriptPlayer(console, DEFAULT_SECONDS, patient=False)
    console.boot()
    for step in case.get("script") or [{"until": "ready"}]:
        if "snap" in step:
            snaps[step["snap"]] = snapshot(console, wanted)
        elif note := followed(player, step):
            notes.append(note)
    final = snapshot(console, wanted)
    sound, cycles = bytes(console.sound.written), console.clock.cycles
    return Observed(final, snaps, files(image), sound, tuple(notes), cycles)


def machine(
    case: Mapping[str, Any], image: DiskImage, connected: Connected | None = None
) -> Console:
    """The console that a case needs, with a disk in DSK1, switched off."""
    console = Console(
        disks={"DSK1": image},
        max_seconds=DEFAULT_SECONDS,
        expansion=case.get("ram") != "NONE",
        connected=connected,
    )
    console.machine.keyboard.alpha_lock = case.get("alpha_lock", True)
    return console


def began(case: Mapping[str, Any]) -> int:
    """The cycle since power-on at which the program of a case began when it was recorded.

    Our console knows it to a fraction of a frame; 0 if there was no program.
    """
    console = machine(case, disk(case))
    console.boot()
    return console.computer.began


def followed(player: ScriptPlayer, step: Mapping[str, Any]) -> str:
    """Do one step of a script, as `_follow`; on a machine that stands still it changes nothing."""
    try:
        return _follow(player, step)
    except EmptyStatementHang:
        return f"until {step['until']}: the machine stands still" if "until" in step else ""


def _follow(player: ScriptPlayer, step: Mapping[str, Any]) -> str:
    """Do one step of a script; returns a note when an `until` was not reached."""
    if "until" in step:
        goal = step["until"]
        if goal != "ready" and "gone" in goal:
            return _until_gone(player.console, goal["gone"], step.get("max", MOST_FRAMES))
        seconds = step["max"] / FRAMES_A_SECOND if "max" in step else None
        end = player.until(None if goal == "ready" else goal["text"], seconds)
        return "" if end.done else f"until {goal}: not reached"
    for part in steps_of(step):
        player.do(part)
    return ""


def _until_gone(console: AnyConsole, text: str, frames: int) -> str:
    """Let time pass until a text has gone from the screen; returns a note when it stays."""
    for _ in range(0, frames, LOOK):
        if not console.screen.shows(text):
            return ""
        console.wait(LOOK)
    return f"until {text!r} is gone: not reached"


def steps_of(step: Mapping[str, Any]) -> list[Step]:
    """A step of a recorded case as steps of our scripts: a press of a joystick is two moves."""
    stick = stick_of(step.get("press", ""))
    if stick is None:
        return [_step(step)]
    wait = Wait(step.get("hold", HOLD)), Wait(step.get("gap", GAP))
    return [Joystick(*stick), wait[0], Joystick(stick[0]), wait[1]]


def stick_of(key: str) -> tuple[int, int, int, bool] | None:
    """What a key of a script means for a joystick: its number, x, y, button; None for a key."""
    stick = _STICK.fullmatch(key)
    return None if stick is None else (int(stick[1]), *_MOVES[stick[2]])


def _step(step: Mapping[str, Any]) -> Step:
    """A step of a recorded case as a step of our scripts."""
    match step:
        case {"type": text}:
            return Type(text)
        case {"press": key}:
            return Press(key, step.get("hold", HOLD), step.get("gap", GAP))
        case {"down": key}:
            return Hold(key)
        case {"up": key}:
            return Release(key)
        case {"wait": frames}:
            return Wait(frames)
    raise TIError(f"a step of no known form: {dict(step)}")


def snapshot(console: Console, wanted: tuple[str, ...]) -> CaseSnapshot:
    """The screen and the wanted captures at this moment."""
    vdp = console.machine.vdp
    if "sprites" in wanted:
        console.machine.sprites.sync()
    editor = console.computer.editor
    covered = None if editor is None else editor.beneath
    beneath = " " if covered is None else chr(covered)
    return CaseSnapshot(
        tuple(console.screen.rows), beneath, captured(vdp.ram, vdp.registers, wanted)
    )


def captured(ram: Sequence[int], registers: Sequence[int], wanted: Sequence[str]) -> dict[str, Any]:
    """The wanted captures, from VDP memory and registers."""
    captures: dict[str, Any] = {}
    if "patterns" in wanted:
        captures["patterns"] = {
            str(code): bytes(ram[(code + 96) * 8 : (code + 97) * 8]).hex()
            for code in range(30, 160)
        }
    if "colors" in wanted:
        captures["colors"] = bytes(ram[0x800:0x820])
    if "sprites" in wanted:
        captures["sprites"] = bytes(ram[0x300:0x370])
        captures["motion"] = bytes(ram[0x780:0x7F0])
    if "vdp" in wanted:
        captures["vregs"] = bytes(registers)
    return captures


def disk(case: Mapping[str, Any]) -> DiskImage:
    """The disk of a case: its program as LOAD, and the files that were there before.

    Sectors in the ranges of `used_sectors` are marked as used in the bitmap.
    """
    image = DiskImage.new(geometry="DSSD", name="TEST")
    if "source" in case:
        image.add(program_file(AUTOSTART, "\n".join(case["source"]) + "\n"))
    for name, form in (case.get("disk_in") or {}).items():
        image.add(file_of(name, form))
        if form.get("protected"):
            image.protect(name, True)
    for first, last in case.get("used_sectors") or ():
        image.volume.mark(set(range(first, last + 1)), True)
    return image


def program_file(name: str, listing: str) -> DiskFile:
    """A listing as the file that SAVE would write."""
    content = Program.from_listing(listing, strict=False).saved().content
    if isinstance(content, bytes):
        return DiskFile.program(name, content)
    return DiskFile.internal_var(name, content)


def file_of(name: str, form: Mapping[str, Any]) -> DiskFile:
    """A file in the form of the recordings as a disk file."""
    if form["type"] == "PROGRAM":
        return DiskFile.program(name, bytes.fromhex(form["data"]))
    records = tuple(bytes.fromhex(record) for record in form["records"])
    return DiskFile(
        name=name, type=FileType.from_label(form["type"]), recl=form["recl"], records=records
    )


def files(image: DiskImage) -> dict[str, Mapping[str, Any]]:
    """All files of a disk in the form of the recordings, descriptors included."""
    return {info.name: _recorded(image, info.name) for info in image.files()}


def _recorded(image: DiskImage, name: str) -> Mapping[str, Any]:
    raw = image.sector(image.descriptor_sector(name))
    fdr = raw.rstrip(b"\0").hex()
    if not any(raw[10:28]):
        return {"type": "DIS/FIX", "recl": 0, "records": [], "fdr": fdr}
    try:
        file = image.read(name)
    except TIError as error:
        return {"problem": str(error), "fdr": fdr}
    if file.type is FileType.PROGRAM:
        return {"type": "PROGRAM", "data": file.data.hex(), "fdr": fdr}
    records = [record.hex() for record in file.records]
    return {"type": file.type.label, "recl": file.recl, "records": records, "fdr": fdr}


TOLERANCE = 0.05
"""The largest deviation that passes, as a fraction of the recorded time."""

TIMING_LOOK = 1000
"""Cycles between looks at the screen: a fiftieth of a frame."""

LATEST = 5
"""A text is given up after this multiple of the recorded cycles, plus a minute."""

BEGIN, END, END_OF_STATEMENTS = "BEGIN!", "END!", "END#"


def _measured(data: Mapping[str, Any]) -> int:
    """The recorded time of a measurement, in cycles; a repeated statement's is exact by itself."""
    return int(data["exact"] if "exact" in data else data["cycles"])


def _end(data: Mapping[str, Any]) -> str:
    """The text that ends a loop."""
    return END_OF_STATEMENTS if "statement" in data else END


def off(data: Mapping[str, Any]) -> float | None:
    """How much longer ours takes, as a fraction of the recorded time; None if a text never came."""
    ours = cycles(data)
    return None if ours is None else ours / _measured(data) - 1


def timing_differences(data: Mapping[str, Any], share: float | None) -> list[Difference]:
    """The difference to report for a time that is off by `share`, if it is too much."""
    recorded = _measured(data)
    if share is None:
        texts = data.get("until") or f"{BEGIN} and {_end(data)}"
        return [Difference("time", (f"{texts} did not come within {_limit(data):,} cycles",))]
    if abs(share) <= TOLERANCE:
        return []
    ours = round(recorded * (1 + share))
    lines = HERE.lines(f"{recorded:12,} cycles", f"{ours:12,} cycles")
    return [Difference(f"time {share:+.1%}", lines)]


def cycles(data: Mapping[str, Any]) -> int | None:
    """The cycles that our console takes; None when a text does not come."""
    console = Console(disks={"DSK1": disk(data)})
    keeper = Timekeeper(console.machine, console.computer)
    limit = _limit(data)

    def seen(text: str) -> int | None:
        return keeper.work_until(lambda: console.screen.shows(text), limit, TIMING_LOOK)

    with console.computer.workspace.line_by_line():
        console.boot()
        if "until" in data:
            return seen(data["until"])
        begin, end = seen(BEGIN), seen(_end(data))
    return None if begin is None or end is None else end - begin


def _limit(data: Mapping[str, Any]) -> int:
    """The cycle after which a text is given up."""
    return LATEST * _measured(data) + 60 * CPU_HZ


APART = 90
"""Frames that pass after each key."""
LATER = 16
"""Frames after which ours has written all of a text that the recording shows half written."""
_BLANKS = {EDGE: " ", ord(CURSOR_TEXT): " "}
_LAST = 23
_ROWS_IN = 2
"""The most rows that ours may be ahead where a recorded screen shows a scroll in progress."""
_NAME = re.compile(r"(save|old|stop|check|nodata|open)-([A-Z]|clear|\d+)([1-9]?)")

CassetteStep = Mapping[str, Any]
_ENTER: CassetteStep = {"press": "ENTER"}
_PAUSE: CassetteStep = {"wait": APART}
_RECORDED: tuple[CassetteStep, ...] = (
    {"type": "SAVE CS1\n"},
    _PAUSE,
    _ENTER,
    _PAUSE,
    _ENTER,
    {"until": {"text": "CASSETTE STOP"}},
)
_BEFORE: dict[str, tuple[CassetteStep, ...]] = {
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
"""Kind of conversation → steps before the first screen that is kept (`stop`: before the key)."""
_HELLO = ['100 PRINT "HELLO"', "110 END"]
_TWO = [
    '100 OPEN #1:"CS1",OUTPUT,FIXED 64',
    '110 PRINT #1:"ONE"',
    '120 PRINT "ONE"',
    '130 PRINT #1:"TWO"',
    '140 PRINT "TWO"',
]


def cassette_differences(data: Mapping[str, Any]) -> list[Difference]:
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
            yield Difference(place, tuple(side_by_side(theirs, ours, wrong, HERE)))


def case(name: str, screens: int) -> dict[str, Any]:
    """A conversation as a case: its program, and a script that keeps `screens` screens.

    Raises TIError for a name of unknown form.
    """
    ready: CassetteStep = {"until": "ready"}
    if name == "two":
        begin: list[CassetteStep] = [
            {"until": {"text": "PRESS ENTER"}},
            _PAUSE,
            _ENTER,
            _PAUSE,
            _ENTER,
        ]
        return _scripted(_TWO, [*begin, ready], [[{"wait": LATER}], [_PAUSE]])
    match = _NAME.fullmatch(name)
    if match is None:
        raise TIError(f"a conversation of no known form: {name}")
    where, key, number = match.groups()
    presses = [_ENTER] * (int(number or 1) - 1)
    source = _HELLO
    if where == "open":
        length = int(key) if key.isdecimal() else 64
        source = [f'100 OPEN #1:"CS1",OUTPUT,FIXED {length}']
    if not key.isdecimal():
        presses.append({"press": "CLEAR" if key == "clear" else key})
    presses += [_ENTER] * (screens - 1 - len(presses))
    before = list(_BEFORE[where] if where == "open" else (ready, _PAUSE, *_BEFORE[where]))
    pieces = [[], *([press, _PAUSE] for press in presses)]
    return _scripted(source, before, pieces[1:] if where == "stop" else pieces)


def _scripted(
    source: list[str], before: Sequence[CassetteStep], pieces: Sequence[Sequence[CassetteStep]]
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

    The recorded screen may show the machine writing its last row, or scrolling. Our console does
    either at once, so it may be up to `_ROWS_IN` rows ahead.
    """
    return list(theirs) == list(ours) or any(
        _written(theirs, ours, rows) or _scrolled(theirs, ours, rows)
        for rows in range(1, _ROWS_IN + 1)
    )


def _written(theirs: Sequence[str], ours: Sequence[str], rows: int) -> bool:
    """Tell whether the last row is the beginning of a row of ours with other rows below it."""
    text, whole = theirs[_LAST].rstrip(), ours[_LAST - rows].rstrip()
    above = list(theirs[rows:_LAST]) == list(ours[: _LAST - rows])
    return above and bool(text) and text != whole and whole.startswith(text)


def _scrolled(theirs: Sequence[str], ours: Sequence[str], rows: int) -> bool:
    """Tell whether the upper rows have been moved up by one and the lower ones have not.

    The row at the border appears twice. Ours has been scrolled by `rows` rows.
    """
    for border in range(1, _LAST):
        if not theirs[border].strip() or theirs[border - 1] != theirs[border]:
            continue
        upper = theirs[max(0, rows - 1) : border], ours[: border - max(0, rows - 1)]
        lower = theirs[border:], ours[border - rows : _LAST + 1 - rows]
        if upper[0] == upper[1] and lower[0] == lower[1]:
            return True
    return False
