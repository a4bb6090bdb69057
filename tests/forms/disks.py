"""A compiled program started from a disk: by Extended BASIC, and as option 5 starts files.

Our console has no Editor/Assembler. The stand-in is a cartridge that does what option 5 does: each
file into video memory at >1000 by the drive's LOAD, from there to memory, at last to the address of
the first. It leaves what Editor/Assembler leaves (measured), and elsewhere what programs may not
rely on: >EE in all of memory, another character set, registers and stacks used by another loader.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import option5_files
from ti99tools.compiler.forms.pieces import loaded
from ti99tools.compiler.linking import needed, runtime_source
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

AnyForm = Console | CartridgeConsole
_STAND_IN = """\
GPLWS  EQU  >83E0
VDPRD  EQU  >8800
VDPWD  EQU  >8C00
VDPWA  EQU  >8C02
RWS    EQU  >8300
PAB    EQU  >0400
BUFFER EQU  >1000
       AORG >6000
       BYTE >AA,1,1,0
       DATA 0,LIST,0,0,0,0
LIST   DATA 0,BEGIN
       BYTE 1
       TEXT 'E'
BEGIN  LWPI RWS
       LI   R0,>EEEE            nothing in memory is 0
       LI   R1,>2000
FILL1  MOV  R0,*R1+
       CI   R1,>4000
       JNE  FILL1
       LI   R1,>A000
FILL2  MOV  R0,*R1+
       MOV  R1,R1
       JNE  FILL2
       LI   R1,REGS
REGS1  MOV  *R1+,R0
       BL   @VRAD
       CI   R1,REGSE
       JNE  REGS1
       LI   R0,>0780            characters, colors and sprites that are not a program's
       BL   @VWAD
       LI   R2,>1000->0780
       LI   R1,>5A00
VIDEO  MOVB R1,@VDPWD
       DEC  R2
       JNE  VIDEO
       LI   R10,>8350
       LI   R0,PAB
       BL   @VWAD
       LI   R1,PABD
       LI   R2,PABE-PABD
PUT    MOVB *R1+,@VDPWD
       DEC  R2
       JNE  PUT
       CLR  @FIRST
NEXT   LI   R0,PAB
       BL   @DSRLNK
STOP   JMP  STOP
       LI   R0,PAB+1
       BL   @VRAD
       MOVB @VDPRD,R0
       ANDI R0,>E000
       JNE  STOP
       LI   R0,BUFFER
       BL   @VRAD
       LI   R1,MORE
HEAD   MOVB @VDPRD,*R1+
       CI   R1,MORE+6
       JNE  HEAD
       MOV  @MORE+2,R2
       AI   R2,-6
       MOV  @MORE+4,R1
       MOV  @FIRST,R0
       JNE  COPY
       MOV  R1,@FIRST
COPY   MOVB @VDPRD,*R1+
       DEC  R2
       JNE  COPY
       LI   R0,PAB+PABE-PABD-1
       BL   @VRAD
       MOVB @VDPRD,R1
       AI   R1,>0100
       BL   @VWAD
       MOVB R1,@VDPWD
       MOV  @MORE,R0
       JNE  NEXT
       LI   R1,LEFT             cells as another loader leaves them
CELLS  MOV  *R1+,R2
       MOV  *R1+,*R2
       CI   R1,LEFTE
       JNE  CELLS
       MOV  @FIRST,@GPLWS
       LWPI GPLWS
       B    *R0
* Written by the caller of this: registers of the video processor, and cells
{rows}
PABD   BYTE 5,0
       DATA BUFFER,0,>2000
       BYTE 0,PABE-PABN
PABN   TEXT 'DSK1.{name}'
PABE   EQU  $
       EVEN
FIRST  EQU  >8340
MORE   EQU  >8342
DSRNAM EQU  >8348
"""
EDITOR_ASSEMBLER = """\
REGS   DATA >8000,>81E0,>8200,>830E,>8401,>8506,>8600,>87F3
REGSE
LEFT   DATA >8300,>A000,>8354,>0004,>8374,>000D,>83CC,>0484
LEFTE
"""
"""What Editor/Assembler leaves."""
OTHER = """\
REGS   DATA >8000,>81B0,>8201,>8320,>8400,>8507,>8601,>8717
REGSE
LEFT   DATA >8300,>EEEE,>8372,>AF8E,>837C,>FFFF,>83C2,>F000,>83C4,>6000,>83CC,>1000
       DATA >83CE,>2000,>83D6,>FFFE,>83FA,>9C00,>83FC,>0000,>83FE,>8C00
LEFTE
"""
"""What no loader need leave as the console's menu does."""


def image_with(files: Sequence[DiskFile]) -> DiskImage:
    """A disk with the files."""
    image = DiskImage.new("SSSD", "TEST")
    for file in files:
        image.add(file)
    return image


def from_basic(program: Compiled) -> Console:
    """A console whose Extended BASIC has just found LOAD."""
    image = image_with(basic_files(loaded(program.linked), "TEST", program.title))
    console = Console({"DSK1": image})
    console.boot()
    return console


def by_option_5(program: Compiled, left: str = EDITOR_ASSEMBLER) -> CartridgeConsole:
    """A console whose loader has just begun; it leaves `left`."""
    image = image_with(option5_files(loaded(program.linked), "TEST"))
    console = CartridgeConsole(stand_in("TEST", left), disks={"DSK1": image})
    console.choose()
    return console


def as_cartridge(program: Compiled) -> CartridgeConsole:
    """The same program as a cartridge, with a disk in the drive."""
    console = CartridgeConsole(program.cartridge, disks={"DSK1": image_with(())})
    console.choose()
    return console


def stand_in(name: str, left: str) -> bytes:
    """The cartridge that starts the files of that name."""
    text = _STAND_IN.format(name=name, rows=left)
    own = runtime_source(needed({"DSRLNK"}))
    return assemble(f"{text}{own}       END\n", "stand-in").image(0x6000).data
