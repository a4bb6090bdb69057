"""What goes on while a SUB that is compiled runs long: FCTN-4, sounds, sprites; its heap."""

from __future__ import annotations

import pytest

from tests.subs.subforms import loaded
from ti99tools.computer.console.asking import shown_memory
from ti99tools.computer.numbers.rnd import stored, taken

LONG = """CALL CLEAR
CALL SPRITE(#1,65,5,1,1,0,20)
CALL SOUND(900,440,5)
N=7
CALL LONG(N)
M=1
PRINT "DONE"
END
SUB LONG(N) COMPILED
  RANGE N=0 TO 99,I=0 TO 32000,J=0 TO 99
  FOR I=1 TO 1500
    FOR J=1 TO 60
      N=J
    NEXT J
  NEXT I
SUBEND
"""
COLUMN = 0x301
"""Of sprite 1, in video memory."""
FILL = """N=0
CALL FILL(30,N)
CALL FILL({more},N)
PRINT "FULL?";N
A$="THAT IS 19 LONG....."
CALL OTHER(A$,N)
PRINT "OTHER";N
END
SUB FILL(COUNT,N) COMPILED 900
  RANGE COUNT=0 TO 99,N=0 TO 99
  DIM A$(99)
  FOR I=N+1 TO N+COUNT
    A$(I)="X"
    A$(I)=RPT$(CHR$(64+I),16)
    N=I
  NEXT I
SUBEND
SUB OTHER(B$,N) COMPILED
  RANGE N=0 TO 99
  KEPT$=B$&"?"
  N=LEN(KEPT$)
SUBEND
"""


def test_sounds_and_sprites_go_on_and_fctn_4_acts_when_it_returns() -> None:
    console = loaded(LONG)
    console.start()
    seen = []
    for _ in range(3):
        console.wait(40)
        seen.append((console.machine.vdp.ram[COLUMN], console.machine.sound.playing))
        console.hold("CLEAR")
    assert 3 < seen[0][0] < seen[1][0] < seen[2][0], "the sprite moves"
    assert seen[0][1]
    assert not seen[2][1], "the sound ends"
    for _ in range(300):
        console.wait(1)
        if "BREAKPOINT IN" in console.screen.text:
            break
    console.release("CLEAR")
    assert "BREAKPOINT IN" in console.screen.text
    assert str(console.variables["N"]) == "60", "the SUB has come to its end"
    assert "DONE" not in console.screen.text


@pytest.mark.parametrize(("more", "last"), [(14, "FULL? 44"), (20, "MEMORY FULL IN 110")])
def test_a_heap_that_is_full_is_an_error_in_any_of_the_subs(more: int, last: str) -> None:
    console = loaded(FILL.format(more=more))
    console.run()
    shown = [row.strip() for row in console.screen.rows if row.strip()]
    assert any(last in row for row in shown), shown
    if more == 14:
        assert any("MEMORY FULL IN" in row for row in shown), "the heap is that of all SUBs"


def test_the_state_of_rnd_has_the_recorded_form() -> None:
    first, second = bytes.fromhex("4308163608"), bytes.fromhex("4304444C02")
    assert stored(82_254_084_687_602) == first + second
    assert stored(16_316_447_901_761) == bytes.fromhex("43013F102C43075A113D")
    assert stored(5 * 10**12) == bytes.fromhex("42320000000000000000")
    for state in (0, 7, 10**7, 99, 5 * 10**12, 82_254_084_687_602, 10**14 - 1):
        assert taken(stored(state)) == state
    assert taken(b"\x43\xff" + bytes(8)) is None


def test_what_is_shown_stays_the_same_while_a_program_links_again_and_again() -> None:
    console = loaded(
        "RANDOMIZE 7\nagain:\nCALL LOOK(K)\nIF K<1 THEN again\nEND\n"
        "SUB LOOK(K) COMPILED\n  CALL KEY(0,A,K)\nSUBEND\n"
    )
    console.start()
    console.wait(120)
    found = set()
    for _ in range(60):
        console.wait(1)
        found.add(shown_memory(bytes(console.machine.picture().ram)))
    assert len(found) == 1
