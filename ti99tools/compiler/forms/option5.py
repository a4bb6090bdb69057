"""The files of option 5 of Editor/Assembler, RUN PROGRAM FILE, and of all loaders that do the same.

A file is a memory image: a word that is not 0 if another file follows, the number of bytes with
these three words, the address of the first. The next file has the same name but for its last
character, which is one higher. The program begins at the address of the first file. Source:
measured with Editor/Assembler; its manual gives the 8 KB of a file.

Editor/Assembler leaves the console as the menu does, other loaders as they have used it. So the
first file is some instructions that put it right. They lie where the program has nothing yet; if
there is no such place, the first file is the program's.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack

from ti99tools.base.errors import TIError
from ti99tools.compiler.forms.pieces import Loaded, Piece, divided, even, gap
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.tifile import LONGEST_NAME, DiskFile

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
