"""Key codes, and what looks at the keyboard find: held keys, the two halves, joysticks, CLEAR."""

from collections.abc import Callable
from itertools import combinations

import pytest

from ti99tools.base.codes import CLEAR, ENTER
from ti99tools.base.errors import ScriptError
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.keycodes import SCAN_ORDER

NOTHING = (-1, 0)
Pressing = Callable[[str, int], int]


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


def test_a_scan_sees_the_gap_whoever_noticed_the_release(clock: Clock, keyboard: Keyboard) -> None:
    keyboard.press("A")
    assert keyboard.scan(0) == (65, 1)
    clock.advance(8 * FRAME)
    assert keyboard.idle
    assert keyboard.scan(0) == NOTHING
    keyboard.press("A")
    assert keyboard.scan(0) == (65, 1)


def test_of_several_keys_the_first_in_the_order_of_the_scan_is_found(keyboard: Keyboard) -> None:
    for first, second in combinations(SCAN_ORDER, 2):
        for keys in ((first, second), (second, first)):
            for key in keys:
                keyboard.key_down(key)
            assert keyboard.scan(0)[0] == ord("\r" if first == "\n" else first)
            for key in keys:
                keyboard.key_up(key)
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
