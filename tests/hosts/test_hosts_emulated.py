"""Games verified on an emulator: the stand-in plays, our console is the reference."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.hosts.standin import StandIn
from tests.shipped import shipped
from ti99tools.computer.console.keyscript import Asked, Snap, Type
from ti99tools.games.hosts import host as contract
from ti99tools.games.hosts import virtual
from ti99tools.games.hosts.host import Endless, Host, Job, Played, Video
from ti99tools.games.hosts.matrix import differences
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify import campaign as campaigns
from ti99tools.games.verify.adapter import BLANK_SEED
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import asked_where, compare_video, play
from ti99tools.games.verify.scenario import Scenario
from ti99tools.games.verify.subject import subject_of
from ti99tools.hardware.machine.vdp import VDP

SEEDS = {"d5000": 6, "dicerack": 2, "dimraw": 13, "lambo": 14}
"""Of campaigns whose first match has people in it."""


@pytest.fixture
def standin(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """The stand-in, in the place of ti99sim."""
    host = StandIn()
    real: Callable[[str], Host] = contract.host_named
    monkeypatch.setattr(
        campaigns, "host_named", lambda name: host if name == "ti99sim" else real(name)
    )
    yield host


@pytest.mark.parametrize("game", SEEDS)
def test_a_match_is_verified(standin: StandIn, game: str) -> None:
    seconds: list[float] = []
    subject = subject_of(shipped(game).manifest)
    verdict = Campaign(subject, "ti99sim", matches=1, seed=SEEDS[game]).run(seconds=seconds.append)
    assert verdict.ok, verdict.failures
    assert verdict.screens >= 4
    assert seconds == [verdict.machine_seconds]
    looks = [line for line in standin.jobs[0].splitlines() if line.startswith("asked ")]
    assert looks and all(len(line.split()) > 3 for line in looks), "each in a line that is known"


def test_another_picture_is_found(standin: StandIn) -> None:
    def poke(vdp: VDP) -> None:
        vdp.ram[0x700] ^= 1

    standin.poke = poke
    subject = subject_of(shipped("dicerack").manifest)
    [failure] = Campaign(subject, "ti99sim", matches=1, seed=SEEDS["dicerack"]).run().failures
    mismatch = failure.mismatch
    assert mismatch.where == "video"
    assert mismatch.moment.startswith("after key")
    assert "the pattern of character 128" in mismatch.context[0]
    assert mismatch.context[-1].startswith("only on ti99sim")


def test_a_session_that_stops_names_key_line_and_screen(standin: StandIn) -> None:
    def stop(lines: list[str]) -> list[str]:
        size = next(s.split()[1] for s in lines if s.startswith("LINES"))
        final = [s for s in lines if "66696e616c" in s]
        return ["FAIL 9 0 late", f"AT {size} 5", *final, "DONE 9"]

    standin.spoil = stop
    subject = subject_of(shipped("dicerack").manifest)
    [failure] = Campaign(subject, "ti99sim", matches=1, seed=SEEDS["dicerack"]).run().failures
    mismatch = failure.mismatch
    assert mismatch.where == "run"
    assert "(it is in line " in mismatch.got
    assert any("READY" in line for line in mismatch.context)


def test_a_session_that_does_not_end_fails_its_match_and_not_the_campaign(
    standin: StandIn,
) -> None:
    def hang(lines: list[str]) -> list[str]:
        raise Endless("ti99sim: no end after 70 seconds")

    standin.spoil = hang
    subject = subject_of(shipped("dicerack").manifest)
    verdict = Campaign(subject, "ti99sim", matches=1, seed=SEEDS["dicerack"]).run()
    assert (verdict.matches, verdict.failed) == (1, 1)
    mismatch = verdict.failures[0].mismatch
    assert (mismatch.where, mismatch.got) == ("run", "ti99sim: no end after 70 seconds")


def test_a_seed_that_the_game_chooses_is_played_again_on_the_reference() -> None:
    """Each machine picks its own; the screens of the same match are compared."""
    game = adapter("d5000")
    players = (Player("T", "TEX"), Player("A", "ADA"))
    scenario = Scenario("d5000", Setup(5, players, {BLANK_SEED: "yes"}))
    disk = shipped("d5000").image.to_bytes()
    reference = Counting()
    other = Other()
    result = play(game, other, disk, scenario, reference=reference)
    assert result.mismatch is None
    assert result.screens == 1
    assert other.limit > 10 * reference.seconds, "its match may be much longer"
    assert reference.typed == ["\n", "77\n"], "the host's match was that of seed 77"


class Counting:
    """Our console; what was typed at the seed's question is kept."""

    name = "counting"

    def __init__(self) -> None:
        self.typed: list[str] = []
        self.seconds = self.limit = 0.0

    def missing(self) -> str:
        return ""

    def play(self, job: Job) -> Played:
        typed = [step.text for step in job.steps if isinstance(step, Type)]
        self.typed.append(typed[-3])
        played = virtual.host().play(job)
        self.seconds = self.seconds or played.seconds
        return played


