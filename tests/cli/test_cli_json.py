"""`--json` of the commands that write disks and tapes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli

ON_THE_DISK = {
    "new new.dsk g.xb": ("new.dsk", ["G"]),
    "new new.dsk --boot g.xb": ("new.dsk", ["LOAD"]),
    "add d.dsk notes.txt": ("d.dsk", ["G", "NOTES"]),
    "rm d.dsk G": ("d.dsk", []),
    "rename d.dsk G H": ("d.dsk", ["H"]),
    "protect d.dsk G": ("d.dsk", ["G"]),
    "copy d.dsk e.dsk": ("e.dsk", ["G"]),
    "convert d.dsk x.hfe": ("x.hfe", ["G"]),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.xb").write_text('PRINT "HI"\n')
    (tmp_path / "notes.txt").write_text("HELLO\n")
    run("disk new d.dsk g.xb")
    run("disk new e.dsk")
    return tmp_path


def run(line: str) -> str:
    result = CliRunner().invoke(cli, line.split())
    assert result.exit_code == 0, result.output
    return result.stdout


def data(line: str) -> Any:
    return json.loads(run(f"{line} --json"))


@pytest.mark.parametrize("line", ON_THE_DISK)
def test_a_changed_disk_is_told(line: str) -> None:
    image, names = ON_THE_DISK[line]
    found = data(f"disk {line}")
    assert found["image"] == image
    assert [file["name"] for file in found["files"]] == names
    assert data(f"disk ls {image}")["files"] == found["files"]


def test_a_converted_file_is_told() -> None:
    run("disk get d.dsk G -o g.tfi")
    found = data("disk convert g.tfi G --form fiad")
    assert found == {"file": "G", "form": "fiad", "bytes": Path("G").stat().st_size}


def test_a_tape_is_told() -> None:
    written = data("tape write g.xb -o g.wav")
    assert written["sources"] == [{"source": "g.xb", "units": 1}]
    assert written["seconds"] > 5
    read = data("tape read g.wav -o again.bas")
    assert (read["file"], read["form"]) == ("again.bas", "listing")
    assert read["units"] == data("tape list g.wav")
