"""A spoilt match ends where its log is no longer that of the rules, and a right one at its end."""

from dataclasses import replace

import pytest

from tests.shipped import shipped
from tests.verify.earlyend import LogDiffers, ends_where_the_log_differs
from ti99tools.computer.interp.io.openfile import OpenFile
from ti99tools.games.hosts.virtual import host
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import BLANK_SEED
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import make

LAMBO = adapter("lambo")
WRITE = OpenFile.write_record


@pytest.mark.parametrize("line", [None, 2, -1])
def test_the_match_ends_at_the_line_that_differs(line: int | None) -> None:
    """The log to compare with is spoilt, not the game, which comes to the same."""
    scenario, log = make(LAMBO, 9)
    assert log.complete
    events = list(log.events)
    if line is not None:
        events[line] = Event("OTHER", ())
    with ends_where_the_log_differs(scenario, replace(log, events=tuple(events))):
        result = play(LAMBO, host(), shipped("lambo").image.to_bytes(), scenario)
    if line is None:
        assert result.mismatch is None
        return
    assert result.mismatch is not None
    assert LogDiffers.__name__ in result.mismatch.got
    # The log begins with two lines that are no events.
    assert f"line {line % len(events) + 3}:" in result.mismatch.got


def test_a_seed_that_is_not_known_before_is_played_to_the_end() -> None:
    scenario, log = make(LAMBO, 1)
    blank = replace(scenario, setup=replace(scenario.setup, options={BLANK_SEED: ""}))
    for played, watched in ((blank, False), (scenario, True)):
        with ends_where_the_log_differs(played, log):
            assert (OpenFile.write_record is not WRITE) == watched
    assert OpenFile.write_record is WRITE
