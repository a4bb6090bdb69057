"""A cartridge that does what option 5 of Editor/Assembler does, for consoles without the latter.

Each file goes into video memory at >1000 by the drive's LOAD, and from there to memory; the program
begins at the address of the first. Cells and registers of the video processor are left as
Editor/Assembler leaves them (measured); its characters and its utilities in low memory are not.
"""

from __future__ import annotations

from itertools import takewhile

from ti99tools.base.errors import DiskError
from ti99tools.base.foreign import is_memory_image
from ti99tools.compiler.runtimefiles import needed, runtime_source
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.media.disk.image import DiskImage

_LOADER = """\
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
       BYTE {size}
       TEXT '{name}'
       EVEN
BEGIN  LWPI RWS
{before}       LI   R1,REGS
REGS1  MOV  *R1+,R0
       BL   @VRAD
       CI   R1,REGSE
       JNE  REGS1
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
{left}PABD   BYTE 5,0
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
"""Registers of the video processor, and cells, as Editor/Assembler leaves them."""


def loader(name: str, left: str = EDITOR_ASSEMBLER, before: str = "") -> bytes:
    """The cartridge for the files on DSK1 of which the first has that name.

    `left` has the rows of `EDITOR_ASSEMBLER`, of another loader; `before` is done before all else.
    """
    text = _LOADER.format(name=name, size=len(name), left=left, before=before)
    own = runtime_source(needed({"DSRLNK"}))
    return assemble(f"{text}{own}       END\n", "loader").image(0x6000).data


def loader_for(image: DiskImage, name: str) -> bytes:
    """The cartridge for a memory image on a disk. Raises DiskError if one after it is missing."""
    first, following = name[:-1], range(ord(name[-1]), 127)
    names = [f"{first}{chr(code)}" for code in following]
    found = list(takewhile(lambda each: _is_image(image, each), names))
    last = next((each for each in found if not image.read(each).data[0]), None)
    if last is None:
        missing = names[len(found)] if len(found) < len(names) else "no such name"
        problem = f"another file follows {found[-1]}: {missing} is missing or of another kind"
        raise DiskError(problem, remedy="put all files of the program on the disk")
    return loader(name)


def _is_image(image: DiskImage, name: str) -> bool:
    if name not in image:
        return False
    return is_memory_image(image.read(name).data)
