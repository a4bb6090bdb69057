"""Where files are written: their folder must be there, a folder of files is made, all or none."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools import DiskImage
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.extract import host_path, write_all
from ti99tools.media.disk.tifile import DiskFile


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.xb").write_text('PRINT "HI"\n')
    image = DiskImage.new(name="D")
    for name in ("A", "B", "C"):
        image.add(DiskFile.display_var(name, [name.encode()]))
    image.save(tmp_path / "d.dsk")
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "generate p.xb -o no/x",
        "tokenize p.xb -o no/x",
        "list p.xb -o no/x",
        "disk new no/x p.xb",
        "disk get d.dsk A -o no/x",
        "disk convert d.dsk no/x.hfe",
        "disk repair d.dsk -o no/x.dsk",
        "run p.xb --png no/x.png",
        "run p.xb --gif no/x.gif",
        "run p.xb --save-disk no/x.dsk",
        "play p.xb --record no/x.keys",
        "play p.xb --save-disk no/x.dsk",
        "verify d5000 --html no/x.html",
    ],
)
def test_the_folder_of_a_file_must_be_there(folder: Path, line: str) -> None:
    result = run(*line.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: no: no such folder; make it first\n"
    assert not (folder / "no").exists()
    (folder / "no").write_text("a file")
    assert run(*line.split()).stderr == "error: no: not a folder; make it first\n"


@pytest.mark.parametrize(
    "line", ["generate p.xb -o no", "run p.xb --png no", "disk get d.dsk A -o no"]
)
def test_a_folder_is_no_file(folder: Path, line: str) -> None:
    (folder / "no").mkdir()
    assert run(*line.split()).stderr == "error: no: a folder; name a file in it\n"


@pytest.mark.parametrize("words", [("--all", "new/files"), ("*", "--to", "new/files")])
def test_a_folder_for_files_is_made(folder: Path, words: tuple[str, ...]) -> None:
    assert run("disk", "get", "d.dsk", *words).exit_code == 0
    assert sorted(p.name for p in (folder / "new/files").iterdir()) == ["A", "B", "C"]


def test_nothing_is_taken_off_a_disk_when_a_file_is_in_the_way(folder: Path) -> None:
    (folder / "B").write_text("mine")
    result = run("disk", "get", "d.dsk", "*")
    assert result.exit_code == 2
    assert (
        result.stderr == "error: B: the file already exists; choose another name or use --replace\n"
    )
    assert sorted(p.name for p in folder.iterdir()) == ["B", "d.dsk", "p.xb"]
    (folder / "C").write_text("mine")
    result = run("disk", "get", "d.dsk", "*")
    assert "B: this file and 1 more already exist, nothing was written; choose" in result.stderr
    assert (folder / "B").read_text() == "mine"
    assert not (folder / "A").exists()
    assert run("disk", "get", "d.dsk", "*", "--replace").exit_code == 0
    assert (folder / "B").read_bytes().startswith(b"\x07TIFILES")


@pytest.mark.parametrize("command", ["generate", "tokenize", "list"])
def test_a_source_is_never_overwritten(folder: Path, command: str) -> None:
    result = run(command, "p.xb", "-o", "./p.xb")
    assert result.stderr == "error: p.xb is the source itself; choose another output\n"
    assert (folder / "p.xb").read_text() == 'PRINT "HI"\n'


@pytest.mark.parametrize(
    "line",
    [
        "run p.xb --png p.xb",
        "run p.xb --gif p.xb",
        "run p.xb --save-disk p.xb",
        "play p.xb --record p.xb",
        "play p.xb --save-disk p.xb",
        "disk get d.dsk A -o d.dsk --replace",
    ],
)
def test_what_is_read_is_never_overwritten(folder: Path, line: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(*line.split())
    assert result.exit_code == 2
    assert "is the source itself; choose another output" in result.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_only_cards_have_volumes_to_list(folder: Path) -> None:
    result = run("disk", "ls", "d.dsk", "--volumes")
    assert result.stderr == "error: d.dsk: only CF7+ cards have volumes; leave out --volumes\n"
    assert run("disk", "new", "c.img", "--form", "cf7", "--name", "V1").exit_code == 0
    assert run("disk", "ls", "c.img", "--volumes").stdout.split() == ["1", "V1"]


@pytest.mark.parametrize(
    "line",
    [
        "disk rm f A",
        "disk add f p.xb",
        "run p.xb --save-disk f",
        "run p.xb --png f",
        "disk convert d.dsk f --form dsk --replace",
        "tokenize p.xb -o f",
    ],
)
def test_read_only_files_stay_as_they_are(folder: Path, line: str) -> None:
    before = (folder / "d.dsk").read_bytes()
    (folder / "f").write_bytes(before)
    (folder / "f").chmod(0o444)
    result = run(*line.split())
    message = "error: f: the file is read-only; choose another file or allow writing to it\n"
    assert (result.exit_code, result.stderr) == (2, message)
    assert (folder / "f").read_bytes() == before


def test_a_disk_may_be_written_back(folder: Path) -> None:
    (folder / "w.xb").write_text('OPEN #1:"DSK1.NEW",OUTPUT\nPRINT #1:"X"\nCLOSE #1\n')
    result = run("run", "w.xb", "--disk", "d.dsk", "--save-disk", "d.dsk")
    assert result.exit_code == 0, result.stderr
    assert "NEW" in DiskImage.open(folder / "d.dsk").names()


@pytest.mark.parametrize("command", ["generate", "list"])
def test_a_dash_is_standard_output(folder: Path, command: str) -> None:
    assert run(command, "p.xb", "-o", "-").stdout == run(command, "p.xb").stdout != ""
    assert not (folder / "-").exists()


@pytest.mark.parametrize("command", ["tokenize", "assemble", "compile"])
def test_what_only_writes_files_refuses_a_dash(folder: Path, command: str) -> None:
    result = run(command, "p.xb", "-o", "-")
    assert (result.exit_code, result.stderr.partition("; ")[2]) == (2, "name the file\n")
    assert not (folder / "-").exists()


@pytest.mark.parametrize(
    "line",
    [
        "generate p.xb -o link",
        "tokenize p.xb -o link",
        "list p.xb -o link",
        "run p.xb --png link",
        "disk get d.dsk A -o link",
        "disk new link.dsk p.xb",
        "disk convert d.dsk link.hfe",
    ],
)
def test_nothing_is_written_where_a_dangling_link_points(folder: Path, line: str) -> None:
    for name in ("link", "link.dsk", "link.hfe"):
        (folder / name).symlink_to("outside")
    result = run(*line.split())
    assert result.exit_code == 2
    assert "the file already exists" in result.stderr
    assert not (folder / "outside").exists()


@pytest.mark.parametrize("more", [(), ("--replace",)])
@pytest.mark.parametrize("target", ["outside", "p.xb"])
def test_files_are_not_taken_off_a_disk_through_links(
    folder: Path, target: str, more: tuple[str, ...]
) -> None:
    (folder / "new").mkdir()
    (folder / "new/B").symlink_to(folder / target)
    result = run("disk", "get", "d.dsk", "--all", "new", *more)
    assert result.stderr == (
        "error: new/B: a link is there already; remove it or choose another folder\n"
    )
    assert [p.name for p in (folder / "new").iterdir()] == ["B"]
    assert (folder / "p.xb").read_text() == 'PRINT "HI"\n'
    assert not (folder / "outside").exists()


def test_nor_through_a_link_to_a_folder(folder: Path) -> None:
    """A folder that the user names may be a link; one that the disk names may not."""
    (folder / "way").symlink_to(folder)
    (folder / "GAMES").symlink_to(folder.parent)
    with pytest.raises(TIError, match="way/GAMES: a link is there already"):
        write_all(folder / "way", {host_path(folder / "way", "GAMES.X"): b""})
    write_all(folder / "way", {host_path(folder / "way", "X"): b"X"})
    assert (folder / "X").read_bytes() == b"X"
