"""Somebody at a machine inside an emulator: the drivers for real on a ROM of our own, the pipe with
drivers of a few lines, and the session's own rules.
"""

import sys
from io import StringIO
from pathlib import Path
from queue import Queue
from time import monotonic

import pytest

from tests.hosts import tinyrom
from tests.hosts.conftest import EMULATORS
from tests.hosts.live import LiveStandIn
from tests.hosts.test_hosts_drivers import expected, made_up
from tests.hosts.tinyrom import Rom
from ti99tools import DiskImage, Program
from ti99tools.base.errors import HostError
from ti99tools.computer.console import asking
from ti99tools.computer.console.asking import WaitKind
from ti99tools.computer.console.keyscript import Hold, Press, Release, Tap, Type, Until, Wait
from ti99tools.games.hosts import dialogue
from ti99tools.games.hosts.dialogue import Piped
from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.emulator_session import EmulatorSession
from ti99tools.games.hosts.host import Endless, HostSession, Seen, SessionHost, Unable
from ti99tools.games.hosts.line_tables import line_tables
from ti99tools.games.hosts.sight import NO_BLINKING, Blinking, sight_of
from ti99tools.games.making.artefacts import program_file

pytestmark = pytest.mark.long

LISTING = """90 CALL KEY(3,KB,S)
100 CALL KEY(3,K,S)
110 CALL JOYST(1,X,Y)
120 PRINT K
130 CALL SOUND(100,440,0)
"""
"""A program with the line number table that our ROM pretends to have."""
BOOTED = expected([" ", "2"])
"""The keys of title and menu, which our ROM takes, too."""


def disk(source: str = LISTING, name: str = "T") -> bytes:
    image = DiskImage.new(name=name)
    image.add(program_file(Program.from_listing(source), "LOAD"))
    return image.to_bytes()


def test_the_programs_table_is_that_of_the_rom() -> None:
    assert line_tables(DiskImage.from_bytes(disk())) == [tinyrom.TABLE]


def opened_session(
    emulator: Emulator,
    folder: Path,
    rom: Rom = Rom(0x700),  # noqa: B008
    **options: object,
) -> EmulatorSession:
    """Sit down at a machine with our ROM."""
    made_up(emulator, folder).update(rom.pieces())
    emulator.missing = str  # type: ignore[method-assign]
    return emulator.open_session(disk(), 600, **options)  # type: ignore[arg-type]


SOON = 240
"""Frames without a change that do at a new place where the length of the wait is not the subject:
an emulator takes a second for six of its machine.
"""


def look(session: HostSession, blinking: Blinking = NO_BLINKING) -> Seen:
    return session.look(blinking, 120)


def first_row(seen: Seen) -> str:
    return sight_of(seen.video.ram, seen.video.registers).text[0].rstrip("\xa0")


