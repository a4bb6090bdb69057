"""A folder as a disk in a drive: what is seen of it, and what is written back."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import Console
from ti99tools.app.run_drives import FolderDrive
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.hostfiles import contained, write_form
from ti99tools.media.disk.records import load, store
from ti99tools.media.disk.tifile import DiskFile

PROGRAM = """OPEN #1:"DSK2.SCORES",APPEND
PRINT #1:"BOB 120"
CLOSE #1
OPEN #1:"DSK2.NEW/ONE",OUTPUT,INTERNAL,FIXED 10
PRINT #1:"X"
CLOSE #1
OPEN #1:"DSK2.NOTES",APPEND
PRINT #1:"LAST"
CLOSE #1
DELETE "DSK2.OLD"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "drive"
    path.mkdir()
    for name, form in (("SCORES", "fiad"), ("OLD", "tifiles"), ("SAME", "tifiles")):
        file = store(DiskFile.display_var(name, (b"ANN 100",), 80))
        (path / f"{name}.x").write_bytes(write_form(file, form))
    (path / "notes.txt").write_text("FIRST\n")
    (path / "game.xb").write_text('PRINT "HELLO"\n')
    (path / "photo.bin").write_bytes(bytes(range(256)))
    (path / ".hidden").write_text("HIDDEN\n")
    (path / "below").mkdir()
    (path / "below" / "DEEP").write_text("DEEP\n")
    (tmp_path / "outside.txt").write_text("OUTSIDE\n")
    (path / "LINK").symlink_to(tmp_path / "outside.txt")
    return path


def run(source: str, folder: Path, drive: str = "DSK2") -> Result:
    path = folder.parent / "prog.xb"
    path.write_text(source)
    return CliRunner().invoke(cli, ["run", str(path), "--disk", f"{drive}={folder}/"])


def test_what_is_seen_of_a_folder(folder: Path) -> None:
    assert FolderDrive.of(folder).image.names() == ["GAME", "NOTES", "OLD", "SAME", "SCORES"]


def test_a_dot_stands_for_a_slash(folder: Path) -> None:
    """As TIPI and xdm99 have it; what such a name cannot be told from is refused."""
    (folder / "dm.2").write_text("TWO\n")
    (folder / "a.b.txt").write_text("AB\n")
    (folder / "much.toolong").write_text("NO\n")
    drive = FolderDrive.of(folder)
    assert drive.image.names() == ["A/B", "DM/2", "GAME", "NOTES", "OLD", "SAME", "SCORES"]
    source = 'OPEN #1:"DSK2.DM/2",APPEND\nPRINT #1:"X"\nCLOSE #1\n'
    assert run(source, folder).exit_code == 0
    assert (folder / "dm.2").read_text() == "TWO\nX\n"
    (folder / "dm%2F2.txt").write_text("ANOTHER\n")
    with pytest.raises(TIError, match=r"dm%2F2\.txt and dm\.2 are both DM/2; take one of them out"):
        FolderDrive.of(folder)
    (folder / "dm.2").unlink()
    assert "DM/2" in FolderDrive.of(folder).image.names()
    file = store(DiskFile.display_var("V/X", (b"1",), 80))
    (folder / "anything").write_bytes(write_form(file, "fiad"))
    (folder / "V.X").write_text("2\n")
    with pytest.raises(TIError, match=r"V\.X and anything are both V/X"):
        FolderDrive.of(folder)


def test_changes_are_written_to_where_they_came_from(folder: Path) -> None:
    untouched = {p: p.read_bytes() for p in folder.iterdir() if p.suffix in (".xb", ".bin")}
    same = (folder / "SAME.x").stat().st_mtime_ns
    result = run(PROGRAM, folder)
    assert result.exit_code == 0, result.output
    scores = contained((folder / "SCORES.x").read_bytes())
    assert scores is not None
    assert load(scores).records == (b"ANN 100", b"BOB 120")
    assert (folder / "notes.txt").read_text() == "FIRST\nLAST\n"
    assert not (folder / "OLD.x").exists()
    new = contained((folder / "NEW.ONE").read_bytes())
    assert new is not None
    assert new.name == "NEW/ONE"
    assert (folder / "SAME.x").stat().st_mtime_ns == same
    assert {p: p.read_bytes() for p in untouched} == untouched
    assert (folder.parent / "outside.txt").read_text() == "OUTSIDE\n"
    assert f"wrote {folder / 'notes.txt'}: text" in result.stderr
    again = run('OPEN #1:"DSK2.NEW/ONE",INPUT,INTERNAL,FIXED 10\nINPUT #1:A$\n', folder)
    assert again.exit_code == 0
    assert "wrote" not in again.stderr


