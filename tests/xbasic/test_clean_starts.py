"""The games begin on a clean machine whatever was there before, and BREAK and QUIT do nothing in
them."""

import pytest

from tests.shipped import shipped
from ti99tools import Console, DiskImage
from ti99tools.app.build import fast_disk
from ti99tools.games.making.collection import build_collection
from ti99tools.games.making.finding import game_names, games_root
from ti99tools.language.program.program import Program
from ti99tools.media.disk.tifile import DiskFile

DIRTY = """
90 ON BREAK NEXT
100 CALL INIT :: FOR I=0 TO 40 :: CALL LOAD(9728+I,I) :: NEXT I
110 FOR I=32 TO 143 :: CALL CHAR(I,"F0F0F0F00F0F0F0F") :: NEXT I
120 FOR I=0 TO 14 :: CALL COLOR(I,7,12) :: NEXT I
130 CALL SCREEN(14) :: CALL MAGNIFY(4)
140 FOR I=1 TO 28 :: CALL SPRITE(#I,65,5,I*6,I*8,20,-20) :: NEXT I
150 CALL HCHAR(1,1,42,768) :: CALL KEY(3,K,S)
160 RUN "DSK1.{}"
"""
MENU = "5 END"
NEXT_QUESTION = {
    "d5000": ("HOW MANY PLAYERS",),
    "dicerack": ("SEED?",),
    "lambo": ("H HUMAN",),
    "dimraw": ("ENTER BEGINS",),
}
"""What each game asks after the title."""


def console_with(image: bytes, runs: str = "") -> Console:
    """A machine with a disk; a program that leaves it dirty runs one of the disk's, if any."""
    disk = DiskImage.from_bytes(image)
    console = Console({"DSK1": disk}, max_seconds=300)
    if runs:
        saved = Program.from_listing(DIRTY.format(runs)).saved()
        assert isinstance(saved.content, bytes)
        disk.add(DiskFile.program("DIRTY", saved.content))
        console.command('RUN "DSK1.DIRTY"')
    else:
        console.boot()
    return console


def pictures(console: Console, name: str, menu: str = MENU) -> list[bytes]:
    """What is seen at the title, and at the question that follows."""
    seen = []
    for text, key in ((menu, "1"), *((text, "") for text in NEXT_QUESTION[name])):
        assert console.run_until(text, seconds=100), console.screen.text
        console.wait(90)
        seen.append(console.screen.png())
        console.type(key)
    return seen


@pytest.mark.parametrize("name", game_names())
def test_a_dirty_machine_shows_the_same(name: str) -> None:
    built = shipped(name)
    plain, fast = built.image.to_bytes(), fast_disk(built).to_bytes()
    clean = pictures(console_with(plain), name)
    assert pictures(console_with(plain, "LOAD"), name) == clean
    assert pictures(console_with(plain, built.manifest.program), name) == clean
    assert pictures(console_with(fast, "LOAD"), name) == clean


def pages(console: Console) -> list[bytes]:
    """What is seen on the pages of the title's keys 2 and 3, one after the other."""
    seen = []
    for key in ("2", "3"):
        assert console.run_until(MENU, seconds=100), console.screen.text
        console.wait(90)
        console.type(key)
        console.wait(500)
        while not console.screen.shows(MENU):
            seen.append(console.screen.png())
            console.type(" ")
            console.wait(300)
    return seen


@pytest.mark.parametrize("name", game_names())
def test_the_text_pages_show_no_character_of_the_program_before(name: str) -> None:
    plain = shipped(name).image.to_bytes()
    clean = pages(console_with(plain))
    assert len(clean) > 3
    assert pages(console_with(plain, "LOAD")) == clean


def test_the_menu_and_the_games_after_each_other_show_the_same() -> None:
    names = list(game_names())
    disk = build_collection(games_root(), [shipped(name) for name in names]).image.to_bytes()
    for key, name in enumerate(names, 1):
        console = console_with(disk, "LOAD")
        assert console.run_until("0 END", seconds=60)
        console.wait(60)
        console.type(str(key))
        assert pictures(console, name) == pictures(
            console_with(shipped(name).image.to_bytes()), name
        )


@pytest.mark.parametrize("name", game_names())
def test_break_and_quit_do_nothing_and_come_back(name: str) -> None:
    console = console_with(fast_disk(shipped(name)).to_bytes())
    assert console.run_until(MENU, seconds=60)
    console.wait(60)
    for key in ("CLEAR", "QUIT"):
        console.tap(key, hold=12, gap=30)
        assert console.screen.shows(MENU)
        assert console.running
    console.type("5")
    assert console.run_until(ready=True, seconds=20)
    assert console.error is None
    console.command("CALL PEEK(-31806,X)::PRINT X")
    console.wait(60)
    assert console.screen.rows[21].strip() == "0"
