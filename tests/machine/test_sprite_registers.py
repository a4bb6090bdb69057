"""Sprites of machine code may be listed elsewhere; where sprites overlap."""

from functools import reduce
from operator import or_
from random import Random

from ti99tools.hardware.machine.spritedots import LINES, any_overlap, sprites_on_line
from ti99tools.hardware.machine.vdp import VDP


def test_the_list_and_the_patterns_are_where_the_registers_say() -> None:
    vdp = VDP()
    vdp.registers[5], vdp.registers[6] = 0x36, 0x07
    vdp.ram[0x1B00:0x1B05] = bytes((9, 20, 4, 6, 0xD0))
    vdp.ram[0x3820] = 0xFF
    (line,) = sprites_on_line(vdp, 10)
    assert (line.color, line.dots) == (6, 0xFF << 256 - 20 - 8)


def plainly(vdp: VDP, first: int) -> bool:
    """`any_overlap` with a look at every line."""
    for line in range(first, LINES):
        dots = [sprite.dots for sprite in sprites_on_line(vdp, line)]
        if sum(dot.bit_count() for dot in dots) > reduce(or_, dots, 0).bit_count():
            return True
    return False


def test_overlap_is_what_all_lines_one_by_one_show() -> None:
    seen = set()
    for seed in range(200):
        rng = Random(seed)
        vdp = VDP()
        vdp.registers[1] = 0xE0 | rng.randrange(4)
        for at in range(0x400, 0x800, rng.choice((1, 5, 16))):
            vdp.ram[at] = rng.getrandbits(8) & rng.getrandbits(8)
        for _ in range(5):  # the same sprites again, with other patterns
            spread = rng.choice((12, 60, 250))
            for number in range(rng.randrange(9)):
                y, x = rng.randrange(spread) - 16 & 0xFF, rng.randrange(spread)
                color = rng.choice((3, 0x83))
                vdp.ram[0x300 + 4 * number : 0x305 + 4 * number] = bytes(
                    (y, x, 0x80 + rng.randrange(0x80), color, 0xD0)
                )
            first = rng.choice((0, 20, 100))
            found = any_overlap(vdp, first)
            assert found == plainly(vdp, first), seed
            seen.add(found)
            vdp.ram[0x400 + rng.randrange(0x400)] ^= 0xFF
    assert seen == {True, False}
