"""The modes of the video processor that machine code may choose."""

import pytest

from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import VDP
from ti99tools.hardware.render.picture import render


@pytest.fixture
def vdp() -> VDP:
    return Machine().vdp


def line(vdp: VDP, number: int) -> bytes:
    return bytes(render(vdp)[256 * number : 256 * (number + 1)])


def test_a_dark_screen_is_backdrop(vdp: VDP) -> None:
    vdp.registers[1] = 0xA0
    assert {*render(vdp)} == {7}


def test_text_has_40_columns_of_6_dots(vdp: VDP) -> None:
    vdp.registers[1], vdp.registers[7] = 0xF0, 0xF4
    vdp.ram[0:960] = bytes(960)
    vdp.ram[40] = 200
    vdp.ram[8 * 200 : 8 * 201] = bytes((0b10000111,)) * 8
    data = line(vdp, 8)
    assert data[:8] == b"\x04" * 8 == data[-8:]
    assert data[8:16] == bytes((15, 4, 4, 4, 4, 15)) + b"\x04\x04"
    assert line(vdp, 16)[8] == 4


def test_text_has_no_sprites(vdp: VDP) -> None:
    vdp.ram[0x300:0x305] = bytes((20, 20, 200, 8, 0xD0))
    vdp.ram[8 * 200] = 0xFF
    assert line(vdp, 21)[20] == 8
    vdp.registers[1] |= 0x10
    assert 8 not in render(vdp)


def test_tables_lie_where_registers_say(vdp: VDP) -> None:
    vdp.registers[2], vdp.registers[3], vdp.registers[4] = 0x0E, 0x90, 0x06
    vdp.ram[0x3800] = 9
    vdp.ram[0x2400 + 1] = 0x12
    vdp.ram[0x3000 + 72] = 0x80
    assert line(vdp, 0)[:3] == bytes((1, 2, 2))


def test_bitmap_lines_have_their_own_colors(vdp: VDP) -> None:
    vdp.registers[0], vdp.registers[2] = 2, 0x0E
    vdp.registers[3], vdp.registers[4] = 0xFF, 0x03
    vdp.ram[0x3800:0x3B00] = bytes(range(256)) * 3
    vdp.ram[0x300 : 0x300 + 28] = bytes((0xD0,)) * 28
    vdp.ram[0x0800 + 3], vdp.ram[0x2800 + 3] = 0xF0, 0x56
    data = line(vdp, 64 + 3)
    assert data[:8] == bytes((5, 5, 5, 5, 6, 6, 6, 6))


def test_multicolor_blocks_are_four_dots_wide(vdp: VDP) -> None:
    vdp.registers[1] = 0xE8
    vdp.ram[0:768] = bytes(768)
    vdp.ram[32] = 100
    vdp.ram[800 + 2 : 800 + 4] = bytes((0x34, 0x50))
    assert line(vdp, 8)[:9] == bytes((3, 3, 3, 3, 4, 4, 4, 4, 7))
    assert line(vdp, 12)[:8] == bytes((5, 5, 5, 5, 7, 7, 7, 7))
