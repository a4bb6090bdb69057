"""How long the console works before it comes back: not a stop too many, none too few."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.console.timekeeper import IDLE_LOOK, IDLE_SCANS
from ti99tools.machine.clock import CPU_HZ


def loaded(listing: str) -> Console:
    made = Console()
    made.load(Program.from_listing(listing))
    return made


def test_a_long_computation_is_never_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    made = loaded("100 FOR I=1 TO 9000\n110 A=A+I\n120 NEXT I\n")
    pieces = 0
    work = made.work

    def counted() -> None:
        nonlocal pieces
        pieces += 1
        work()

    monkeypatch.setattr(made, "work", counted)
    assert made.run() == "ready"
    assert made.clock.seconds > 60
    assert pieces == 1


def test_the_limit_stops_it_at_its_cycle_or_a_statement_later() -> None:
    made = loaded("100 A=A+1 :: GOTO 100\n")
    assert made.run(seconds=2) == "limit"
    assert 2 <= made.clock.seconds < 2.1
    assert made.resume(seconds=3) == "limit"
    assert 5 <= made.clock.seconds < 5.2


def test_a_program_that_only_looks_for_keys_is_left_at_the_end_of_a_second() -> None:
    made = loaded("100 CALL KEY(0,K,S)\n110 IF S=0 THEN 100\n120 PRINT CHR$(K)\n")
    assert made.run() == "keys"
    keyboard = made.machine.keyboard
    assert keyboard.idle_scans >= IDLE_SCANS
    second = IDLE_LOOK / CPU_HZ
    seconds = made.clock.seconds
    assert seconds % second < 0.05
    assert made.resume() == "keys"
    assert seconds + second <= made.clock.seconds < seconds + second + 0.05
    keyboard.press("X")
    assert made.resume() == "ready"
    assert "X" in made.screen.text


def test_keys_looked_for_before_a_long_computation_do_not_stop_it_again() -> None:
    made = loaded(
        "100 FOR I=1 TO 1500 :: CALL KEY(0,K,S) :: NEXT I\n110 FOR I=1 TO 900 :: NEXT I\n"
    )
    assert made.run() == "keys"
    outcomes = {made.resume() for _ in range(60)}
    assert outcomes <= {"keys", "ready"}
    assert made.variables["I"] == 901


def test_no_seconds_are_none_and_not_the_limit_of_the_console() -> None:
    made = loaded("100 A=A+1 :: GOTO 100\n")
    assert not made.run_until(text="NEVER SHOWN", seconds=0)
    assert made.clock.seconds == 0
    made.start()
    assert made.resume(seconds=0) == "limit"
    assert made.clock.seconds < 0.1


def test_an_interrupted_console_can_be_used_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made = loaded("100 A=A+1 :: GOTO 100\n")
    made.start()
    made.machine.keyboard.press("X")
    for interrupted in (
        lambda: made.take_keys(5),
        lambda: made.resume(5),
        lambda: made.advance_to(made.clock.cycles + CPU_HZ),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(made, "work", interrupt)
            with pytest.raises(KeyboardInterrupt):
                interrupted()
        assert made.machine.keyboard.when_rested is None
    assert made.resume(seconds=10) == "limit"
    assert 10 <= made.clock.seconds < 10.2


def interrupt() -> None:
    raise KeyboardInterrupt
