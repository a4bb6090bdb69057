"""A cartridge's console has what every console has: drives, keys, and a run that ends."""

import pytest

from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.anyconsole import RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.keyscript import parse
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

SAVES = """
       AORG >6000
       BYTE >AA,1,1,0
       DATA 0,LIST,0,0
LIST   DATA 0,BEGIN
       BYTE 4
       TEXT 'SAVE'
       EVEN
BEGIN  LIMI 0
       LWPI >8320
       LI   R0,>804F             >4F80, to write there
       MOVB R0,@>8C02
       SWPB R0
       MOVB R0,@>8C02
       LI   R1,PAB
LOOP   MOVB *R1+,@>8C00
       CI   R1,ENDPAB
       JNE  LOOP
       LI   R0,4
       MOV  R0,@>8354
       LI   R0,>0F8E
       MOV  R0,@>8356
       LWPI >83E0
       LI   R12,>1100
       SBO  0
       MOV  @>4008,R2
       MOV  *R2,R2
       INCT R2
       MOV  *R2,R9
       LI   R1,1
       BL   *R9
       NOP
       SBZ  0
       BLWP @>0000
PAB    BYTE 6,0
       DATA >0F8A,0,3
       BYTE 0,8
       TEXT 'DSK1.OUT'
ENDPAB EVEN
       END
"""
"""Saves three bytes, which begin with the length of the name, and goes to the title screen."""


def console(disk: DiskImage) -> CartridgeConsole:
    return CartridgeConsole(assemble(SAVES).image().data, disks={"DSK1": disk}, max_seconds=60)


def test_its_program_writes_to_the_disk_in_the_drive() -> None:
    disk = DiskImage.new()
    computer = console(disk)
    computer.start()
    assert computer.resume() is RunEnd.READY
    assert computer.ended
    assert computer.remarks == []
    assert disk.names() == ["OUT"]
    assert len(disk.read("OUT").data) == 3


def test_a_script_plays_on_it_and_tells_its_end() -> None:
    computer = console(DiskImage.new())
    computer.start()
    player = ScriptPlayer(computer, 60)
    end = player.follow(parse("until ready\nwait 9\nsnap end\npress A\n"))
    assert "nobody takes the key A" in str(end)
    assert end.step == 3
    assert list(player.screens) == ["end"]


def test_a_menu_without_programs_is_refused() -> None:
    console = CartridgeConsole(b"\xaa\x01" + bytes(30))
    with pytest.raises(TIError, match="no program in the cartridge's menu"):
        console.start()


TITLE = """100 FOR I=1 TO 40
110 CALL SOUND(500,I*10+200,9)
120 CALL KEY(0,K,S)
130 IF S THEN 160
140 NEXT I
150 PRINT "BY ITSELF"
160 END
"""
"""Plays for 20 seconds; each wait for a tone looks at the keyboard, too."""

SLOW = """100 CALL KEY(0,K,S)
110 A=K*2
120 IF S=0 THEN 100
"""
"""Looks for a key as often as Extended BASIC does, a few times a second."""


def compiled(listing: str) -> CartridgeConsole:
    console = CartridgeConsole(compile_program(Program.from_listing(listing), "TEST").cartridge)
    console.choose()
    return console


def test_a_title_with_a_tune_goes_on_by_itself() -> None:
    console = compiled(TITLE)
    assert console.resume(60) == RunEnd.READY
    assert console.screen.shows("BY ITSELF")


def test_a_slow_question_is_known_by_what_does_not_change() -> None:
    console = compiled(SLOW)
    assert console.resume(120) == RunEnd.KEYS
    assert console.clock.seconds < 40
    console.press("A")
    assert console.resume(5) == RunEnd.READY


READS_GROM = (
    SAVES[: SAVES.index("LWPI")]
    + """
       LI   R2,300
       MOVB R0,@>9C02
       MOVB R0,@>9C02
NEXT   MOVB @>9800,R1
       DEC  R2
       JNE  NEXT
       BLWP @>0000
       END
"""
)


def test_what_it_lacks_is_remarked_once() -> None:
    computer = CartridgeConsole(assemble(READS_GROM).image().data, max_seconds=60)
    computer.choose()
    for _ in range(2):
        assert computer.resume() is RunEnd.READY
        computer.start()
    (remark,) = computer.remarks
    assert "read GROM from" in remark
