"""Pictures and sound in their time, real speed and turbo, with a clock of the test's own."""

from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from tests.interp.programs import started
from ti99tools.app.realtime import Control, Film, Frame, Pace, Stage, function_key
from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.clock import FRAME, FRAME_SECONDS
from ti99tools.hardware.machine.soundchip import SILENT

TONES = "100 CALL SOUND(500,440,0)\n110 CALL SOUND(1000,880,0)\n120 GOTO 120\n"
MOVING = "100 CALL SPRITE(#1,42,7,50,50,0,16)\n110 GOTO 110\n"
BUSY = """
100 CALL SPRITE(#1,42,7,50,50,0,16)
110 DISPLAY AT(1,1):1,2,3 :: X=RND+RND :: CALL MOTION(#1,0,16):: DISPLAY AT(5,1):X
120 GOTO 110
"""
WAITING = "100 LINPUT A$\n"


class Host:
    """The host's clock; `step` seconds pass with every look."""

    def __init__(self, step: float = 0.0) -> None:
        self.time = 100.0
        self.step = step

    def __call__(self) -> float:
        self.time += self.step
        return self.time


def frames_of(console: Console, count: int) -> list[Frame]:
    film = Film(console)
    return [
        film.next(lambda: console.advance_to(console.clock.cycles + FRAME)) for _ in range(count)
    ]


def test_a_tone_is_heard_while_the_statement_behind_it_waits() -> None:
    frames = frames_of(started(TONES), 120)
    periods = [
        frame.sound.periods[0] if frame.sound.attenuations[0] < SILENT else 0 for frame in frames
    ]
    changes = [n for n in range(1, 120) if periods[n] != periods[n - 1]]
    assert [periods[0], *(periods[n] for n in changes)] == [0, 254, 0, 127, 0]
    lasted = [after - before for before, after in pairwise(changes)]
    assert lasted == [pytest.approx(30, abs=3), pytest.approx(1, abs=1), 60]


@pytest.mark.parametrize("program", [MOVING, BUSY])
def test_sprites_move_in_every_frame(program: str) -> None:
    frames = frames_of(started(program), 40)
    columns = [frame.picture.ram[0x301] for frame in frames[20:]]
    assert columns == list(range(columns[0], columns[0] + 20))


def test_pictures_that_stay_are_one_object() -> None:
    pictures = [frame.picture for frame in frames_of(started(WAITING), 70)][10:]
    changes = [n for n in range(1, 60) if pictures[n] is not pictures[n - 1]]
    assert [after - before for before, after in pairwise(changes)] == [15, 15, 15], "the cursor"


def test_frames_fall_due_sixty_times_a_second() -> None:
    host = Host()
    pace = Pace(host)
    assert [pace.due(), pace.due()] == [1, 0]
    assert pace.rest == pytest.approx(FRAME_SECONDS)
    total = 0
    for _ in range(1000):
        host.time += 0.01
        total += pace.due()
    assert total == int(10 / FRAME_SECONDS)


def test_what_the_host_slept_through_is_left_out() -> None:
    host = Host()
    pace = Pace(host)
    pace.due()
    host.time += 10
    assert pace.due() == 6
    assert pace.due() <= 1


def test_pause_stops_the_machine() -> None:
    host = Host()
    console = started(MOVING)
    stage = Stage(console, "x", now=host)
    assert len(stage.frames()) == 1
    stage.do(Control.PAUSE)
    assert stage.status == "paused"
    cycles = console.clock.cycles
    host.time += 5
    assert stage.frames() == []
    assert console.clock.cycles == cycles
    stage.do(Control.PAUSE)
    assert len(stage.frames()) == 1


def test_turbo_does_many_frames_between_two_pictures() -> None:
    host = Host(step=0.001)
    console = started(MOVING)
    stage = Stage(console, "x", now=host)
    stage.do(Control.TURBO)
    assert stage.status == "turbo"
    before = console.clock.frame
    assert len(stage.frames()) == 1
    assert console.clock.frame - before > 5
    assert stage.rest == 0


def test_in_turbo_keys_do_not_come_again() -> None:
    console = started(WAITING)
    stage = Stage(console, "x", turbo=True, now=Host(step=0.0001))
    stage.down("A")
    for _ in range(5):
        stage.frames()
    stage.pilot.up("A")
    assert console.clock.frame > 100
    assert console.screen.text.split() == ["?", "A"]


def test_pictures_are_saved_under_free_names(tmp_path: Path) -> None:
    host = Host()
    stage = Stage(started(WAITING), "game.xb", scale=3, now=host)
    stage.folder = tmp_path
    stage.frames()
    stage.do(Control.PICTURE)
    stage.do(Control.PICTURE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-1.png", "game-2.png"]
    assert Image.open(tmp_path / "game-1.png").size == (3 * 288, 3 * 224)
    assert stage.status == "saved game-2.png"
    host.time += 10
    assert stage.status == ""


def test_a_picture_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    stage = Stage(started(WAITING), "game.xb", now=Host())
    stage.folder = tmp_path / "nowhere"
    stage.do(Control.PICTURE)
    assert "nowhere" in stage.status


def test_function_keys() -> None:
    assert [function_key(n) for n in range(1, 10)] == [
        "DEL",
        "INS",
        "ERASE",
        "CLEAR",
        "BEGIN",
        "PROCEED",
        "AID",
        "REDO",
        "BACK",
    ]
    assert [function_key(n) for n in (10, 11, 12)] == list(Control)
