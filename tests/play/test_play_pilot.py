"""What a player does, written down, plays back to the same machine at the same cycle."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.interp.programs import started
from ti99tools.app.realtime import LEAST, TAP, Pilot
from ti99tools.base.errors import ScriptError, TIError
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import Hold, Joystick, Release, Step, Wait, parse, write
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.fronts.play.playing import PlaySession
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

RESTLESS = """
100 CALL SPRITE(#1,42,7,50,50,7,13)
110 LINPUT A$
120 FOR I=1 TO 20
130 CALL KEY(0,K,S):: CALL JOYST(1,X,Y):: CALL KEY(1,L,T)
140 PRINT K;S;X;Y;L;T
150 FOR J=1 TO 60 :: NEXT J
160 NEXT I
170 CALL SOUND(300,440,5):: CALL SOUND(700,660,5)
180 GOTO 110
"""
SCANNING = "100 CALL KEY(0,K,S)\n110 GOTO 100\n"
DEAF = "100 GOTO 100\n"
LISTENING = "100 LINPUT A$\n110 PRINT A$\n120 GOTO 100\n"

Deed = tuple[int, str, str | tuple[int, int, bool]]
KEYS = st.sampled_from(["a", "B", "7", '"', "SPACE", "ENTER", "ENTER", "LEFT", "DEL", "CTRL-C"])
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 90), st.sampled_from(["down", "up", "tap"]), KEYS),
        st.tuples(st.integers(0, 200), st.just("tap"), st.just("CLEAR")),
        st.tuples(
            st.integers(0, 20),
            st.just("move"),
            st.tuples(st.sampled_from([-4, 0, 4]), st.sampled_from([-4, 0, 4]), st.booleans()),
        ),
    ),
    max_size=25,
)


def state(console: AnyConsole) -> tuple[int, bytes, bytes, bytes]:
    """What is there now."""
    console.machine.sync()
    vdp = console.machine.vdp
    return (
        console.clock.cycles,
        bytes(vdp.ram),
        bytes(vdp.registers),
        bytes(console.sound.written),
    )


def played(console: Console, deeds: Sequence[Deed]) -> list[Step]:
    pilot = Pilot(console)
    for frames, what, operand in deeds:
        for _ in range(frames):
            pilot.step()
        if isinstance(operand, tuple):
            pilot.move(1, *operand)
        else:
            {"down": pilot.down, "up": pilot.up, "tap": pilot.tap}[what](operand)
    return pilot.finish()


def plays_back(program: str, deeds: Sequence[Deed]) -> None:
    """Play, follow what was recorded on another console, and compare them, now and later."""
    console, replay = started(program), started(program)
    steps = played(console, deeds)
    assert ScriptPlayer(replay, 600).follow(parse(write(steps))).done
    assert state(replay) == state(console)
    later = console.clock.cycles + 20 * FRAME
    for one in (replay, console):
        one.advance_to(later)
    assert state(replay) == state(console)


@given(DEEDS)
@settings(max_examples=20, deadline=None, phases=set(Phase) - {Phase.explain})
@example([(3, "down", "a"), (100, "up", "a"), (30, "down", "ENTER"), (2, "up", "ENTER")])
@example([(0, "down", "A"), (5, "down", "B"), (3, "up", "A"), (80, "up", "B"), (0, "tap", "ENTER")])
@example([(0, "tap", "ENTER"), (2, "move", (4, 0, True)), (9, "tap", "a"), (50, "tap", "CLEAR")])
@example([(1, "down", "a")])
@example(
    [(0, "down", "ENTER"), (6, "move", (-4, -4, True)), (134, "tap", "CLEAR"), (1, "down", "a")]
)
def test_a_recorded_session_plays_back_cycle_by_cycle(deeds: list[Deed]) -> None:
    plays_back(RESTLESS, deeds)


STRAIGHT = (
    "".join(f"{n} B=B+SQR(A)*2 :: C=C+B :: A=A+1\n" for n in range(100, 160)) + "160 GOTO 100"
)


@pytest.mark.parametrize("after", [34, 48, 67])
def test_clear_stops_a_program_that_runs_straight_where_it_did(after: int) -> None:
    plays_back(STRAIGHT, [(after, "tap", "CLEAR"), (9, "up", "CLEAR")])


def test_keys_are_written_with_the_frames_they_were_held() -> None:
    steps = played(
        started(SCANNING),
        [
            *((10, "down", "A"), (12, "up", "A"), (30, "tap", "LEFT")),
            *((20, "move", (-4, 4, True)), (5, "down", "B"), (1, "up", "B"), (9, "up", "A")),
        ],
    )
    assert steps == [
        *(Wait(10), Hold("A"), Wait(12), Release("A")),
        *(Wait(30), Hold("LEFT"), Wait(TAP), Release("LEFT"), Wait(20 - TAP)),
        *(Joystick(1, -4, 4, True), Wait(5), Hold("B"), Wait(LEAST), Release("B")),
        Wait(10 - LEAST),
    ]


def test_a_held_key_comes_again() -> None:
    console = started(LISTENING)
    played(console, [(5, "down", "A"), (72, "up", "A"), (5, "tap", "ENTER"), (10, "up", "A")])
    assert "A" * 8 in console.screen.text.split()


def test_a_key_pressed_before_another_goes_up() -> None:
    console = started(LISTENING)
    deeds: list[Deed] = [(5, "down", "B"), (5, "down", "A"), (9, "up", "B"), (5, "up", "A")]
    steps = played(console, [*deeds, (5, "tap", "ENTER"), (20, "up", "B")])
    assert "BA" in console.screen.text.split()
    assert [step for step in steps if not isinstance(step, Wait)] == [
        *(Hold("B"), Hold("A"), Release("B"), Release("A")),
        *(Hold("ENTER"), Release("ENTER")),
    ]


def test_quick_typing_loses_nothing() -> None:
    console = started(LISTENING)
    text = "THE QUICK BROWN FOX AND ALL"
    keys = ["SPACE" if c == " " else c for c in text]
    played(console, [(0, "tap", key) for key in [*keys, "ENTER"]] + [(300, "up", "A")])
    assert f"  {text}" in console.screen.text.splitlines()[-2]


def test_a_key_that_a_terminal_repeats_stays_down() -> None:
    console = started(LISTENING)
    steps = played(console, [(5, "tap", "A"), *[(3, "tap", "A")] * 9, (60, "up", "A")])
    assert [step for step in steps if not isinstance(step, Wait)] == [Hold("A"), Release("A")]


@pytest.mark.parametrize("what", ["tap", "down"])
def test_a_key_that_nobody_looks_for_is_lost(what: str) -> None:
    """The program computes for two seconds; then it takes a line."""
    busy = "100 FOR I=1 TO 400 :: NEXT I\n110 LINPUT A$\n120 PRINT A$\n130 GOTO 130\n"
    console = started(busy)
    deeds: list[Deed] = [(20, what, "A"), (20, "up", "A"), (300, "tap", "B"), (30, "tap", "ENTER")]
    steps = played(console, [*deeds, (30, "up", "A")])
    assert "\n  B " in console.screen.text
    assert "A" not in console.screen.text
    replay = started(busy)
    assert ScriptPlayer(replay, 600).follow(parse(write(steps))).done
    assert "\n  B " in replay.screen.text


def test_a_key_that_is_held_waits_for_the_program() -> None:
    busy = "100 FOR I=1 TO 300 :: NEXT I\n110 CALL KEY(0,K,S)\n120 PRINT K;S\n130 GOTO 130\n"
    console = started(busy)
    played(console, [(0, "down", "A"), (400, "up", "A")])
    assert "65  1" in console.screen.text


def test_clear_stops_a_program_at_once() -> None:
    console = started(DEAF)
    played(console, [(20, "down", "CLEAR"), (5, "up", "CLEAR")])
    assert "* BREAKPOINT IN 100" in console.screen.text
    assert console.clock.cycles < 60 * FRAME


def test_unknown_keys_are_refused() -> None:
    pilot = Pilot(started(DEAF))
    for press in (pilot.down, pilot.tap):
        with pytest.raises(ScriptError):
            press("F13")


TWO_PLAYERS = """
100 CALL KEY(1,K,S):: CALL KEY(2,L,T):: CALL JOYST(1,X,Y)
110 IF K=5 AND L=2 THEN N=N+1
120 IF K=5 AND X=4 THEN M=M+1
130 GOTO 100
"""


def test_two_players_hold_their_keys_at_once() -> None:
    console = started(TWO_PLAYERS)
    steps = played(
        console,
        [
            *((20, "down", "E"), (60, "down", "J"), (60, "up", "J"), (60, "move", (4, 0, False))),
            *((60, "up", "E"), (30, "up", "J")),
        ],
    )
    assert float(str(console.variables["N"])) > 5
    assert float(str(console.variables["M"])) > 5
    assert [step for step in steps if not isinstance(step, Wait)] == [
        *(Hold("E"), Hold("J"), Release("J"), Joystick(1, 4, 0), Release("E")),
    ]
    replay = started(TWO_PLAYERS)
    assert ScriptPlayer(replay, 600).follow(parse(write(steps))).done
    assert state(replay) == state(console)


def test_a_player_does_not_wait_for_a_program_to_load() -> None:
    """LOAD runs a long program: several seconds on the machine, a moment here."""
    long = (
        "".join(f"{n} REM {'X' * 70}\n" for n in range(1, 130))
        + '300 PRINT "GO"\n310 LINPUT A$\n320 PRINT A$\n330 GOTO 310\n'
    )
    disk = DiskImage.new()
    loader = Program.from_listing('100 PRINT "LOADING"\n110 RUN "DSK1.LONG"\n')
    disk.add(DiskFile.program("LOAD", loader.to_program_bytes()))
    disk.add(DiskFile.program("LONG", Program.from_listing(long).to_program_bytes()))
    consoles = [Console(disks={"DSK1": disk}) for _ in range(2)]
    for console in consoles:
        console.boot()
    since = consoles[0].clock.seconds
    pilot = Pilot(consoles[0])
    for _ in range(240):
        pilot.step()
    assert consoles[0].clock.seconds - since > 7
    assert "GO" in consoles[0].screen.text
    for key in ("A", "ENTER"):
        pilot.tap(key)
        for _ in range(60):
            pilot.step()
    steps = pilot.finish()
    assert "\n  A " in consoles[0].screen.text
    assert ScriptPlayer(consoles[1], 600).follow(parse(write(steps))).done
    assert state(consoles[0]) == state(consoles[1])


def test_a_session_goes_on_where_a_recorded_one_ended(tmp_path: Path) -> None:
    source = tmp_path / "x.bas"
    source.write_text(RESTLESS)
    first = PlaySession.of(str(source))
    first.stage.pilot.tap("ENTER")
    for _ in range(120):
        first.stage.pilot.step()
    script = tmp_path / "first.keys"
    script.write_text(write(first.stage.pilot.finish()))
    second = PlaySession.of(str(source), script=script)
    assert state(second.console) == state(first.console)
    second.stage.pilot.tap("CLEAR")
    for _ in range(30):
        second.stage.pilot.step()
    replay = started(RESTLESS)
    assert ScriptPlayer(replay, 600).follow(second.stage.pilot.finish()).done
    assert state(replay) == state(second.console)
    source.write_text("100 END\n")
    script.write_text("until NEVER\n")
    with pytest.raises(TIError, match=r"first.keys:1: until NEVER"):
        PlaySession.of(str(source), script=script)
