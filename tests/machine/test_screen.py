"""The screen image in video RAM."""

import pytest

from ti99tools.hardware.machine.screen import Screen, side_by_side
from ti99tools.hardware.machine.vdp import VDP


@pytest.fixture
def screen() -> Screen:
    screen = Screen(VDP())
    screen.fill(32)
    return screen


def test_codes_lie_60h_higher_in_video_ram() -> None:
    vdp = VDP()
    screen = Screen(vdp)
    screen.put(23, 31, 65)
    screen.put(0, 0, 200)
    assert (vdp.ram[767], vdp.ram[0]) == (0xA1, 0x28)
    assert (screen.get(23, 31), screen.get(0, 0)) == (65, 200)
    assert screen.codes[0] == 200


def test_write_goes_on_in_the_next_row_but_not_beyond_the_screen(screen: Screen) -> None:
    screen.write(0, 30, b"ABCD")
    assert screen.rows[0].endswith("AB")
    assert screen.rows[1].startswith("CD")
    assert screen.read(0, 30, 4) == b"ABCD"
    with pytest.raises(ValueError):
        screen.write(23, 31, b"AB")
    assert screen.get(0, 0) == 32


def test_scroll(screen: Screen) -> None:
    screen.write(1, 2, b"HELLO")
    screen.scroll()
    assert screen.rows[0] == "  HELLO" + " " * 25
    assert screen.rows[23] == "\x1f\x1f" + " " * 28 + "\x1f\x1f"
    assert screen.text.splitlines()[23] == " " * 32


@pytest.mark.parametrize("times", [0, 1, 5, 767, 768, 900])
def test_repeat_covers_as_many_cells(screen: Screen, times: int) -> None:
    screen.repeat_right(17, 9, 42, times)
    assert screen.codes.count(42) == min(times, 768)
    screen.fill(32)
    screen.repeat_down(17, 9, 42, times)
    assert screen.codes.count(42) == min(times, 768)


def test_screens_are_shown_side_by_side_where_they_differ(screen: Screen) -> None:
    other = screen.rows
    screen.write(4, 2, b"HELLO")
    heading, row = side_by_side(screen.rows, other, {4}, ("this screen", "the other"))
    assert heading.split() == ["this", "screen", "|", "the", "other"]
    assert row == " 5!  HELLO" + " " * 25 + " | " + " " * 32
