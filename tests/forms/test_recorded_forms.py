"""Recorded cases of the real machine, played as disks: what they show, and leave on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import pytest

from tests.compiler.recordedcases import Held, Way, cases
from tests.forms.disks import image_with, stand_in
from ti99tools.compiler.compiling import Collected
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import EDITOR_ASSEMBLER as LEFT
from ti99tools.compiler.forms.option5 import Loaded, loaded, option5_files
from ti99tools.compiler.pace import Pace
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.games.conformance.as_cartridge import compiled_case, judged, play
from ti99tools.hardware.machine.cpu_memory import HOOK
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

NAMES = (
    *("lang-control", "lang-strings", "screen-print", "screen-chars", "screen-accept"),
    *("screen-input", "screen-using", "files-io", "files-rel", "lang-errors"),
)
FEW = 3
STARTS = 600
"""Frames in which a program begins."""


def files_of(program: Loaded, form: str) -> list[DiskFile]:
    return basic_files(program, "TEST", "TEST") if form == "xb" else option5_files(program, "TEST")


def begun(program: Collected, drives: Mapping[str, DiskImage], form: str) -> AnyConsole:
    """A console on which a program has just begun; its files are on the disk of the case."""
    image = drives.get("DSK1") or image_with(())
    for file in files_of(loaded(program.linked), form):
        image.add(file, replace=True)
    console: Console | CartridgeConsole
    if form == "xb":
        console = Console({"DSK1": image})
        console.boot()
    else:
        console = CartridgeConsole(stand_in("TEST", LEFT), disks={"DSK1": image})
        console.choose()
    own = program.linked.assembled.address_of("BRKHK")
    for _ in range(STARTS):
        console.wait(1)
        if console.engine is not None and console.engine.bus.word_at(HOOK) == own:
            console.machine.sound.written.clear()
            return console
    raise AssertionError("it does not begin")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["xb", "ea5"])
@pytest.mark.parametrize("name", NAMES)
def test_recorded_cases_from_disks(name: str, form: str) -> None:
    held = [*islice((case for case in cases(name, step=5) if _fits(case)), FEW)]
    assert len(held) == FEW
    for one in held:
        program = compiled_case(one.case, banks=False, pace=Pace.BASIC)
        done = play(one.case, program, lambda made, drives: begun(made, drives, form))
        own = {file.name for file in files_of(loaded(program.linked), form)}
        left = {name: file for name, file in done.files.items() if name not in own}
        differences = judged(one.case, replace(done, files=left))
        assert not differences, (one.case["id"], differences)


def _fits(held: Held) -> bool:
    """Tell whether a case is played, and does not depend on what else is on its disk."""
    listing = held.listing
    return held.way is Way.PLAYED and "RANDOMIZE" not in listing and '"DSK1."' not in listing
