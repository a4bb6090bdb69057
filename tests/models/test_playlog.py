"""The play log's form: round trips, truncated logs, errors that say where and what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.errors import ScriptError
from ti99tools.games.models.playlog import Event, PlayLog, read, read_all

WORD = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-,.", min_size=1, max_size=8)
KIND = st.sampled_from(["ROLL", "KEY", "SCORE", "WIN"])
EVENTS = st.builds(Event, KIND, st.lists(WORD, max_size=6).map(tuple))


@given(WORD, st.integers(0, 99999), st.lists(EVENTS).map(tuple), st.booleans())
def test_what_is_written_reads_back(
    game: str, seed: int, events: tuple[Event, ...], complete: bool
) -> None:
    log = PlayLog(game, "1.0", seed, events, complete)
    assert read(line.encode() for line in log.lines()) == log


def test_several_matches_in_a_file() -> None:
    logs = [PlayLog("D5000", "1.0", n, (Event("WIN", ("1",)),), n != 2) for n in (1, 2, 3)]
    records = [line.encode() for log in logs for line in log.lines()]
    assert read_all(records) == logs
    with pytest.raises(ScriptError, match="log:6: the second line is OOPS"):
        read_all([*records[:5], b"OOPS"])


def test_an_event_is_words() -> None:
    event = Event.of("ROLL", 2, [1, 5, 5])
    assert str(event) == "ROLL 2 1 5 5"
    assert Event.parse("ROLL  2 1 5  5 ") == event


def test_lines_fit_a_record() -> None:
    log = PlayLog("D5000", "1.0", 1, (Event("NOTE", ("X" * 76,)),))
    with pytest.raises(ValueError, match="longer than a record"):
        list(log.lines())


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([], "log: no play log; its first line is TI99LOG 1 GAME VERSION"),
        ([b"HELLO"], "log: no play log"),
        ([b"TI99LOG 2 D5000 1.0"], "log:1: a play log of another form"),
        ([b"TI99LOG 1 D5000"], "log:1: a play log of another form"),
        ([b"TI99LOG 1 D5000 1.0"], "log:1: the log ends before its seed"),
        ([b"TI99LOG 1 D5000 1.0", b"SEED X"], "log:2: the second line is SEED X; it must be"),
        ([b"TI99LOG 1 D5000 1.0", b"SEED " + b"9" * 5000], "log:2: the second line is SEED 9"),
        ([b"TI99LOG 1 D5000 1.0", b"SEED 1", b""], "log:3: not a line of a play log"),
        ([b"TI99LOG 1 D5000 1.0", b"SEED 1", b"\xff"], "log:3: not a line of a play log"),
        ([b"TI99LOG 1 D5000 1.0", b"SEED 1", b"END", b"A"], "log:3: END in the middle"),
    ],
)
def test_errors_tell_line_and_remedy(records: list[bytes], problem: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read(records)
    assert str(caught.value).startswith(problem)
