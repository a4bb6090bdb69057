"""The disk controller's routines on a disk image, against recorded descriptors and codes."""

import contextlib
import random

import pytest

from ti99tools.hardware.machine.drives import Drives
from ti99tools.hardware.machine.pab import IOFailure, Mode, OpenRequest
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

OUTPUT = OpenRequest(Mode.OUTPUT)


@pytest.fixture
def image() -> DiskImage:
    return DiskImage.new("DSSD", "TEST")


@pytest.fixture
def drives(image: DiskImage) -> Drives:
    return Drives({"DSK1": image})


def descriptor(image: DiskImage, sector: int) -> str:
    return image.sector(sector).rstrip(b"\0").hex()


def refused(code: int) -> "pytest.RaisesExc[IOFailure]":
    return pytest.raises(IOFailure, match=f"error {code}$")


def test_three_files_written_in_turn_get_the_recorded_clusters(
    image: DiskImage, drives: Drives
) -> None:
    image.add(DiskFile.program("LOAD", bytes(100)))
    a = drives.open("DSK1.A", OUTPUT)
    b = drives.open("DSK1.B", OpenRequest(Mode.OUTPUT, internal=True))
    c = drives.open("DSK1.C", OpenRequest(variable=False, relative=True, record_length=30))
    for i in range(1, 26):
        a.write(f"A {i} {'-' * 30}".encode(), 0)
        b.write(b"\1B\x08\x40" + bytes((i,)) + bytes(6), 0)
        c.write(f"C {i} ".encode().ljust(30), i - 1)
    for file in (b, a, c):
        file.close()
    assert [descriptor(image, s) for s in (3, 4, 5)] == [
        "412020202020202020200000800300049050040000000000000000002300002610002820002a30",
        "422020202020202020200000820300023050020000000000000000002400002b10",
        "43202020202020202020000000080004001e190000000000000000002500002710002920002c30",
    ]


def test_a_new_file_shows_its_name_alone_until_close(image: DiskImage, drives: Drives) -> None:
    file = drives.open("DSK1.OUT", OUTPUT)
    file.write(b"X", 0)
    assert descriptor(image, 2) == b"OUT       ".hex()
    file.close()
    assert image.read("OUT").records == (b"X",)


def test_update_truncates_and_a_failure_closes(image: DiskImage, drives: Drives) -> None:
    image.add(DiskFile.display_var("F", [b"AAA", b"BBB", b"CCC"]))
    file = drives.open("DSK1.F", OpenRequest())
    assert file.read(0) == b"AAA"
    file.write(b"NEW", 0)
    with refused(5):
        file.read(0)
    with refused(7):
        file.close()
    assert image.read("F").records == (b"AAA", b"NEW")


@pytest.mark.parametrize(
    ("name", "request_", "code"),
    [
        ("FOO.X", OUTPUT, 0),
        ("dsk1.X", OUTPUT, 0),
        ("DSK1", OUTPUT, 7),
        ("DSK1.A B", OUTPUT, 7),
        ("DSK1.A.B", OUTPUT, 7),
        ("DSK1.ABCDEFGHIJK", OUTPUT, 7),
        ("DSK.OTHER.X", OUTPUT, 7),
        ("DSK1.NONE", OpenRequest(Mode.INPUT), 2),
        ("DSK1.PROG", OpenRequest(Mode.INPUT), 2),
        ("DSK1.F", OpenRequest(Mode.INPUT, internal=True), 2),
        ("DSK1.F", OpenRequest(Mode.INPUT, record_length=40), 2),
        ("DSK1.F", OpenRequest(Mode.INPUT, variable=False), 2),
        ("DSK1.LOCKED", OUTPUT, 1),
        ("DSK1.N", OpenRequest(Mode.APPEND, variable=False), 2),
        ("DSK1.N", OpenRequest(Mode.OUTPUT, record_length=255), 2),
        ("DSK1.", OpenRequest(Mode.INPUT, internal=True), 2),
    ],
)
def test_refused_opens(
    image: DiskImage, drives: Drives, name: str, request_: OpenRequest, code: int
) -> None:
    image.add(DiskFile.program("PROG", b"x"))
    image.add(DiskFile.display_var("F", [b"A"]))
    image.add(DiskFile.display_var("LOCKED", [b"A"]))
    image.protect("LOCKED", True)
    with refused(code):
        drives.open(name, request_)


