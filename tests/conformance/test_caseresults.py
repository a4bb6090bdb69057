"""A case that was played is not played again in the same run, unless it says something else."""

from pathlib import Path
from typing import Any

import pytest

from tests.conformance import caseresults as module
from tests.conformance.caseresults import SHARED, Kept, keeping_results, played
from ti99tools.games.conformance import playback
from ti99tools.games.conformance.comparing import Observed

USUAL = playback.play
CASE = {"id": "a", "source": ['100 PRINT "A"'], "expect": {"cycles": 1}}


@pytest.fixture
def plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that are really played, in a run of its own."""
    found: list[str] = []

    def play(case: dict[str, Any], *rest: object) -> Observed:
        found.append(case["source"][0])
        return USUAL(case)

    monkeypatch.setenv("TI99TOOLS_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(SHARED, raising=False)
    monkeypatch.setattr(module, "_play", play)
    return found


def shows(found: Observed, text: str) -> bool:
    return text in [row.strip() for row in found.final.rows]


def test_a_case_is_played_once(plays: list[str]) -> None:
    first = played(CASE)
    assert shows(first, "A")
    for same in (CASE, {**CASE, "script": []}, {**CASE, "expect": {}}):
        assert played(same) == first
    assert len(plays) == 1


def test_another_program_or_script_is_played(plays: list[str]) -> None:
    played(CASE)
    assert shows(played({**CASE, "source": ['100 PRINT "B"']}), "B")
    assert played({**CASE, "script": [{"until": "ready"}]}) == played(CASE)
    assert len(plays) == 3


def test_runs_that_share_a_folder_play_a_case_once(
    plays: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(CASE)
    monkeypatch.setenv(SHARED, str(tmp_path / "shared"))
    for run in ("one", "other"):
        monkeypatch.setenv("TI99TOOLS_CACHE", str(tmp_path / run / "kept"))
        played(CASE)
    assert len(plays) == 2, "before, and once for both"


def test_cases_are_kept_only_where_it_is_asked_for(plays: list[str]) -> None:
    with keeping_results():
        assert playback.play(CASE) == played(CASE)
    assert playback.play is USUAL
    assert len(plays) == 1


def test_what_another_process_adds_is_found_once_it_is_whole(tmp_path: Path) -> None:
    kept, first, second = Kept(tmp_path), bytes(32), bytes([1]) * 32
    assert kept.find(first) is None
    kept.add(first, b"some")
    (own,) = tmp_path.iterdir()
    whole = own.read_bytes()
    other = tmp_path / "other"
    other.write_bytes(second + whole[32:-1])
    assert kept.find(first) == b"some"
    assert kept.find(second) is None
    other.write_bytes(second + whole[32:])
    assert kept.find(second) == b"some"
    kept.add(second, b"")
    assert Kept(tmp_path).find(first) == b"some"
