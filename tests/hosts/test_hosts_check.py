"""A host tried step by step: our console passes; MAME without Extended BASIC fails."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import tinyrom
from click.testing import CliRunner

from ti99tools.cli.main import cli
from ti99tools.hosts import roms, virtual
from ti99tools.hosts.host import Job, Played
from ti99tools.hosts.mame.check import FILE, STEPS, check, check_disk, judged
from ti99tools.hosts.mame.emulator import Mame

SCREEN = ("TI99TOOLS CHECK", "KEY? HELLO", "READ GOT HELLO")
GOOD = Played((b"GOT HELLO",), {"final": SCREEN}, 12.0, lines=frozenset({100}))


def test_our_console_passes_the_check_of_mame() -> None:
    played = virtual.host().play(Job(check_disk(), STEPS, FILE))
    steps = list(judged(played))
    assert len(steps) == 5 and all(step.passed for step in steps), steps


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({"screens": {"final": ("TI BASIC READY",)}}, "Extended BASIC starts DSK1.LOAD"),
        ({"screens": {"final": SCREEN[:1]}}, "keys arrive"),
        ({"records": None}, "a file is written"),
        ({"screens": {"final": SCREEN[:2]}}, "a file is read, the screen too"),
        ({"lines": frozenset()}, "lines are sampled"),
    ],
)
def test_each_step_can_fail(change: dict[str, object], failed: str) -> None:
    steps = list(judged(replace(GOOD, **change)))  # type: ignore[arg-type]
    assert next(step.name for step in steps if not step.passed) == failed


@pytest.mark.skipif(not Mame().program, reason="MAME is not installed")
def test_a_machine_without_extended_basic_fails_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tinyrom.lay_out(tmp_path)
    found = {p.path: bytes(4096) for p in roms.PIECES}
    for path in tmp_path.rglob("*.u*"):
        found[path.relative_to(tmp_path).as_posix()] = path.read_bytes()
    del found[roms.XB_C]
    shown = type("Shown", (roms.RomSet,), {"missing": []})(found)
    monkeypatch.setattr(roms, "search", lambda folder: shown)
    steps = list(check(Mame(rom_folder=tmp_path)))
    assert [step.passed for step in steps] == [True, True, True, False]
    assert steps[-1].name == "MAME starts" and "phm3026c.bin NOT FOUND" in steps[-1].detail


TRANSCRIPT = """\
import pathlib, re, sys
from ti99tools import DiskImage
from ti99tools.disk.tifile import DiskFile
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
script = pathlib.Path(sys.argv[sys.argv.index("-autoboot_script") + 1]).read_text()
assert 'name = "H"' in script and "local limit = 60" in script
disk = pathlib.Path(sys.argv[sys.argv.index("-flop1") + 1])
image = DiskImage.from_bytes(disk.read_bytes())
image.add(DiskFile.display_var("CHECK", [b"GOT HELLO"]))
disk.write_bytes(image.to_bytes())
rows = ["  TI99TOOLS CHECK", "  KEY? HELLO", "  READ GOT HELLO"] + [""] * 21
codes = "".join(row.ljust(32).encode().hex() for row in rows)
print("@SNAP final " + codes)
print("@LINES 10 0,1,2,9")
print("@DONE 14.25")
"""


def test_a_transcript_of_the_original_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "mame"
    program.write_text(f"#!{sys.executable}\n{TRANSCRIPT}")
    program.chmod(0o755)
    (tmp_path / "hash").mkdir()
    (tmp_path / "hash" / "ti99_cart.xml").write_text("")
    shown = type("Shown", (roms.RomSet,), {"missing": []})({})
    monkeypatch.setattr(roms, "search", lambda folder: shown)
    monkeypatch.setenv("TI99_HASH", str(tmp_path / "hash"))
    steps = list(check(Mame(str(program), tmp_path)))
    assert [step.passed for step in steps] == [True] * 9, steps
    assert steps[-1].detail == "4 of 10 seen"


def test_the_command_says_which_step_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TI99_MAME", "/bin/true")
    result = CliRunner().invoke(cli, ["hosts", "--check", "mame", "--roms", str(tmp_path)])
    assert result.exit_code == 1
    assert "ok      MAME's program" in result.output
    assert "FAILED" in result.output.splitlines()[-1]
