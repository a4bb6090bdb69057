"""Campaigns: faithful games are verified, every kind of fault is found, shrunk and replayed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.shipped import shipped
from tests.verify.faults import Echo, Fault
from ti99tools.base.errors import BuildError, HostError, TIError
from ti99tools.games.hosts import host as contract
from ti99tools.games.hosts.host import Job, Played
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.report.data import headline
from ti99tools.games.verify import campaign as campaigns
from ti99tools.games.verify.campaign import SEEDS_APART, Campaign
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import compare_screens, course_of, play, steps_of
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario, from_script, led_out, make
from ti99tools.games.verify.shrinking import Patience
from ti99tools.games.verify.subject import Subject

pytestmark = pytest.mark.long

D5000 = adapter("d5000")
SUBJECT = Subject("d5000", b"", "0" * 64, {100: "100 (x.xb:1)", 110: "110 (x.xb:2)"})


SHORT = (20, 9, 5, 12, 13, 25, 34, 29, 1, 19)
"""Seeds of short matches; the first eight are of people: made small, one of them is left."""


@cache
def made_up(seed: int) -> tuple[Scenario, PlayLog]:
    """The scenario of a match and its log: the campaigns of these tests play the same matches."""
    return make(D5000, SHORT[seed % SEEDS_APART % len(SHORT)])


def plain(seed: int) -> Scenario:
    """A scenario that the echo understands: no detours."""
    scenario, _ = made_up(seed)
    return replace(scenario, setup=replace(scenario.setup, options={}))


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Echo]:
    """A host that plays the model; campaigns use it, and make plain scenarios."""
    host = Echo()
    monkeypatch.setattr(campaigns, "host_named", lambda name: host)
    monkeypatch.setattr(campaigns, "make", lambda _, seed: (plain(seed), made_up(seed)[1]))
    yield host


def test_a_faithful_game_is_verified(echo: Echo) -> None:
    counts: list[int] = []
    verdict = Campaign(SUBJECT, "echo", matches=10, seed=3).run(tick=counts.append)
    assert verdict.ok
    assert verdict.failures == []
    assert (verdict.matches, sum(counts), verdict.seed, verdict.disk) == (10, 10, 3, "0" * 64)
    assert verdict.events > 500
    assert verdict.model.share > 0.5
    assert sum(verdict.policies.values()) >= 10


def test_any_executor_will_do(echo: Echo) -> None:
    alone = Campaign(SUBJECT, "echo", matches=5).run()
    with ThreadPoolExecutor(1) as pool:
        together = Campaign(SUBJECT, "echo", matches=5).run(pool)
    assert (alone.events, alone.policies) == (together.events, together.policies)


def bust_costs_nothing(lines: list[str]) -> list[str]:
    return [line if not line.startswith("BUST") else "BUST 0 1" for line in lines]


def sixes_score(lines: list[str]) -> list[str]:
    return [line.replace("SCORE 50 ", "SCORE 60 ") for line in lines]


def a_line_is_lost(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("AGAIN")]


def no_end(lines: list[str]) -> list[str]:
    return lines[:-1]


def nonsense(lines: list[str]) -> list[str]:
    return ["HELLO"]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (bust_costs_nothing, ("log", "BUST", "BUST")),
        (sixes_score, ("log", "SCORE", "SCORE")),
        (a_line_is_lost, ("log", "AGAIN", "ROLL")),
        (nonsense, ("log", "a", "log:")),
    ],
)
def test_faults_are_found_and_made_small(
    echo: Echo, fault: Fault, kind: tuple[str, str, str]
) -> None:
    echo.fault = fault
    campaign = Campaign(SUBJECT, "echo", matches=8)
    verdict = campaign.run()
    assert not verdict.ok
    assert verdict.failed > 4
    for failure in verdict.failures:
        assert failure.mismatch.kind == kind
        assert len(failure.scenario.setup.players) == 1
        assert len(failure.scenario.keys) <= 8
        scenario = from_script(failure.script, "x.keys")
        again = campaign.replay(scenario)
        assert again.mismatch == failure.mismatch
    echo.fault = lambda lines: lines
    assert campaign.replay(scenario).mismatch is None


def breaks(*_: object) -> Any:
    raise BuildError("model.py:9: KeyError: 88", remedy="correct it")


def test_a_model_that_breaks_on_odd_keys_costs_no_verdict(
    echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(*given: Any, max_seconds: float | None = None, **more: Any) -> MatchResult:
        # Only trials of shrinking have a bound of their own.
        return play(*given, **more) if max_seconds is None else breaks()

    monkeypatch.setattr(campaigns, "play", played)
    monkeypatch.setattr(campaigns, "led_out", breaks)
    monkeypatch.setattr(campaigns, "run_model", breaks)
    echo.fault = bust_costs_nothing
    verdict = Campaign(SUBJECT, matches=8).run(patience=Patience(3))
    assert verdict.failed > 4
    assert not verdict.cut_off
    assert verdict.model.share > 0.1
    for failure in verdict.failures:
        assert failure.trials == 3
        assert from_script(failure.script, "x.keys") == plain(_seed_of(failure.scenario))


def test_a_setup_that_breaks_the_model_is_no_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = plain(0)
    monkeypatch.setattr(D5000.model, "__init__", breaks)
    assert not campaigns._admitted(D5000, scenario)


def test_a_console_that_cannot_replay_is_told(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing(Echo):
        def play(self, job: Job) -> Played:
            raise HostError("no memory")

    hosts = {"mame": Echo(bust_costs_nothing)}
    monkeypatch.setattr(campaigns, "host_named", lambda name: hosts.get(name, Missing()))
    monkeypatch.setattr(campaigns, "reference_for", lambda name: None)
    [failure, *_] = Campaign(SUBJECT, "mame", matches=8).run().failures
    assert failure.mismatch.context[-1] == "our console could not replay it: no memory"


def test_a_log_without_its_end_is_found(echo: Echo) -> None:
    echo.fault = no_end
    verdict = Campaign(SUBJECT, "echo", matches=2).run()
    assert verdict.failed == 2
    assert verdict.failures[0].mismatch.expected == "END"


def test_a_session_that_does_not_end_is_found(echo: Echo) -> None:
    echo.problem = "the program stopped: BAD VALUE IN 100"
    verdict = Campaign(SUBJECT, "echo", matches=1).run()
    assert verdict.failures[0].mismatch.kind == ("run", "the", "the")


def test_a_log_that_stops_tells_why(echo: Echo) -> None:
    echo.fault = lambda lines: lines[:20]
    echo.problem = "the program stopped: BAD VALUE IN 100"
    verdict = Campaign(SUBJECT, "echo", matches=1).run(patience=Patience(0))
    mismatch = verdict.failures[0].mismatch
    assert (mismatch.where, mismatch.got) == ("run", echo.problem)
    assert len(mismatch.context) > 0


def test_a_host_that_breaks_is_a_failure_of_the_match() -> None:
    class Broken(Echo):
        def play(self, job: Job) -> Played:
            raise ZeroDivisionError("oops")

    result = play(D5000, Broken(), b"", plain(1))
    assert result.mismatch is not None
    assert result.mismatch.got == "ZeroDivisionError: oops"

    class Missing(Echo):
        def play(self, job: Job) -> Played:
            raise HostError("mame: no ROMs")

    with pytest.raises(HostError):
        play(D5000, Missing(), b"", plain(1))


def test_a_host_that_cannot_run_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TI99_ROMS", "/nowhere")
    contract.host_named.cache_clear()
    verdict = Campaign(SUBJECT, "mame", matches=5).run()
    assert verdict.not_run
    assert not verdict.ok
    assert verdict.matches == 0
    contract.host_named.cache_clear()


def test_only_the_host_fails(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = Echo(bust_costs_nothing)
    monkeypatch.setattr(campaigns, "host_named", lambda name: faulty if name == "mame" else echo)
    verdict = Campaign(SUBJECT, "mame", matches=8).run()
    assert verdict.failed > 4
    for failure in verdict.failures:
        assert failure.mismatch.context[-1].startswith("only on mame")
        assert failure.scenario.keys == plain(_seed_of(failure.scenario)).keys, "not made small"


def test_our_console_is_not_said_to_agree_when_it_does_not(
    echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host and our console are both wrong, each in its own way."""
    ours, faulty = Echo(sixes_score), Echo(bust_costs_nothing)
    monkeypatch.setattr(campaigns, "host_named", lambda name: faulty if name == "mame" else ours)
    monkeypatch.setattr(campaigns, "reference_for", lambda name: None)
    campaign = Campaign(SUBJECT, "mame", matches=8)
    results = [campaign.replay(plain(seed)) for seed in range(8)]
    notes = [campaign.failure(each).mismatch.context[-1] for each in results if each.mismatch]
    assert any(note.startswith("our console differs from the rules, too") for note in notes)
    for each in results:
        agrees = campaign.replay(each.scenario, "virtual").mismatch is None
        note = campaign.failure(each).mismatch.context[-1] if each.mismatch else ""
        assert note.startswith("only on mame") <= agrees


