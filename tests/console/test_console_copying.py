"""Copies of consoles: each goes on by itself, exactly as the original does."""

from random import Random
from typing import Any

import pytest

from tests.debug.test_debug_halting import PROGRAMS
from tests.shipped import shipped
from ti99tools import Console, Program
from ti99tools.computer.console.copying import Copier
from ti99tools.hardware.machine.clock import FRAME

DISK = """100 OPEN #1:"DSK1.A",OUTPUT
110 FOR I=1 TO 20
120 N$=N$&CHR$(64+I) :: PRINT #1:N$ :: PRINT N$ :: A(I/2)=I
130 NEXT I
140 CLOSE #1
"""


def everything(console: Console) -> dict[str, Any]:
    return {
        "cycles": console.clock.cycles,
        "picture": console.machine.picture(),
        "sound": bytes(console.sound.written),
        "variables": console.variables.everything(),
        "disks": {drive: image.to_bytes() for drive, image in console.disks.items()},
    }


@pytest.mark.parametrize("name", [*PROGRAMS, "disk"])
def test_a_copy_goes_on_as_the_original(name: str) -> None:
    text = {**PROGRAMS, "disk": DISK}[name]
    console = Console({"DSK1": shipped("dimraw").image})
    console.load(Program.from_listing(text))
    console.start()
    console.advance_to(console.clock.cycles + 6 * FRAME)
    copy = Copier().copy(console)
    assert copy.execution is not console.execution
    assert copy.machine is not console.machine
    before = everything(copy)
    console.resume(60)
    ended = everything(console)
    assert everything(copy) == before != ended, "the copy has stayed where it was"
    copy.resume(60)
    assert everything(copy) == ended


def played(console: Console, seed: int) -> dict[str, Any]:
    random = Random(seed)
    for _ in range(6):
        key = random.choice("123 YNASDXE")
        console.hold(key)
        console.wait(random.randrange(4, 9))
        console.release(key)
        console.wait(random.randrange(5, 90))
    return everything(console)


def test_a_copy_of_a_game_takes_the_same_keys() -> None:
    console = Console({"DSK1": shipped("dimraw").image}, step=lambda *place: None)
    console.boot()
    assert console.run_until("1 PLAY")
    for seed in range(3):
        copy = Copier().copy(console)
        assert played(console, seed) == played(copy, seed)


def test_what_is_shared_is_not_copied() -> None:
    inner = [1]
    shared = [inner]
    copy = Copier((inner,)).copy(shared)
    assert copy is not shared
    assert copy[0] is inner


def test_a_generator_cannot_be_copied() -> None:
    with pytest.raises(TypeError):
        Copier().copy(each for each in "A")
