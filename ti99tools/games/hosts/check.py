"""An emulator tried step by step: start, boot, keys, screen, a file written and read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import HostError
from ti99tools.computer.console.keyscript import Asked, Snap, Step, Type, Until
from ti99tools.games.hosts import virtual
from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.host import Job, Played
from ti99tools.games.hosts.matrix import differences
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

TITLE, WORD, KEYS, ANSWER = "TI99TOOLS CHECK", "HELLO", "1H2AHX", "READ "
WRITTEN = f"GOT {WORD} {KEYS}"
FILE, RECORD = "CHECK", WRITTEN.encode("ascii")
ASKING = 190
"""The line that waits for keys."""
SHOWN = "asked"
"""The name of the screen while it waits."""
SECONDS = 90.0
"""Most seconds of machine time for the whole check; about 25 are needed."""
LISTING = f"""\
100 CALL CLEAR
110 CALL CHAR(128,"FF818181818181FF")
120 CALL COLOR(13,7,12)
130 CALL SPRITE(#1,128,5,150,200)
140 PRINT "{TITLE}"
150 INPUT "KEY? ":A$
160 PRINT "KEYS?"
170 FOR I=1 TO {len(KEYS)}
180 CALL SOUND(200,440,9)
190 CALL KEY(3,K,S)
200 IF S=1 THEN 230
210 CALL JOYST(1,X,Y)
220 GOTO {ASKING}
230 B$=B$&CHR$(K)
240 CALL SOUND(200,660,9)
250 NEXT I
260 PRINT "KEYS ";B$
270 OPEN #1:"DSK1.{FILE}",OUTPUT
280 PRINT #1:"GOT ";A$;" ";B$
290 CLOSE #1
300 OPEN #1:"DSK1.{FILE}",INPUT
310 LINPUT #1:C$
320 CLOSE #1
330 PRINT "{ANSWER}";C$
"""
"""DSK1.LOAD of the check's disk. It accepts a key only when its status is new; CALL SOUND waits and
CALL JOYST scan too, so a key that they find first is lost.
"""
STEPS: tuple[Step, ...] = (
    Until(TITLE),
    Type(f"{WORD}\n"),
    Until("KEYS?"),
    Asked((ASKING,)),
    Snap(SHOWN),
    Type(KEYS),
    Until(ANSWER),
)


@dataclass(frozen=True)
class CheckStep:
    """One step: what was tried, whether it worked, what was seen, and rows of a screen."""

    name: str
    passed: bool
    detail: str = ""
    screen: tuple[str, ...] = field(default=(), repr=False)


def check(host: Emulator) -> Iterator[CheckStep]:
    """Try an emulator step by step, up to the first step that fails."""
    for step in _tried(host):
        yield step
        if not step.passed:
            return


def _tried(host: Emulator) -> Iterator[CheckStep]:
    for name, version, missing in host.parts():
        yield CheckStep(name, not missing, missing or version)
    yield _dumps(host)
    try:
        played = host.play(check_job())
    except HostError as error:
        yield CheckStep(f"{host.title} starts", False, str(error))
        return
    yield CheckStep(f"{host.title} starts", True)
    yield from judged(played)


def _dumps(host: Emulator) -> CheckStep:
    name = "ROM dumps"
    if host.rom_folder is None or not host.rom_folder.is_dir():
        return CheckStep(name, False, host.missing())
    dumps = host.dumps()
    if dumps.missing:
        return CheckStep(name, False, host.missing())
    odd = ", ".join(dumps.unusual)
    return CheckStep(name, True, f"{host.rom_folder}" + (f"; unusual contents: {odd}" * bool(odd)))


def check_job() -> Job:
    """The check's disk and script.

    LOAD asks for a word and some keys, writes them to a file, reads it and shows the line.
    """
    image = DiskImage.new(name="CHECK")
    program = Program.from_listing(LISTING)
    image.add(DiskFile.program(AUTOSTART, program.to_program_bytes()))
    return Job(image.to_bytes(), STEPS, FILE, max_seconds=SECONDS)


def judged(played: Played) -> Iterator[CheckStep]:
    """The steps that a played check proves: boot, keyboard, screen, VDP memory, files."""
    screen = played.screens.get("final", ())
    rows = "\n".join(screen)

    def step(name: str, passed: bool, detail: str = "") -> CheckStep:
        return CheckStep(name, passed, detail if passed else detail or played.problem, screen)

    booted = TITLE in rows
    yield CheckStep("Extended BASIC starts DSK1.LOAD", booted, played.problem, screen)
    if not booted:
        return
    yield step("keys of INPUT arrive", f"KEY? {WORD}" in rows)
    spared = f"{played.spared} of them kept from scans of other statements"
    yield step("keys of CALL KEY arrive", f"KEYS {KEYS}" in rows, spared * bool(played.spared))
    yield step("the program is seen to wait", SHOWN in played.screens)
    written = played.records == (RECORD,)
    yield step("a file is written", written, "" if written else f"it holds {played.records}")
    yield step("a file is read, the screen too", f"{ANSWER}{WRITTEN}" in rows)
    yield step("lines are sampled", bool(played.lines), f"{len(played.lines)} of 24 seen")
    yield _video(played)


def _video(played: Played) -> CheckStep:
    """The step that compares VDP memory with our own console's at the same moment."""
    name, theirs = "patterns, colours and sprites", played.video.get(SHOWN)
    if theirs is None:
        return CheckStep(name, False, "video memory is not told")
    ours = virtual.host().play(check_job()).video[SHOWN]
    differing = [f"{what}: {b}, not {a}" for what, a, b in differences(ours, theirs)]
    return CheckStep(name, not differing, "; ".join(differing[:3]))
