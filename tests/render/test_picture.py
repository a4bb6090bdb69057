"""Pictures of video memory: dots, sprites, PNG, GIF, text."""

import tracemalloc
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from ti99tools.base.codes import RGB
from ti99tools.base.errors import TIError
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.spritedots import any_overlap, sprites_on_line
from ti99tools.hardware.machine.vdp import Snapshot, pattern_address
from ti99tools.hardware.render import picture, textpicture
from ti99tools.hardware.render.picture import Animation, Display


@pytest.fixture
def machine() -> Machine:
    machine = Machine()
    define(machine, 128, "FF" * 8)
    return machine


def define(machine: Machine, code: int, digits: str) -> None:
    at = pattern_address(code)
    machine.vdp.ram[at : at + 8] = bytes.fromhex(digits)


def put_sprite(machine: Machine, number: int, code: int, color: int, y: int, x: int) -> None:
    machine.sprites.set_pattern(number, code + 0x60)
    machine.sprites.set_color(number, color)
    machine.sprites.place(number, y, x)


def dot(machine: Machine, line: int, column: int) -> int:
    return picture.render(machine.vdp)[256 * line + column]


def test_characters_in_their_colours(machine: Machine) -> None:
    machine.screen.put(1, 2, ord("T"))
    machine.vdp.ram[0x800 + (ord("T") + 96) // 8] = 0x64
    assert dot(machine, 9, 17) == 6
    assert dot(machine, 9, 16) == 4
    assert dot(machine, 0, 0) == 7
    machine.vdp.registers[7] = 0
    assert dot(machine, 0, 0) == 1


def test_a_sprite_lies_one_line_below_its_y(machine: Machine) -> None:
    put_sprite(machine, 0, 128, 9, 99, 50)
    assert [dot(machine, line, 50) for line in (99, 100, 107, 108)] == [7, 9, 9, 7]
    assert [dot(machine, 100, column) for column in (49, 50, 57, 58)] == [7, 9, 9, 7]


def test_sprites_at_the_edges(machine: Machine) -> None:
    put_sprite(machine, 0, 128, 9, 255, 252)
    assert [dot(machine, 0, column) for column in (0, 251, 252, 255)] == [7, 7, 9, 9]
    put_sprite(machine, 0, 128, 9, 0xF8, 0)
    assert [dot(machine, line, 0) for line in (0, 1)] == [9, 7]
    put_sprite(machine, 0, 128, 0x80 | 9, 10, 28)
    assert [dot(machine, 11, column) for column in (0, 3, 4)] == [9, 9, 7]


def test_magnification(machine: Machine) -> None:
    for code, digits in zip(range(128, 132), ("80", "40", "20", "10"), strict=True):
        define(machine, code, digits + "00" * 7)
    put_sprite(machine, 0, 130, 9, 9, 0)
    machine.sprites.magnify(3)
    lit = {
        (line, column)
        for line in (10, 18)
        for column in range(16)
        if dot(machine, line, column) == 9
    }
    assert lit == {(10, 0), (18, 1), (10, 10), (18, 11)}
    machine.sprites.magnify(4)
    assert [dot(machine, line, 1) for line in (10, 11, 12)] == [9, 9, 7]
    machine.sprites.magnify(2)
    assert [dot(machine, 10, column) for column in (3, 4, 5, 6)] == [7, 9, 9, 7]


def test_lower_numbers_lie_in_front_and_transparent_ones_hide_nothing(machine: Machine) -> None:
    put_sprite(machine, 1, 128, 9, 20, 20)
    put_sprite(machine, 0, 128, 5, 20, 24)
    assert [dot(machine, 21, column) for column in (20, 24, 31)] == [9, 5, 5]
    machine.sprites.set_color(0, 0)
    assert [dot(machine, 21, column) for column in (20, 24, 31)] == [9, 9, 7]


def test_four_sprites_on_a_line(machine: Machine) -> None:
    for number in range(6):
        put_sprite(machine, number, 128, 9, 20, 20 * number)
    assert [sprite.number for sprite in sprites_on_line(machine.vdp, 21)] == [0, 1, 2, 3]
    assert [dot(machine, 21, 20 * number) for number in range(6)] == [9, 9, 9, 9, 7, 7]
    machine.sprites.place(2, 0xD0, 0)
    assert [sprite.number for sprite in sprites_on_line(machine.vdp, 21)] == [0, 1]


def test_overlap_counts_shown_dots_only(machine: Machine) -> None:
    put_sprite(machine, 0, 128, 9, 20, 20)
    put_sprite(machine, 1, 128, 0, 27, 27)
    assert any_overlap(machine.vdp)
    machine.sprites.place(1, 28, 27)
    assert not any_overlap(machine.vdp)
    machine.sprites.place(0, 0xC0, 0)
    machine.sprites.place(1, 0xC0, 0)
    assert not any_overlap(machine.vdp)


def test_png(machine: Machine, tmp_path: Path) -> None:
    machine.screen.put(0, 0, 128)
    picture.save_png(machine.vdp, tmp_path / "a.png", scale=3, border=10)
    image = Image.open(tmp_path / "a.png").convert("RGB")
    assert image.size == (3 * 276, 3 * 212)
    assert image.getpixel((30, 30)) == (0, 0, 0)
    assert image.getpixel((29, 30)) == (66, 235, 245)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_the_screen_s_own_picture_has_the_sprites_where_they_are_now(machine: Machine) -> None:
    put_sprite(machine, 0, 128, 9, 0, 0)
    machine.sprites.set_velocity(0, 0, 64)
    machine.clock.advance(10 * FRAME)
    display = Display(machine.vdp, machine.picture)
    image = Image.open(BytesIO(display.png(scale=1, border=0))).convert("RGB")
    assert [image.getpixel((x, 1)) for x in (39, 40)] == [RGB[7], RGB[9]]


def test_the_screen_s_own_picture_goes_into_a_file(machine: Machine, tmp_path: Path) -> None:
    display = Display(machine.vdp, machine.picture)
    path = tmp_path / "x.png"
    data = display.png(str(path))
    assert path.read_bytes() == data == display.png(path, scale=2)
    with Image.open(path) as image:
        assert image.size == (576, 448)
    cases: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: display.png(2), r"2 is not a path; write png\("),  # type: ignore[arg-type]
        (lambda: display.png(tmp_path / "no" / "x.png"), "/no: no such folder; make it"),
        (lambda: display.png(scale=0), "scale is 1 to 64, border 0 to 64"),
        (lambda: display.png(path, border=-1), "scale is 1 to 64, border 0 to 64"),
    )
    for wrong, remedy in cases:
        with pytest.raises(TIError, match=remedy):
            wrong()
    assert [file.name for file in tmp_path.iterdir()] == ["x.png"]
    assert path.read_bytes() == data