CATALOGUE = OpenRequest(Mode.INPUT, internal=True, variable=False, relative=True)


@pytest.mark.parametrize(
    ("mode", "code"), [(Mode.OUTPUT, 6), (Mode.UPDATE, 6), (Mode.APPEND, 6), (Mode.INPUT, 2)]
)
def test_a_drive_without_a_disk_opens_no_file(drives: Drives, mode: Mode, code: int) -> None:
    with refused(code):
        drives.open("DSK2.X", OpenRequest(mode))


def test_a_drive_without_a_disk_shows_no_catalogue_but_opens_one(drives: Drives) -> None:
    catalogue = drives.open("DSK3.", CATALOGUE)
    with refused(6):
        catalogue.read(0)
    catalogue.close()


def test_a_drive_without_a_disk_loads_and_saves_nothing(drives: Drives) -> None:
    drives.delete("DSK2.X")
    with refused(2):
        drives.load_program("DSK2.X")
    with refused(6):
        drives.save_program("DSK2.X", b"x")
    with refused(7):
        drives.open("DSK2.A B", OUTPUT)


def test_the_disks_letter_of_protection_is_not_heeded(image: DiskImage, drives: Drives) -> None:
    image.protected = True
    drives.save_program("DSK1.P", b"x")
    drives.delete("DSK1.P")
    assert image.protected


@pytest.mark.parametrize(
    ("length", "variable", "sectors"),
    [(100, False, 10), (80, True, 7), (254, True, 20), (1, True, 1)],
)
@pytest.mark.parametrize("there", [False, True])
def test_twenty_records_are_reserved(
    image: DiskImage, drives: Drives, length: int, variable: bool, sectors: int, there: bool
) -> None:
    if there:
        image.add(DiskFile.program("A", bytes(3000)))
    request = OpenRequest(Mode.OUTPUT, variable=variable, record_length=length, initial=20)
    file = drives.open("DSK1.A", request)
    file.write(b"X".ljust(length), 0)
    file.close()
    info = image.files()[0]
    assert (info.size - 1, len(image.read("A").records)) == (sectors, 1)
    assert check(image.volume) == []


def test_three_files_at_most_and_none_twice(drives: Drives) -> None:
    first = drives.open("DSK1.A", OUTPUT)
    with refused(7):
        drives.open("DSK1.A", OUTPUT)
    drives.open("DSK1.B", OUTPUT)
    drives.open("DSK1.C", OUTPUT)
    with refused(4):
        drives.open("DSK1.D", OUTPUT)
    first.close()
    drives.open("DSK1.D", OUTPUT)


def test_the_catalogue(image: DiskImage, drives: Drives) -> None:
    image.add(DiskFile.display_var("DV", [b"A" * 60] * 5))
    image.add(DiskFile.program("ZPROG", b"x"))
    catalog = drives.open(
        "DSK1.", OpenRequest(Mode.INPUT, internal=True, variable=False, relative=True)
    )
    head = b"\x04TEST" + b"\x08" + bytes(8)
    assert catalog.read(0) == head + b"\x08\x41\x07\x12" + bytes(5) + b"\x08\x41\x07\x0d" + bytes(
        5
    ) + bytes(6)
    assert catalog.read(2)[:16] == b"\x05ZPROG\x08\x40\x05" + bytes(6) + b"\x08"
    assert catalog.read(3) == b"\0" + (b"\x08" + bytes(8)) * 3 + bytes(10)
    with refused(3):
        catalog.status(0)


def test_the_catalogue_of_a_damaged_disk(image: DiskImage, drives: Drives) -> None:
    """Sector counts that no disk has are numbers like others."""
    sector = bytearray(image.sector(0))
    sector[0x0A:0x0C] = b"\xff\xff"
    image.write_sector(0, bytes(sector))
    catalog = drives.open(
        "DSK1.", OpenRequest(Mode.INPUT, internal=True, variable=False, relative=True)
    )
    assert catalog.read(0)[14:23] == b"\x08\x42\x06\x37\x21" + bytes(4)


