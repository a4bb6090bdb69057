"""Key scripts: every step read and written, errors that say where and what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.errors import ScriptError
from ti99tools.computer.console.keyscript import (
    KEYS,
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
    parse,
    write,
)
from ti99tools.computer.console.player import SeenScreen

KEYBOARD = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n"), min_size=1)
STEPS = st.one_of(
    st.just(Until()),
    KEYBOARD.map(Until),
    st.sampled_from(["asked", "asked 10", "ready"]).map(Until),
    st.lists(st.integers(1, 32767), max_size=3).map(lambda lines: Asked(tuple(lines))),
    KEYBOARD.map(Type),
    st.builds(Press, st.sampled_from([*KEYS, "a", "7", "#"]), st.integers(0, 99)),
    st.builds(Hold, st.sampled_from([*KEYS, "e"])),
    st.builds(Release, st.sampled_from([*KEYS, "e"])),
    st.builds(
        Joystick,
        st.integers(1, 2),
        st.sampled_from([-4, 0, 4]),
        st.sampled_from([-4, 0, 4]),
        st.booleans(),
    ),
    st.integers(0, 9999).map(Wait),
    st.integers(0, 9999).map(Rest),
    st.sampled_from(["board", "end"]).map(Snap),
)


def test_a_script_with_every_step() -> None:
    text = """
        # a match of two
        until PLAYERS?
        type 2\\n
        type "  BOB\\n"
        press left
        press A hold 30 gap 10
        hold E
        hold left
        release E
        joystick 2 down left
        joystick 2 center
        wait 60
        rest 300
        snap board
        until asked
        until asked 340
        until ready
    """
    assert parse(text) == [
        Until("PLAYERS?"),
        Type("2\n"),
        Type("  BOB\n"),
        Press("LEFT"),
        Press("A", 30, 10),
        Hold("E"),
        Hold("LEFT"),
        Release("E"),
        Joystick(2, -4, -4),
        Joystick(2),
        Wait(60),
        Rest(300),
        Snap("board"),
        Asked(),
        Asked((340,)),
        Until(),
    ]


@given(st.lists(STEPS))
def test_what_is_written_reads_back(steps: list[Step]) -> None:
    assert parse(write(steps)) == steps


def test_keys_with_fctn_have_a_second_name_and_quotes_within_quotes_are_typed() -> None:
    assert parse("press FCTN-4\nhold fctn-s\ntap FCTN-P\n", "") == [
        Press("CLEAR"), Hold("LEFT"), Tap('"'),
    ]  # fmt: skip
    assert parse('type ""A,B",7\\n"\n', "") == [Type('"A,B",7\n')]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "jump 3",
            "unknown step: jump; "
            "steps are until, type, press, tap, hold, release, joystick, wait, rest, snap",
        ),
        ("hold QUIT", "unknown key: QUIT; keys are"),
        ("release", "release needs more; write release E"),
        pytest.param("wait " + "9" * 5000, "not a number of frames: 999", id="endless"),
        ("wait soon", "not a number of frames: soon; write wait 60"),
        ("wait", "wait needs more; write wait 60"),
        ("rest long", "not a number of frames: long; write rest 300"),
        ("press QUIT", "unknown key: QUIT; keys are"),
        ("press FCTN-=", "unknown key: FCTN-=; keys are"),
        ("press A hold", "not a key press: A hold; write press LEFT"),
        ("joystick 3 LEFT", "not a joystick: 3 LEFT; write joystick 1 UP FIRE"),
        ("joystick 1 LEFT RIGHT", "not a joystick: 1 LEFT RIGHT"),
        ("joystick 1", "not a joystick: 1; write"),
        ('type "BOB', "no closing quote"),
        ("type a\\tb", r"unknown: \t; write \n for ENTER"),
        ("type BOB\\", "a backslash alone"),
        ("type é", "no such key"),
    ],
)
def test_errors_tell_line_and_remedy(line: str, problem: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(f"wait 1\n{line}\n", "keys.txt")
    assert str(caught.value).startswith(f"keys.txt:2: {problem}")


def test_a_tap_has_its_frames() -> None:
    steps = parse("tap a\ntap LEFT hold 9 gap 20\n")
    assert steps == [Tap("a"), Tap("LEFT", 9, 20)]
    assert write(steps) == "tap a\ntap LEFT hold 9 gap 20\n"
    with pytest.raises(ScriptError, match="tap A hold 9 gap 20"):
        parse("tap A for 9\n")


def test_a_cursor_that_blinks_is_no_change_but_what_takes_its_place_is_one() -> None:
    cursor, empty, letter, further = b"\x1e ", b"  ", b"A ", b"A\x1e"
    seen = SeenScreen(cursor)
    looks = [cursor, empty, cursor, empty, letter, letter, further, letter, further]
    assert [seen.again(screen) for screen in looks] == [
        True, False, True, True, False, True, False, True, True
    ]  # fmt: skip
