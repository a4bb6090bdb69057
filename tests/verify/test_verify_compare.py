"""Comparison of logs: every changed, missing or added line is found, in both directions."""

import pytest

from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.judging import compare_logs, compare_numbers, judge
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.scenario import make
from xbasic.d5000.model import D5000

LOGS = [make(adapter("d5000"), seed)[1] for seed in range(3, 43, 8)]


def changed(log: PlayLog, events: list[Event], complete: bool = True) -> PlayLog:
    return PlayLog(log.game, log.version, log.seed, tuple(events), complete)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: str(log.seed))
def test_a_true_log_follows_the_rules(log: PlayLog) -> None:
    assert judge(log, D5000) is None
    for cut in (0, 1, 3, 10, len(log.events) // 2, len(log.events) - 1):
        assert cut < 4 or judge(changed(log, list(log.events[:cut]), False), D5000) is None


@pytest.mark.parametrize("log", LOGS[:2], ids=lambda log: str(log.seed))
def test_any_changed_number_is_found(log: PlayLog) -> None:
    for index, event in enumerate(log.events):
        if event.kind in ("PLAYERS", "PLAYER", "REFUSED"):
            continue
        number = next(n for n, arg in enumerate(event.args) if arg.isdigit())
        args = list(event.args)
        args[number] = str(int(args[number]) + 1)
        events = [*log.events[:index], Event(event.kind, tuple(args)), *log.events[index + 1 :]]
        wrong = judge(changed(log, events), D5000)
        late = event.kind == "PICK"  # another die picked is seen in the KEEP that follows
        assert wrong is not None and wrong.index <= index + late, (index, event)


@pytest.mark.parametrize("log", LOGS[:2], ids=lambda log: str(log.seed))
def test_any_missing_or_added_line_is_found(log: PlayLog) -> None:
    for index in range(7, len(log.events), 5):
        if log.events[index].kind in ("REFUSED", "NEED", "PICK", "KEEP"):
            continue
        less = [*log.events[:index], *log.events[index + 1 :]]
        more = [*log.events[:index], Event("SCORE", ("1", "2")), *log.events[index:]]
        assert judge(changed(log, less), D5000) is not None, index
        assert judge(changed(log, more), D5000) is not None, index


@pytest.mark.parametrize("log", LOGS, ids=lambda log: str(log.seed))
def test_a_match_may_be_left_anywhere_but_only_for_good(log: PlayLog) -> None:
    left = Event.of("LEFT")
    for cut in (7, 12, len(log.events) // 2):
        assert judge(changed(log, [*log.events[:cut], left]), D5000) is None
        more = [*log.events[:cut], left, log.events[cut]]
        assert judge(changed(log, more), D5000) is not None


def test_a_log_that_ends_too_early_but_says_end() -> None:
    log = LOGS[0]
    for length in range(8, 40):
        wrong = judge(changed(log, list(log.events[:length])), D5000)
        assert wrong is not None
        assert (wrong.got, wrong.index) == ("(nothing)", length)


def test_logs_of_other_games_versions_and_seeds_differ() -> None:
    log = LOGS[0]
    for other, what in (
        (PlayLog("D6000", log.version, log.seed, log.events), "game D5000"),
        (PlayLog(log.game, "9", log.seed, log.events), "version 1.1"),
        (PlayLog(log.game, log.version, 1, log.events), f"seed {log.seed}"),
    ):
        wrong = compare_logs(log, other)
        assert wrong is not None
        assert wrong.expected == what


def test_the_first_difference_is_shown_with_what_came_before() -> None:
    log = LOGS[0]
    events = list(log.events)
    events[30] = Event("OOPS")
    wrong = compare_logs(log, changed(log, events))
    assert wrong is not None
    assert (wrong.index, wrong.expected, wrong.got) == (30, str(log.events[30]), "OOPS")
    assert wrong.context == tuple(map(str, log.events[26:30]))
    assert wrong.lines()[-3:] == [
        "  log line 33:",
        f"    rules  {log.events[30]}",
        "    game   OOPS",
    ]


@pytest.mark.parametrize(
    "events",
    [[], [Event("PLAYERS", ("X",))], [Event("PLAYERS", ("2",))], [Event("PLAYERS", ("7",))]],
    ids=str,
)
def test_a_log_without_a_setup_is_a_mismatch(events: list[Event]) -> None:
    wrong = judge(PlayLog("D5000", "1.0", 1, tuple(events)), D5000)
    assert wrong is not None


def test_numbers_on_a_screen() -> None:
    assert compare_numbers("end", {"total": "500"}, {"total": "500", "x": 1}) is None
    assert compare_numbers("end", {"total": 500}, {"total": "500"}) is None
    assert compare_numbers("end", {"total": None}, {}) is None
    assert compare_numbers("end", {"total": "None"}, {}) is not None
    wrong = compare_numbers("end", {"total": "500"}, {})
    assert wrong is not None
    assert (wrong.expected, wrong.got) == ("total 500", "total None")
