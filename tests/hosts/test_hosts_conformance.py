"""Recorded cases played on an emulator, and new ones recorded there; the stand-in plays them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.hosts.standin import StandIn
from ti99tools.app.conformance import playable
from ti99tools.base.errors import HostError, TIError
from ti99tools.computer.console.keyscript import Press, Snap, Step, Type, Until, Wait
from ti99tools.fronts.cli.main import cli
from ti99tools.games.conformance import on_hosts, playback, runner
from ti99tools.games.conformance.cases import Case, CaseKind, load
from ti99tools.games.hosts import host as contract
from ti99tools.games.hosts.host import Job, Played, Since, WithinFrames, host_named
from ti99tools.hardware.machine.clock import FRAME

CASES = Path(__file__).parents[1] / "conformance"
RND = "lang-rnd-seed-0"
ERRORS = ("files-err-missing", "files-err-read-output")
CASE = {
    "id": "made",
    "area": "made",
    "title": "",
    "capture": ["sound", "sprites"],
    "source": ['100 CALL SPRITE(#1,65,2,9,9)::INPUT "A? ":A$', "110 CALL SOUND(99,440,2)"],
    "script": [{"until": {"text": "A?"}}, {"type": "AB\n"}, {"snap": "in"}, {"until": "ready"}],
}


@pytest.fixture
def standin(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """The stand-in, in the place of ti99sim."""
    host = StandIn()
    monkeypatch.setattr(contract, "host_named", lambda name: host)
    monkeypatch.setattr("ti99tools.app.conformance.host_named", lambda name: host)
    yield host


def cases(file: str, *ids: str) -> list[Case]:
    return [case for case in load([CASES / file]) if not ids or case.id in ids]


@pytest.mark.parametrize(
    ("file", "ids"),
    [
        ("screen-key.jsonl", ()),
        ("files-err.jsonl", ERRORS),
        ("screen-asked3.jsonl.xz", ("asked3b-a-prunall-break", "asked3b-a-trun")),
        ("tokens-editor.jsonl", ("tokens-arith", "tokens-lower")),
        ("tokens-size.jsonl", ("tokens-size-3000-program",)),
    ],
)
def test_cases_come_out_as_they_do_here(standin: StandIn, file: str, ids: tuple[str, ...]) -> None:
    chosen = cases(file, *ids)
    assert chosen
    outcomes = [found for [found] in on_hosts.check(standin, chosen)]
    assert [outcome.id for outcome in outcomes if not outcome.ok] == []
    assert len(outcomes) == len(chosen)


def test_compiled_programs_do_there_what_they_do_here(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ti99tools.games.conformance.as_cartridge.host_named", lambda name: standin)
    chosen = [*cases("lang-control.jsonl")[5:9], *cases("files-io.jsonl")[:2]]
    for host in ("", "standin"):
        found = [one for [one] in runner.run(chosen, 1, host=host, cartridge=True)]
        assert [one.id for one in found if not one.ok] == []
        refused = [one.refused for one in found if one.refused]
        assert refused == ["RUN stops there with FOR-NEXT NESTING"]
    assert len(standin.jobs) == len(chosen) - 1
    assert "cell 33608" in standin.jobs[0]


@pytest.mark.parametrize("stem", ["arith", "func", "pow", "format"])
def test_numbers_are_worked_out_by_a_program(standin: StandIn, stem: str) -> None:
    chosen = cases(f"vectors/{stem}.jsonl")[:25]
    found = [outcome for case in on_hosts.check(standin, chosen) for outcome in case]
    assert len(found) == 25 * on_hosts.VALUES[stem]
    assert all(one.ok for one in found)
    assert len(standin.jobs) == 1, "all in one run"
    wrong = Case(chosen[0].id, stem, CaseKind.VECTOR, "", [*chosen[0].data[:2], *["41"] * 8])
    wrong.data[on_hosts.VALUES[stem] + 2 :] = []
    [found] = list(on_hosts.check(standin, [wrong]))
    assert not any(one.ok for one in found)


def test_a_program_that_stops_is_a_failure_of_its_numbers(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(on_hosts.PROGRAMS, "arith", "150 PRINT #2:A/B*SQR(-1)\n")
    [[found], _] = on_hosts.check(standin, cases("vectors/arith.jsonl")[:2])
    assert (found.passed, found.failed) == (0, 6)
    assert "0 results of 2 pairs; " in found.differences[0].lines[0]


def test_a_script_is_followed_as_recordings_were_made() -> None:
    case = {
        **CASE,
        "ram": "NONE",
        "alpha_lock": False,
        "script": [
            {"until": "ready", "max": 90},
            {"until": {"gone": "A"}},
            {"press": "J1LEFT"},
            {"press": "A", "hold": 9},
            {"snap": "x"},
        ],
    }
    job = on_hosts.job_of(case)
    assert job.steps[1:3] == (
        WithinFrames(None, 90),
        WithinFrames("A", playback.MOST_FRAMES, gone=True),
    )
    assert job.steps[-2:] == (Press("A", 9), Snap("x"))
    assert len(job.steps) == 9
    assert (job.patient, job.expansion, job.alpha_lock, job.sound) == (False, False, False, True)
    steps = on_hosts.job_of({"source": ["100 END"]}).steps
    assert steps[1:] == (WithinFrames(None, playback.MOST_FRAMES),)
    assert Until() not in on_hosts.job_of(case, later=2).steps
    assert on_hosts.job_of({"script": [{"wait": 300}]}).steps == (Wait(300),), "no program begins"


TENTH = FRAME // 10


@pytest.mark.parametrize(
    ("steps", "began", "clocked"),
    [
        ([Wait(235), Snap("a")], 100 * FRAME, [Since(235, 13500), Snap("a")]),
        ([Wait(235)], 100 * FRAME - TENTH, [Since(235, 13510)]),
        ([Wait(60), Wait(60), Wait(9)], 100 * FRAME, [Wait(60), Since(60, 2000), Wait(9)]),
        ([Wait(60), Type("AB"), Wait(60)], 70 * FRAME, [Wait(60), Type("AB"), Since(60, 6600)]),
        ([Wait(60)], 70 * FRAME, [Wait(60)]),
        ([Wait(60)], 60 * FRAME, [Wait(60)]),
        ([WithinFrames("A"), Wait(9)], 97 * FRAME, [Since(100, 300), WithinFrames("A"), Wait(9)]),
        ([Wait(2), Until()], 97 * FRAME, [Wait(2), Since(96, 100), Until()]),
        ([Press("A", 9, 90), Until()], 97 * FRAME, [Press("A", 9, 90), Since(0, 200), Until()]),
    ],
)
def test_the_clock_of_a_script_starts_with_the_program(
    steps: list[Step], began: int, clocked: list[Step]
) -> None:
    assert on_hosts.clocked(steps, began) == clocked


TIMED = {
    "random-programs.jsonl.xz": ("random-programs-700008",),
    "random-editor.jsonl.xz": ("random-editor-800002",),
    "random3-taps.jsonl.xz": ("random-taps-961008", "random-taps-961009"),
    "screen-asked.jsonl": ("asked-2-03a",),
}


@pytest.mark.parametrize("slow", [0, 41, 90])
def test_a_slower_drive_changes_nothing(standin: StandIn, slow: int) -> None:
    standin.slow = slow
    chosen = [case for file, ids in TIMED.items() for case in cases(file, *ids)]
    assert len(chosen) == 5
    assert [outcome.id for [outcome] in on_hosts.check(standin, chosen) if not outcome.ok] == []


def test_without_the_programs_clock_looks_come_too_early(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_hosts, "clocked", lambda steps, began: steps)
    standin.slow = 90
    chosen = cases("random-programs.jsonl.xz", "random-programs-700008")
    [[outcome]] = on_hosts.check(standin, chosen)
    assert not outcome.ok


def test_what_a_host_sees_is_compared(standin: StandIn) -> None:
    [case] = [Case("x", "x", CaseKind.CONSOLE, "", c.data) for c in cases("screen-key.jsonl")[:1]]
    standin.poke = lambda vdp: vdp.ram.__setitem__(0, 0x99)
    [[outcome]] = on_hosts.check(standin, [case])
    assert not outcome.ok
    assert outcome.differences[0].where.endswith("screen")


def run(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["conformance", *map(str, words)])
    return result.exit_code, result.output


def test_the_command_plays_cases_on_a_host(standin: StandIn) -> None:
    code, output = run(CASES / "lang-rnd.jsonl", "--id", RND, "--host", "ti99sim")
    assert (code, output.splitlines()[-1]) == (0, "1 passed, 0 failed")
    assert len(standin.jobs) == 1
    standin.poke = lambda vdp: vdp.ram.__setitem__(0, 0x99)
    code, output = run(CASES / "lang-rnd.jsonl", "--id", RND, "--host", "ti99sim")
    assert code == 1
    assert f"FAILED {RND}" in output


def test_columns_name_the_recording_and_the_emulator(standin: StandIn) -> None:
    standin.poke = lambda vdp: vdp.ram.__setitem__(0, 0x99)
    where = CASES / "lang-rnd.jsonl", "--id", RND, "--host", "ti99sim", "--diff"
    _, output = run(*where)
    [head] = [line for line in output.splitlines() if "|" in line and "recording" in line]
    assert head.split("|")[1].strip() == standin.name
    assert "original ROMs" not in output
    assert "ours" not in output


def test_known_kinds_of_differences_do_not_fail_the_run(standin: StandIn, tmp_path: Path) -> None:
    standin.poke = lambda vdp: vdp.ram.__setitem__(0, 0x99)
    listed = tmp_path / "known.txt"
    where = CASES / "lang-rnd.jsonl", "--id", RND, "--host", "ti99sim", "--known", listed
    listed.write_text("lang-rnd-*\t1\tone cell\n")
    code, output = run(*where)
    assert code == 0
    assert f"FAILED {RND}: final screen (known: one cell)" in output
    assert "1 of the failures are listed as known" in output
    listed.write_text("lang-rnd-*\t0\tno cell\n")
    code, output = run(*where)
    assert code == 1
    assert "lang-rnd-*: 1 differ, at most 0 are known (no cell)" in output


def test_what_no_emulator_can_play_is_counted(standin: StandIn) -> None:
    instruction = Case("i", "cpu", CaseKind.INSTRUCTION, "", {})
    chosen, others = playable([*cases("screen-key.jsonl"), instruction, instruction], "ti99sim")
    assert len(chosen) == len(cases("screen-key.jsonl"))
    assert others == {"instruction": 2}


def test_a_host_without_roms_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TI99_ROMS", str(tmp_path))
    monkeypatch.setenv("TI99_TI99SIM", "/bin/true")
    host_named.cache_clear()
    with pytest.raises(HostError, match="no console ROM"):
        playable([], "ti99sim")
    host_named.cache_clear()


def test_cases_are_recorded(standin: StandIn, tmp_path: Path) -> None:
    cases, out = tmp_path / "made.jsonl", tmp_path / "out.jsonl"
    cases.write_text(json.dumps(CASE) + "\n")
    code, output = run(cases)
    assert code == 2
    assert "nothing is recorded of this case" in output
    code, output = run(cases, "--host", "ti99sim", "--record", out)
    assert code == 0, output
    [found] = [json.loads(line) for line in out.read_text().splitlines()]
    assert found["expect"]["sound"]
    assert len(found["expect"]["snaps"]["in"]["rows"]) == 24
    assert len(standin.jobs) == 2
    assert "wait 2\n" in standin.jobs[1]
    assert run(out)[0] == 0, "ours agrees with itself"
    code, output = run(cases, "--record", out)
    assert code == 2
    assert "our console records nothing" in output


def test_what_comes_out_in_two_ways_is_not_kept(standin: StandIn, tmp_path: Path) -> None:
    cases, out = tmp_path / "made.jsonl", tmp_path / "out.jsonl"
    cases.write_text(json.dumps(CASE) + "\n")
    standin.poke = lambda vdp: vdp.ram.__setitem__(0, len(standin.jobs))
    code, output = run(cases, "--host", "ti99sim", "--record", out)
    assert code == 1
    assert "left out: made: two ways" in output
    assert out.read_text() == ""


def test_our_console_knows_no_step_with_a_limit() -> None:
    with pytest.raises(TIError, match="no step with a limit"):
        disk = playback.disk(CASE).to_bytes()
        host_named("virtual").play(Job(disk, (WithinFrames("A", 9),), "LOG"))


def test_played_without_a_disk_is_not_expected(standin: StandIn) -> None:
    def nothing(job: Job) -> Played:
        raise HostError("no end after 9 seconds")

    standin.play = nothing  # type: ignore[method-assign]
    [[outcome]] = on_hosts.check(standin, cases("lang-rnd.jsonl", RND))
    assert outcome.differences[0].lines == ("no end after 9 seconds",)
