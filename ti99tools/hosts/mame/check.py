"""A host tried step by step: start, boot, keyboard, screen, a file written and read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ti99tools.base.errors import HostError
from ti99tools.disk.image import DiskImage
from ti99tools.disk.tifile import DiskFile
from ti99tools.hosts import roms
from ti99tools.hosts.host import Job, Played
from ti99tools.hosts.mame.emulator import Mame
from ti99tools.hosts.mame.installed import LIST, hash_folder
from ti99tools.program.program import Program
from ti99tools.trace.keyscript import Step, Type, Until

TITLE, WORD, ANSWER = "TI99TOOLS CHECK", "HELLO", "READ GOT HELLO"
FILE, RECORD = "CHECK", b"GOT HELLO"
SECONDS = 60.0
"""Machine time of the whole check; about 12 seconds are needed."""
LISTING = f"""\
100 CALL CLEAR
110 PRINT "{TITLE}"
120 INPUT "KEY? ":A$
130 OPEN #1:"DSK1.{FILE}",OUTPUT
140 PRINT #1:"GOT ";A$
150 CLOSE #1
160 OPEN #1:"DSK1.{FILE}",INPUT
170 LINPUT #1:B$
180 CLOSE #1
190 PRINT "READ ";B$
"""
"""DSK1.LOAD of the check's disk."""
STEPS: tuple[Step, ...] = (Until(TITLE), Type(f"{WORD}\n"), Until(ANSWER))


@dataclass(frozen=True)
class CheckStep:
    """One step: what was tried, whether it worked, what was seen, and rows of a screen."""

    name: str
    passed: bool
    detail: str = ""
    screen: tuple[str, ...] = field(default=(), repr=False)


def check(host: Mame) -> Iterator[CheckStep]:
    """Try MAME step by step, to the first step that fails."""
    for step in _tried(host):
        yield step
        if not step.passed:
            return


def _tried(host: Mame) -> Iterator[CheckStep]:
    yield CheckStep("MAME's program", bool(host.program), host.program or host.missing())
    lists = hash_folder(host.program)
    yield CheckStep(f"the list {LIST}", lists is not None, str(lists or host.missing()))
    yield _dumps(host)
    try:
        played = host.play(Job(check_disk(), STEPS, FILE, max_seconds=SECONDS))
    except HostError as error:
        yield CheckStep("MAME starts", False, str(error))
        return
    yield CheckStep("MAME starts", True)
    yield from judged(played)


def _dumps(host: Mame) -> CheckStep:
    name = "ROM dumps"
    if host.rom_folder is None or not host.rom_folder.is_dir():
        return CheckStep(name, False, host.missing())
    found = roms.search(host.rom_folder)
    if found.missing:
        return CheckStep(name, False, host.missing())
    odd = ", ".join(found.unusual)
    return CheckStep(name, True, f"{host.rom_folder}" + (f"; unusual contents: {odd}" * bool(odd)))


def check_disk() -> bytes:
    """A disk whose LOAD asks for a word, writes it to a file and shows what it reads back."""
    image = DiskImage.new(name="CHECK")
    program = Program.from_listing(LISTING)
    image.add(DiskFile.program("LOAD", program.to_program_bytes()))
    return image.to_bytes()


def judged(played: Played) -> Iterator[CheckStep]:
    """What a played check says of boot, keyboard, screen and files."""
    screen = played.screens.get("final", ())
    rows = "\n".join(screen)
    booted = TITLE in rows
    yield CheckStep("Extended BASIC starts DSK1.LOAD", booted, played.problem, screen)
    if not booted:
        return
    typed = f"KEY? {WORD}" in rows
    yield CheckStep("keys arrive", typed, "" if typed else played.problem, screen)
    written = played.records == (RECORD,)
    detail = "" if written else f"DSK1.{FILE} holds {played.records}"
    yield CheckStep("a file is written", written, detail, screen)
    read = ANSWER in rows
    yield CheckStep("a file is read, the screen too", read, "" if read else played.problem, screen)
    yield CheckStep("lines are sampled", bool(played.lines), f"{len(played.lines)} of 10 seen")
