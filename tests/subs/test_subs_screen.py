"""The screen, keys and sticks in a SUB that is compiled: video memory is the same in both forms."""

import pytest

from tests.subs.subforms import loaded
from ti99tools.computer.console.session import Console

DRAW = """CALL CLEAR
CALL SPRITE(#1,65,5,50,60)
X$="FF818181818181FF0102040810204080"
CALL DRAW(3,X$,G)
PRINT "CODE";G
END
SUB DRAW(N,P$,G)
  RANGE N=1 TO 9
  CALL CHAR(128,P$)
  CALL CHAR(136,"FF00FF00FF00FF00")
  FOR I=1 TO N
    CALL HCHAR(I,I+2,127+I,40)
    CALL VCHAR(I+3,30,64+I,25)
    CALL HCHAR(20,I,48+I)
    CALL COLOR(I,I+1,16-I)
  NEXT I
  CALL GCHAR(20,2,G)
  CALL SCREEN(8)
  CALL LOCATE(#1,N*9,N*7)
  CALL PATTERN(#1,66)
SUBEND
"""
WAIT = """AGAIN:
CALL WAIT(K,S,X,Y)
IF K=13 THEN END
GOTO AGAIN
SUB WAIT(K,S,X,Y)
  CALL KEY(0,K,S)
  CALL JOYST(1,X,Y)
SUBEND
"""


def both(source: str) -> list[Console]:
    sub = next(row for row in source.splitlines() if row.startswith("SUB"))
    return [loaded(source.replace(sub, sub + word)) for word in ("", " COMPILED")]


def test_what_it_draws_is_in_video_memory() -> None:
    consoles = both(DRAW)
    for console in consoles:
        assert console.run() == "ready", console.screen.text
    first, second = (bytes(console.machine.vdp.ram[:0x900]) for console in consoles)
    assert first == second
    assert "CODE 50" in consoles[1].screen.text


@pytest.mark.parametrize("digits", ["1", "FFG"])
def test_digits_of_a_pattern_that_are_none_fail(digits: str) -> None:
    source = DRAW.replace("FF818181818181FF0102040810204080", digits)
    rows = []
    for console in both(source):
        console.run()
        rows.append(" ".join(row.strip() for row in console.screen.rows[-6:]))
    assert ("BAD VALUE" in rows[0]) == ("BAD VALUE" in rows[1]) == (digits == "FFG")


def test_keys_and_sticks_are_what_they_are_in_basic() -> None:
    found = []
    for console in both(WAIT):
        console.start()
        console.wait(60)
        seen = []
        for key in ("A", "7"):
            console.press(key, hold=40, gap=40)
            seen.append([str(console.variables[name]) for name in "KSXY"])
        console.joystick(1, x=4, y=-4)
        console.wait(60)
        seen.append([str(console.variables[name]) for name in "KSXY"])
        found.append(seen)
    assert found[0] == found[1]
    assert found[1][2] == ["-1", "0", "4", "-4"]
