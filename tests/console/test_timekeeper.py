"""How long the console works before it comes back: not a stop too many, none too few."""

from __future__ import annotations

from functools import partial

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import TIError
from ti99tools.computer.console.timekeeper import IDLE_LOOK, IDLE_SCANS, Timekeeper
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, Clock


def loaded(listing: str) -> Console:
    console = Console()
    console.load(Program.from_listing(listing))
    return console


def test_a_long_computation_is_never_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    console = loaded("100 FOR I=1 TO 9000\n110 A=A+I\n120 NEXT I\n")
    pieces = 0
    work = console.computer.work

    def counted() -> None:
        nonlocal pieces
        pieces += 1
        work()

    monkeypatch.setattr(console.computer, "work", counted)
    assert console.run() == "ready"
    assert console.clock.seconds > 60
    assert pieces == 1


def test_the_limit_stops_it_at_its_cycle_or_a_statement_later() -> None:
    console = loaded("100 A=A+1 :: GOTO 100\n")
    assert console.run(seconds=2) == "limit"
    assert 2 <= console.clock.seconds < 2.15
    assert console.resume(seconds=3) == "limit"
    assert 5 <= console.clock.seconds < 5.2


def test_a_program_that_only_looks_for_keys_is_left_at_the_end_of_a_second() -> None:
    console = loaded("100 CALL KEY(0,K,S)\n110 IF S=0 THEN 100\n120 PRINT CHR$(K)\n")
    console.start()
    started = console.clock.seconds
    assert console.resume() == "keys"
    keyboard = console.machine.keyboard
    assert keyboard.idle_scans >= IDLE_SCANS
    second = IDLE_LOOK / CPU_HZ
    seconds = console.clock.seconds
    assert (seconds - started) % second < 0.05
    assert console.resume() == "keys"
    assert seconds + second <= console.clock.seconds < seconds + second + 0.05
    keyboard.press("X")
    assert console.resume() == "ready"
    assert "X" in console.screen.text


SEVERAL = "100 CALL KEY(1,K,S) :: CALL KEY(2,L,S) :: CALL JOYST(1,X,Y) :: CALL JOYST(2,X,Y)\n"


def test_a_loop_with_few_scans_a_second_is_left_too() -> None:
    console = loaded(SEVERAL + "110 GOTO 100\n")
    assert console.run(seconds=30) == "keys"
    assert not console.waits
    assert console.machine.keyboard.idle_scans < IDLE_SCANS
    assert console.resume(seconds=30) == "keys"


@pytest.mark.parametrize(
    "change",
    [
        "105 DISPLAY AT(1,1):Z :: Z=Z+1",
        "90 CALL SPRITE(#1,65,2,9,9,5,0)",
        "105 CALL CHAR(128,STR$(Z)) :: Z=1-Z",
        "105 CALL SOUND(-9,440,9)",
    ],
    ids=["text", "sprite", "pattern", "sound"],
)
def test_a_loop_that_something_is_seen_or_heard_of_is_not(change: str) -> None:
    console = loaded(SEVERAL + change + "\n110 GOTO 100\n")
    assert console.run(seconds=30) == "limit"


def test_input_is_told_from_a_loop_that_looks_for_keys() -> None:
    console = loaded("100 INPUT A\n")
    assert (console.run(), console.waits) == ("keys", True)
    console.machine.keyboard.type("1\n")
    assert (console.resume(), console.waits) == ("ready", False)


def test_what_nothing_can_show_is_not_waited_for() -> None:
    console = loaded('100 PRINT "HI"\n')
    with pytest.raises(TIError, match=r"nothing runs that could show HI; call start\(\)"):
        console.run_until(text="HI", seconds=5)
    console.machine.keyboard.type("RUN\n")
    assert console.run_until(text="HI", seconds=5)
    assert console.run_until(ready=True, seconds=5)
    assert not console.run_until(text="HO", seconds=5), "it ran, and did not show it"


def test_keys_looked_for_before_a_long_computation_do_not_stop_it_again() -> None:
    console = loaded(
        "100 FOR I=1 TO 1500 :: CALL KEY(0,K,S) :: NEXT I\n110 FOR I=1 TO 900 :: NEXT I\n"
    )
    assert console.run() == "keys"
    outcomes = {console.resume() for _ in range(60)}
    assert outcomes <= {"keys", "ready"}
    assert console.variables["I"] == 901


def test_no_seconds_are_none_and_not_the_limit_of_the_console() -> None:
    console = loaded("100 A=A+1 :: GOTO 100\n")
    assert not console.run_until(text="NEVER SHOWN", seconds=0)
    assert console.clock.seconds == 0
    console.start()
    assert console.resume(seconds=0) == "limit"
    assert console.clock.seconds < 0.1


def test_an_interrupted_console_can_be_used_on(monkeypatch: pytest.MonkeyPatch) -> None:
    console = loaded("100 A=A+1 :: GOTO 100\n")
    console.start()
    console.machine.keyboard.press("X")
    for interrupted in (
        lambda: console.take_keys(5),
        lambda: console.resume(5),
        lambda: console.advance_to(console.clock.cycles + CPU_HZ),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(console.computer, "work", interrupt)
            with pytest.raises(KeyboardInterrupt):
                interrupted()
    assert console.resume(seconds=10) == "limit"
    assert 10 <= console.clock.seconds < 10.2


def interrupt() -> None:
    raise KeyboardInterrupt


def test_a_text_is_seen_at_the_look_after_it_has_been_written() -> None:
    console = loaded('100 PRINT "SEEN"\n110 FOR I=1 TO 500 :: NEXT I\n')
    console.start()
    started = console.clock.cycles
    assert console.run_until(text="SEEN", look=2)
    assert console.seen_at == started + 2 * FRAME
    assert console.clock.cycles > console.seen_at, "the row scrolls on"


def test_a_look_between_two_rows_sees_the_first() -> None:
    console = loaded('100 PRINT "ONE" :: PRINT "TWO"\n')
    console.start()
    assert console.run_until(text="ONE", look=2)
    first = console.seen_at
    assert console.run_until(text="TWO", look=2)
    assert console.seen_at - first >= 4 * FRAME


SHOWING = (
    "10 CALL SPRITE(#1,65,7,20,20,9,3)\n20 FOR I=1 TO 12::PRINT I;RND\n"
    '30 IF I/3=INT(I/3)THEN CALL SOUND(150,440+I,2)\n40 NEXT I\n50 PRINT "END!"\n'
)


def seen_at(texts: list[str], look: int) -> tuple[list[int | None], int]:
    """When each of some texts was seen, one after the other; how often anybody looked."""
    console = Console()
    console.load(Program.from_listing(SHOWING))
    keeper = Timekeeper(console.machine, console.computer)
    looks = 0

    def shows(text: str) -> bool:
        nonlocal looks
        looks += 1
        return console.screen.shows(text)

    console.start()
    limit = console.clock.cycles + 60 * CPU_HZ
    seen = [keeper.work_until(partial(shows, text), limit, look) for text in texts]
    return seen, looks


@pytest.mark.parametrize("look", [1_000, 7_777, FRAME])
def test_looks_are_left_out_where_nothing_can_have_changed(
    look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [" 1 ", " 4 ", " 7 ", "END!"]
    quickly, looks = seen_at(texts, look)
    monkeypatch.setattr(Clock, "next_change", 0)
    plainly, all_looks = seen_at(texts, look)
    assert quickly == plainly
    assert None not in quickly
    assert looks < all_looks / 2 or look > 1_000
