"""The contract of all hosts, one suite: our console and a stand-in always, the emulators where
they and ROMs are.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hosts.standin import StandIn
from ti99tools import DiskImage, Program
from ti99tools.base.errors import HostError, Remedy
from ti99tools.computer.console.keyscript import Asked, Press, Snap, Step, Type, Until, Wait
from ti99tools.games.hosts import mame, ti99sim, virtual
from ti99tools.games.hosts.check import check_job, judged
from ti99tools.games.hosts.host import Host, Job, refusal
from ti99tools.games.hosts.matrix import differences
from ti99tools.games.making.artefacts import program_file

HOSTS: dict[str, Callable[[], Host]] = {
    "virtual": virtual.host,
    "standin": StandIn,
    "mame": mame.host,
    "ti99sim": ti99sim.host,
}


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    found = HOSTS[request.param]()
    if found.missing():
        pytest.skip(f"{found.name}: {found.missing()}")
    return found


def job(source: str, *steps: Step, **options: object) -> Job:
    image = DiskImage.new(name="T")
    image.add(program_file(Program.from_listing(source), "LOAD"))
    return Job(image.to_bytes(), steps, "LOG", **options)  # type: ignore[arg-type]


KEYS = """100 OPEN #1:"DSK1.LOG",OUTPUT
110 PRINT "KEYS?"
120 CALL KEY(3,K,S)
130 IF S<1 THEN 120
140 PRINT #1:STR$(K)
150 CALL SOUND(100,440,20)::CALL SOUND(100,660,20)
160 IF K<>81 THEN 110
170 CLOSE #1
180 END
"""


def test_a_disk_boots_and_every_key_is_taken_once(host: Host) -> None:
    steps = (Until("KEYS?"), Type("AAB1"), Press("LEFT"), Press("AID"), Type("HQ"), Until())
    played = host.play(job(KEYS, *steps))
    assert played.problem == ""
    codes = played.records or ()
    assert codes == (b"65", b"65", b"66", b"49", b"8", b"1", b"72", b"81")
    assert any("* READY *" in row for row in played.screens["final"])
    assert 100 in played.lines or 120 in played.lines


PAUSE = """100 PRINT "WAIT"
110 FOR I=1 TO 60
120 CALL KEY(3,K,S)
130 NEXT I
140 PRINT "NOW"
150 CALL KEY(3,K,S)
160 IF S<1 THEN 150
170 PRINT "DONE"
180 INPUT "NAME? ":A$
"""


def test_it_looks_where_the_program_waits_and_not_in_a_pause(host: Host) -> None:
    steps = (Until("WAIT"), Asked((150,)), Snap("key"), Type("X"), Asked((180,)), Snap("name"))
    played = host.play(job(PAUSE, *steps, Type("\n"), Until()))
    assert played.problem == ""
    assert [
        any(text in row for row in played.screens[name])
        for name, text in (("key", "NOW"), ("key", "DONE"), ("name", "DONE"), ("name", "NAME?"))
    ] == [True, False, True, True]


def test_a_program_that_never_shows_a_text_is_told(host: Host) -> None:
    played = host.play(job("100 GOTO 100\n", Until("NEVER"), max_seconds=20))
    assert "NEVER" in played.problem or "20 seconds" in played.problem


def test_files_go_onto_the_disk_and_come_back(host: Host) -> None:
    source = """100 OPEN #1:"DSK1.IN",INPUT
110 OPEN #2:"DSK1.LOG",OUTPUT
120 LINPUT #1:A$
130 PRINT #2:"<";A$;">"
140 CLOSE #1::CLOSE #2
"""
    played = host.play(job(source, Until(), files={"IN": ["HELLO"]}))
    assert played.records == (b"<HELLO>",)
    assert played.disk is not None
    assert "IN" in played.disk
    assert "LOAD" in played.disk


def test_video_memory_is_that_of_our_console(host: Host) -> None:
    source = """100 CALL CHAR(128,"FF818181818181FF")::CALL COLOR(13,7,12)::CALL SCREEN(5)
110 CALL SPRITE(#1,128,5,50,60,#2,65,9,100,100,0,20)::CALL MAGNIFY(2)
120 CALL KEY(0,K,S)
130 GOTO 120
"""
    asked = job(source, Wait(60), Asked((120,)), Snap("look"))
    found = host.play(asked).video["look"]
    assert not list(differences(virtual.host().play(asked).video["look"], found))
    assert found.ram[0x700:0x708].hex() == "ff818181818181ff"
    assert found.registers[7] == 4


@pytest.mark.parametrize("geometry", ["SSDD", "DSDD", "DSSD80"])
def test_a_disk_that_the_controller_cannot_read_is_refused(geometry: str) -> None:
    image = DiskImage.new(geometry=geometry)
    with pytest.raises(HostError, match=f"cannot read a disk of geometry {geometry}"):
        StandIn().play(Job(image.to_bytes(), (), "LOG"))


def test_why_a_host_cannot_run_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    empty = mame.Mame("mame", tmp_path)
    assert str(refusal(empty)).startswith(f"mame: {tmp_path}: no console ROM")
    assert refusal(empty).meaning is Remedy.CHECK_HOST
    unbuilt = ti99sim.Ti99sim("x", tmp_path)
    unbuilt.program = None
    assert refusal(unbuilt).meaning is Remedy.BUILD_DRIVER


def test_the_check_passes(host: Host) -> None:
    steps = list(judged(host.play(check_job())))
    assert len(steps) == 8 and all(step.passed for step in steps), steps
