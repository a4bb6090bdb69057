"""Files from disk to disk, deleted files back, and other ways to a file or its bytes."""

import dataclasses
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.base.errors import DiskError
from ti99tools.fronts.cli.disk import command
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import NOTE
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import deleted, restore
from ti99tools.media.disk.tifile import DiskFile, FileType


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*args: str) -> Result:
    result = CliRunner().invoke(command, list(args))
    if isinstance(result.exception, Exception) and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def disk(geometry: str = "SSSD") -> DiskImage:
    image = DiskImage.new(geometry, "FROM")
    image.add(DiskFile.program("PROG", bytes(range(256)) * 3))
    image.add(DiskFile.display_var("TEXT", [b"HELLO", b"WORLD"]))
    image.add(DiskFile("FIX", FileType.INT_FIX, 9, (b"123456789",) * 60))
    return image


def test_files_go_from_disk_to_disk_as_they_are() -> None:
    source = disk()
    source.protect("PROG")
    source.make_directory("SUB")
    source.add(DiskFile.display_var("SUB.IN", [b"x"]))
    source.save("from.dsk")
    run("new", "to.hfe", "--geometry", "DSDD")
    run("copy", "from.dsk", "to.hfe", "P*", "sub.in")
    target = DiskImage.open("to.hfe")
    assert target.names() == ["PROG", "SUB.IN"]
    assert target.read_stored("PROG") == source.read_stored("PROG")
    with pytest.raises(DiskError, match="PROG already exists"):
        run("copy", "from.dsk", "to.hfe")
    assert DiskImage.open("to.hfe").names() == ["PROG", "SUB.IN"]
    with pytest.raises(DiskError, match="PROG is protected"):
        run("copy", "from.dsk", "to.hfe", "--replace")
    run("protect", "to.hfe", "PROG", "--off")
    run("copy", "from.dsk", "to.hfe", "--replace")
    assert sorted(DiskImage.open("to.hfe").names()) == ["FIX", "PROG", "SUB.IN", "TEXT"]


def test_files_that_do_not_fit_leave_the_target_alone() -> None:
    source = DiskImage.new("DSSD")
    source.add(DiskFile.display_var("A", [b"x"]))
    source.add(DiskFile.program("BIG", bytes(256 * 500)))
    source.save("from.dsk")
    DiskImage.new("SSSD").save("to.dsk")
    before = Path("to.dsk").read_bytes()
    with pytest.raises(DiskError, match="disk is full"):
        run("copy", "from.dsk", "to.dsk")
    assert Path("to.dsk").read_bytes() == before


@pytest.mark.parametrize("geometry", ["SSSD", "DSDD80"])
def test_a_deleted_file_comes_back(geometry: str) -> None:
    image = disk(geometry)
    before = image.to_bytes()
    for name in image.names():
        image.remove(name)
    assert [image.describe(sector).name for sector in deleted(image.volume)] == [
        "PROG",
        "TEXT",
        "FIX",
    ]
    for sector in deleted(image.volume):
        restore(image, sector)
    assert image.names() == ["FIX", "PROG", "TEXT"]
    assert image.to_bytes() == before
    assert [finding for finding in check(image.volume) if finding.severity != NOTE] == []


def test_what_was_overwritten_does_not_come_back() -> None:
    image = disk()
    image.remove("TEXT")
    (sector,) = deleted(image.volume)
    image.add(DiskFile.program("NEW", bytes(256)))
    assert deleted(image.volume) == []
    image = disk()
    image.remove("TEXT")
    image.add(DiskFile.display_var("OTHER", []))  # takes the descriptor's sector
    assert deleted(image.volume) == []
    image = disk()
    image.remove("TEXT")
    image.rename("FIX", "TEXT")
    with pytest.raises(DiskError, match="TEXT already exists"):
        restore(image, sector)


