"""Files made without a command line: saved programs, listings, disks, files of disks, builds."""

from pathlib import Path

import pytest

from ti99tools.app import disk
from ti99tools.app.build import build_all
from ti99tools.app.program_files import (
    Form,
    SavedProgram,
    file_name,
    inexact,
    listing,
    listing_data,
    warnings,
)
from ti99tools.app.source import Written, spare, written
from ti99tools.base.errors import BuildError, DiskError, Remedy, SourceError, TIError
from ti99tools.games.making.finding import game_names
from ti99tools.games.making.scaffold import new_game
from ti99tools.language.program.program import Program
from ti99tools.media.disk.hostfiles import contained
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

PROGRAM = Program.from_listing("100 PRINT 1\n110 GOTO 100\n")


@pytest.mark.parametrize(
    ("form", "kind"),
    [("auto", "PROGRAM"), ("program", "PROGRAM"), ("long", "INT/VAR"), ("merge", "DIS/VAR")],
)
def test_a_program_in_each_form(form: Form, kind: str) -> None:
    saved = SavedProgram.of(PROGRAM, form)
    assert saved.type == kind
    file = contained(saved.tifiles("X"))
    assert file is not None
    assert file.name == "X"
    assert Program.from_bytes(saved.bare()).listing() == PROGRAM.listing()
    with pytest.raises(DiskError, match="is invalid"):
        saved.tifiles("TOO.LONG")
    assert file_name(Path("out/game.tfi")) == "GAME"


def test_listings() -> None:
    assert listing(PROGRAM) == "100 PRINT 1\n110 GOTO 100\n"
    assert listing(PROGRAM, 9) == "100 PRINT\n 1\n110 GOTO␠\n100\n"
    assert inexact(PROGRAM) == []
    assert listing_data(PROGRAM)["size"] == PROGRAM.size


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.xb"
    path.write_text("PRINT N\nGOTO far\nfar: PRINT 2\n")
    found = written(str(path))
    assert found == Written(path)
    assert len(list(warnings(found.read()))) == 0
    listing = found.generate({"N": 5}, pack=False, start=10, step=5)
    assert listing.listing[0] == "10 PRINT 5"
    game = written("d5000")
    assert game.constants["VERSION$"] == "1.1"
    assert game.root == game.path.parent
    with pytest.raises(TIError, match="is the source itself"):
        spare(path, None, path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TIError) as caught:
        found.generate({}, pack=True, start=100, step=10)
    assert caught.value.meaning is Remedy.SHOW_PROGRAM
    DiskImage.new(name="D").save(tmp_path / "d.dsk")
    with pytest.raises(TIError, match="a disk image, no program") as shown:
        written(str(tmp_path / "d.dsk")).read()
    assert shown.value.meaning is Remedy.SHOW_DISK


def test_disks_are_written_as_their_names_ask(tmp_path: Path) -> None:
    output = disk.Output(tmp_path / "card.img", "cf7", volume=2)
    image = disk.new_disk(output, None, "VOL2")
    output.write(image)
    with pytest.raises(DiskError, match="volume 2 already exists") as caught:
        output.write(image)
    assert caught.value.meaning is Remedy.REPLACE_VOLUME
    assert disk.card_volumes(output.path)[2] == "VOL2"
    disk.Output(tmp_path / "a.hfe").write(DiskImage.new(name="A"))
    with pytest.raises(DiskError) as volumes:
        disk.card_volumes(tmp_path / "a.hfe")
    assert volumes.value.meaning is Remedy.NO_VOLUMES
    disk.convert_image(tmp_path / "a.hfe", 1, "DSSD", disk.Output(tmp_path / "a.dsk"))
    assert len(disk.sector_of(tmp_path / "a.dsk", 719, 1)) == 256
    with pytest.raises(DiskError, match="outside the disk of 720 sectors"):
        disk.sector_of(tmp_path / "a.dsk", 720, 1)


def test_a_protected_disk_is_not_changed(tmp_path: Path) -> None:
    image = DiskImage.new(name="A")
    image.protected = True
    image.save(tmp_path / "a.dsk")
    with pytest.raises(DiskError) as caught:
        disk.open_for_change(tmp_path / "a.dsk")
    assert caught.value.meaning is Remedy.UNPROTECT_DISK


def test_files_come_off_a_disk_and_back_from_the_dead(tmp_path: Path) -> None:
    image = DiskImage.new(name="A")
    image.add(DiskFile.display_var("TEXT", [b"HELLO"]))
    image.add(DiskFile.program("GAME", PROGRAM.to_program_bytes()))
    taken = disk.take(image, ["TEXT", "GAME"], "auto", tmp_path, None)
    assert [(file.form, file.path.name) for file in taken] == [
        ("text", "TEXT.txt"),
        ("listing", "GAME.xb"),
    ]
    disk.write(taken, tmp_path, None, False)
    assert (tmp_path / "GAME.xb").read_text() == PROGRAM.listing()
    with pytest.raises(DiskError) as caught:
        disk.write(taken, tmp_path, None, False)
    assert caught.value.meaning is Remedy.REPLACE
    with pytest.raises(DiskError, match="TEXT holds no BASIC program"):
        disk.take(image, ["TEXT"], "listing", tmp_path, None)
    assert disk.form_of(Path("a.txt")) == "text"
    assert disk.form_of(None) == "tifiles"
    image.remove("TEXT")
    assert list(disk.deleted_files(image)) == ["TEXT"]
    assert disk.undelete(image, ["T*"]) == []
    assert "TEXT" in image


def test_builds(tmp_path: Path) -> None:
    games, collection = build_all(["games"])
    assert games == []
    assert collection is not None
    assert list(collection.games) == game_names()
    new_game(tmp_path / "dare")
    (tmp_path / "other").mkdir()
    new_game(tmp_path / "other" / "dare")
    (built,) = build_all([str(tmp_path / "dare"), f"{tmp_path}/dare/"])[0]
    assert built.name == "dare"
    with pytest.raises(BuildError, match="are both called dare"):
        build_all([str(tmp_path / "dare"), str(tmp_path / "other" / "dare")])
    (tmp_path / "dare" / "dare.xb").write_text("GOTO nowhere")
    with pytest.raises(SourceError):
        build_all([str(tmp_path / "dare")])
