"""Key codes, scripted keys and their timing."""

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest

from ti99tools.base.codes import CLEAR, ENTER
from ti99tools.base.cycles.language import EDITOR_TAKEN
from ti99tools.base.errors import ScriptError
from ti99tools.hardware.machine.clock import FRAME, Clock, Pause
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.keys import DELAY, GAP, SCAN_ORDER

NOTHING = (-1, 0)
Pressing = Callable[[str, int], int]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keyboard(clock: Clock) -> Keyboard:
    return Keyboard(clock)


@pytest.fixture
def press_code(clock: Clock, keyboard: Keyboard) -> Pressing:
    """The code of one key in a unit, with the scans that let it go again."""

    def pressed(key: str, unit: int) -> int:
        keyboard.press(key)
        code, status = keyboard.scan(unit)
        assert status == (code != -1)
        clock.advance(9 * FRAME)
        assert keyboard.scan(unit) == NOTHING
        return code

    return pressed


def test_function_keys_in_basic_and_pascal(press_code: Pressing) -> None:
    names = [
        "AID",
        "ERASE",
        "DEL",
        "INS",
        "BEGIN",
        "PROCEED",
        "REDO",
        "BACK",
        "LEFT",
        "RIGHT",
        "UP",
        "DOWN",
    ]
    codes = [1, 7, 3, 4, 14, 12, 6, 15, 8, 9, 11, 10]
    for unit in (0, 3, 5):
        assert [press_code(name, unit) for name in names] == codes
    assert [press_code(name, 4) for name in names] == [code + 128 for code in codes]
    assert [press_code("\n", unit) for unit in (3, 4, 5)] == [ENTER] * 3


def test_characters(press_code: Pressing) -> None:
    text = "\"'?_~[]{}|\\`!@#$%^&*()+-=/<>:; 09"
    assert [press_code(c, 0) for c in text] == [ord(c) for c in text]
    assert [press_code(c, 4) for c in text] == [ord(c) for c in text]


def test_unit_3_has_not_all_characters(press_code: Pressing) -> None:
    assert [press_code(c, 3) for c in "~{|}`"] == [-1] * 5
    assert [press_code(c, 3) for c in "[]\\_?"] == [ord(c) for c in "[]\\_?"]


def test_alpha_lock(keyboard: Keyboard, press_code: Pressing) -> None:
    assert [press_code(c, 0) for c in "AZaz"] == [65, 90, 65, 90]
    keyboard.alpha_lock = False
    assert [press_code(c, 0) for c in "AZaz"] == [65, 90, 97, 122]
    assert [press_code(c, 3) for c in "AZaz"] == [65, 90, 65, 90]


def test_control_keys(press_code: Pressing) -> None:
    assert press_code("CTRL-A", 5) == 129
    assert press_code("CTRL-A", 4) == 1
    assert press_code("CTRL-A", 3) == -1


def test_unit_0_uses_the_last_mapping(keyboard: Keyboard, press_code: Pressing) -> None:
    keyboard.scan(4)
    assert press_code("LEFT", 0) == 136
    keyboard.scan(1)
    assert press_code("LEFT", 0) == 136
    keyboard.scan(3)
    assert press_code("LEFT", 0) == 8


def test_split_keyboard(press_code: Pressing) -> None:
    codes = [19, 7, 8, 9, 10, 18, 4, 5, 6, 11, 1, 2, 3, 12, 17, 15, 0, 14, 13, 16]
    assert [press_code(c, 1) for c in "12345QWERTASDFGZXCVB"] == codes
    assert [press_code(c, 2) for c in "67890YUIOPHJKL;NM,./"] == codes
    assert press_code("LEFT", 1) == 2
    assert press_code("x", 1) == 0


def test_keys_that_a_half_does_not_have(clock: Clock) -> None:
    for character in "PM6 \n=":
        keyboard = Keyboard(clock)
        keyboard.key_down(character)
        assert keyboard.scan(1) == NOTHING


