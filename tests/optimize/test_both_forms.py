"""Games optimized do what their sources say: logs, files, screens, sounds."""

from pathlib import Path
from shutil import copytree

import pytest

from tests.optimize.both_forms import BOTH, Seen, differences, scenario_of, session
from tests.shipped import shipped
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.verify.loading import adapter_of

pytestmark = pytest.mark.long


SOME = {"d5000": (5016, 3), "dicerack": (5010, 2)}
"""The first scenario and how many. D5000: without people, with two, after another match with
settings. Dice Rack: more than one round, then high scores on the disk.
"""


@pytest.mark.parametrize("game", BOTH)
def test_some_scenarios_on_both_forms(game: str) -> None:
    assert [wrong for _, wrong in differences(game, *SOME[game]) if wrong] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", BOTH)
def test_two_thousand_scenarios_on_both_forms(game: str) -> None:
    found = list(differences(game, 0, 2000))
    assert len(found) == 2000
    assert [pair for pair in found if pair[1]] == []


def test_a_difference_is_seen(tmp_path: Path) -> None:
    manifest = find_game("dicerack")
    adapter = adapter_of(manifest)
    scenario = scenario_of(adapter, 5015)
    right = session(adapter, shipped("dicerack", ()), scenario)
    assert right.sounds
    assert right.screens
    assert right.files
    assert not right.end
    source = Path(manifest.folder, "dicerack.xb").read_text("utf-8")
    changes = {
        "sounds": ("CALL SOUND(-60,150,VA,-5,VB)", "CALL SOUND(-60,150,VB,-5,VB)"),
        "screens": (':"GOAL"', ':"GOLA"'),
        "files": ('"DSK1.RACKLOG"', '"DSK1.RACKLOK"'),
    }
    for what, (old, new) in changes.items():
        assert old in source
        folder = tmp_path / what / "dicerack"
        copytree(manifest.folder, folder)
        (folder / "dicerack.xb").write_text(source.replace(old, new), "utf-8")
        wrong = build_game(read_manifest(folder), passes=())
        difference = right.differs(session(adapter, wrong, scenario))
        assert difference, what
    assert right.differs(Seen())
    assert not right.differs(right)
