"""Disks in the drives of the page, and files that it is given, through the bridge."""

import time
from typing import Any

import pytest

from tests.shipped import shipped
from tests.web.bridgepage import HELLO, Page
from ti99tools import Console, DiskImage, Program
from ti99tools.media.disk import hostfiles
from ti99tools.media.disk.tifile import DiskFile, FileType

pytestmark = pytest.mark.long


def tifile(name: str) -> bytes:
    """A host file with a TI file of this name."""
    image = DiskImage.new()
    image.add(DiskFile(name, FileType.PROGRAM, data=b"WORK"))
    return hostfiles.write_form(image.read_stored(name), "tifiles")


def test_the_disk_of_a_game_is_what_build_writes(page: Page) -> None:
    page.call("put", project="d5000", files=page.call("example", name="d5000"))
    built = shipped("d5000")
    assert page.call("build", project="d5000", main="d5000.xb", form="dsk") == "d5000.dsk"
    assert page.blob == built.image.to_bytes()
    page.call("build", project="d5000", main="d5000.xb", form="hfe")
    assert page.blob == next(each.data for each in built.artefacts if each.name == "d5000.hfe")


def test_the_disk_of_a_source_starts_it(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": HELLO})
    page.call("build", project="own", main="own.xb", form="dsk")
    assert page.blob is not None
    image = DiskImage.from_bytes(page.blob)
    assert sorted(image.names()) == ["LOAD", "OWN"]
    console = Console({"DSK1": image})
    console.boot()
    assert console.run_until("HELLO", seconds=10)


def test_disks_are_made_filled_and_saved(page: Page) -> None:
    page.call("disk_new", owner="own", drive="DSK2", geometry="SSSD", name="WORK")
    page.run('100 OPEN #1:"DSK2.NOTE",OUTPUT\n110 PRINT #1:"HELLO"\n120 CLOSE #1\n')
    page.call("hurry", seconds=2)
    drives = {each["drive"]: each for each in page.call("drives", owner="own")}
    assert drives["DSK1"]["name"] is None
    assert drives["DSK2"]["name"] == "WORK"
    assert drives["DSK2"]["files"][0]["name"] == "NOTE"
    assert page.call("disk_file", owner="own", drive="DSK2", name="NOTE", form="text") == "note.txt"
    assert page.blob == b"HELLO\n"
    assert page.call("disk_save", owner="own", drive="DSK2", form="hfe") == "work.hfe"
    saved = page.blob
    assert saved is not None
    page.call("disk_file", owner="own", drive="DSK2", name="NOTE", form="tifiles")
    tifiles = page.blob
    assert "DSK3" in page.call("disk_take", saved, owner="own", drive="DSK3", name="work.hfe")
    page.call("disk_remove", owner="own", drive="DSK3", name="NOTE")
    assert page.call("disk_take", tifiles, owner="own", drive="DSK3", name="x.tfi").startswith(
        "NOTE"
    )
    page.call("disk_eject", owner="own", drive="DSK2")
    drives = {each["drive"]: each for each in page.call("drives", owner="own")}
    assert drives["DSK2"]["name"] is None
    assert len(drives["DSK3"]["files"]) == 1


def test_a_game_keeps_its_disk_and_a_new_build_takes_over_what_play_has_written(page: Page) -> None:
    def run(**more: Any) -> Any:
        return page.call("run", project="d5000", main="d5000.xb", debug=False, rows={}, **more)

    def there() -> list[str]:
        (drive,) = (d for d in page.call("drives", owner="d5000") if d["drive"] == "DSK1")
        return [each["name"] for each in drive["files"]]

    files = page.call("example", name="d5000")
    page.call("put", project="d5000", files=files)
    assert "carried" not in run()
    names = there()
    page.call("disk_remove", owner="d5000", drive="DSK1", name=names[0])
    page.call("disk_take", tifile("SCORES"), owner="d5000", drive="DSK1", name="scores.tfi")
    assert "carried" not in run()
    assert there() == sorted([*names[1:], "SCORES"])
    (kept,) = page.call("disks")
    page.call("disk_bytes", owner="d5000", drive="DSK1")
    before = page.blob
    page.call("disks_forget", owner="d5000")
    assert run()["compiled"] is False
    assert there() == names
    page.call("disk_restore", before, owner="d5000", drive="DSK1", origin=kept["origin"])
    page.call("put", project="d5000", files={**files, "instr.txt": "ANOTHER PAGE\n"})
    answer = run()
    assert answer["carried"] == ["SCORES"]
    assert answer["left"] == []
    assert page.blob == before
    assert there() == sorted([*names, "SCORES"])
    assert "carried" not in run()


def test_a_disk_of_the_users_in_a_games_drive_is_asked_for(page: Page) -> None:
    wish = {"project": "d5000", "main": "d5000.xb", "debug": False, "rows": {}}
    page.call("put", project="d5000", files=page.call("example", name="d5000"))
    place = {"owner": "d5000", "drive": "DSK1"}
    page.call("disk_new", **place, geometry="SSSD", name="MINE")
    page.call("disk_take", tifile("WORK"), **place, name="work.tfi")
    assert page.call("run", **wish) == {"asks": "MINE"}
    assert page.call("drives", owner="d5000")[0]["name"] == "MINE"
    assert page.call("run", **wish, replace=True)["running"]
    assert page.blob is not None
    assert "WORK" in DiskImage.from_bytes(page.blob)
    assert page.call("drives", owner="d5000")[0]["name"] != "MINE"


def test_each_program_has_drives_of_its_own(page: Page) -> None:
    write = '100 OPEN #1:"DSK1.NOTE",OUTPUT\n110 PRINT #1:"HELLO"\n120 CLOSE #1\n'
    for owner in ("own", "other"):
        page.call("disk_new", owner=owner, drive="DSK1", geometry="SSSD", name=owner.upper())
    assert page.run(write.replace("NOTE", "FAST"), compiled=True)["compiled"]
    page.call("play", frames=300)
    page.run(write)
    page.call("play", frames=300)
    names = {each["owner"]: each["name"] for each in page.call("disks")}
    assert names == {"own": "OWN", "other": "OTHER"}
    files = page.call("drives", owner="own")[0]["files"]
    assert [each["name"] for each in files] == ["FAST", "NOTE"]
    assert not page.call("drives", owner="other")[0]["files"]
    page.call("disks_move", owner="own", name="new")
    page.call("disk_new", owner="new", drive="DSK2", geometry="SSSD", name="TWO")
    page.call("type", text='OPEN #1:"DSK2.LATER",OUTPUT\r')
    page.call("hurry", seconds=2)
    found = page.call("drives", owner="new")[1]["files"]
    assert [each["name"] for each in found] == ["LATER"], "the console has the moved drives"
    page.call("disks_copy", owner="new", name="copy")
    page.call("disks_forget", owner="other")
    owners = [(each["owner"], each["drive"]) for each in page.call("disks")]
    assert owners == [("new", "DSK1"), ("new", "DSK2"), ("copy", "DSK1"), ("copy", "DSK2")]


def test_what_would_be_replaced_is_told_before(page: Page) -> None:
    def look(name: str, data: bytes) -> Any:
        return page.call("disk_look", data, owner="own", drive="DSK1", name=name)

    new = DiskImage.new(name="NEW").to_bytes()
    assert look("new.dsk", new)["replaces"] == ""
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="OLD")
    assert look("new.dsk", new)["replaces"] == "", "an empty disk is no loss"
    nothing = {"replaces": "", "damage": "", "program": None}
    assert look("a.tfi", tifile("A")) == {**nothing, "name": "A"}
    page.call("disk_take", tifile("A"), owner="own", drive="DSK1", name="a.tfi")
    assert look("a.tfi", tifile("A"))["replaces"] == "file"
    assert look("cut.dsk", new[:5000]) == {
        "replaces": "disk",
        "damage": "image: it has 19 of 360 sectors",
        "name": "cut.dsk",
        "program": None,
    }
    disk = DiskImage.new(name="PROGRAMS")
    for name, text in (("FIRST", "100 PRINT 1\n"), ("LOAD", '100 RUN "DSK1.FIRST"\n')):
        saved = Program.from_listing(text).saved().content
        assert isinstance(saved, bytes)
        disk.add(DiskFile(name, FileType.PROGRAM, data=saved))
    assert look("my.dsk", disk.to_bytes())["program"] == ["LOAD", '100 RUN "DSK1.FIRST"\n']
    disk.remove("LOAD")
    assert look("my.dsk", disk.to_bytes())["program"] == ["FIRST", "100 PRINT 1\n"]
    page.call("disk_bytes", owner="own", drive="DSK1")
    assert page.blob is not None
    assert look("same.dsk", page.blob)["replaces"] == ""