def test_a_run_that_is_cut_off_tells_what_it_has_found(echo: Echo) -> None:
    played: list[int] = []

    def interrupt(matches: int) -> None:
        played.append(matches)
        if len(played) == 5:
            raise KeyboardInterrupt

    echo.fault = bust_costs_nothing
    verdict = Campaign(SUBJECT, "echo", matches=40).run(tick=interrupt)
    assert (verdict.matches, verdict.cut_off) == (5, "interrupted")
    assert verdict.failed > 0
    assert len(verdict.failures) == min(3, verdict.failed), "as they were played"
    assert headline(verdict).startswith("cut off (interrupted): ")

    def breaks(matches: int) -> None:
        raise HostError("mame: it ended")

    assert Campaign(SUBJECT, "echo", matches=40).run(tick=breaks).cut_off == "mame: it ended"


@pytest.mark.parametrize("name", ["d5000", "dicerack", "dimraw", "lambo"])
def test_a_match_cut_in_the_middle_is_led_to_its_end(name: str) -> None:
    game = adapter(name)
    scenario = next(made for seed in range(9) if len((made := make(game, seed)[0]).keys) > 12)
    for at in {0, 1, 2, 5, len(scenario.keys) // 2, len(scenario.keys) - 1}:
        cut = scenario.with_keys(scenario.keys[:at])
        whole = led_out(game, cut)
        assert whole.keys[:at] == cut.keys
        assert course_of(game, whole).log.complete
        assert len(whole.keys) <= at + 3, "the game's own way out"
    assert led_out(game, scenario) == scenario


def _seed_of(scenario: Scenario) -> int:
    return next(seed for seed in range(8) if plain(seed).setup == scenario.setup)


def test_what_fails_on_both_is_made_small(echo: Echo) -> None:
    echo.fault = bust_costs_nothing
    [failure, *_] = Campaign(SUBJECT, "mame", matches=8).run().failures
    assert len(failure.scenario.setup.players) == 1


def test_a_budget_chooses_the_shortest_matches(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    def play_for(job: Job) -> Played:
        return replace(Echo().play(job), seconds=float(len(job.steps)))

    monkeypatch.setattr(echo, "play", play_for)
    seconds = sorted(float(len(_steps(seed))) for seed in range(6))
    assert seconds != [float(len(_steps(seed))) for seed in range(6)]
    verdict = Campaign(SUBJECT, "virtual", matches=6, budget=sum(seconds[:3])).run()
    assert (verdict.matches, verdict.machine_seconds) == (3, sum(seconds[:3]))
    assert Campaign(SUBJECT, "virtual", matches=6, budget=0).run().matches == 1


def _steps(seed: int) -> tuple[object, ...]:
    return steps_of(D5000, course_of(D5000, plain(seed)))


def test_a_run_is_taken_up_again(echo: Echo, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    whole = Campaign(SUBJECT, "echo", matches=7).run()
    Campaign(SUBJECT, "echo", matches=3, journal=file).run()
    played: list[Job] = []
    first = Echo()
    echo.play = lambda job: played.append(job) or first.play(job)  # type: ignore[method-assign, func-returns-value]
    again = Campaign(SUBJECT, "echo", matches=7, journal=file).run()
    assert len(played) == 2 * 4, "each on the host and on the reference"
    for name in ("matches", "events", "keys", "policies", "program", "model"):
        assert getattr(again, name) == getattr(whole, name), name
    with pytest.raises(TIError, match="another disk or host"):
        Campaign(replace(SUBJECT, digest="1"), "echo", journal=file).run()
    file.write_text(file.read_text() + "{}\n")
    with pytest.raises(TIError, match=r"run.jsonl:9: not a line of a verification run"):
        Campaign(SUBJECT, "echo", journal=file).run()


def test_a_match_that_differs_is_played_again(echo: Echo, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    echo.fault = nonsense
    assert Campaign(SUBJECT, "echo", matches=2, journal=file).run().failed == 2
    echo.fault = lambda lines: lines
    assert Campaign(SUBJECT, "echo", matches=2, journal=file).run().ok


def test_a_log_of_a_match_that_nobody_played_is_found(echo: Echo) -> None:
    echo.fault = lambda lines: [*lines, *lines]
    verdict = Campaign(SUBJECT, "echo", matches=1).run()
    assert verdict.failed == 1
    assert "a log of match 2" in verdict.failures[0].mismatch.got


def test_screens_are_compared_with_the_reference() -> None:
    ours = {"end": (" A B\x1e", "same")}
    assert compare_screens(ours, {"end": ("\x1eA B ", "same")}) is None
    for less in ({}, {"end": ("\x1eA B ",)}):
        missed = compare_screens(ours, less)
        assert missed is not None
        assert missed.where == "screen"
        assert "2 rows" in missed.expected
    wrong = compare_screens(ours, {"end": (" A C\x1e", "same")})
    assert wrong is not None
    assert (wrong.expected, wrong.got) == (" A B.", " A C.")
    assert wrong.context == ("the screen: end, row 1",)


def test_branches_behind_a_cache_are_seen_in_every_thread(
    echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the host plays is made before: while threads are at work the rules alone are."""
    campaign = Campaign(SUBJECT, "echo", matches=8, seed=5)
    played: dict[tuple[object, ...], Played] = {}
    first = Echo()
    monkeypatch.setattr(echo, "play", lambda job: played.setdefault(job.steps, first.play(job)))
    alone = campaign.run()
    monkeypatch.setattr(echo, "play", lambda job: played[job.steps])
    with ThreadPoolExecutor(4) as pool:
        together = campaign.run(pool)
    assert together.ok
    assert together.model == alone.model
    assert (together.events, together.keys) == (alone.events, alone.keys)


@pytest.mark.slow
def test_threads_see_of_program_and_model_what_one_alone_sees() -> None:
    disk = shipped("d5000").image.to_bytes()
    campaign = Campaign(replace(SUBJECT, disk=disk), matches=8, seed=5)
    with ThreadPoolExecutor(4) as pool:
        together = campaign.run(pool)
    alone = campaign.run()
    assert together.ok
    assert together.model == alone.model
    assert together.program == alone.program