class Other(Counting):
    """A machine that chooses seed 77."""

    def play(self, job: Job) -> Played:
        steps = tuple(
            Type("77\n") if step == Type("\n") and n > 6 else step
            for n, step in enumerate(job.steps)
        )
        self.limit = job.max_seconds
        return virtual.host().play(replace(job, steps=steps))


def test_looks_are_told_the_line_that_waited() -> None:
    job = Job(b"", (Asked(), Snap("a"), Asked(), Asked()), "LOG")
    known = Played((), {}, 1.0, asked_in=((340, 350), ()))
    assert asked_where(job, known) == (Asked((340, 350)), Snap("a"), Asked(), Asked())


def video(**bytes_at: int) -> Video:
    ram = bytearray(0x4000)
    for name, value in bytes_at.items():
        ram[int(name[1:], 16)] = value
    return Video(bytes(ram), bytes(8))


@pytest.mark.parametrize(
    ("theirs", "what"),
    [
        (video(x03f8=1), "the pattern of character 31"),
        (video(x077f=1), "the pattern of character 143"),
        (video(x0801=1), "the colours at 0801h"),
        (video(x0304=1), "sprite #2"),
        (replace(video(), registers=b"\0\0\0\0\0\0\0\7"), "VDP register 7"),
        (replace(video(), registers=b"\0\x40\0\0\0\0\0\0"), "VDP register 1"),
        (video(x0304=1, x0784=9), None),
        (video(x0306=1, x0784=9), "sprite #2"),
        (video(x0370=1, x03ef=1, x0820=1, x0000=1), None),
        (video(x0500=1), None),
    ],
)
def test_what_is_compared_of_video_memory(theirs: Video, what: str | None) -> None:
    known = Played((), {}, 1.0, video={"a": video(), "final": video()}, restless=frozenset({0x500}))
    screens = {"a": ("row",)}
    found = compare_video(known, Played((), screens, 1.0, video={"a": theirs, "final": theirs}))
    if what is None:
        assert found is None
    else:
        assert found is not None
        assert found.context == (f"video memory: a, {what}",)
        assert (found.moment, found.other) == ("a", ("row",))


def test_a_screen_that_the_console_has_switched_off_is_the_same() -> None:
    lit, dark, text = (
        replace(video(), registers=bytes((0, r, 0, 0, 0, 0, 0, 0))) for r in (0xE0, 0xA0, 0xB0)
    )
    assert not list(differences(lit, dark))
    assert [what for what, _, _ in differences(dark, lit)] == ["VDP register 1"]
    assert [what for what, _, _ in differences(lit, text)] == ["VDP register 1"]


BLINKS = """100 CALL CLEAR
110 CALL CHAR(128,"FF")::CALL HCHAR(5,5,128)
120 CALL KEY(3,K,S)
130 I=I+1::IF I=20 THEN CALL CHAR(128,"81")
140 IF I=40 THEN CALL CHAR(128,"FF")::I=0
150 IF S<1 THEN 120
160 CALL CHAR(129,"77")
170 CALL KEY(3,K,S)
180 IF S<1 THEN 170
"""


def test_what_blinks_while_a_key_is_waited_for_is_left_out() -> None:
    from tests.hosts.test_hosts_contract import job

    steps = (Asked(), Snap("a"), Type("A"), Asked(), Snap("b"))
    played = virtual.host().play(replace(job(BLINKS, *steps), watched=True))
    pattern = 0x700
    assert played.restless == {pattern}
    assert played.video["b"].ram[0x708] == 0x77
    assert virtual.host().play(job(BLINKS, *steps)).restless == frozenset()