def test_what_is_no_disk_is_refused(page: Page) -> None:
    error = page.reply_to("disk_take", b"nothing", owner="own", drive="DSK1", name="x.dsk")["error"]
    assert "x.dsk" in error["text"]
    assert (
        "no disk in DSK2"
        in page.reply_to("disk_save", owner="own", drive="DSK2", form="dsk")["error"]["text"]
    )
    assert (
        "DSK9"
        in page.reply_to("disk_new", owner="own", drive="DSK9", geometry="SSSD", name="X")["error"][
            "text"
        ]
    )


def test_a_disk_that_is_cut_off_is_taken_and_told(page: Page) -> None:
    cut = DiskImage.new(name="WORK").to_bytes()[:5000]
    reply = page.call("disk_take", cut, owner="own", drive="DSK2", name="cut.dsk")
    assert reply == "cut.dsk is in DSK2, but it is damaged: image: it has 19 of 360 sectors"


def test_a_damaged_disk_is_refused_and_the_drive_keeps_its_disk(page: Page) -> None:
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="GOOD")
    data = bytearray(DiskImage.new("SSSD", "BAD").to_bytes())
    data[256:258] = b"\xff\xff"  # the first file's descriptor: no sector of this disk
    error = page.reply_to("disk_take", bytes(data), owner="own", drive="DSK1", name="bad.dsk")[
        "error"
    ]
    assert "bad.dsk is damaged" in error["text"]
    assert "repair" in error["text"]
    assert page.call("drives", owner="own")[0]["name"] == "GOOD"
    page.call("disk_restore", bytes(data), owner="own", drive="DSK2", origin="")
    assert "outside the disk" in page.call("drives", owner="own")[1]["damaged"]


@pytest.mark.parametrize("call", ["disk_take", "open"])
def test_files_without_end_and_without_bytes_are_refused_at_once(page: Page, call: str) -> None:
    wish = {"owner": "own", "drive": "DSK1"} if call == "disk_take" else {}
    begun = time.perf_counter()
    error = page.reply_to(call, bytes(20_000_000), name="zeros.dsk", **wish)["error"]
    assert "too l" in error["text"]
    assert time.perf_counter() - begun < 1
    assert "is empty" in page.reply_to(call, b"", name="none.dsk", **wish)["error"]["text"]


def test_a_program_file_opens_as_its_listing(page: Page) -> None:
    saved = Program.from_listing("100 PRINT 1\n").saved().content
    assert isinstance(saved, bytes)
    assert page.call("open", saved, name="X") == "100 PRINT 1\n"
    assert page.call("open", b"PRINT 1\n", name="x.xb") == "PRINT 1\n"
    error = page.reply_to("open", b"RIFF\x24\0\0\0WAVEfmt ", name="old.wav")["error"]
    assert error["text"].startswith("old.wav: it is sound, as a cassette is (WAV)")
    assert "the command line reads tapes" in error["text"]
