"""When a program waits for a key: it says so, or nothing else happens any more."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.computer.console.asking import WaitKind
from ti99tools.computer.console.waiting import Watcher
from ti99tools.hardware.machine.clock import FRAME

KEY = "100 CALL KEY(3,K,S)::IF S=0 THEN 100\n110 PRINT K::GOTO 100\n"
PAUSE = """\
100 FOR I=1 TO 30
110 CALL KEY(3,K,S)::IF S THEN 200
120 IF I/10=INT(I/10)THEN CALL SOUND(-50,440,9)
130 NEXT I
200 PRINT "DONE"
210 CALL KEY(3,K,S)::IF S=0 THEN 210
"""


def watched(listing: str) -> tuple[Console, Watcher]:
    console = Console(max_seconds=600)
    console.load(Program.from_listing(listing))
    watcher = Watcher(console)
    console.start()
    return console, watcher


@pytest.mark.parametrize(
    ("listing", "what"),
    [
        (KEY, WaitKind.KEY),
        ('100 INPUT "A? ":A\n', WaitKind.LINE),
        ("100 ACCEPT AT(5,5):A$\n", WaitKind.LINE),
        ("100 PRINT 1\n", WaitKind.PROMPT),
        ("100 PRINT 1/\n", WaitKind.PROMPT),
        ("100 I=I+1::GOTO 100\n", WaitKind.NOTHING),
        ("100 CALL KEY(3,K,S)\n110 FOR I=1 TO 9000::NEXT I\n120 GOTO 100\n", WaitKind.NOTHING),
    ],
)
def test_what_is_waited_for(listing: str, what: WaitKind) -> None:
    _, watcher = watched(listing)
    assert watcher.wait(40).what is what


@pytest.mark.parametrize("rounds", [1, 8, 34])
def test_a_line_is_waited_for_when_its_cursor_shows(rounds: int) -> None:
    """ACCEPT opens its line a moment before that."""
    console, watcher = watched(f"100 FOR I=1 TO {rounds}\n110 NEXT I\n120 ACCEPT AT(5,3):A$\n")
    assert watcher.wait(40).what is WaitKind.LINE
    editor = console.computer.editor
    assert editor is not None
    assert editor.cursor == (4, 4)


def test_a_place_where_it_has_waited_is_known_again() -> None:
    console, watcher = watched(f"90 REM A PROGRAM THAT NO OTHER TEST WATCHES\n{KEY}")
    waits = []
    for _ in range(3):
        start = console.clock.cycles
        found = watcher.wait(60)
        waits.append((console.clock.cycles - start) / FRAME)
        assert found.what is WaitKind.KEY
        assert found.place in found.looks
        console.tap("A", hold=6, gap=6)
        watcher.forget()
    assert waits[0] > 1000 > 200 > waits[1] > 80
    assert 200 > waits[2] > 80


def test_a_program_that_ends_has_looked_for_the_key_that_ended_it() -> None:
    console, watcher = watched("100 CALL KEY(3,K,S)::IF S=0 THEN 100\n110 PRINT K\n")
    watcher.wait(60)
    watcher.forget()
    pressed = console.clock.cycles
    console.tap("A", hold=6, gap=6)
    found = watcher.wait(60)
    assert found.what is WaitKind.PROMPT
    assert 0 <= min(found.looks.values()) - pressed < 6 * FRAME


def test_a_pause_that_a_key_ends_is_no_question() -> None:
    console, watcher = watched(PAUSE)
    assert watcher.wait(60).what is WaitKind.KEY
    assert console.screen.shows("DONE")


def test_what_is_not_looked_at_may_change() -> None:
    listing = "100 I=1-I::CALL HCHAR(1,1,65+I)::CALL KEY(3,K,S)::IF S=0 THEN 100\n"
    _, watcher = watched(listing)
    assert watcher.wait(30).what is WaitKind.NOTHING
    console = Console(max_seconds=600)
    console.load(Program.from_listing(listing))
    console.start()
    rows = Watcher(console, lambda: bytes(console.machine.vdp.ram[32:768]))
    assert rows.wait(30).what is WaitKind.KEY


LOOP = """\
100 PRINT "A"
110 CALL KEY(3,K,S)
120 CALL KEY(3,K,S)::IF K=66 THEN 100
130 CALL KEY(1,K,S)::GOTO 120
"""


def test_a_question_is_asked_where_its_loop_looks_first() -> None:
    console, watcher = watched(LOOP)
    first = watcher.wait(60)
    assert first.place == ((2, 0),)  # not the look that came last, nor the one before the loop
    assert ((1, 0),) in first.looks
    console.tap("B", hold=6, gap=6)
    assert watcher.wait(60).place == first.place
