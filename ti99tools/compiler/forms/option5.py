"""The files of option 5 of Editor/Assembler, RUN PROGRAM FILE, and of all loaders that do the same.

A file is a memory image: a word that is not 0 if another file follows, the number of bytes with
these three words, the address of the first. The next file has the same name but for its last
character, which is one higher. The program begins at the address of the first file. Source:
measured with Editor/Assembler; its manual gives the 8 KB of a file.

Editor/Assembler leaves the console as the menu does, other loaders as they have used it. So the
first file is some instructions that put it right. They lie where the program has nothing yet; if
there is no such place, the first file is the program's.

For consoles without Editor/Assembler a cartridge does what it does. Each file goes into video
memory at >1000 by the drive's LOAD, and from there to memory. Cells and registers of the video
processor are left as Editor/Assembler leaves them (measured); its characters and its utilities in
low memory are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from struct import pack

from ti99tools.base.decoding import is_memory_image
from ti99tools.base.errors import DiskError, TIError
from ti99tools.compiler.linking import HIGH_END, ORIGIN, Linked
from ti99tools.compiler.runtimefiles import needed, runtime_source
from ti99tools.compiler.tables import LOW, LOW_END
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import LONGEST_NAME, DiskFile

MEMORY = ((LOW, LOW_END), (ORIGIN, HIGH_END))
"""First address and end of the two parts of the 32K memory expansion."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that belong at an even address; their number is even."""

    address: int
    data: bytes

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + len(self.data)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program in memory: its pieces in order of their addresses, and where it begins."""

    entry: int
    pieces: tuple[Piece, ...]


def loaded(linked: Linked) -> Loaded:
    """What a linked program without banks has in memory when it begins."""
    assert not linked.banks, "a cartridge is needed for banks"
    kept = linked.low.rjust(len(linked.low) + len(linked.low) % 2, b"\0")
    low = (Piece(LOW_END - len(kept), kept),) if kept else ()
    return Loaded(ORIGIN, (*low, even(ORIGIN, linked.image)))


def even(address: int, data: bytes) -> Piece:
    """A piece of data; a byte is added to an odd number of them."""
    return Piece(address, data + bytes(len(data) & 1))


def divided(pieces: Iterable[Piece], most: int) -> Iterator[Piece]:
    """The pieces in parts of at most `most` bytes, an even number."""
    for piece in pieces:
        for at in range(0, len(piece.data), most):
            yield Piece(piece.address + at, piece.data[at : at + most])


def gap(pieces: Sequence[Piece], size: int) -> int | None:
    """The highest address in low memory, or else in high memory, where `size` bytes are free.

    `size` is even; None where there is no such place.
    """
    for first, end in MEMORY:
        for piece in sorted(pieces, key=lambda each: -each.address):
            if first <= piece.address < end:
                if end - piece.end >= size:
                    break
                end = piece.address
        if end - first >= size:
            return end - size
    return None


PART, HEAD = 0x2000, 6
"""Bytes of a file at most, and of its three words."""
CONSOLE = """\
       LI   R0,>9E7E            the stacks of GPL
       MOV  R0,@>8372
       LI   R0,>9800            registers that the console's routines rely on
       MOV  R0,@>83FA
       LI   R0,>0108
       MOV  R0,@>83FC
       LI   R0,>8C02
       MOV  R0,@>83FE
       SB   @>83CE,@>83CE       no sound list is at work, and all voices are off
       LI   R0,>9FBF
       MOVB R0,@>8400
       SWPB R0
       MOVB R0,@>8400
       LI   R0,>DFFF
       MOVB R0,@>8400
       SWPB R0
       MOVB R0,@>8400
"""
"""Cells as the console's menu leaves them; the program itself sets the others. Changes R0."""
_BEGIN = f"""\
BEGIN  LIMI 0
       LWPI >8300
{CONSOLE}       B    @ENTRY
       END
"""


def counts_up(name: str, files: int) -> bool:
    """Tell whether the names of so many files, from this on, all end in a letter or a digit.

    Others are legal on a disk, but not as names of files on every host.
    """
    last = [chr(ord(name[-1]) + n) for n in range(files)]
    return all(each.isascii() and each.isalnum() for each in last)


def option5_files(program: Loaded, name: str, suit: bool = False) -> list[DiskFile]:
    """The files of a program, the first of which has the name.

    Raises TIError for a name that cannot be counted up, see `counts_up`; with `suit` another one is
    made of it.
    """
    first, *others = sorted(program.pieces, key=lambda each: each.address != program.entry)
    parts = [*_beginning(program), *divided((first, *others), PART - HEAD)]
    if suit and not counts_up(name, len(parts)):
        name = name[: LONGEST_NAME - 1] + "A"
    names = [f"{name[:-1]}{chr(ord(name[-1]) + n)}" for n in range(len(parts))]
    if not counts_up(name, len(parts)):
        wrong = next(each for each in names if not each[-1].isascii() or not each[-1].isalnum())
        raise TIError(
            f"the program has {len(parts)} files, named from {name} on: one would be {wrong!r}",
            remedy="use a name that ends in an earlier letter or digit",
        )
    return [
        DiskFile.program(own, _file(part, more))
        for own, part, more in zip(names, parts, (*[0xFFFF] * (len(parts) - 1), 0), strict=True)
    ]


def _file(part: Piece, more: int) -> bytes:
    """A file, in whole sectors: controllers refuse a last one that is partly filled if the room for
    the file ends with it (recorded).
    """
    data = pack(">HHH", more, len(part.data) + HEAD, part.address) + part.data
    return data + bytes(-len(data) % SECTOR)


def _beginning(program: Loaded) -> Iterator[Piece]:
    """The first instructions, at a place that is free; nothing without one."""
    assembled = assemble(f"ENTRY  EQU  >{program.entry:04X}\n{_BEGIN}", "beginning")
    size = len(even(0, assembled.image().data).data)
    place = gap(program.pieces, size)
    if place is not None:
        yield even(place, assembled.image(place).data)


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
