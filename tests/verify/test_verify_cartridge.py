"""Games verified as cartridges: the game of `new`, a broken one, and what does not go with it."""

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.hosts.standin import StandIn
from ti99tools.app.compile import compiled
from ti99tools.app.verify import witness_failures
from ti99tools.computer.console import player
from ti99tools.fronts.cli.main import cli
from ti99tools.games.hosts.host import host_named
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.report.data import verdict_data
from ti99tools.games.verify import campaign as campaigns
from ti99tools.games.verify.campaign import Campaign, verify_game
from ti99tools.games.verify.result import CARTRIDGE
from ti99tools.games.verify.shrinking import Patience
from ti99tools.games.verify.subject import Subject, subject_of

SHORT = 3
"""A campaign whose first match is short."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game."""
    made = tmp_path_factory.mktemp("games") / "dare"
    new_game(made)
    return made


@pytest.fixture(scope="module")
def subject(folder: Path) -> Subject:
    return subject_of(find_game(str(folder)), CARTRIDGE)


def test_the_game_of_new_is_verified_in_both_forms(folder: Path, subject: Subject) -> None:
    assert subject.compiled is not None
    assert subject.compiled.data == compiled(str(folder), None, True).cartridge
    verdict = Campaign(subject, matches=1, seed=SHORT).run()
    assert verdict.ok, verdict.failures
    assert verify_game(folder, 1, SHORT).events == verdict.events
    data = verdict_data(verdict)
    assert data["form"] == "cartridge"
    assert data["cartridge_sha256"] == hashlib.sha256(subject.compiled.data).hexdigest()
    assert "disk_sha256" not in data
    assert verdict.where == "virtual as a cartridge"


@pytest.mark.slow
def test_a_cartridge_that_plays_by_other_rules_differs(tmp_path: Path) -> None:
    made = tmp_path / "dare"
    new_game(made)
    source = made / "dare.xb"
    source.write_text(source.read_text().replace("T=T+P\n", "T=T+P+1\n"))
    wrong = subject_of(find_game(str(made)), CARTRIDGE)
    verdict = Campaign(wrong, matches=1, seed=SHORT).run(patience=Patience(0))
    assert verdict.failed == 1
    [failure] = verdict.failures
    assert failure.mismatch.where == "log"
    assert failure.mismatch.got.startswith("HOLD ")
    witness_failures(verdict, wrong)
    assert verdict.failures[0].evidence is not None
    assert len(verdict.failures[0].evidence.shots) >= 1


@pytest.mark.slow
def test_an_emulator_plays_the_cartridge_that_our_console_has_played(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "AT_REST", 120)
    emulator = StandIn()
    monkeypatch.setattr(
        campaigns, "host_named", lambda name: emulator if name == "ti99sim" else host_named(name)
    )
    verdict = Campaign(subject, "ti99sim", matches=1, seed=SHORT).run()
    assert verdict.ok, verdict.failures
    assert "cell 33608" in emulator.jobs[0]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--coverage", "text"], "statements are counted in Extended BASIC only"),
        (["--stage", "shipped"], "--form does not go with --stage shipped"),
        (["--log", "x"], "--form does not go with --log"),
    ],
)
def test_what_does_not_go_with_a_cartridge_is_refused(words: list[str], problem: str) -> None:
    result = CliRunner().invoke(cli, ["verify", "d5000", "--form", "cartridge", *words])
    assert result.exit_code == 2
    assert problem in result.output
