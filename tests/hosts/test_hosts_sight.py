"""What is seen of video memory: two machines that look alike have the same sight."""

from __future__ import annotations

from ti99tools import Console, Program
from ti99tools.games.hosts.sight import Blinking, Sight, sight_of
from ti99tools.games.verify.shipped.flaws import differences


def memory_after(*lines: str, frames: int = 60) -> tuple[bytes, bytes]:
    """Video memory and registers after a program's lines, before it ends."""
    console = Console(max_seconds=60)
    listing = [*lines, "GOTO 999"]
    numbered = [f"{990 - len(listing) + n} {line}\n" for n, line in enumerate(listing)]
    console.load(Program.from_listing("".join(numbered).replace("GOTO 999", "GOTO 989")))
    console.start()
    console.wait(frames)
    console.machine.sync()
    vdp = console.machine.vdp
    return bytes(vdp.ram), bytes(vdp.registers)


def sight(*lines: str, frames: int = 60, blinking: Blinking | None = None) -> Sight:
    return sight_of(*memory_after(*lines, frames=frames), blinking or Blinking())


def test_what_is_not_on_the_screen_is_not_seen() -> None:
    plain = sight("PRINT 1")
    assert sight('CALL CHAR(130,RPT$("F",16))::CALL COLOR(14,5,9)', "PRINT 1") == plain
    assert sight("CALL SPRITE(#1,65,5,193,20)", "PRINT 1") == plain
    assert sight("CALL MAGNIFY(4)", "CALL SPRITE(#1,65,5,225,20)", "PRINT 1") == plain
    assert sight("CALL MAGNIFY(4)", "CALL SPRITE(#1,65,5,227,20)", "PRINT 1") != plain
    assert sight("CALL SPRITE(#1,65,5,256,20)", "PRINT 1") != plain
    assert sight("CALL COLOR(1,2,9)", "PRINT 1") != plain
    assert sight("CALL COLOR(3,5,1)", "PRINT 1") != plain
    assert sight("CALL SCREEN(9)", "PRINT 1") != plain


def test_dots_and_colours_count_not_codes_and_cursors() -> None:
    assert sight("CALL HCHAR(3,3,30)") == sight("CALL HCHAR(3,3,32)") == sight("CALL CLEAR")
    filled = 'CALL CHAR(96,RPT$("F",16))::CALL HCHAR(9,9,96)'
    other = 'CALL CHAR(104,"")::CALL COLOR(10,9,2)::CALL HCHAR(9,9,104)'
    assert sight(filled) == sight(other)


def test_a_sprite_in_motion_has_no_place() -> None:
    moving = "CALL SPRITE(#1,65,5,20,20,9,9)"
    assert sight(moving) == sight(moving, frames=200)
    assert sight(moving) != sight("CALL SPRITE(#1,65,6,20,20,9,9)")
    assert sight(moving) != sight("CALL SPRITE(#1,66,5,20,20,9,9)")
    assert sight("CALL SPRITE(#1,65,5,20,20)") != sight("CALL SPRITE(#1,65,5,20,21)")


def test_what_blinks_is_not_looked_at() -> None:
    for blinking, a, b in (
        (Blinking(cells=((5, 5, 1, 3),)), "CALL HCHAR(5,7,65)", "CALL HCHAR(5,5,66)"),
        (Blinking(sprites=(2,)), "CALL SPRITE(#2,65,5,20,20)", "CALL SPRITE(#2,66,9,9,9)"),
        (Blinking(characters=(65,)), 'PRINT "A"', 'CALL CHAR(65,"FF")::PRINT "A"'),
    ):
        assert sight(a) != sight(b)
        assert sight(a, blinking=blinking) == sight(b, blinking=blinking)


def test_differences_are_told() -> None:
    a = sight('DISPLAY AT(3,1):"ABC"')
    for lines, message in (
        (['DISPLAY AT(3,1):"AXC"'], "row 3, columns 4: "),
        (["CALL SCREEN(9)", 'DISPLAY AT(3,1):"ABC"'], "the screen's colour is 9, not 8"),
        (["CALL COLOR(5,7,1)", 'DISPLAY AT(3,1):"ABC"'], "colours 7 on 8, not 2 on 8"),
        (['CALL CHAR(65,"FF")', 'DISPLAY AT(3,1):"ABC"'], "dots "),
        (["CALL SPRITE(#3,65,5,9,9)", 'DISPLAY AT(3,1):"ABC"'], "sprite #3: "),
    ):
        messages = [*differences(a, sight(*lines))]
        assert messages and any(message in line for line in messages), messages
    assert [*differences(a, a)] == []
    many = "FOR I=1 TO 9::CALL SPRITE(#I,65,5,9*I,9)::NEXT I"
    assert [*differences(sight("CALL CLEAR"), sight(many))][-1] == "and 6 sprites more"