def gif(frames: list[tuple[Snapshot, int]]) -> bytes:
    """An animation of snapshots, each with the milliseconds for which it is shown."""
    animation = Animation()
    for snapshot, milliseconds in frames:
        animation.add(snapshot, milliseconds)
    return animation.data()


def test_gif_joins_equal_frames(machine: Machine) -> None:
    first = Snapshot.of(machine.vdp)
    machine.screen.put(0, 0, 128)
    second = Snapshot.of(machine.vdp)
    data = gif([(first, 100), (first, 100), (second, 300)])
    picture = Image.open(BytesIO(data))
    assert sum(1 for _ in ImageSequence.Iterator(picture)) == 2
    picture.seek(0)
    assert (picture.info["duration"], picture.size) == (200, (288, 224))
    with pytest.raises(ValueError):
        gif([])


@pytest.mark.parametrize("count", [1, 2, 3, 64, 65, 66, 67, 130, 200])
def test_an_animation_made_in_pieces_is_the_one_made_at_once(machine: Machine, count: int) -> None:
    """Also where pictures look alike though the video RAM differs, at the end of a piece too."""
    frames = []
    for number in range(count):
        if number % 5 not in (2, 3) or number in (64, 65, 66, 129):
            machine.screen.put(number % 24, number * 7 % 32, 33 + number % 60)
            machine.vdp.registers[7] = number // 30
        machine.vdp.ram[0x3FFF] = number
        frames.append((Snapshot.of(machine.vdp), 10 + number))
    drawn = [(picture.image(s.vdp(), 1), max(20, milliseconds)) for s, milliseconds in frames]
    whole = BytesIO()
    drawn[0][0].save(
        whole,
        "GIF",
        save_all=True,
        append_images=[each for each, _ in drawn[1:]],
        duration=[milliseconds for _, milliseconds in drawn],
        disposal=1,
        optimize=False,
        loop=0,
    )
    assert gif(frames) == whole.getvalue()


def test_a_long_animation_holds_few_pictures(machine: Machine) -> None:
    first = Animation()
    first.add(Snapshot.of(machine.vdp), 100)
    first.data()  # what is imported meanwhile does not count
    animation = Animation()
    tracemalloc.start()
    for number in range(160):
        machine.screen.put(number % 24, number % 32, number % 90 + 33)
        machine.vdp.ram[0x3FFE:0x4000] = number.to_bytes(2, "big")
        animation.add(Snapshot.of(machine.vdp), 100)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000, "160 snapshots alone are 2.6 MB"


def test_text_shows_redefined_characters(machine: Machine) -> None:
    patterns = {
        129: "FF818181818181FF",
        130: "0000000000000000",
        131: "00000000000000FF",
        132: "003C7E7E7E7E3C00",
        133: "10101010FF101010",
        134: "AA55AA55AA55AA55",
        135: "F0F0F0F000000000",
        136: "00081828487C0808",
    }
    for code, digits in patterns.items():
        define(machine, code, digits)
    machine.screen.write(2, 3, b"Ab1" + bytes(range(128, 137)))
    put_sprite(machine, 0, ord("S"), 9, 79, 79)
    rows = textpicture.text(machine.vdp).splitlines()
    assert rows[2] == "   Ab1█□ ▁●┼▒▘4".ljust(32)
    assert rows[10] == "          S".ljust(32)
    assert textpicture.cells(machine.vdp)[10][10] == textpicture.TextCell("S", 9, 7)
