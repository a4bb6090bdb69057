"""CALL SOUND waits for the sound before it; the console can be left meanwhile."""

from tests.interp.programs import started
from ti99tools.hardware.machine.clock import FRAME

TWO = '100 CALL SOUND(1000,440,0)\n110 PRINT "ONE"\n120 CALL SOUND(1,880,0)\n130 PRINT "TWO"\n'


def test_the_wait_can_be_left() -> None:
    console = started(TWO)
    assert console.run_until(text="ONE", seconds=2)
    assert not console.screen.shows("TWO")
    assert console.clock.seconds < 0.5
    assert console.run_until(text="TWO", seconds=2)
    assert 1 < console.clock.seconds < 1.9


def test_where_it_was_left_makes_no_difference() -> None:
    whole, pieces = started(TWO), started(TWO)
    whole.advance_to(120 * FRAME)
    for frame in range(1, 121):
        pieces.advance_to(frame * FRAME)
    assert whole.clock.cycles == pieces.clock.cycles
    assert whole.sound.written == pieces.sound.written


def test_clear_stops_the_wait_and_con_waits_on() -> None:
    console = started(TWO)
    console.wait(30)
    console.press("CLEAR")
    assert "* BREAKPOINT IN 120" in console.screen.text
    console.command("CON")
    assert "TWO" in console.screen.text


def test_a_sound_in_a_loop() -> None:
    console = started("100 FOR I=1 TO 3 :: CALL SOUND(200,440,0) :: NEXT I\n110 PRINT I\n")
    assert console.run_until(text="4", seconds=2)
    assert console.sound.written.hex().count("8e0f") == 3


def test_a_length_below_0_stops_the_sound_before_when_it_is_evaluated() -> None:
    many = "CALL SOUND(-45,3265,13,1977,13,-3,25)"
    console = started(f"100 FOR I=1 TO 5 :: {many} :: NEXT I\n110 FOR D=1 TO 99 :: NEXT D\n")
    console.run()
    assert console.sound.written.hex().count("9fbfdfff") == 1
