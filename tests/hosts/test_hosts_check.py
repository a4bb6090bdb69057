"""A host tried step by step: our console passes; each step can fail, and is named then."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.hosts.standin import StandIn
from tests.hosts.tinyrom import Rom
from ti99tools.fronts.cli.main import cli
from ti99tools.games.hosts import roms, virtual
from ti99tools.games.hosts.check import SHOWN, check, check_job, judged
from ti99tools.games.hosts.host import Played, Video
from ti99tools.games.hosts.mame import Mame
from ti99tools.hardware.machine.vdp import VDP

GOOD = virtual.host().play(check_job())
SCREEN = GOOD.screens["final"]
OTHER = Video(bytes(0x4000), bytes(8))


def test_our_console_passes_the_check() -> None:
    steps = list(judged(GOOD))
    assert len(steps) == 8 and all(step.passed for step in steps), steps


def without(text: str) -> dict[str, tuple[str, ...]]:
    return {"final": tuple(row for row in SCREEN if text not in row), SHOWN: SCREEN}


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({"screens": {"final": ("TI BASIC READY",)}}, "Extended BASIC starts DSK1.LOAD"),
        ({"screens": without("KEY? HELLO")}, "keys of INPUT arrive"),
        ({"screens": without("KEYS 1H2AHX")}, "keys of CALL KEY arrive"),
        ({"screens": {"final": SCREEN}}, "the program is seen to wait"),
        ({"records": None}, "a file is written"),
        ({"screens": without("READ GOT")}, "a file is read, the screen too"),
        ({"lines": frozenset()}, "lines are sampled"),
        ({"video": {}}, "patterns, colours and sprites"),
        ({"video": {SHOWN: OTHER}}, "patterns, colours and sprites"),
    ],
)
def test_each_step_can_fail(change: dict[str, object], failed: str) -> None:
    played: Played = replace(GOOD, **change)  # type: ignore[arg-type]
    assert next(step.name for step in judged(played) if not step.passed) == failed


def everything(monkeypatch: pytest.MonkeyPatch, found: dict[str, bytes]) -> None:
    """Let the folder of ROM dumps hold all there is to find."""
    dumps = type("Shown", (roms.RomSet,), {"missing": []})(found)
    monkeypatch.setattr(roms, "search", lambda folder: dumps)


def test_all_steps_of_an_emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything(monkeypatch, {})
    host = StandIn()
    host.rom_folder = tmp_path
    steps = list(check(host))
    assert [step.passed for step in steps] == [True] * 11, steps
    assert steps[-2].detail == "24 of 24 seen"

    def poke(vdp: VDP) -> None:
        vdp.ram[0x700] ^= 1

    host.poke = poke
    last = list(check(host))[-1]
    assert (last.passed, last.detail[:33]) == (False, "the pattern of character 128: fe8")


@pytest.mark.skipif(not Mame().program, reason="MAME is not installed")
def test_a_machine_without_extended_basic_fails_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {p.path: bytes(4096) for p in roms.PIECES} | Rom().pieces()
    del found[roms.XB_C]
    everything(monkeypatch, found)
    steps = list(check(Mame(rom_folder=tmp_path)))
    assert [step.passed for step in steps] == [True, True, True, False]
    assert steps[-1].name == "MAME starts"
    assert "phm3026c.bin NOT FOUND" in steps[-1].detail


@pytest.mark.parametrize("host", ["mame", "ti99sim"])
def test_the_command_says_which_step_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("TI99_MAME", "/bin/true")
    monkeypatch.setenv("TI99_TI99SIM", "/bin/true")
    result = CliRunner().invoke(cli, ["hosts", "--check", host, "--roms", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.startswith("ok      ")
    assert "'s program" in result.output
    assert "FAILED" in result.output.splitlines()[-1]