def test_undelete_lists_and_restores() -> None:
    disk().save("a.dsk")
    assert run("undelete", "a.dsk").stdout == "no deleted files\n"
    run("rm", "a.dsk", "TEXT", "PROG")
    listed = run("undelete", "a.dsk").stdout
    assert "PROG           4  PROGRAM" in listed
    assert "TEXT           2  DIS/VAR 80" in listed
    run("undelete", "a.dsk", "T*")
    assert DiskImage.open("a.dsk").names() == ["FIX", "TEXT"]
    with pytest.raises(DiskError, match="no file 'NONE'"):
        run("undelete", "a.dsk", "NONE")


def test_of_deleted_files_that_share_sectors_one_comes_back() -> None:
    image = disk()
    image.remove("FIX")
    (gone,) = deleted(image.volume)
    image.rename("TEXT", "OTHER")
    image.save("a.dsk")
    run("rm", "a.dsk", "PROG", "OTHER")
    image = DiskImage.open("a.dsk")
    copied = next(s for s in range(300, 360) if not any(image.sector(s)))
    volume = image.volume
    volume.set_fdr(copied, dataclasses.replace(volume.fdr(gone), name=b"TWIN      "))
    image.save("a.dsk")
    result = run("undelete", "a.dsk", "*")
    assert result.exit_code == 1
    assert result.stderr == (
        "left: FIX has sectors of TWIN now; only one of the two can be there\n"
    )
    assert DiskImage.open("a.dsk").names() == ["FIX", "OTHER", "PROG"]
    run("rm", "a.dsk", "FIX")
    assert run("undelete", "a.dsk", "TWIN").exit_code == 0
    assert DiskImage.open("a.dsk").names() == ["OTHER", "PROG", "TWIN"]


def test_a_sector_is_shown() -> None:
    disk().save("a.dsk")
    lines = run("show", "a.dsk", "--sector", "0").stdout.splitlines()
    assert len(lines) == 16
    assert lines[0] == "0000  46 52 4f 4d 20 20 20 20 20 20 01 68 09 44 53 4b  FROM      .h.DSK"
    data = json.loads(run("show", "a.dsk", "--sector", "1", "--json").stdout)
    assert data == {"sector": 1, "data": DiskImage.open("a.dsk").sector(1).hex()}
    with pytest.raises(
        DiskError, match="sector 360 is outside the disk of 360 sectors; choose one from 0 to 359"
    ):
        run("show", "a.dsk", "--sector", "360")
    assert (
        run("show", "a.dsk").exit_code == run("show", "a.dsk", "A", "--sector", "1").exit_code == 2
    )


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("DIS/VAR", (FileType.DIS_VAR, None)),
        ("dis/var 163", (FileType.DIS_VAR, 163)),
        ("DIS/FIX80", (FileType.DIS_FIX, 80)),
        ("IV254", (FileType.INT_VAR, 254)),
        ("if128", (FileType.INT_FIX, 128)),
        ("DV", (FileType.DIS_VAR, None)),
        ("PGM", (FileType.PROGRAM, None)),
        ("program", (FileType.PROGRAM, None)),
    ],
)
def test_types_as_people_write_them(label: str, meant: tuple[FileType, int | None]) -> None:
    assert FileType.parse(label) == meant


@pytest.mark.parametrize(
    "label", ["", "80", "DV0", "DV256", "PROGRAM 80", "XX80", "DV 8 0", "DV1000"]
)
def test_what_is_no_type(label: str) -> None:
    with pytest.raises(DiskError, match="no file type"):
        FileType.parse(label)


def test_a_type_with_its_length_on_the_command_line() -> None:
    run("new", "a.dsk")
    Path("data.bin").write_bytes(bytes(256))
    run("add", "a.dsk", "data.bin", "--type", "IF64")
    assert DiskImage.open("a.dsk").read("DATA").recl == 64
    run("add", "a.dsk", "data.bin", "--type", "IF64", "--recl", "32", "--name", "B")
    assert DiskImage.open("a.dsk").read("B").recl == 32
