"""Evidence of a failure: pictures from the match itself, and the place in the source."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ti99tools.app.verify import witnessed
from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.result import Failure, Mismatch
from ti99tools.games.verify.scenario import make
from ti99tools.games.verify.subject import Subject, subject_of


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """D5000 that gives 450 for three fives."""
    folder = tmp_path_factory.mktemp("games") / "d5000"
    shutil.copytree(find_game("d5000").folder, folder)
    path = folder / "table.a99"
    text = path.read_text()
    assert "AI   R5,350" in text
    path.write_text(text.replace("AI   R5,350", "AI   R5,300"))
    return subject_of(find_game(folder))


def failure(subject: Subject) -> Failure:
    campaign = Campaign(subject)
    for seed in range(25, 34):  # the first of these matches is short
        scenario, _ = make(subject.adapter(), seed)
        found = campaign.replay(scenario).mismatch
        if found is not None and found.where == "log" and found.expected.startswith("SCORE"):
            return Failure(found, scenario, "")
    raise AssertionError("no match fails")


def test_a_line_of_the_log_leads_to_the_statement_that_makes_it(faulty: Subject) -> None:
    found = witnessed(faulty, failure(faulty))
    assert found.evidence is not None
    before, after = found.evidence.shots
    assert before.png.startswith(b"\x89PNG")
    assert before.png != after.png
    wrong = found.mismatch.got.split()[1]
    assert any(wrong in row for row in after.rows)
    assert found.evidence.marked
    place = found.calls[found.own]
    assert place.file is not None
    assert place.line is not None
    line = Path(place.file).read_text().splitlines()[place.line - 1]
    assert line.strip() == "CALL LOGOUT"
    assert len(found.calls) > 1, "who called is told too"


def test_a_session_that_ends_early_shows_where_the_program_is(faulty: Subject) -> None:
    scenario, _ = make(faulty.adapter(), 3)
    some = replace(scenario, keys=scenario.keys[:3])
    mismatch = Mismatch("run", "the session goes to its end", "more than 9 seconds")
    failure = witnessed(faulty, Failure(mismatch, some, ""))
    assert failure.evidence is not None
    assert len(failure.evidence.shots) == 2
    assert failure.evidence.caption == "The program waits here:"
    assert failure.calls


def test_the_screens_of_two_hosts(faulty: Subject) -> None:
    made = (make(faulty.adapter(), seed)[0] for seed in range(99))
    scenario = next(one for one in made if not one.keys)
    first = witnessed(faulty, Failure(Mismatch("run", "", ""), scenario, ""))
    assert first.evidence is not None
    rows = list(first.evidence.shots[-1].rows)
    rows[4] = rows[4][:10] + "XYZ" + rows[4][13:]
    mismatch = Mismatch("screen", "", "", other=tuple(rows), moment="final")
    failure = witnessed(faulty, Failure(mismatch, scenario, ""))
    assert failure.evidence is not None
    ours, theirs = failure.evidence.shots
    assert (ours.title, theirs.title) == ("Our console", "The other host")
    assert theirs.rows[4][10:13] == "XYZ"
    assert (4, 10, 3) in failure.evidence.marked
