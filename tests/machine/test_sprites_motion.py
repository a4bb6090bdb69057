"""The interrupt routine's motion arithmetic."""

import pytest

from ti99tools.base.cycles.console import SPRITE_SERVED, SPRITES_SERVED
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.sprites import Sprites
from ti99tools.hardware.machine.vdp import SPRITES, VDP


def make() -> tuple[Clock, Sprites, VDP]:
    clock, vdp = Clock(), VDP()
    return clock, Sprites(vdp, clock), vdp


@pytest.mark.parametrize(
    ("start", "velocity", "frames", "attributes", "motion"),
    [
        ((48, 59), (5, -3), 3, "303a", "05fd0f07"),
        ((48, 59), (-128, 127), 8, "f07a", "807f0008"),
        ((48, 59), (10, -20), 5, "3334", "0aec020c"),
        ((28, 39), (3, 4), 4, "1c28", "03040c00"),
        ((0xC0, 0), (4, 4), 13, "e303", "04040404"),
        ((0xBF, 255), (16, 16), 1, "c000", "10100000"),
        ((0xC0, 0), (16, -16), 1, "e1ff", "10f00000"),
        ((0xE0, 0), (-16, 0), 1, "bf00", "f0000000"),
        ((0, 0), (-1, -1), 1, "ffff", "ffff0f0f"),
    ],
)
def test_frames(
    start: tuple[int, int], velocity: tuple[int, int], frames: int, attributes: str, motion: str
) -> None:
    clock, sprites, _ = make()
    sprites.place(0, *start)
    sprites.set_velocity(0, *velocity)
    clock.advance(frames * FRAME)
    assert sprites.attributes[:2].hex() == attributes
    assert sprites.motion[:4].hex() == motion


def test_looking_often_changes_nothing() -> None:
    paths = []
    for step in (1, 7, 70):
        clock, sprites, _ = make()
        sprites.set_velocity(2, -37, 91)
        for _ in range(420 // step):
            clock.advance(step * FRAME)
            sprites.sync()
        paths.append(sprites.attributes + sprites.motion)
    assert paths[0] == paths[1] == paths[2]


def test_no_moving_sprite_ends_the_list() -> None:
    clock, sprites, vdp = make()
    for velocity in range(-128, 128):
        sprites.set_velocity(0, velocity, 0)
        for _ in range(20):
            clock.advance(3 * FRAME)
            sprites.sync()
            assert not 0xC1 <= vdp.ram[SPRITES] < 0xE0


def test_only_entries_up_to_the_highest_number_move() -> None:
    clock, sprites, _ = make()
    sprites.set_velocity(3, 16, 16)
    assert sprites.moving == 4
    sprites.moving = 2
    clock.advance(FRAME)
    assert sprites.position(3) == (0xC0, 0)


def test_reset() -> None:
    clock, sprites, vdp = make()
    sprites.set_velocity(27, 16, 16)
    clock.advance(FRAME)
    sprites.reset()
    clock.advance(FRAME)
    assert sprites.attributes == bytes((0xC0, 0, 0, 0)) * 28
    assert sprites.motion == bytes(112)
    assert vdp.ram[0x370] == 0xD0


@pytest.mark.parametrize("highest", [0, 3, 27])
def test_interrupts_take_from_what_the_program_works_on(highest: int) -> None:
    clock, sprites, _ = make()
    sprites.set_velocity(highest, 0, 0)
    clock.work(100 * FRAME)
    each = SPRITES_SERVED + SPRITE_SERVED * (highest + 1)
    assert clock.cycles == pytest.approx(100 * FRAME * FRAME / (FRAME - each), rel=0.01)


def test_waiting_is_not_made_longer() -> None:
    clock, sprites, _ = make()
    sprites.set_velocity(27, 0, 0)
    clock.advance_to(10 * FRAME + 30_000)
    assert clock.cycles == 10 * FRAME + 30_000


@pytest.mark.parametrize("stop", ["hide", "reset", "moving", "freeze", "hold"])
def test_sprites_that_are_not_served_take_nothing(stop: str) -> None:
    clock, sprites, _ = make()
    sprites.set_velocity(5, 1, 1)
    {
        "hide": lambda: sprites.hide(5),
        "reset": sprites.reset,
        "moving": lambda: setattr(sprites, "moving", 0),
        "freeze": lambda: sprites.freeze(True),
        "hold": sprites.hold,
    }[stop]()
    clock.work(20 * FRAME)
    # Of hidden ones those before the last are served: 21 interrupts come until the work is done.
    assert clock.cycles == 20 * FRAME + (5 * SPRITE_SERVED + SPRITES_SERVED) * 21 * (stop == "hide")


def test_the_routine_puts_a_sprite_back_from_below_the_screen_without_a_velocity() -> None:
    clock, sprites, _ = make()
    sprites.place(3, 223, 218)
    clock.advance(FRAME)
    assert sprites.row_and_column(3) == (225, 219)
    sprites.set_velocity(3, 0, 0)
    clock.advance(FRAME)
    assert sprites.row_and_column(3) == (193, 219)


def test_lost_interrupts_neither_move_nor_take() -> None:
    clock, sprites, _ = make()
    sprites.set_velocity(0, 16, 0)
    sprites.interrupts_lost(3)
    clock.work(5 * FRAME)
    assert clock.cycles == 5 * FRAME + 2 * (SPRITES_SERVED + SPRITE_SERVED)
    assert sprites.position(0)[0] == 0xC0 + 0x20 + 2
