"""Proofs without a command line: games, logs, replays, recorded cases, hosts, a session played."""

from pathlib import Path

import pytest

from ti99tools.app.conformance import chosen_cases, hold, hosts, known_failures, prepare_dumps
from ti99tools.app.verify import judge_logs, replay, save_failures, subjects
from ti99tools.base.errors import HostError, Remedy, TIError
from ti99tools.fronts.play.playing import PlaySession
from ti99tools.games.making.finding import game_names
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.models.playlog import LogKind
from ti99tools.games.verify.campaign import Campaign, verify_game
from ti99tools.games.verify.subject import Subject


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A new game with a bug."""
    new_game(tmp_path / "dare")
    source = tmp_path / "dare" / "dare.xb"
    source.write_text(source.read_text().replace("T=T+P\n", "T=T+1\n"))
    return tmp_path / "dare"


def test_a_failure_is_saved_and_replayed(game: Path) -> None:
    (subject,) = subjects([str(game)], "virtual")
    assert isinstance(subject, Subject)
    assert subject.game == "dare"
    verdict = Campaign(subject, matches=6).run()
    assert verdict.failed
    paths = save_failures(verdict, game.parent / "saved")
    assert paths[0].name == "dare-1.keys"
    assert len(paths) == len(verdict.failures)
    assert replay(paths[0], "virtual", [str(game)]).failed == 1
    with pytest.raises(TIError, match="no game of that name"):
        replay(paths[0], "virtual")
    with pytest.raises(TIError, match="a script is of one match; name one game"):
        replay(paths[0], "virtual", ["d5000", "dicerack"])


def test_a_log_is_judged_by_the_game_that_is_named(game: Path) -> None:
    lines = ["TI99LOG 1 DARE 1.0", "SEED 5", "TURN 1 0"]
    log = game.parent / "log.txt"
    log.write_text("\n".join(lines) + "\n")
    (foreign,) = judge_logs(log)
    assert foreign.kind is LogKind.FOREIGN
    assert "no model of DARE" in foreign.problem
    assert judge_logs(log, [str(game)])[0].mismatch is None
    log.write_text("\n".join([*lines[:-1], "TURN 1 7"]) + "\n")
    assert judge_logs(log, [str(game)])[0].mismatch is not None


def test_all_games_are_subjects() -> None:
    found = [s.game for s in subjects((), "virtual") if isinstance(s, Subject)]
    assert set(found) <= set(game_names())
    assert {"d5000", "dicerack"} <= set(found)


def test_a_game_by_name_is_verified_in_one_call() -> None:
    assert verify_game("dicerack", matches=1, seed=3).ok


def test_recorded_cases(tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "conformance"
    (cases,) = [chosen_cases([folder / "lang-rnd.jsonl"], None, "lang-rnd-seed*")]
    steps: list[int] = []
    summary = hold(cases[:2], known_failures([folder], None), 1, steps.append)
    assert summary.passed
    assert not summary.failed
    assert sum(steps) == len(cases[:2])
    with pytest.raises(TIError) as caught:
        chosen_cases([folder / "lang-rnd.jsonl"], "nonesuch", None)
    assert caught.value.meaning is Remedy.CHOOSE_CASES


def test_hosts_and_dumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [host.name for host in hosts()] == ["virtual", "mame", "ti99sim"]
    monkeypatch.setenv("TI99_ROMS", str(tmp_path / "none"))
    with pytest.raises(TIError) as caught:
        prepare_dumps(tmp_path / "out")
    assert caught.value.meaning is Remedy.CHECK_ROMS
    assert not isinstance(caught.value, HostError)


def test_a_session_is_recorded_and_its_disk_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "p.xb"
    source.write_text('OPEN #1:"DSK1.A",OUTPUT\nPRINT #1:"HELLO"\nCLOSE #1\n')
    record, disk = tmp_path / "s.keys", tmp_path / "after.dsk"
    sitting = PlaySession.of(str(source), saves=[("DSK1", disk)], record=record)

    class Front:
        def run(self) -> None:
            sitting.console.wait(300)
            raise KeyboardInterrupt

    monkeypatch.setattr("ti99tools.fronts.play.playing.Terminal", lambda stage: Front())
    sitting.play(terminal=True)
    assert record.read_text().startswith(f"# {source}, recorded by ti99tools play\n")
    assert disk.exists()
    with pytest.raises(TIError, match="is the source itself"):
        PlaySession.of(str(source), record=source)


def test_a_game_is_played_by_its_folder(game: Path) -> None:
    sitting = PlaySession.of(str(game))
    assert sitting.console.run_until("1 PLAY", seconds=30)
