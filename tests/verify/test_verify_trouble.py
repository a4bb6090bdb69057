"""Trouble with the disk: the match goes on as the rules say, only its log may stop early."""

from dataclasses import replace
from random import Random

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.computer.console.keyscript import Press, Type
from ti99tools.games.hosts.disklog import FILLER, filled, with_files
from ti99tools.games.hosts.host import Played
from ti99tools.games.hosts.virtual import host
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.adapter import (
    NO_DRIVE,
    TROUBLE,
    WARM_UP,
    WRONG_LOG,
    Adapter,
    log_switch,
    room_of,
)
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import compare, course_of, play
from ti99tools.games.verify.scenario import Scenario
from ti99tools.media.disk.image import DiskImage
from xbasic.dicerack.adapter import SCORES, high_score

pytestmark = pytest.mark.long

D5000, DICERACK = adapter("d5000"), adapter("dicerack")
PLAYERS = {"d5000": (Player("T", "TEX"), Player("A", "ADA")), "dicerack": (Player("H", "PLAYER"),)}


def disk_of(game: Adapter) -> bytes:
    return shipped(game.name).image.to_bytes()


def scenario(game: Adapter, options: dict[str, str]) -> Scenario:
    """A short match of computers, or a game in which every die is dropped where it is."""
    keys = () if game is D5000 else (32,) * 25
    return Scenario(game.name, Setup(46, PLAYERS[game.name], options), keys)


@pytest.mark.parametrize("trouble", [NO_DRIVE, "0", "3"])
@pytest.mark.parametrize("game", [D5000, DICERACK], ids=lambda game: game.name)
def test_the_match_agrees_without_a_whole_log(game: Adapter, trouble: str) -> None:
    result = play(game, host(), disk_of(game), scenario(game, {TROUBLE: trouble}))
    assert result.mismatch is None
    assert result.screens >= 1


@pytest.mark.parametrize("game", [D5000, DICERACK], ids=lambda game: game.name)
def test_two_matches_in_trouble_with_the_title_between_them(game: Adapter) -> None:
    options = {TROUBLE: "2", WARM_UP: "5", "detour": "by the title"}
    result = play(game, host(), disk_of(game), scenario(game, options))
    assert result.mismatch is None
    assert result.screens >= 1


def test_a_log_that_stops_early_must_be_right_as_far_as_it_goes() -> None:
    wanted = scenario(D5000, {TROUBLE: "2"})
    course = course_of(D5000, wanted)
    lines = [line.encode() for line in course.log.lines()]

    def judged(records: list[bytes]) -> str:
        mismatch, _ = compare(D5000, course, Played(tuple(records), {}, 1.0))
        return "" if mismatch is None else mismatch.got

    assert judged([]) == judged(lines[:1]) == judged(lines[:9]) == judged(lines) == ""
    assert judged([*lines[:8], b"BUST 99 1"]) == "BUST 99 1"
    plain = course_of(D5000, replace(wanted, setup=replace(wanted.setup, options={})))
    assert compare(D5000, plain, Played(tuple(lines[:9]), {}, 1.0))[0] is not None
    assert compare(D5000, plain, Played(tuple(lines[:1]), {}, 1.0))[0] is not None
    assert compare(D5000, plain, Played(None, {}, 1.0))[0] is not None


def test_room_and_the_name_of_the_log() -> None:
    setup = Setup(1, PLAYERS["d5000"])
    assert room_of(setup) is None
    assert log_switch("3", setup) == [Type("3\n")]
    assert room_of(replace(setup, options={TROUBLE: "5"})) == 5
    absent = replace(setup, options={TROUBLE: NO_DRIVE})
    assert room_of(absent) is None
    assert log_switch("3", absent) == [Type("3"), Press("ERASE"), Type(f"{WRONG_LOG}\n")]


@pytest.mark.parametrize("left", [0, 1, 7])
def test_a_disk_is_filled_up(left: int) -> None:
    image = DiskImage.from_bytes(filled(disk_of(DICERACK), left))
    assert image.free_sectors == left
    assert FILLER in image
    assert filled(image.to_bytes(), left + 1) == image.to_bytes()


def test_files_of_both_kinds_are_put_on_a_disk() -> None:
    image = with_files(disk_of(DICERACK), {"A": ["HELLO"], "B": [b"\x01X"], "LOAD": None, "C": []})
    assert image.read("A").records == (b"HELLO",)
    assert image.read("B").type.label == "INT/VAR"
    assert "LOAD" not in image
    assert image.read("C").type.label == "DIS/VAR"


def test_high_scores_on_the_disk_are_shown() -> None:

    setup = Setup(1, PLAYERS["dicerack"], {SCORES: "ANNA BOB - - -"})
    console = Console({"DSK1": with_files(disk_of(DICERACK), DICERACK.files(setup))})
    console.boot()
    assert console.run_until(text="5 END")
    console.type("3")
    assert console.run_until(text="ANY KEY")
    rows = [row.split() for row in console.screen.rows]
    assert ["1", "ANNA", "600"] in rows
    assert ["2", "BOB", "500"] in rows
    assert ["3", "NOBODY", "YET"] in rows
    assert high_score("BOB", 500) == b"\x03BOB\x08A\x05\0\0\0\0\0\0"


def test_made_up_scenarios_have_trouble_and_scores() -> None:
    for game in (D5000, DICERACK):
        setups = [game.setup(Random(seed)) for seed in range(300)]
        assert len({setup.options.get(TROUBLE) for setup in setups}) > 3
    assert any(SCORES in setup.options for setup in setups)
