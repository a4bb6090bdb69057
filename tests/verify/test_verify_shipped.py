"""The shipped disks played as people play: all is right, and each fault of before is found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console

from tests.hosts.live import LiveStandIn
from tests.verify.shipped_faults import FAULTS, Fault, series
from ti99tools.app.shipped import Distribution, replay, save, shipment
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.games.hosts.host import OURS
from ti99tools.games.hosts.virtual import Virtual, VirtualSession
from ti99tools.games.making.finding import game_names
from ti99tools.games.report.data import stage_data
from ti99tools.games.report.text import print_stage
from ti99tools.games.verify.shipped.flaws import FlawKind, StageMatch, StageVerdict
from ti99tools.games.verify.shipped.series import Series, seat_at
from ti99tools.games.verify.shipped.situation import Medium, Situation, Start, Trouble, situation_of

pytestmark = pytest.mark.long

NAMES = game_names()
MATCHES, MANY = 5, 200
SHORT = {"d5000": 33, "dicerack": 32}
"""Seeds of series whose matches are short."""
QUICK = [fault for fault in FAULTS if fault.quick]
SLOW = [fault for fault in FAULTS if not fault.quick]


@pytest.fixture(scope="module")
def ours() -> Distribution:
    """Our games on all their disks."""
    return shipment(NAMES, OURS)


def series_of(ours: Distribution, name: str, matches: int = MATCHES, seed: int = 0) -> Series:
    return next(found for found in ours.series(OURS, matches, seed) if found.game.game == name)


def flaws_of(verdict: StageVerdict) -> list[str]:
    """What is wrong, in words."""
    return [
        f"{match.seed}, {match.situation}: {line}"
        for match in verdict.failures
        for flaw in match.flaws
        for line in flaw.lines()
    ]


@pytest.mark.sampled(2, seconds=13)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_looks_and_answers_as_from_a_clean_start(ours: Distribution, name: str) -> None:
    verdict = series_of(ours, name, seed=SHORT.get(name, 0)).run()
    counts = verdict.counts
    assert flaws_of(verdict) == []
    assert verdict.ok
    assert verdict.matches == MATCHES
    assert counts.lost == 0
    assert counts.taps > 150
    assert counts.screens > 200
    assert counts.early > 5
    assert counts.clears > 10
    assert counts.short > 30
    others = [f"after {other}" for other in NAMES if other != name]
    troubles = [f"disk {trouble}" for trouble in Trouble if trouble is not Trouble.NONE]
    media = [f"from {medium}" for medium in Medium]
    assert {*others, *troubles, *media, f"after {Start.DIRTY}", "FCTN-4"} == {*verdict.situations}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_matches(ours: Distribution, name: str, seed: int) -> None:
    verdict = replace(series_of(ours, name, MANY, seed), jobs=2).run()
    assert flaws_of(verdict) == []
    assert verdict.ok
    assert verdict.counts.lost == 0


# -- what was wrong before, put back ----------------------------------------------------------


def match_with(fault: Fault, folder: Path) -> StageMatch:
    return series(fault, folder).play(fault.match)


def holds(fault: Fault, match: StageMatch) -> bool:
    flaw = match.flaws[0]
    return flaw.kind is fault.kind and fault.message in " ".join(flaw.lines())


@pytest.mark.parametrize("fault", QUICK, ids=lambda fault: fault.name)
def test_a_fault_of_before_is_found(fault: Fault, tmp_path: Path) -> None:
    match = match_with(fault, tmp_path)
    assert match.flaws and holds(fault, match), [flaw.lines() for flaw in match.flaws]


@pytest.mark.slow
@pytest.mark.parametrize("fault", SLOW, ids=lambda fault: fault.name)
def test_another_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    match = match_with(fault, tmp_path)
    assert match.flaws and holds(fault, match), [flaw.lines() for flaw in match.flaws]


def test_each_kind_of_fault_is_looked_for() -> None:
    assert [fault.name[0] for fault in QUICK] == ["1", "2", "3", "4", "6"]


# -- games of others, and other hosts ---------------------------------------------------------


@pytest.fixture
def dare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of somebody else."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["new", "dare"])
    assert result.exit_code == 0, result.output
    return tmp_path / "dare"


def test_a_game_of_others(dare: Path) -> None:
    (stage,) = shipment([str(dare)], OURS).series(OURS, MATCHES, 0)
    verdict = stage.run()
    assert flaws_of(verdict) == []
    assert verdict.ok
    assert verdict.situations["after dare"] == 3
    assert "from its disk" in verdict.situations


def test_a_failure_of_it_is_made_simple_saved_and_replayed(dare: Path) -> None:
    source = dare / "dare.xb"
    text = source.read_text().replace("  CALL CHARSET\n", "")
    source.write_text(text)
    (stage,) = shipment([str(dare)], OURS).series(OURS, 1, 0)
    verdict = stage.run()
    (match,) = verdict.failures
    assert match.flaws[0].kind is FlawKind.SCREEN
    assert match.situation == Situation(Start.DIRTY, Medium.PLAIN, busy=False)
    (path,) = save(verdict, [stage.game.folder], dare / "failures")
    pictures = [dare / "failures" / f"dare-shipped-1-{name}.png" for name in ("clean", "seen")]
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    again = replay(path, OURS)
    assert [flaw.lines() for flaw in again.failures[0].flaws] == [match.flaws[0].lines()]
    result = CliRunner().invoke(cli, ["verify", "--replay", str(path)])
    assert result.exit_code == 1
    assert "different than from a clean start" in result.output
    path.write_text("# shipped: {}\n")
    with pytest.raises(TIError, match="damaged"):
        replay(path, OURS)


ASKS = "  REPEAT\n    GOSUB getkey\n    IF KY=ROLL"
SLOW_AND_GREEDY = "  FOR Q=1 TO 900\n  NEXT Q\n  CALL KEY(3,KY,S)\n  IF KY=ROLL THEN throw\n" + ASKS
"""A key of before is taken."""
ANY_THAT_IS_DOWN = ASKS.replace("GOSUB getkey", "REPEAT\n      CALL KEY(3,KY,S)\n    UNTIL S")


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        (SLOW_AND_GREEDY, {FlawKind.SURPRISE}),
        (ANY_THAT_IS_DOWN, {FlawKind.SURPRISE, FlawKind.TWICE}),
    ],
    ids=["slow and greedy", "any that is down"],
)
def test_keys_that_count_too_much(dare: Path, asks: str, found: set[FlawKind]) -> None:
    source = dare / "dare.xb"
    text = source.read_text()
    assert text.count(ASKS) == 1
    source.write_text(text.replace(ASKS, asks))
    (stage,) = shipment([str(dare)], OURS).series(OURS, 8, 0)
    assert {flaw.kind for n in range(8) for flaw in stage.play(n).flaws} == found


class Elsewhere(Virtual):
    """Another host that can be played key by key, and cannot tell where a program waits."""

    name = "elsewhere"

    def open_session(
        self, disk: bytes, max_seconds: float, protected: bool = False
    ) -> VirtualSession:
        class Impatient(VirtualSession):
            def look(self, *args, **named):  # type: ignore[no-untyped-def]
                return replace(super().look(*args, **named), place="", looks={})

        return Impatient(disk, max_seconds, protected)


def test_any_host_that_can_plays_it(dare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ti99tools.games.verify.shipped.series.host_named", lambda name: Elsewhere()
    )
    (stage,) = shipment([str(dare)], "elsewhere").series("elsewhere", 2, 0)
    verdict = stage.run()
    assert verdict.host == "elsewhere"
    assert verdict.ok
    assert flaws_of(verdict) == []


def test_a_host_that_cannot_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SimpleNamespace(missing=lambda: "", play=None)
    monkeypatch.setattr("ti99tools.games.verify.shipped.series.host_named", lambda name: plain)
    with pytest.raises(TIError, match="plain cannot be played key by key") as error:
        seat_at("plain")
    assert "use the host virtual" in str(error.value)
    with pytest.raises(TIError):
        shipment(["lambo"], "plain")


def test_an_emulator_that_is_not_here_plays_nothing(
    dare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TI99_ROMS", raising=False)
    result = CliRunner().invoke(
        cli, ["verify", str(dare), "--stage", "shipped", "--host", "ti99sim", "--games", "2"]
    )
    assert result.exit_code == 2
    assert "dare on ti99sim: not run: " in result.output


# -- through the orders of an emulator ---------------------------------------------------------


def played_live(
    monkeypatch: pytest.MonkeyPatch, host: LiveStandIn, game: str, n: int, seed: int = 0
) -> Series:
    """A series on our console behind the orders of a driver."""
    monkeypatch.setattr("ti99tools.games.verify.shipped.series.host_named", lambda name: host)
    stages = shipment([game], "live").series("live", n, seed)
    return next(stage for stage in stages if stage.game.game == Path(game).name)


@pytest.mark.sampled(2, seconds=6)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_played_order_by_order(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The removal and another game before: disks are changed, and commands typed."""
    verdict = StageVerdict(name, "", "live")
    verdict.add(played_live(monkeypatch, LiveStandIn(), name, 1).play(1))
    assert flaws_of(verdict) == []
    assert verdict.ok
    assert verdict.counts.lost == 0
    assert verdict.counts.taps > 20
    assert verdict.counts.screens > 25


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_matches_order_by_order(monkeypatch: pytest.MonkeyPatch, name: str, seed: int) -> None:
    verdict = played_live(monkeypatch, LiveStandIn(), name, 50, seed).run()
    assert flaws_of(verdict) == []
    assert verdict.ok
    assert verdict.counts.lost == 0


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ("lost", {FlawKind.LOST}),
        ("twice", {FlawKind.SCREEN, FlawKind.TWICE}),
        ("kept", {FlawKind.SCREEN, FlawKind.TWICE}),
        ("late", {FlawKind.SCREEN}),
    ],
)
def test_a_driver_that_does_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch, fault: str, kinds: set[FlawKind]
) -> None:
    match = played_live(monkeypatch, LiveStandIn(fault), "lambo", 1).play(1)
    assert match.flaws
    assert match.flaws[0].kind in kinds


