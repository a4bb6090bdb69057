"""Sessions compared on two machines: alike on the stand-in, and made small where it has a fault."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import compare
from tests.hosts.standin import StandIn
from ti99tools.games.hosts import host as contract
from ti99tools.hardware.machine.vdp import OFFSET, VDP


@pytest.fixture
def standin(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    host = StandIn()
    monkeypatch.setattr(compare, "host_named", lambda name: host)
    return host


def a_one_is_a_seven(vdp: VDP) -> None:
    """The fault of a machine that shows another digit."""
    one, seven = ord("1") + OFFSET, ord("7") + OFFSET
    vdp.ram[:768] = bytes(vdp.ram[:768]).replace(bytes([one]), bytes([seven]))


@pytest.mark.parametrize("kind", ["programs", "mutants", "editor", "files"])
def test_sessions_are_alike_on_the_same_console(
    standin: StandIn, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    assert compare.main(["--kind", kind, "--seed", "3", "--count", "2"]) == 0
    assert capsys.readouterr().out == f"{kind}: 2 alike\n"


@pytest.mark.parametrize(("kind", "seed"), [("editor", "3"), ("files", "1"), ("mutants", "1")])
def test_what_differs_is_made_small(
    standin: StandIn, capsys: pytest.CaptureFixture[str], kind: str, seed: str
) -> None:
    standin.poke = a_one_is_a_seven
    assert compare.main(["--kind", kind, "--seed", seed, "--count", "1"]) == 1
    output = capsys.readouterr().out
    listing = output.partition("script: ")[0].splitlines()[1:]
    assert len(listing) <= 3
    assert "final screen:" in output
    assert f"{kind}: 1 different" in output


def test_what_differs_is_saved_as_a_case(
    standin: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    standin.poke = a_one_is_a_seven
    file = tmp_path / "found.jsonl"
    words = ["--kind", "programs", "--seed", "3", "--count", "1", "--save", str(file)]
    assert compare.main(words) == 1
    output = capsys.readouterr().out
    assert "final screen:" in output
    assert "different" in output.splitlines()[-1]
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows
    assert all("expect" in row and len(row["source"]) <= 4 for row in rows)


def test_what_depends_on_the_frame_is_counted_only(
    standin: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    def flicker(vdp: VDP) -> None:
        vdp.ram[0] = 0x99 + len(standin.jobs)

    standin.poke = flicker
    assert compare.main(["--kind", "programs", "--seed", "3", "--count", "1"]) == 0
    assert capsys.readouterr().out == "programs: 1 unsure\n"


def test_lists_are_made_small() -> None:
    def fails(items: list[int]) -> bool:
        return {3, 11} <= set(items)

    assert compare.fewer(range(20), fails) == [3, 11]


def test_nothing_may_be_left_if_that_is_said() -> None:
    assert compare.fewer([1, 2], lambda items: True) == [2]
    assert compare.fewer([1, 2], lambda items: True, nothing=True) == []


READY = {"until": "ready"}
A, B, WAIT = {"type": "A\n"}, {"press": "B"}, {"wait": 54}


@pytest.mark.parametrize(
    ("script", "begin", "parts"),
    [
        ([WAIT, A, WAIT, B, {"snap": "x"}], [WAIT], [[A, WAIT], [B, {"snap": "x"}]]),
        ([READY, A, READY, WAIT, A], [READY], [[A, READY, WAIT], [A]]),
        (
            [READY, {"down": "C"}, A, {"up": "C"}, B],
            [READY],
            [[{"down": "C"}, A, {"up": "C"}], [B]],
        ),
        ([WAIT], [WAIT], []),
    ],
)
def test_a_script_is_left_out_in_pieces(
    script: compare.Script, begin: compare.Script, parts: list[compare.Script]
) -> None:
    assert compare.pieces(script) == (begin, parts)


def test_a_script_keeps_its_order(standin: StandIn) -> None:
    """Whatever is left out: the machine is ready before the first key, and after each command."""
    standin.poke = a_one_is_a_seven
    case = {
        "id": "x",
        "area": "x",
        "title": "",
        "source": ['100 PRINT "GO"', "110 END"],
        "script": [
            {"wait": 240},
            A,
            WAIT,
            {"type": "PRINT 1\n"},
            WAIT,
            {"type": "CALL CLEAR"},
            WAIT,
        ],
    }
    small = compare.shrunk(standin, case, {"final screen"})
    assert small["script"] == [{"wait": 240}, {"type": "PRINT 1\n"}, WAIT]
    assert len(small["source"]) == 1


def test_without_roms_nothing_is_said_to_be_alike(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TI99_ROMS", str(tmp_path))
    contract.host_named.cache_clear()
    assert compare.main(["--host", "mame", "--count", "1"]) == 2
    assert capsys.readouterr().err.startswith("mame: ")
    contract.host_named.cache_clear()


def test_our_own_console_is_compared_by_its_games_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        compare.main(["--host", "virtual", "--kind", "games", "--kind", "files"])
    assert stopped.value.code == 2
    assert "our own console" in capsys.readouterr().err


def test_games_are_verified_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Played:
        matches, failed = 3, 1
        failures: tuple[Any, ...] = ()

    asked: list[tuple[Any, ...]] = []

    class Campaign:
        def __init__(self, *arguments: Any) -> None:
            asked.append(arguments)

        def run(self) -> Played:
            return Played()

    monkeypatch.setattr(compare, "Campaign", Campaign)
    monkeypatch.setattr(compare, "subject_of", lambda manifest: manifest.game)
    found = compare.matches("ti99sim", seed=5, number=3, jobs=2)
    assert found == {"alike": 2 * len(asked), "different": len(asked)}
    assert ("d5000", "ti99sim", 3, 5, 2) in asked