def test_somebody_looks_presses_lets_go_and_changes_disks(
    emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened_session(emulator, tmp_path)
    try:
        first = look(session)
        assert first.waits is WaitKind.KEY
        assert first_row(first) == tinyrom.TEXT + BOOTED
        assert 20 < first.at - first.changed < 22, "a place met for the first time"
        monkeypatch.setattr(asking, "LONG", SOON)
        at = session.clock()
        assert session.do(Tap("A", 7, 6)) == ""
        assert session.clock() - at == pytest.approx(13 / 60, abs=0.03)
        second = look(session)
        assert first_row(second) == tinyrom.TEXT + BOOTED + expected("A")
        size, index = second.place.split(".")[:2]
        assert (int(size), tinyrom.NUMBERS[int(index)]) == (5, 100)
        assert at < second.asked_at(second.place) < second.changed + 1
        assert session.do(Press("B")) == ""
        assert session.do(Type("C")) == ""
        assert session.do(Hold("FCTN")) == ""
        assert session.do(Press("S")) == ""
        assert session.do(Release("FCTN")) == ""
        assert first_row(look(session)) == tinyrom.TEXT + BOOTED + expected([*"ABC", "LEFT"])
        inside = session.take_out()
        assert inside == disk()
        assert session.take_out() == inside
        other = disk("100 REM\n", "OTHER")
        for protected in (True, False):
            session.put_in(other, protected)
            assert session.do(Wait(30)) == ""
            assert session.take_out() == other
        assert look(session).waits is WaitKind.KEY
        with pytest.raises(HostError, match="cannot read a disk of geometry"):
            session.put_in(DiskImage.new("DSDD").to_bytes())
    finally:
        session.leave()
    assert not session._folder.exists()


@pytest.mark.parametrize("protected", [False, True])
def test_what_was_written_is_on_a_disk_that_is_taken_out(
    emulator: Emulator, tmp_path: Path, protected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LONG", SOON)
    before = disk()
    session = opened_session(emulator, tmp_path, Rom(0x700, writes=0x5A), protected=protected)
    try:
        assert look(session).waits is WaitKind.KEY
        after = session.take_out()
    finally:
        session.leave()
    written = before[:0x500] + b"\x5a" * 256 + before[0x600:]
    assert after == (before if protected else written)


def test_a_step_that_cannot_be_done_ends_nothing(
    emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LONG", SOON)
    session = opened_session(emulator, tmp_path, protected=True)
    try:
        session._ask(session._orders[0]._replace(text="within 200"))
        assert session.do(Until("NEVER")).startswith("never on the screen: NEVER (it is in line 1")
        assert session.do(Press("A")) == ""
        assert first_row(look(session)) == tinyrom.TEXT + BOOTED + expected("A")
    finally:
        session.leave()


@pytest.mark.parametrize(("runs", "waits"), [(True, WaitKind.LINE), (False, WaitKind.PROMPT)])
def test_a_cursor_that_blinks_is_input_or_the_prompt(
    emulator: Emulator, tmp_path: Path, runs: bool, waits: WaitKind
) -> None:
    session = opened_session(emulator, tmp_path, Rom(0x180, cursor=True, runs=runs))
    try:
        at = session.clock()
        seen = look(session)
        assert seen.waits is waits
        assert seen.at - at < 3
        assert seen.video.ram[0x2E2] in (0x7E, 0x80)
    finally:
        session.leave()


def test_a_program_that_never_looks_is_waited_for_in_vain(
    emulator: Emulator, tmp_path: Path
) -> None:
    session = opened_session(emulator, tmp_path, Rom(0x180))
    try:
        # Another disk: no line of its programs looks for keys.
        session.put_in(disk("100 REM\n110 REM\n120 REM\n130 REM\n140 REM\n"))
        session.put_in(disk("100 REM\n110 REM\n120 REM\n130 REM\n140 REM\n150 REM\n"))
        assert session.look(NO_BLINKING, 6).waits is WaitKind.NOTHING
    finally:
        session.leave()


def test_both_emulators_have_a_seat() -> None:
    assert all(isinstance(found(), SessionHost) for found in EMULATORS.values())


# -- the pipe --------------------------------------------------------------------------------


def piped(folder: Path, *lines: str) -> Piped:
    program = "\n".join(("import sys, time", *lines))
    return Piped("it", [sys.executable, "-u", "-c", program], folder, {}, "start it yourself")


ECHO = "for line in sys.stdin: print('@GOT', line.strip(), flush=True); print('@DID 5', flush=True)"


def test_orders_and_answers(tmp_path: Path) -> None:
    it = piped(tmp_path, "print('chatter'); print('@DID 1')", ECHO)
    assert it.answer(20) == ["DID 1"]
    for n in range(300):
        it.tell(f"wait {n}")
        assert it.answer(20) == [f"GOT wait {n}", "DID 5"]
    it.close()
    it.close()


def test_a_driver_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    it = piped(tmp_path, "print('@DID 1')", "time.sleep(60)")
    it.answer(20)
    it.tell("wait 1")
    start = monotonic()
    with pytest.raises(Endless, match="it: no answer after 0 seconds"):
        it.answer(0.3)
    assert monotonic() - start < 10
    it._kill()


def test_a_driver_that_says_too_much_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogue, "PARTING", 0.01)
    queue: Queue[str | None] = Queue(1)
    dialogue._hear(StringIO("@A\n@B\n@C\n"), queue)
    assert queue.get() == "A"
    assert queue.empty()


def test_an_emulator_that_a_script_has_started_is_not_waited_for(tmp_path: Path) -> None:
    it = Piped("it", ["sh", "-c", "echo @DID 1; sleep 6; true"], tmp_path, {}, "")
    it.answer(20)
    start = monotonic()
    it._kill()
    assert monotonic() - start < 4


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("sys.exit('no ROM here')", "it: it ended: no ROM here"),
        ("print('@FAIL 3 0 the driver: a slip')", "it: it ended: the driver: a slip"),
        ("sys.exit(3)", "it: it ended: it ended with code 3"),
        ("print('@DONE 2.5')", "cannot be played key by key; start it yourself"),
    ],
)
def test_a_driver_that_ends_says_why(tmp_path: Path, lines: str, message: str) -> None:
    it = piped(tmp_path, lines)
    with pytest.raises(HostError, match=message):
        it.answer(20)
    with pytest.raises(HostError, match="it ended"):
        for _ in range(100):
            it.tell("wait 1")
    it.close()


