"""From every form to every form and back, exactly; from geometry to geometry without loss."""

import itertools

import pytest

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.fronts.cli.disk_images import DISK_FORMS
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.containers import FORMS as TABLE
from ti99tools.media.disk.containers import cf7
from ti99tools.media.disk.convert import convert, form_for, reshape
from ti99tools.media.disk.geometry import GEOMETRIES
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


def disk(geometry: str = "DSSD", name: str = "TEST") -> DiskImage:
    image = DiskImage.new(geometry, name)
    image.make_directory("SUB")
    for n in range(6):
        image.add(DiskFile.program(f"P{n}", bytes([n]) * (n * 700)))
        image.add(DiskFile.display_var(f"SUB.T{n}", [b"LINE"] * n * 9))
    image.remove("P2")
    image.add(DiskFile.program("PIECES", bytes(range(250)) * 20))
    image.protect("P3")
    return image


def contents(image: DiskImage) -> dict[str, DiskFile]:
    return {name: image.read(name) for name in image.names()}


@pytest.mark.parametrize(
    ("first", "second"),
    list(itertools.permutations([form.key for form in TABLE if not form.volumes], 2)),
)
def test_there_and_back(first: str, second: str) -> None:
    original = convert(disk(), first)
    image = DiskImage.from_bytes(original)
    assert image.form == next(form.title for form in TABLE if form.key == first)
    other = convert(image, second)
    assert convert(DiskImage.from_bytes(other), first) == original


def test_a_card_volume_and_back() -> None:
    image = disk("CF", "VOL")
    card = convert(image, "cf7", volume=3)
    assert len(card) == 3 * cf7.VOLUME
    assert card[1::2].strip(b"\0") == b""
    assert cf7.volumes(card) == {3: "VOL"}
    back = DiskImage.from_bytes(card, volume=3)
    assert convert(back, "dsk") == image.to_bytes()
    back.remove("P1")
    assert back.to_bytes()[: 2 * cf7.VOLUME] == bytes(2 * cf7.VOLUME)
    with pytest.raises(DiskError, match="volume 1 of the card is not initialised"):
        DiskImage.from_bytes(card)
    with pytest.raises(DiskError, match="no volume 4"):
        DiskImage.from_bytes(card, volume=4)
    with pytest.raises(DiskError, match="only CF7") as caught:
        DiskImage.from_bytes(image.to_bytes(), volume=2)
    assert caught.value.meaning is Remedy.NO_VOLUME


def test_volumes_of_a_card_are_separate() -> None:
    card = convert(disk("CF", "ONE"), "cf7", volume=1)
    card = convert(disk("CF", "TWO"), "cf7", volume=2, card=card)
    assert cf7.volumes(card) == {1: "ONE", 2: "TWO"}
    second = DiskImage.from_bytes(card, volume=2)
    second.add(DiskFile.program("NEW", b"x"))
    changed = second.to_bytes()
    assert changed[: cf7.VOLUME] == card[: cf7.VOLUME]
    assert "NEW" in DiskImage.from_bytes(changed, volume=2)
    assert "NEW" not in DiskImage.from_bytes(changed, volume=1)


def test_a_floppy_becomes_a_card_volume_of_1600_sectors() -> None:
    image = disk("DSSD")
    back = DiskImage.from_bytes(convert(image, "cf7"))
    assert back.total_sectors == 1600
    assert back.free_sectors == image.free_sectors + 880
    assert bytes(back.volume.data[512 : 720 * 256]) == image.to_bytes()[512:]
    assert check(back.volume) == []


