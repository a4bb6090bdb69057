"""Sprites of machine code may be listed elsewhere: registers 5 and 6 say where."""

from ti99tools.hardware.machine.spritedots import sprites_on_line
from ti99tools.hardware.machine.vdp import VDP


def test_the_list_and_the_patterns_are_where_the_registers_say() -> None:
    vdp = VDP()
    vdp.registers[5], vdp.registers[6] = 0x36, 0x07
    vdp.ram[0x1B00:0x1B05] = bytes((9, 20, 4, 6, 0xD0))
    vdp.ram[0x3820] = 0xFF
    (line,) = sprites_on_line(vdp, 10)
    assert (line.color, line.dots) == (6, 0xFF << 256 - 20 - 8)