def test_a_driver_that_closes_its_output_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogue, "PARTING", 0.1)
    it = Piped("it", ["sh", "-c", "exec >&-; exec sleep 20"], tmp_path, {}, "")
    with pytest.raises(HostError, match=r"^it: it still runs, but no longer answers$"):
        it.answer(20)
    it.close()


def test_a_program_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(HostError, match=r"/none does not start: .*; start it yourself"):
        Piped("it", ["/none"], tmp_path, {}, "start it yourself")


# -- the session itself -------------------------------------------------------------------------

ASKS = """100 CALL CLEAR
110 PRINT "ONE"
120 GOSUB 200
130 INPUT "NAME? ":N$
140 PRINT "TWO ";N$
150 FOR I=1 TO 300::CALL KEY(3,K,S)::NEXT I
160 PRINT "LATE"
170 GOSUB 200
180 X=1/0::STOP
200 CALL KEY(3,K,S)::IF S<1 THEN 200
210 RETURN
"""


def rows(seen: Seen) -> str:
    return "\n".join(sight_of(seen.video.ram, seen.video.registers).text)


def test_what_a_machine_waits_for() -> None:
    session = LiveStandIn().open_session(disk(ASKS.replace("X=1/0", "CALL NOSUCH")), 600)
    seen = look(session)
    assert seen.waits is WaitKind.KEY
    assert "ONE" in rows(seen)
    assert session.do(Tap("A")) == ""
    seen = look(session)
    assert seen.waits is WaitKind.LINE
    assert "NAME?" in rows(seen)
    assert session.do(Type("BOB\n")) == ""
    seen = look(session)
    assert seen.waits is WaitKind.KEY and "LATE" in rows(seen), "the loop was a pause"
    assert session.do(Tap("A")) == ""
    seen = look(session)
    assert seen.waits is WaitKind.PROMPT
    assert seen.message == "SUBPROGRAM NOT FOUND"
    assert session.do(Type('RUN "DSK1.LOAD"\n')) == ""
    assert look(session).waits is WaitKind.KEY
    session.leave()


def test_a_place_is_known_the_second_time() -> None:
    host = LiveStandIn()
    waited = []
    for _ in range(2):
        session = host.open_session(disk(ASKS), 600)
        seen = look(session)
        waited.append(seen.at - seen.changed)
        session.leave()
    assert waited[0] > 19
    assert waited[1] < 3


def test_without_a_stack_no_place_is_known() -> None:
    """Where the stack tells nothing, a pause could be taken for the question."""
    host = LiveStandIn()
    for _ in range(2):
        session = host.open_session(disk("100 CALL KEY(3,K,S)\n110 GOTO 100\n"), 600)
        seen = look(session)
        assert seen.at - seen.changed > 19
        session.leave()


def test_what_blinks_is_no_sign_of_work() -> None:
    source = """100 CALL CLEAR
110 GOSUB 200
120 END
200 N=N+1::CALL HCHAR(5,5,42+N-2*INT(N/2))::CALL KEY(3,K,S)::IF S<1 THEN 200
210 RETURN
"""
    session = LiveStandIn().open_session(disk(source), 600)
    assert session.look(NO_BLINKING, 40).waits is WaitKind.NOTHING
    assert look(session, Blinking(cells=((5, 5, 1, 1),))).waits is WaitKind.KEY
    session.leave()


def test_when_the_machine_time_is_over() -> None:
    session = LiveStandIn().open_session(disk("100 GOTO 100\n"), 60)
    assert session.look(NO_BLINKING, 3000).waits is WaitKind.NOTHING
    session.leave()


def test_a_host_that_cannot_protect_a_disk_says_so() -> None:
    host = LiveStandIn(protects=False)
    host.tries = 3
    with pytest.raises(Unable, match="live cannot write-protect a disk"):
        host.open_session(disk(), 60, protected=True)
    assert host.sessions == 1, "another start would not help"
    session = host.open_session(disk(), 60)
    with pytest.raises(Unable, match="live cannot write-protect a disk"):
        session.put_in(disk(), True)
    session.leave()