def test_unknown_keys(keyboard: Keyboard) -> None:
    for key in ("é", "F13", "", "CTRL-ENTER"):
        with pytest.raises(ScriptError):
            keyboard.press(key)


def test_status_of_a_held_key(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("A", hold=60)
    assert [keyboard.scan(0) for _ in range(3)] == [(65, 1), (65, -1), (65, -1)]
    assert keyboard.scan(1) == (1, -1)
    assert keyboard.scan(0) == (65, -1)
    clock.advance(60 * FRAME)
    assert keyboard.scan(0) == NOTHING


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


def test_clear_makes_running_code_look(clock: Clock, keyboard: Keyboard) -> None:
    assert not keyboard.break_pressed()
    keyboard.press("CLEAR")
    assert clock.next_event <= clock.cycles
    assert keyboard.break_pressed()
    assert keyboard.scan(0) == (CLEAR, 1), "recorded: the look for CLEAR is no scan"
    clock.advance(4 * FRAME)
    assert not keyboard.break_pressed()


def test_clear_does_not_wait_for_keys_nobody_looks_at(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.type("AB")
    keyboard.press("CLEAR")
    assert clock.next_event == 16 * FRAME
    clock.advance(15 * FRAME)
    assert not keyboard.break_pressed()
    clock.advance(FRAME)
    assert keyboard.break_pressed()


def test_clear_pressed_between_two_looks_is_not_lost(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("CLEAR")
    clock.advance(100 * FRAME)
    assert keyboard.break_pressed()
    assert not keyboard.break_pressed()


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


def test_live_keys_are_seen_while_they_are_down(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.key_down("A")
    clock.advance(500 * FRAME)
    assert [keyboard.scan(0) for _ in range(2)] == [(65, 1), (65, -1)]
    keyboard.key_up("A")
    assert keyboard.scan(0) == NOTHING
    keyboard.key_down("B")
    keyboard.key_up("B")
    assert keyboard.scan(0) == NOTHING, "nobody looked while it was down"


def test_joystick_buttons(keyboard: Keyboard) -> None:
    keyboard.set_joystick(1, 4, -4, fire=True)
    assert keyboard.joystick(1) == (4, -4)
    assert keyboard.joystick(2) == (0, 0)
    assert [keyboard.scan(1) for _ in range(2)] == [(18, 1), (18, -1)]
    assert keyboard.scan(2) == NOTHING
    keyboard.set_joystick(1, 0, 0)
    assert keyboard.scan(1) == NOTHING


def test_idle_scans_count_looks_in_vain(keyboard: Keyboard) -> None:
    for _ in range(5):
        keyboard.scan(0)
    assert keyboard.idle_scans == 5
    keyboard.press("A")
    assert keyboard.idle_scans == 0
    keyboard.release_all()
    assert keyboard.scan(0) == NOTHING


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
    assert [frame for _, frame in got] == [0, *((DELAY + n * GAP) // FRAME for n in range(13))]
    assert {code for code, _ in got} == {65}


def test_a_scan_sees_the_gap_whoever_noticed_the_release(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("A")
    assert keyboard.scan(0) == (65, 1)
    clock.advance(8 * FRAME)
    assert keyboard.idle
    assert keyboard.scan(0) == NOTHING
    keyboard.press("A")
    assert keyboard.scan(0) == (65, 1)


def test_the_last_key_tells_when_it_is_done_with() -> None:
    clock = Clock()
    keyboard = Keyboard(clock)
    told: list[int] = []
    keyboard.tell_when_rested(lambda: told.append(clock.cycles))
    keyboard.type("AB")
    for _ in range(200):
        keyboard.scan(0)
        clock.advance(FRAME // 2)
    assert told == [16 * FRAME]
    assert keyboard.rested


def test_of_several_keys_the_first_in_the_order_of_the_scan_is_found(keyboard: Keyboard) -> None:
    for first, second in combinations(SCAN_ORDER, 2):
        for keys in ((first, second), (second, first)):
            for key in keys:
                keyboard.key_down(key)
            assert keyboard.scan(0)[0] == ord("\r" if first == "\n" else first)
            keyboard.release_all()
            assert keyboard.scan(0) == NOTHING
    assert SCAN_ORDER.index("D") < SCAN_ORDER.index("S"), "recorded"


@pytest.mark.parametrize("unit", [0, 1])
def test_a_key_that_hid_another_goes_up(keyboard: Keyboard, unit: int) -> None:
    d, s = (68, 83) if unit == 0 else (3, 2)
    keyboard.key_down("S")
    assert keyboard.scan(unit) == (s, 1)
    keyboard.key_down("D")
    assert [keyboard.scan(unit) for _ in range(2)] == [(d, 1), (d, -1)]
    keyboard.key_up("D")
    assert [keyboard.scan(unit) for _ in range(2)] == [(s, 1), (s, -1)]


def test_each_half_has_its_own_keys(keyboard: Keyboard) -> None:
    keyboard.key_down("E")
    assert keyboard.scan(1) == (5, 1)
    keyboard.key_down("J")
    assert [keyboard.scan(unit) for unit in (1, 2, 1, 2)] == [(5, -1), (2, 1), (5, -1), (2, -1)]
    assert keyboard.scan(0) == (ord("J"), -1)
    keyboard.key_up("J")
    assert keyboard.scan(2) == NOTHING
    assert [keyboard.scan(0) for _ in range(2)] == [(ord("E"), 1), (ord("E"), -1)]
    keyboard.key_up("E")
    assert keyboard.scan(1) == keyboard.scan(0) == NOTHING
    assert keyboard.idle_scans == 3


def test_a_scan_aside_makes_a_key_old(keyboard: Keyboard) -> None:
    keyboard.key_down("A")
    keyboard.scan_aside(1)
    assert keyboard.scan(0) == (65, -1), "JOYST(1) has found it"
    keyboard.scan_aside(2)
    assert keyboard.scan(0) == (65, 1), "JOYST(2) has found nothing"
    keyboard.key_up("A")
    keyboard.scan_aside(0)
    keyboard.key_down("A")
    assert keyboard.scan(1) == (1, 1), "a whole scan has emptied the halves, too"


def test_a_button_is_a_key_of_its_half(keyboard: Keyboard) -> None:
    keyboard.set_joystick(2, 0, 0, fire=True)
    assert [keyboard.scan(2), keyboard.scan(2)] == [(18, 1), (18, -1)]
    keyboard.key_down("Y")
    assert keyboard.scan(0) == (ord("Y"), -1)


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


def test_clear_stops_a_program_whatever_else_is_down(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.key_down("Z")
    assert not keyboard.break_pressed()
    keyboard.key_down("CLEAR")
    assert clock.next_event <= clock.cycles, "running code is made to look"
    assert keyboard.break_pressed()
    keyboard.key_up("CLEAR")
    assert not keyboard.break_pressed()


def test_joysticks_buttons_and_keys_together(keyboard: Keyboard) -> None:
    keyboard.set_joystick(1, 4, 0, fire=True)
    keyboard.set_joystick(2, 0, -4, fire=True)
    keyboard.key_down("SPACE")
    assert (keyboard.joystick(1), keyboard.joystick(2)) == ((4, 0), (0, -4))
    assert [keyboard.scan(unit) for unit in (1, 2, 0)] == [(18, 1), (18, 1), (32, 1)]


def test_a_key_of_a_script_that_is_down_already_is_not_found_by_a_scan_aside(
    clock: Clock, keyboard: Keyboard
) -> None:
    """Whoever has let it go down, as the look for CLEAR between statements."""
    keyboard.press("A")
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
        clock.schedule(clock.cycles + DELAY - 1, clock.request_pause)
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
