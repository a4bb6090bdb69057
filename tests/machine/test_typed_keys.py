"""Keys of scripts and of line editors: when each is found, and when a held one comes again."""

from itertools import pairwise

import pytest

from ti99tools.base.codes import ENTER
from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.hardware.machine.clock import FRAME, Clock, Pause
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.keycodes import REPEAT_DELAY, REPEAT_GAP

NOTHING = (-1, 0)


def test_keys_keep_their_times(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("A", hold=14, gap=14)
    keyboard.press("B", hold=14, gap=14)
    seen = []
    for frame in range(60):
        clock.advance_to(frame * FRAME)
        seen.append(keyboard.scan(0)[0])
    assert seen == [65] * 14 + [-1] * 14 + [66] * 14 + [-1] * 18


def test_a_slow_loop_loses_no_key(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.type("AAB")
    seen = []
    for _ in range(7):
        clock.advance(100 * FRAME)
        seen.append(keyboard.scan(0))
    assert seen == [(65, 1), NOTHING, (65, 1), NOTHING, (66, 1), NOTHING, NOTHING]
    assert keyboard.idle


def test_wait_key_moves_the_clock(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.type("AB")
    assert (keyboard.wait_key(), clock.cycles) == (65, 0)
    assert (keyboard.wait_key(), clock.cycles) == (66, 8 * FRAME)
    with pytest.raises(Pause):
        keyboard.wait_key()
    assert clock.cycles == 8 * FRAME
    assert not keyboard.rested
    assert keyboard.quiet_at == 16 * FRAME
    clock.advance(8 * FRAME)
    assert keyboard.rested


def test_wait_key_does_not_take_a_key_that_a_scan_has_seen(keyboard: Keyboard) -> None:
    keyboard.press("A", hold=30)
    assert keyboard.scan(0) == (65, 1)
    keyboard.press("B")
    assert keyboard.wait_key() == 66
    assert keyboard.scan(5) == (66, -1)


def test_a_pause_comes_before_a_later_key(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.type("AB")
    assert keyboard.wait_key() == 65
    clock.schedule(4 * FRAME, clock.request_pause)
    with pytest.raises(Pause):
        keyboard.wait_key()
    assert clock.cycles == 4 * FRAME
    assert (keyboard.wait_key(), clock.cycles) == (66, 8 * FRAME)


def waited(keyboard: Keyboard, clock: Clock) -> list[tuple[int, float]]:
    """Codes that a line editor gets until it waits in vain, and the frames when they come."""
    got = []
    with pytest.raises(Pause):
        while True:
            got.append((keyboard.wait_key(), round(clock.cycles / FRAME, 1)))
    return got


def test_a_held_key_comes_again_for_a_line_editor(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("A", hold=120, gap=0)
    keyboard.press("\n", hold=200)
    *got, (code, _) = waited(keyboard, clock)
    assert code == ENTER
    assert [frame for _, frame in got[:4]] == [0, 39.5, 44.4, 49.4]
    assert len(got) == 18, "recorded"


def test_a_key_that_is_down_when_a_line_begins_comes_again_sooner(
    clock: Clock, keyboard: Keyboard
) -> None:
    keyboard.key_down("A")
    clock.schedule(45 * FRAME, clock.request_pause)
    keyboard.begin_line()
    assert [frame for _, frame in waited(keyboard, clock)] == [0, 36, 40.9]


def test_what_a_key_takes_longer_than_usual_delays_its_coming_again(
    clock: Clock, keyboard: Keyboard
) -> None:
    keyboard.press("A", hold=120, gap=0)
    keyboard.wait_key()
    keyboard.wait_key()
    clock.advance(EDITOR_TAKEN + 3 * FRAME)
    keyboard.wait_key()
    assert clock.cycles == (39 * 2 + 1) * FRAME // 2 + 99 * FRAME // 20 + 3 * FRAME


def test_function_keys_come_again_a_little_later(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("LEFT", hold=55, gap=0)
    keyboard.press("\n")
    assert [frame for _, frame in waited(keyboard, clock)] == [0, 43, 48.2, 53.4, 55]


def test_a_key_that_call_key_has_seen_is_not_new_to_input(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.key_down("A")
    assert keyboard.scan(0) == (65, 1)
    clock.advance_to(100 * FRAME)
    clock.schedule(190 * FRAME, clock.request_pause)
    got = waited(keyboard, clock)
    assert got[0] == (65, 139.5), "40 frames after the line editor began to look"


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("step", [1, 4, 100])
def test_keys_come_again_whatever_the_pauses(
    clock: Clock, keyboard: Keyboard, live: bool, step: int
) -> None:
    if live:
        keyboard.key_down("A")
    else:
        keyboard.press("A", hold=100)
    got = []
    for frame in range(step, 101, step):
        event = clock.schedule(frame * FRAME, clock.request_pause)
        while clock.cycles < frame * FRAME:
            try:
                got.append((keyboard.wait_key(), clock.frame))
            except Pause:
                clock.advance_to(frame * FRAME)
        clock.cancel(event)
        clock.cancel_pause()
    assert [frame for _, frame in got] == [
        0,
        *((REPEAT_DELAY + n * REPEAT_GAP) // FRAME for n in range(13)),
    ]
    assert {code for code, _ in got} == {65}


def test_the_last_key_tells_when_it_is_done_with() -> None:
    clock = Clock()
    keyboard = Keyboard(clock)
    moments: list[int] = []
    keyboard.tell_when_rested(lambda: moments.append(clock.cycles))
    keyboard.type("AB")
    for _ in range(200):
        keyboard.scan(0)
        clock.advance(FRAME // 2)
    assert moments == [16 * FRAME]
    assert keyboard.rested


@pytest.mark.parametrize("aside", [0, 1])
def test_a_key_of_a_script_is_kept_until_it_is_read(
    clock: Clock, keyboard: Keyboard, aside: int
) -> None:
    keyboard.press("G")
    keyboard.press("G")
    found = []
    for _ in range(30):
        keyboard.scan_aside(aside)
        clock.advance(FRAME)
        found.append(keyboard.scan(3))
        clock.advance(FRAME)
    assert found.count((ord("G"), 1)) == 2
    assert keyboard.idle


def test_a_key_of_a_script_reaches_the_half_that_has_it(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("J")
    found = []
    for _ in range(4):
        for unit in (1, 2):
            found.append(keyboard.scan(unit))
            clock.advance(6 * FRAME)
    assert found.count((2, 1)) == 1


def test_a_key_of_a_script_that_a_half_has_found_waits_for_the_whole(
    clock: Clock, keyboard: Keyboard
) -> None:
    keyboard.type("AA")
    found = []
    for _ in range(60):
        for unit in (1, 3):
            found.append(keyboard.scan(unit)[0])
            clock.advance(FRAME)
    assert found.count(ord("A")) > 2
    assert keyboard.idle
    whole = [-1, *found[1::2]]
    assert sum(a != b == ord("A") for a, b in pairwise(whole)) == 2


def test_a_key_of_a_script_that_nobody_can_find_is_given_up(
    clock: Clock, keyboard: Keyboard
) -> None:
    keyboard.press("J")
    keyboard.press("A")
    found = []
    for _ in range(8):
        found.append(keyboard.scan(1))
        clock.advance(4 * FRAME)
    assert found.count((1, 1)) == 1


def test_line_editors_take_what_a_scan_finds_anew(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.key_down("E")
    clock.schedule(FRAME, clock.request_pause)
    assert waited(keyboard, clock) == [(ord("E"), 0)]
    keyboard.key_down("J")
    assert keyboard.wait_key() == ord("J"), "J comes before E in the scan"
    keyboard.key_up("J")
    assert keyboard.wait_key() == ord("E")


def test_a_key_of_a_script_that_is_down_already_is_not_found_by_a_scan_aside(
    clock: Clock, keyboard: Keyboard
) -> None:
    """Whoever has let it go down, as the look for CLEAR between statements."""
    keyboard.press("A", anywhere=True)
    assert keyboard.break_pressed() is False
    assert keyboard.scan_aside(1) is False
    assert keyboard.scan(3) == (65, 1)
    clock.advance_to(clock.cycles + FRAME)
    assert keyboard.scan_aside(1) is False, "it is old now, and still down"


def test_a_key_that_is_down_before_the_prompt_is_not_typed(
    clock: Clock, keyboard: Keyboard
) -> None:
    clock.advance(100 * FRAME)
    keyboard.key_down("A")
    keyboard.know()
    with pytest.raises(Pause):
        clock.schedule(clock.cycles + REPEAT_DELAY - 1, clock.request_pause)
        keyboard.wait_key()
    assert keyboard.wait_key() == ord("A"), "it repeats"


@pytest.mark.parametrize(("frames", "typed"), [(20, False), (10, False), (4, True)])
def test_a_key_that_went_down_while_the_prompt_was_on_its_way(
    clock: Clock, keyboard: Keyboard, frames: int, typed: bool
) -> None:
    clock.advance(100 * FRAME)
    keyboard.know()
    keyboard.key_down("A", frames * FRAME)
    began = clock.cycles
    assert keyboard.wait_key() == ord("A")
    assert (clock.cycles == began) == typed, "a key that is known repeats only"


def test_a_key_of_a_script_waits_for_the_prompt(keyboard: Keyboard) -> None:
    keyboard.press("A")
    keyboard.know()
    assert keyboard.wait_key() == ord("A")