def put_on_a_card(image: DiskImage, after: bytes = b"") -> DiskImage:
    """A volume of a card that holds `image` as it is: its block still tells the old geometry."""
    spread = bytearray(cf7.VOLUME)
    spread[::2] = (image.to_bytes() + after).ljust(cf7.VOLUME // 2, b"\0")
    return DiskImage.from_bytes(bytes(spread))


@pytest.mark.parametrize("geometry", ["SSSD", "DSSD", "DSDD", "SSDD16"])
def test_a_card_volume_that_tells_its_old_geometry_gives_that_disk_back(geometry: str) -> None:
    image = disk(geometry)
    on_card = put_on_a_card(image)
    assert on_card.form == "CF7+"
    assert convert(on_card, "dsk") == image.to_bytes()


def test_data_after_the_disk_on_a_card_volume_are_not_dropped_silently() -> None:
    image = disk("DSSD")
    on_card = put_on_a_card(image, b"LEFT OVER")
    with pytest.raises(DiskError, match="after the disk's 720 sectors"):
        convert(on_card, "dsk")
    assert convert(on_card, "dsk", force=True) == image.to_bytes()


def test_a_card_volume_with_an_odd_block_stays_whole() -> None:
    image = disk("DSSD")
    block = bytearray(image.sector(0))
    block[0x0A:0x0C] = (700).to_bytes(2, "big")
    image.write_sector(0, bytes(block))
    assert len(convert(put_on_a_card(image), "dsk")) == 1600 * 256


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(GEOMETRIES, 2)))
def test_every_geometry_to_every_other(first: str, second: str) -> None:
    image = disk(first)
    other = reshape(image, GEOMETRIES[second])
    assert other.geometry == GEOMETRIES[second]
    assert contents(other) == contents(image)
    assert other.name == image.name
    assert check(other.volume) == []
    used = image.total_sectors - image.free_sectors
    if image.volume.unit == other.volume.unit == 1:
        assert other.total_sectors - other.free_sectors == used


def test_files_that_do_not_fit_are_an_error() -> None:
    image = DiskImage.new("DSSD")
    image.add(DiskFile.program("BIG", bytes(400 * 256)))
    with pytest.raises(DiskError, match="full"):
        reshape(image, GEOMETRIES["SSSD"])


def test_data_behind_the_volume_are_not_dropped_silently() -> None:
    data = disk("DSSD").to_bytes()
    assert convert(DiskImage.from_bytes(data + b"\xe5" * 256), "hfe")
    with pytest.raises(DiskError, match="after the disk's 720 sectors"):
        convert(DiskImage.from_bytes(data + b"x" * 256), "hfe")
    with pytest.raises(DiskError, match="has 700 of 720"):
        convert(DiskImage.from_bytes(data[: 700 * 256]), "hfe")


def test_what_follows_a_sector_image_is_kept() -> None:
    data = disk("SSSD").to_bytes() + b"\1\2\3"
    image = DiskImage.from_bytes(data)
    assert image.to_bytes() == data
    with_map = disk("SSSD").to_bytes() + bytes(768)
    assert check(DiskImage.from_bytes(with_map).volume) == []


def test_unreadable_sectors_stop_a_conversion_unless_forced() -> None:
    image = disk("SSSD")
    image.volume.defects[300] = "bad CRC: cylinder 33, side 0, sector 3"
    with pytest.raises(DiskError, match="1 sectors cannot be read") as caught:
        convert(image, "hfe")
    assert caught.value.meaning is Remedy.FORCE
    assert convert(image, "dsk", force=True) == bytes(image.volume.data)


def test_forms_by_extension() -> None:
    assert form_for("a/GAME.HFE") == "hfe"
    assert form_for("game.dsk") == "dsk"
    assert form_for("game.img") is None
    with pytest.raises(DiskError, match="no form"):
        convert(disk(), "zip")


def test_every_form_is_in_the_one_table_and_names_itself_as_its_images_do() -> None:
    assert {form.key for form in TABLE} == set(DISK_FORMS)
    for form in TABLE:
        image = DiskImage.from_bytes(convert(disk("CF" if form.volumes else "SSSD"), form.key))
        assert image.form == form.title


def test_only_disk_images_are_taken_for_disk_images() -> None:
    for data in (b"", b"hello", bytes(1000), bytes(500_000)):
        with pytest.raises(DiskError):
            DiskImage.from_bytes(data)
    with pytest.raises(DiskError, match="a TIFILES file, not a disk") as caught:
        DiskImage.from_bytes(b"\x07TIFILES".ljust(384, b"\0"))
    assert caught.value.meaning is Remedy.ADD_TO_DISK
    with pytest.raises(DiskError, match="not initialised"):
        DiskImage.from_bytes(b"\xe5" * 92160)