def test_a_full_disk(image: DiskImage, drives: Drives) -> None:
    with refused(4):
        drives.open("DSK1.BIG", OpenRequest(variable=False, record_length=254, initial=900))
    with refused(4):
        drives.open("DSK1.NEW", OUTPUT)
    drives.delete("DSK1.BIG")
    assert image.free_sectors == 718


@pytest.mark.parametrize(
    ("free", "fdr", "data"),
    [
        ({32, 33}, 32, None),
        ({31, 32, 33}, 31, None),
        ({30, 31, 32, 33}, 30, 31),
        ({10, 300}, 10, 300),
        ({32, 300}, 32, 300),
        ({33, 300}, 33, 300),
    ],
    ids=str,
)
def test_no_data_begin_in_sectors_32_and_33(
    image: DiskImage, drives: Drives, free: set[int], fdr: int, data: int | None
) -> None:
    """As recorded: the file is made, but where nothing else is free its data are refused. A cluster
    that goes on gets them (files-eof-full).
    """
    image.volume.mark(set(range(2, 720)) - free, True)
    file = drives.open("DSK1.A", OUTPUT)
    assert image.sector(fdr).startswith(b"A ")
    with contextlib.nullcontext() if data else refused(4):
        file.write(b"X", 0)
        file.close()
        assert data is not None
        assert image.sector(data).startswith(b"\1X\xff")


@pytest.mark.parametrize(
    ("byte", "found", "end"), [(0xFF, [], 5), (0, [b"", b"", b""], None), (0xE5, [], 6)]
)
def test_only_ff_ends_records(
    image: DiskImage, drives: Drives, byte: int, found: list[bytes], end: int | None
) -> None:
    """As recorded: the controller reads on after the descriptor's end, as far as lengths allow."""
    image.add(DiskFile.display_var("T", [b"HELLO", b"YOU"]))
    data = bytearray(image.sector(34))
    data[10] = byte
    image.volume.write_sector(34, bytes(data))
    file = drives.open("DSK1.T", OpenRequest(Mode.INPUT))
    assert [file.read(0), file.status(0), file.read(0)] == [b"HELLO", 0, b"YOU"]
    assert file.status(0) == (byte == 0xFF)
    assert [file.read(0) for _ in found] == found
    if end is not None:
        with refused(end):
            file.read(0)


def test_records_that_fill_their_sector_end_with_it(image: DiskImage, drives: Drives) -> None:
    """The controller and our reader of files agree where no FF has room."""
    image.add(DiskFile.display_var("T", [b"X"]))
    image.write_sector(2, image.sector(2)[:16] + b"\0" + image.sector(2)[17:])
    image.write_sector(34, b"?".ljust(64, b"X") * 4)
    file = drives.open("DSK1.T", OpenRequest(Mode.INPUT))
    assert tuple(file.read(0) for _ in range(4)) == image.read("T").records
    assert file.status(0) == 1
    with refused(5):
        file.read(0)


def test_programs(image: DiskImage, drives: Drives) -> None:
    drives.save_program("DSK1.P", b"x" * 300)
    drives.save_program("DSK1.P", b"y" * 700)
    assert drives.load_program("DSK1.P") == b"y" * 700
    assert image.read("P").data == b"y" * 700
    with refused(2):
        drives.load_program("DSK1.Q")


def test_output_replaces_a_program_too(image: DiskImage, drives: Drives) -> None:
    drives.save_program("DSK1.P", b"x" * 300)
    with refused(2):
        drives.open("DSK1.P", OpenRequest())
    file = drives.open("DSK1.P", OUTPUT)
    file.write(b"TEXT", 0)
    file.close()
    assert image.read("P").records == (b"TEXT",)


def test_a_write_protected_disk(image: DiskImage) -> None:
    drives = Drives()
    image.add(DiskFile.display_var("F", [b"A"]))
    drives.mount("DSK2", image, write_protected=True)
    assert drives.open("DSK2.F", OpenRequest(Mode.INPUT)).read(0) == b"A"
    with refused(1):
        drives.open("DSK2.NEW", OUTPUT)


def test_a_program_that_does_not_fit_takes_no_sector_for_nothing(
    image: DiskImage, drives: Drives
) -> None:
    with refused(4):
        drives.save_program("DSK1.P", bytes(256 * 720))
    assert check(image.volume) == []
    drives.delete("DSK1.P")
    assert image.free_sectors == 718