def test_a_source_is_run_and_never_written_to(folder: Path) -> None:
    drive = FolderDrive.of(folder)
    drive.image.add(DiskFile.display_var("GAME", (b"SAVED",), 80), replace=True)
    drive.write_back()
    assert (folder / "game.xb").read_text() == 'PRINT "HELLO"\n'
    saved = contained((folder / "GAME").read_bytes())
    assert saved is not None
    assert load(saved).records == (b"SAVED",)
    assert FolderDrive.of(folder).image.read("GAME").records == (b"SAVED",), "what was saved counts"


def test_nothing_leaves_the_folder(folder: Path) -> None:
    drive = FolderDrive.of(folder)
    for name in ("/ETC/X", "CON", "LINK", "photo", "AUX"):
        drive.image.add(DiskFile.display_var(name.upper(), (b"X",), 80))
    (folder / "PHOTO").write_bytes(b"MINE")
    before = {p.name for p in folder.parent.iterdir()}
    drive.write_back()
    assert {p.name for p in folder.parent.iterdir()} == before
    assert (folder.parent / "outside.txt").read_text() == "OUTSIDE\n"
    assert (folder / "PHOTO").read_bytes() == b"MINE"
    assert (folder / "LINK").is_symlink()
    assert sorted(drive.image.names()) == sorted(FolderDrive.of(folder).image.names())


def test_a_file_that_became_a_link_is_not_followed(folder: Path) -> None:
    drive = FolderDrive.of(folder)
    (folder / "notes.txt").unlink()
    (folder / "notes.txt").symlink_to(folder.parent / "outside.txt")
    drive.image.add(DiskFile.display_var("NOTES", (b"CHANGED",), 80), replace=True)
    drive.write_back()
    assert (folder.parent / "outside.txt").read_text() == "OUTSIDE\n"
    assert (folder / "NOTES").exists()


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("HIGH", "high.txt", "TEXT\n"),
        ("high.bas", "high.xb", 'PRINT "ANOTHER"\n'),
    ],
)
def test_two_files_of_one_name_are_refused(folder: Path, one: str, other: str, text: str) -> None:
    """Neither is chosen: the program would read one, and what it writes would go there."""
    (folder / one).write_text('100 PRINT "HELLO"\n')
    (folder / other).write_text(text)
    with pytest.raises(TIError, match=r"(?i)high.* and high.* are both HIGH; take one of them out"):
        FolderDrive.of(folder)


def test_a_source_and_its_listing_are_one_program(folder: Path) -> None:
    (folder / "game.bas").write_text('100 PRINT "HELLO"\n')
    assert FolderDrive.of(folder).image.names() == ["GAME", "NOTES", "OLD", "SAME", "SCORES"]


def test_what_a_program_has_written_counts_beside_a_text(folder: Path) -> None:
    (folder / "NOTES").write_bytes(
        write_form(store(DiskFile.display_var("NOTES", (b"SECOND",), 80)), "fiad")
    )
    assert FolderDrive.of(folder).image.read("NOTES").records == (b"SECOND",)


def test_folders_that_make_no_disk(folder: Path) -> None:
    (folder / "OLD2").write_bytes((folder / "OLD.x").read_bytes())
    with pytest.raises(TIError, match=r"OLD\.x and OLD2 are both OLD"):
        FolderDrive.of(folder)
    (folder / "OLD2").write_text("LINE\n" * 79_000)
    with pytest.raises(TIError, match=r"OLD2: .*; use fewer files, or a disk image"):
        FolderDrive.of(folder)


def test_a_folder_boots(folder: Path) -> None:
    (folder / "load.xb").write_text('PRINT "STARTED"\n')
    result = CliRunner().invoke(
        cli, ["run", str(folder / "game.xb"), "--disk", f"DSK1={folder}", "--screen"]
    )
    assert "HELLO" in result.stdout
    console = Console({"DSK1": FolderDrive.of(folder).image})
    console.boot()
    assert console.run_until("STARTED", seconds=60)


def test_a_drive_takes_one_disk(folder: Path) -> None:
    disks = ["--disk", f"DSK2={folder}", "--disk", str(folder), "--disk", f"dsk2={folder}/game.xb"]
    result = CliRunner().invoke(cli, ["run", str(folder / "game.xb"), *disks])
    assert result.exit_code == 2
    assert f"two disks for DSK2: {folder} and {folder}/game.xb; name a drive" in result.stderr
    assert f"such as DSK3={folder}/game.xb" in result.stderr
