"""A compiled program shows the same from disks as from a cartridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.compiler.bothforms import Left
from tests.forms.disks import OTHER, AnyForm, as_cartridge, by_option_5, from_basic, image_with
from ti99tools.app.compile import compiled
from ti99tools.compiler.compiling import ALL_SHORT, Compiled, compile_program
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import loaded
from ti99tools.computer.console.anyconsole import RunEnd
from ti99tools.computer.console.session import Console
from ti99tools.games.making.scaffold import new_game
from ti99tools.hardware.machine.cpu_memory import SOUND_TIMER
from ti99tools.language.program.program import Program

LISTING = """100 CALL CLEAR :: CALL SCREEN(12):: CALL CHAR(96,"FF818181818181FF")
110 CALL COLOR(9,5,16):: CALL MAGNIFY(2):: CALL SPRITE(#1,96,7,50,60)
120 DIM A$(40):: FOR I=1 TO 40 :: A$(I)=RPT$(CHR$(64+I),I*3):: NEXT I
130 PRINT SIN(1);2^.5;A$(3);INT(-2.5)
140 INPUT "NAME? ":N$ :: PRINT SEG$(A$(20),1,5)&N$
150 OPEN #1:"DSK1.OUT",OUTPUT :: PRINT #1:N$ :: CLOSE #1
160 OPEN #1:"DSK1.OUT",INPUT :: INPUT #1:M$ :: CLOSE #1 :: PRINT M$;" AGAIN"
170 CALL KEY(3,K,S):: IF S<1 THEN 170
180 PRINT K :: CALL SOUND(50,440,2):: A=VAL("X")
"""
FORMS: dict[str, Callable[[Compiled], AnyForm]] = {
    "Extended BASIC": from_basic,
    "option 5": by_option_5,
    "another loader": lambda program: by_option_5(program, OTHER),
}
Step = tuple[str, str]
"""A text that is waited for, and the keys that are typed then."""
STEPS = (("NAME?", "JOE\n"), ("JOE AGAIN", "Q"))


def moments(console: AnyForm, steps: Sequence[Step]) -> list[Left]:
    """What is shown at each step."""
    found = []
    for text, keys in steps:
        assert console.run_until(text, seconds=60), (text, console.screen.text)
        console.wait(60)
        found.append(Left.of(console))
        console.type(keys)
    return found


def seen(console: AnyForm, steps: Sequence[Step]) -> list[Left]:
    """What is shown at each step, and at the end."""
    found = moments(console, steps)
    ending = console.resume(60)
    assert ending in (RunEnd.ERROR, RunEnd.READY), ending
    console.wait(60)
    assert console.remarks == []
    return [*found, Left.of(console)]


@cache
def listing(short: int) -> tuple[Compiled, list[Left]]:
    """The listing, compiled, and what it shows as a cartridge."""
    program = compile_program(Program.from_listing(LISTING), "TEST", banks=False, short=short)
    return program, seen(as_cartridge(program), STEPS)


@pytest.mark.parametrize("short", [0, ALL_SHORT])
@pytest.mark.parametrize("form", FORMS)
def test_a_program_shows_the_same_as_from_a_cartridge(form: str, short: int) -> None:
    program, expected = listing(short)
    console = FORMS[form](program)
    assert seen(console, STEPS) == expected
    assert str(console.error) == "BAD ARGUMENT IN 180"
    assert console.disks["DSK1"].read("OUT").records == (b"JOE",)


REVERSI = Path(__file__).parents[1] / "compiler" / "reversi.bas"


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_match_and_the_game_of_new(form: str, tmp_path: Path) -> None:
    """A move of each side in a listing of 1983; title and instructions of the game of `new`."""
    new_game(tmp_path / "race")
    for target, steps in (
        (str(REVERSI), [("WHO BEGINS?", "2"), ("YOUR MOVE?", "D3\n"), ("YOUR MOVE?", "P\n")]),
        (str(tmp_path / "race"), [("1 PLAY", "2"), ("PRESS ANY KEY", " ")]),
    ):
        program = compiled(target, None, True, banks=False)
        expected = shown(as_cartridge(program), steps)
        assert shown(FORMS[form](program), steps) == expected


def shown(console: AnyForm, steps: Sequence[Step]) -> list[Left]:
    """What is shown at each step, and some seconds later."""
    found = moments(console, steps)
    console.wait(300)
    return [*found, Left.of(console)]


def test_a_part_that_is_missing_leads_back_to_basic() -> None:
    program = compile_program(Program.from_listing(LISTING), "TEST", banks=False)
    files = basic_files(loaded(program.linked), "TEST", "TEST")
    for missing in (1, len(files) - 1):
        image = image_with([file for file in files if file is not files[missing]])
        console = Console({"DSK1": image})
        console.boot()
        assert console.resume(60) is RunEnd.READY
        last = len(files) - 2
        assert f"CANNOT LOAD TEST-0 TO -{last}" in console.screen.text


def test_load_says_that_memory_is_missing() -> None:
    program = compile_program(Program.from_listing(LISTING), "TEST", banks=False)
    files = basic_files(loaded(program.linked), "TEST", "A TEST")
    console = Console({"DSK1": image_with(files)}, expansion=False)
    console.boot()
    assert console.resume(60) is RunEnd.READY
    assert "A TEST NEEDS 32K MEMORY" in console.screen.text


@pytest.mark.parametrize(
    ("listing", "end", "key"),
    [("100 END", RunEnd.READY, "A"), ("100 GOTO 100", RunEnd.LIMIT, "QUIT")],
)
def test_the_end_leads_back_to_the_title_screen(listing: str, end: RunEnd, key: str) -> None:
    program = compile_program(Program.from_listing(listing), "TEST", banks=False)
    console = from_basic(program)
    assert console.resume(3) is end
    assert console.alone
    assert console.running is (end is RunEnd.LIMIT)
    console.tap(key, 10)
    assert not console.alone


def test_sprites_and_sounds_of_load_go_on_between_its_parts() -> None:
    program = compile_program(Program.from_listing(LISTING), "TEST", banks=False)
    drawn = ("CALL CLEAR::CALL SPRITE(#1,42,2,90,9,0,99)::CALL SOUND(4000,440,2)",)
    files = basic_files(loaded(program.linked), "TEST", "TEST", lambda _: (drawn, b""))
    console = Console({"DSK1": image_with(files)})
    console.boot()
    columns, timers = set(), set()
    while not console.alone:
        console.wait(1)
        if console.engine is not None and console.engine.running and not console.alone:
            columns.add(console.sprite(1)[1])
            timers.add(console.engine.bus.peek(SOUND_TIMER))
    parts = len(files) - 1
    assert len(columns) >= parts
    assert len(timers) >= parts
    assert console.engine is not None
    assert console.engine.bus.peek(SOUND_TIMER) == 0
    assert bytes(console.sound.written[-4:]) == b"\x9f\xbf\xdf\xff"


def test_clear_stops_the_program_and_not_load() -> None:
    program = compile_program(Program.from_listing("100 GOTO 100"), "TEST", banks=False)
    console = from_basic(program)
    assert console.resume(3) is RunEnd.LIMIT
    console.tap("CLEAR", 10)
    assert console.resume(3) is RunEnd.STOPPED
    assert console.stopped_at == 100
    assert console.alone