@pytest.mark.parametrize("geometry", ["DSDD80", "DSHD"])
def test_disks_whose_bitmap_counts_pairs_of_sectors(geometry: str) -> None:
    image = DiskImage.new(geometry)
    for name in ("ONE", "TWO"):
        image.add(DiskFile.display_var(name, [b"X"]))
    drives = Drives({"DSK1": image})
    drives.delete("DSK1.ONE")
    drives.save_program("DSK1.PROG", b"P" * 1000)
    out = drives.open("DSK1.OUT", OpenRequest(Mode.OUTPUT, record_length=254))
    records = tuple(bytes((i,)) * 254 for i in range(200))
    for record in records:
        out.write(record, 0)
    out.close()
    assert check(image.volume) == []
    assert image.read("TWO").records == (b"X",)
    assert image.read("PROG").data == drives.load_program("DSK1.PROG") == b"P" * 1000
    assert image.read("OUT").records == records
    again = drives.open("DSK1.OUT", OpenRequest(Mode.INPUT))
    assert [again.read(0) for _ in records] == list(records)


def test_records_of_one_byte(image: DiskImage, drives: Drives) -> None:
    file = drives.open("DSK1.F", OpenRequest(Mode.OUTPUT, variable=False, record_length=1))
    for record in range(300):
        file.write(bytes((record & 0xFF,)), record)
    file.close()
    assert check(image.volume) == []
    assert image.read("F").records == tuple(bytes((i & 0xFF,)) for i in range(300))


def test_a_file_in_too_many_pieces_is_full(image: DiskImage, drives: Drives) -> None:
    request = OpenRequest(Mode.OUTPUT, variable=False, record_length=255)
    one, other = (drives.open(f"DSK1.{name}", request) for name in "AB")
    for record in range(76):
        one.write(bytes(255), record)
        other.write(bytes(255), record)
    with refused(4):
        one.write(bytes(255), 76)
    other.close()
    assert check(image.volume) == []
    assert len(image.read("A").records) == 76


@pytest.mark.parametrize("seed", range(12))
def test_whatever_programs_do_the_disk_stays_sound(seed: int) -> None:
    choose = random.Random(seed)
    image = DiskImage.new(choose.choice(["SSSD", "DSDD80"]))
    drives = Drives({"DSK1": image})
    if choose.random() < 0.5:
        drives.save_program(
            "DSK1.FILL", bytes(256 * (image.free_sectors - choose.randrange(3, 30)))
        )
    files = []
    for _ in range(80):
        name = f"DSK1.{choose.choice('ABCDE')}"
        with contextlib.suppress(IOFailure):
            what = choose.random()
            if what < 0.2:
                variable = choose.random() < 0.6
                length = choose.choice([0, 1, 20, 128, 254])
                initial = 0 if variable else choose.choice([0, 5, 40])
                mode = choose.choice(list(Mode))
                files.append(
                    drives.open(name, OpenRequest(mode, False, variable, True, length, initial))
                )
            elif what < 0.3:
                drives.delete(name)
            elif files:
                file = choose.choice(files)
                if what < 0.8:
                    for _ in range(10):
                        file.write(bytes(file.record_length), choose.choice([0, 1, 5, 60]))
                elif what < 0.9:
                    file.read(choose.randrange(10))
                else:
                    file.close()
    for file in files:
        with contextlib.suppress(IOFailure):
            file.close()
    assert check(image.volume) == []


def test_four_drives_hold_disks_of_their_own() -> None:
    images = {f"DSK{n}": DiskImage.new(name=f"V{n}") for n in range(1, 5)}
    drives = Drives(images)
    for n in range(1, 5):
        name = f"DSK{n}.FILE" if n % 2 else f"DSK.V{n}.FILE"
        file = drives.open(name, OpenRequest(Mode.OUTPUT))
        file.write(str(n).encode(), 0)
        file.close()
    for n in range(1, 5):
        assert images[f"DSK{n}"].read("FILE").records == (str(n).encode(),)


def test_a_fourth_drive_is_there_only_with_a_disk() -> None:
    for name, code in (("DSK3.FILE", 2), ("DSK4.FILE", 0), ("DSK5.FILE", 0)):
        with pytest.raises(IOFailure) as refused:
            Drives().open(name, OpenRequest(Mode.INPUT))
        assert refused.value.code == code