def test_what_a_host_cannot_do_is_left_out_and_told(
    dare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Match 3 of each series is on a write-protected disk."""
    verdict = played_live(monkeypatch, LiveStandIn(protects=False), str(dare), 4).run()
    why = "live cannot write-protect a disk"
    assert (verdict.matches, verdict.left_out) == (3, {why: 1})
    assert verdict.ok
    assert f"disk {Trouble.PROTECTED}" not in verdict.situations
    console = Console(file=StringIO(), width=200)
    print_stage([verdict], console, {})
    assert f"left out, not played: 1 ({why})" in console.file.getvalue()  # type: ignore[attr-defined]
    assert stage_data(verdict)["left_out"] == {why: 1}
    nothing = StageVerdict("dare", "", "live", left_out=Counter({why: 1}))
    assert not nothing.ok
    assert "not played" in _cells_of(nothing)


def _cells_of(verdict: StageVerdict) -> str:
    console = Console(file=StringIO(), width=200)
    print_stage([verdict], console, {})
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_host_that_fails_is_a_flaw_and_no_end(
    dare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = played_live(monkeypatch, LiveStandIn("dies"), str(dare), 2).run()
    assert (verdict.matches, verdict.failed) == (2, 2)
    assert not verdict.ok
    assert {failure.flaws[0].kind for failure in verdict.failures} == {FlawKind.HOST}
    assert "it ended" in flaws_of(verdict)[1]


def test_a_game_before_it_that_does_not_end_is_a_flaw_and_no_end(
    dare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Match 1 comes after another game; here nobody leads that one to its end."""
    monkeypatch.setattr("ti99tools.games.verify.shipped.series.leaving", lambda adapter: ())
    (stage,) = shipment([str(dare)], OURS).series(OURS, 2, 0)
    verdict = stage.run()
    assert (verdict.matches, verdict.failed) == (2, 1)
    assert verdict.failures[0].flaws[0].kind is FlawKind.BEFORE
    assert "dare does not end" in flaws_of(verdict)[1]


def test_a_run_that_is_cut_off_tells_what_it_has_found(dare: Path) -> None:
    def interrupt(played: int) -> None:
        raise KeyboardInterrupt

    (stage,) = shipment([str(dare)], OURS).series(OURS, MATCHES, 0)
    verdict = stage.run(interrupt)
    assert (verdict.matches, verdict.cut_off, verdict.failed) == (2, "interrupted", 0)
    assert "cut off (interrupted), after 2 matches: 0 of" in _cells_of(verdict)
    assert stage_data(verdict)["cut_off"] == "interrupted"


# -- situations -------------------------------------------------------------------------------


def test_situations_are_read_back_and_become_simpler() -> None:
    media, others = tuple(Medium), ("a", "b")
    made = [situation_of(n, Random(n), media, others) for n in range(300)]
    assert all(Situation.from_data(each.to_data()) == each for each in made)
    assert {each.trouble for each in made} == {*Trouble}
    assert {(each.start, each.medium) for each in made} == {
        (start, medium) for start in (Start.DIRTY, Start.AFTER) for medium in Medium
    }
    full = Situation(Start.AFTER, Medium.MENU, Trouble.FULL, "a", 2, True)
    assert len([*full.simpler()]) == 5
    assert [*Situation(busy=False).simpler()] == []
    assert situation_of(2, Random(2), (Medium.PLAIN,), others).medium is Medium.PLAIN
