"""MAME as a host: what can be known without it, and, where it is installed, a real run."""

from pathlib import Path

import pytest
import tinyrom

from ti99tools.base.errors import HostError
from ti99tools.cli.words import worded
from ti99tools.hosts.host import Job
from ti99tools.hosts.mame.emulator import Mame, explain
from ti99tools.hosts.mame.keys import fields_of
from ti99tools.hosts.mame.steps import lua_steps
from ti99tools.hosts.mame.told import Told, rows_of
from ti99tools.trace.keyscript import Press, Rest, Snap, Step, Type, Until, Wait

JOB = Job(b"", (), "LOG", max_seconds=60, pace=4)
SHORT = Job(b"", (), "LOG", max_seconds=4, pace=4)
"""A job whose time is soon over."""
INSTALLED = Mame().program
needs_mame = pytest.mark.skipif(not INSTALLED, reason="MAME is not installed")


def run(folder: Path, *steps: Step, job: Job = JOB) -> list[str]:
    tinyrom.lay_out(folder / "roms")
    return Mame().drive(folder, steps, job)


@needs_mame
def test_keys_and_screens(tmp_path: Path) -> None:
    said = run(
        tmp_path, Until("TI99TOOLS TEST"), Snap("before"), Type("2=\n"), Rest(30), Snap("after")
    )
    before, after = (line.split() for line in said[:2])
    assert before[:2] == ["SNAP", "before"] and after[:2] == ["SNAP", "after"]
    assert rows_of(before[2])[0].startswith("TI99TOOLS TEST ")
    assert "K" not in rows_of(before[2])[0]
    assert rows_of(after[2])[0].startswith("TI99TOOLS TEST KKK")
    assert said[-1].startswith("DONE ")


@needs_mame
def test_keys_are_held_until_a_busy_program_scans(tmp_path: Path) -> None:
    tinyrom.lay_out(tmp_path / "roms", busy=0xFFFF)
    keys = (Until("TI99TOOLS TEST"), Type("2222222"), Wait(60))
    told = Told(Mame().drive(tmp_path, keys, JOB))
    assert told.problem == "" and told.notes == []
    assert told.screens["final"][0].startswith("TI99TOOLS TEST KKKKKKK\xa0")


@needs_mame
def test_executed_lines_are_sampled(tmp_path: Path) -> None:
    told = Told(run(tmp_path, Until("TI99TOOLS TEST"), Wait(30)))
    assert told.executed == {3: {1}}


@needs_mame
def test_a_key_that_nobody_reads(tmp_path: Path) -> None:
    tinyrom.lay_out(tmp_path / "roms", busy=0)
    said = Told(Mame().drive(tmp_path, (Wait(100), Press("CLEAR"), Type("2")), SHORT))
    assert said.problem == ""
    tinyrom.lay_out(tmp_path / "roms")
    _patch_rom(tmp_path / "roms")
    said = Told(Mame().drive(tmp_path, (Wait(30), Type("2")), SHORT))
    assert said.problem == "the program never read the key 2"


def _patch_rom(roms: Path) -> None:
    """A program that shows its text and then never scans: it jumps to itself after 8375h is set."""
    code = tinyrom.assemble(tinyrom.program(1))
    at = tinyrom.START // 2 + code.index(0x020A)
    for name, byte in (("994a_rom_hb.u610", 0x10), ("994a_rom_lb.u611", 0xFF)):
        path = roms / "ti99_4a" / name
        data = bytearray(path.read_bytes())
        data[at] = byte
        path.write_bytes(bytes(data))


@needs_mame
def test_a_text_that_never_comes(tmp_path: Path) -> None:
    said = run(tmp_path, Until("NEVER SHOWN"), Snap("after"), job=SHORT)
    assert said[0] == "FAIL never on the screen: NEVER SHOWN"
    assert [line.split()[0] for line in said[1:]] == ["SNAP", "LINES", "DONE"]


@needs_mame
def test_a_missing_rom_is_told(tmp_path: Path) -> None:
    tinyrom.lay_out(tmp_path / "roms")
    (tmp_path / "roms/ti99_4a/994a_rom_hb.u610").unlink()
    with pytest.raises(HostError, match=r"a ROM is missing \(994a_rom_hb.u610 NOT FOUND"):
        Mame().drive(tmp_path, (), JOB)


@needs_mame
def test_a_bad_disk_is_told(tmp_path: Path) -> None:
    tinyrom.lay_out(tmp_path / "roms")
    bad = tmp_path / "bad.dsk"
    bad.write_bytes(b"no disk")
    with pytest.raises(HostError, match=r"an image cannot be used|it crashed"):
        Mame().drive(tmp_path, (), JOB, ("-flop1", str(bad)))


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
    assert "TI99_ROMS" in missing and "--roms DIR" in worded(missing)
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


def test_steps_as_lua() -> None:
    steps = (Until('A"B'), Until(), Type("a"), Press("CLEAR", 9, 2), Wait(7), Rest(9), Snap("x"))
    assert list(lua_steps(steps, 60)) == [
        '{action = "until", text = "A\\034B", after = 0}',
        '{action = "until", text = "\\042 READY \\042", after = 30}',
        '{action = "key", name = "a", keys = {{"\\058COL5", "a  A  \\124"}}, hold = 4, gap = 60}',
        '{action = "key", name = "CLEAR", keys = {{"\\058COL0", "FCTN"}, '
        '{"\\058COL3", "4 \\036 CLEAR"}}, hold = 9, gap = 60, at_most = 60}',
        '{action = "wait", frames = 7}',
        '{action = "rest", frames = 9}',
        '{action = "snap", name = "x"}',
    ]


def test_names_of_screens_are_bytes_for_lua() -> None:
    (step,) = lua_steps([Snap("zug №2")], 60)
    assert step == '{action = "snap", name = "zug \\226\\132\\1502"}'


def test_every_key_of_a_script_has_fields() -> None:
    for code in range(32, 127):
        assert fields_of(chr(code)), chr(code)
    assert len(fields_of("A")) == 2 and len(fields_of("a")) == 1
    with pytest.raises(HostError):
        fields_of("é")


def test_exit_codes_are_explained() -> None:
    assert explain(139, "") == "it crashed at start-up"
    assert explain(7, "") == "it ended with code 7"
    assert explain(2, "x.bin NOT FOUND (tried)\n").startswith("a ROM is missing (x.bin NOT")


def test_rows() -> None:
    codes = bytes(range(256)) * 3
    assert len(rows_of(codes.hex())) == 24
    assert rows_of(codes.hex())[1] == "".join(map(chr, range(32, 64)))
