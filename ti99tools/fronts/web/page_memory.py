"""What a console of the page has in memory: bytes, the video processor, and its sprites."""

from __future__ import annotations

from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.sprites import signed
from ti99tools.hardware.machine.vdp import OFFSET, SPRITE_COUNT

MOST_BYTES = 512
"""The most bytes that are shown at once."""
VIDEO, PROCESSOR = "video", "processor"
_SPACES = {VIDEO: 0x4000, PROCESSOR: 0x10000}


def stretch(machine: Machine, space: str, address: int, count: int) -> bytes:
    """Bytes of the video memory or, as CALL PEEK finds them, of the processor's.

    They begin again at address 0 after the last one. Raises TIError for anything else.
    """
    size = _SPACES.get(space, 0)
    if not (0 <= address < size and 0 < count <= MOST_BYTES):
        raise TIError(
            f"no memory {space} at {address}",
            remedy=f"addresses are 0 to {max(size, 1) - 1:X} in hexadecimal",
        )
    places = [(address + each) % size for each in range(count)]
    if space == VIDEO:
        machine.sync()
        return bytes(machine.vdp.ram[place] for place in places)
    return bytes(machine.memory.peek(place) for place in places)


def video(machine: Machine) -> dict[str, Any]:
    """The registers of the video processor, and the sprites that are defined.

    Numbers are those of CALL SPRITE: rows and columns from 1, velocities down and to the right.
    """
    machine.sync()
    registers = list(machine.vdp.registers)
    sprites = (_sprite(machine, number) for number in range(SPRITE_COUNT))
    return {
        "registers": registers,
        "magnify": (registers[1] & 3) + 1,
        "screen": (registers[7] & 15) + 1,
        "sprites": [each for each in sprites if each is not None],
    }


def _sprite(machine: Machine, number: int) -> dict[str, int] | None:
    row, column = machine.sprites.row_and_column(number)
    if not row:
        return None
    attributes = machine.sprites.attributes[4 * number : 4 * number + 4]
    down, right = machine.sprites.motion[4 * number : 4 * number + 2]
    return {
        "number": number + 1,
        "character": attributes[2] - OFFSET & 0xFF,
        "color": (attributes[3] & 15) + 1,
        "row": row,
        "column": column,
        "down": signed(down),
        "right": signed(right),
    }
