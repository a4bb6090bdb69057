"""BLWP @ERR with code >24, I/O ERROR: what Extended BASIC looks for in a file's block."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

ERRX = (
    "100 CALL CLEAR::CALL INIT::CALL LOAD(9472,2,0,36,0,4,32,32,52,4,91)::CALL LOAD(8196,63,248)"
    "::CALL LOAD(16376,69,82,82,88,32,32,37,0)\n"
)
"""LI R0,>2400 / BLWP @ERR / B *R11 at >2500, linked as ERRX."""
CAUGHT = "120 END\n200 CALL ERR(E,N)\n"
SOUND = "CALL SOUND(100,440,2)"


def ran(rest: str) -> Console:
    console = Console(max_seconds=20, disks={"DSK1": DiskImage.new()})
    console.load(Program.from_listing(ERRX + rest))
    console.run()
    return console


@pytest.mark.parametrize(
    ("before", "register", "block"),
    [
        (f"{SOUND}::", 2, 0xC002),
        ("CALL SOUND(100,440,2,550,2)::", 2, 0xC002),
        ("", 0, 0x0002),
        (f'{SOUND}::OPEN #7:"DSK1.X",OUTPUT::', 0, None),
        (f'OPEN #7:"DSK1.X",OUTPUT::{SOUND}::', 2, 0xC002),
    ],
)
def test_a_handler_lets_it_read_the_number_of_the_file(
    before: str, register: int, block: int | None
) -> None:
    """An address from >8000 on sets a register: after CALL SOUND the picture is in bitmap mode."""
    console = ran(f'110 ON ERROR 200::{before}CALL LINK("ERRX")\n{CAUGHT}210 GOTO 210\n')
    assert console.machine.vdp.registers[0] == register
    assert console.variables["E"] == 130
    if block is None:
        assert console.variables["N"] == 7


def test_a_third_tone_goes_to_the_block_too() -> None:
    """440, 550 and 660 Hz: 169 = >A9 is the period of the third, so >C90A and register 1 or so."""
    tones = "CALL SOUND(-100,440,30,550,30,660,30)"
    console = ran(f'110 ON ERROR 200::{tones}::CALL LINK("ERRX")\n{CAUGHT}210 GOTO 210\n')
    assert console.machine.vdp.registers[1] == 0x0A + 2


@pytest.mark.parametrize(
    ("before", "message", "register"),
    [
        (f"{SOUND}::", "I/O ERROR 1284 IN 110", 5),
        (f'{SOUND}::OPEN #7:"DSK1.X",OUTPUT::PRINT #7:"A"::', "I/O ERROR 30 IN 110", 0),
    ],
)
def test_a_message_shows_operation_and_error(before: str, message: str, register: int) -> None:
    console = ran(f'110 {before}CALL LINK("ERRX")\n')
    assert message in console.screen.text
    assert console.machine.vdp.registers[0] == register
