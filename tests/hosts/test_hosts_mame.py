"""MAME as a host: what can be known without it, and, where it is installed, how it fails."""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.hosts.tinyrom import Rom
from ti99tools.base.errors import HostError
from ti99tools.fronts.cli.group import worded
from ti99tools.games.hosts.driver import Setting
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.mame import Mame, explain

JOB = Job(b"", (), "LOG", max_seconds=60)
ALONE = Setting(boots=False)
needs_mame = pytest.mark.skipif(not Mame().program, reason="MAME is not installed")


@needs_mame
def test_a_missing_rom_is_told(tmp_path: Path) -> None:
    Rom().for_mame(tmp_path)
    (tmp_path / "roms/ti99_4a/994a_rom_hb.u610").unlink()
    with pytest.raises(HostError, match=r"a ROM is missing \(994a_rom_hb.u610 NOT FOUND"):
        Mame().follow(tmp_path, JOB, ALONE)


@needs_mame
def test_a_bad_disk_is_told(tmp_path: Path) -> None:
    Rom().for_mame(tmp_path)
    bad = tmp_path / "bad.dsk"
    bad.write_bytes(b"no disk")
    with pytest.raises(HostError, match=r"an image cannot be used|it crashed"):
        Mame().follow(tmp_path, JOB, Setting(files={"disk1": str(bad)}, boots=False))


@needs_mame
def test_a_fault_of_the_driver_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Rom().for_mame(tmp_path)
    monkeypatch.setattr("ti99tools.games.hosts.emulator.job_text", lambda *_: "begin\nwait\n")
    transcript = Mame().follow(tmp_path, JOB, ALONE)
    assert transcript.problem.startswith("the driver: ")
    assert "nil" in transcript.problem


def test_without_program_or_roms_it_says_so(tmp_path: Path) -> None:
    host = Mame(program="mame", rom_folder=tmp_path)
    assert host.missing().startswith(f"{tmp_path}: no console ROM, console GROM 0")
    assert "Extended BASIC GROM 6" in host.missing()
    assert "no such folder" in Mame("mame", tmp_path / "none").missing()
    with pytest.raises(HostError, match="no console ROM"):
        host.play(JOB)


def test_without_a_folder_it_asks_for_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("TI99_ROMS", raising=False)
    missing = Mame(program="mame").missing()
    assert "TI99_ROMS" in missing
    assert "--roms DIR" in worded(missing)
    (tmp_path / "ti99tools").mkdir()
    (tmp_path / "ti99tools" / "config.toml").write_text('roms = "/nowhere"\nmame = "/opt/mame"\n')
    host = Mame()
    assert (host.program, host.missing()) == (
        "/opt/mame",
        "/nowhere: no such folder of ROM dumps",
    )
    (tmp_path / "ti99tools" / "config.toml").write_text("roms = \n")
    with pytest.raises(HostError, match=r"config\.toml"):
        Mame()


def test_exit_codes_are_explained() -> None:
    assert explain(139, "") == "it crashed at start-up"
    assert explain(7, "") == "it ended with code 7"
    assert explain(2, "x.bin NOT FOUND (tried)\n").startswith("a ROM is missing (x.bin NOT")


CRASHES = """\
import pathlib, sys
disk = pathlib.Path("dsk1.dsk")
runs = pathlib.Path("runs")
count = len(runs.read_bytes()) if runs.exists() else 0
runs.write_bytes(bytes(count + 1))
print("@NOTE disk", disk.read_text(), "run", count)
disk.write_text("spoiled")
if count == 2:
    print("@DONE 1")
else:
    sys.exit(139)
"""


def test_a_run_that_breaks_off_is_tried_again_with_the_same_disk(tmp_path: Path) -> None:
    program = tmp_path / "mame"
    program.write_text(f"#!{sys.executable}\n{CRASHES}")
    program.chmod(0o755)
    disk = tmp_path / "dsk1.dsk"
    disk.write_text("whole")
    setting = Setting(files={"disk1": str(disk)}, boots=False)
    lines = Mame(str(program), tmp_path).drive(tmp_path, JOB, setting)
    assert lines == ["NOTE disk whole run 2", "DONE 1"]


def test_a_cartridge_takes_the_place_of_extended_basic(tmp_path: Path) -> None:
    Rom().for_mame(tmp_path)
    job = Job(b"", (), "LOG", max_seconds=60, cartridge=bytes(8192))
    host = Mame("/bin/true", tmp_path / "roms")
    host.prepare(tmp_path, job)
    command = host.command(tmp_path, job, Setting())
    name = command[command.index("-cart") + 1]
    assert zipfile.is_zipfile(tmp_path / name)
    assert "exbasic" not in command
    assert "exbasic" in host.command(tmp_path, JOB, Setting())
