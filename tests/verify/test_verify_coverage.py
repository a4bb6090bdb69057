"""Coverage of a campaign: all matches together, on any number of processes, and resumed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.result import Mismatch
from ti99tools.games.verify.scenario import make
from ti99tools.games.verify.subject import Subject, subject_of
from ti99tools.language.program.coverage import Coverage


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The folders of two small games with files of the library."""
    folder = tmp_path_factory.mktemp("games")
    for name in ("dare", "dice"):
        new_game(folder / name)
    return str(folder / "dare"), str(folder / "dice")


@pytest.fixture(scope="module")
def subject(games: tuple[str, str]) -> Subject:
    return subject_of(find_game(games[0]))


REACHED = 60
"""Statements of the small game that a few matches reach at least."""


def coverage(campaign: Campaign) -> Coverage:
    verdict = campaign.run()
    assert verdict.ok
    assert verdict.coverage is not None
    return verdict.coverage


def test_two_processes_find_and_count_the_same_as_one(subject: Subject) -> None:
    one, two = (Campaign(subject, matches=5, count=True, jobs=jobs).run() for jobs in (1, 2))
    assert one.machine_seconds == pytest.approx(two.machine_seconds)
    two = replace(two, machine_seconds=one.machine_seconds, wall_seconds=one.wall_seconds)
    assert one.ok
    assert one == two
    assert one.coverage is not None
    assert one.coverage.totals().reached > REACHED


def test_nothing_is_counted_unless_asked_for(subject: Subject) -> None:
    assert Campaign(subject, matches=1).run().coverage is None


def test_parts_of_a_campaign_add_up(subject: Subject) -> None:
    assert subject.plan is not None
    whole = Campaign(subject, matches=3, count=True)
    parts = [
        subject.plan.coverage(result.hits or {})
        for results in whole._all_results(None)
        for _, result in results
    ]
    assert _added(parts) == coverage(whole)


def _added(parts: list[Coverage]) -> Coverage:
    found = Coverage()
    for part in parts:
        found |= part
    return found


def test_a_run_that_goes_on_counts_what_it_kept(subject: Subject, tmp_path: Path) -> None:
    whole = coverage(Campaign(subject, matches=3, count=True))
    journal = tmp_path / "run.journal"
    Campaign(subject, matches=1, journal=journal).run()
    first = Campaign(subject, matches=2, count=True, journal=journal)
    coverage(first)
    kept = journal.read_text().splitlines()
    assert len(kept) == 1 + 1 + 2, "what was not counted is played again"
    assert coverage(replace(first, matches=3)) == whole
    assert len(journal.read_text().splitlines()) == len(kept) + 1


def test_the_command_line_writes_what_all_games_have_run(
    games: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "c.json"
    words = ["verify", *games, "--games", "1", "--jobs", "1"]
    result = CliRunner().invoke(cli, [*words, "--json", "--coverage", f"json={path}"])
    assert result.exit_code == 0
    data = json.loads(path.read_text())
    single = [verdict["statements"]["statements"] for verdict in json.loads(result.stdout)]
    names = {Path(file["file"]).name: file for file in data["files"]}
    assert {"dare.xb", "dice.xb", "keys.xb"} <= {*names}
    assert data["totals"]["statements"] < sum(single), "files of the library are counted once"
    result = CliRunner().invoke(cli, [*words, "--coverage"])
    assert ": never ran" in result.stdout
    assert "ways of IFs" in result.stdout


def test_a_replayed_match_has_a_report_and_coverage_too(
    games: tuple[str, str], subject: Subject, tmp_path: Path
) -> None:
    campaign = Campaign(subject)
    scenario, _ = make(campaign.subject.adapter(), 5)
    script = tmp_path / "match.keys"
    script.write_text(campaign.script(scenario, Mismatch("log", "A", "B")))
    page, counts = tmp_path / "page.html", tmp_path / "c.json"
    words = ["verify", games[0], "--replay", str(script), "--html", str(page)]
    result = CliRunner().invoke(cli, [*words, "--coverage", f"json={counts}"])
    assert result.exit_code == 0, result.output
    assert "The source, statement by statement" in page.read_text()
    assert json.loads(counts.read_text())["totals"]["reached"] > REACHED


def test_a_log_tells_no_statements(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["verify", "--log", "x.dsk", "--coverage"])
    assert result.exit_code == 2
    assert "a log does not say which statements ran" in result.stderr
