"""Console cases played: the disk built, the script followed, screens and files looked at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import (
    GAP,
    HOLD,
    Hold,
    Joystick,
    Press,
    Release,
    Step,
    Type,
    Wait,
)
from ti99tools.computer.console.player import LOOK, Player
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.signals import StandsStill
from ti99tools.games.conformance.compare import Observed, Snapshot
from ti99tools.hardware.machine.machine import Connected
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

FRAMES_A_SECOND = 60
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
"""Machine time after which a script gives up; the recordings needed far less."""


def play(case: Mapping[str, Any], connected: Connected | None = None) -> Observed:
    """Run a console case from power-on to the end of its script."""
    image = disk(case)
    console = Console(
        disks={"DSK1": image},
        max_seconds=DEFAULT_SECONDS,
        expansion=case.get("ram") != "NONE",
        connected=connected,
    )
    wanted = tuple(case.get("capture") or ())
    snaps: dict[str, Snapshot] = {}
    notes: list[str] = []
    console.machine.keyboard.alpha_lock = case.get("alpha_lock", True)
    player = Player(console, DEFAULT_SECONDS, patient=False)
    console.boot()
    for step in case.get("script") or [{"until": "ready"}]:
        if "snap" in step:
            snaps[step["snap"]] = snapshot(console, wanted)
        elif note := _followed(player, step):
            notes.append(note)
    final = snapshot(console, wanted)
    sound, cycles = bytes(console.sound.written), console.clock.cycles
    return Observed(final, snaps, files(image), sound, tuple(notes), cycles)


def _followed(player: Player, step: Mapping[str, Any]) -> str:
    """Do one step of a script. Where the machine stands still, the step changes nothing."""
    try:
        return _follow(player, step)
    except StandsStill:
        return f"until {step['until']}: the machine stands still" if "until" in step else ""


def _follow(player: Player, step: Mapping[str, Any]) -> str:
    """Do one step of a script; returns a remark when an `until` was not reached."""
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


def _until_gone(console: Console, text: str, frames: int) -> str:
    """Let time pass until a text has gone from the screen."""
    for _ in range(0, frames, LOOK):
        if not console.screen.shows(text):
            return ""
        console.wait(LOOK)
    return f"until {text!r} is gone: not reached"


def steps_of(step: Mapping[str, Any]) -> list[Step]:
    """A step of a recorded case as ours: a press of a joystick is two moves."""
    stick = _STICK.fullmatch(step.get("press", ""))
    if stick is None:
        return [_step(step)]
    x, y, fire = _MOVES[stick[2]]
    wait = Wait(step.get("hold", HOLD)), Wait(step.get("gap", GAP))
    return [Joystick(int(stick[1]), x, y, fire), wait[0], Joystick(int(stick[1])), wait[1]]


def _step(step: Mapping[str, Any]) -> Step:
    """A step of a recorded case as one of our scripts."""
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


def snapshot(console: Console, wanted: tuple[str, ...]) -> Snapshot:
    """The screen and the wanted captures at this moment."""
    vdp = console.machine.vdp
    if "sprites" in wanted:
        console.machine.sprites.sync()
    editor = console.computer.editor
    covered = None if editor is None else editor.beneath
    beneath = " " if covered is None else chr(covered)
    return Snapshot(tuple(console.screen.rows), beneath, captured(vdp.ram, vdp.registers, wanted))


def captured(ram: Sequence[int], registers: Sequence[int], wanted: Sequence[str]) -> dict[str, Any]:
    """The wanted captures, from video memory and registers."""
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

    The bitmap calls the ranges `used_sectors` used as well.
    """
    image = DiskImage.new(geometry="DSSD", name="TEST")
    if "source" in case:
        image.add(program_file("LOAD", "\n".join(case["source"]) + "\n"))
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
