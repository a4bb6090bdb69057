"""A disk for Extended BASIC: `LOAD` with a loader hidden in it, and the program in parts.

`LOAD` starts by itself. Its loader reads each part into video memory by the drive's own LOAD
opcode, copies it, and lets an interrupt in after it, so that sprites and sounds go on. The last
part overwrites `LOAD` itself; until then a part that cannot be read leads back to it, and it says
so. A routine in the scratchpad copies that part and starts the program. Extended BASIC is not used
again, in whatever version.

What the loader relies on is what the fast start relies on (docs/machine-code.md): LINK, the video
memory that is free while `LOAD` runs, the cards, and that LOAD takes a file of whole sectors if it
is given exactly that much space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ti99tools.base.basic import AUTOSTART, CLEAN, LONGEST_STEM, NEEDS, PRINT_WIDTH, quoted
from ti99tools.base.errors import TIError
from ti99tools.compiler.forms.option5 import CONSOLE, Loaded, Piece, divided, even
from ti99tools.compiler.runtimefiles import needed, runtime_source
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.program.editor import DEFAULT_START, entering, place_of, with_code
from ti99tools.language.program.memory_image import LONG_TOP
from ti99tools.language.program.program import Program
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.tifile import DiskFile

PART = 0x1000
"""Bytes of a part; the last may be longer."""
LARGEST, STRINGS = 0x2B00, 256
"""Bytes of video memory for a part, >0B00 to >35FF, above the stack and below the strings of
`LOAD`; and for these.
"""
ENTRY = "START"

_LOADER = f"""\
GPLWS  EQU  >83E0
VDPRD  EQU  >8800
VDPWD  EQU  >8C00
VDPWA  EQU  >8C02
PAB    EQU  >0AE0
BUFFER EQU  >0B00
LEAST  EQU  BUFFER+{{room}}
COPIES EQU  >8320
START  MOV  R11,@BACK
       LWPI RWS
       LI   R10,RSTACK
       MOV  @>8370,R0           the highest free address: lower after CALL FILES
       CI   R0,LEAST
       JL   LEAVE
       LI   R8,PARTS
NEXT   MOV  @2(R8),R0
       AI   R0,{SECTOR - 1}
       ANDI R0,>{0x10000 - SECTOR:04X}
       MOV  R0,@PABD+6
       LI   R0,PAB
       BL   @VWAD
       LI   R1,PABD
PUT    MOVB *R1+,@VDPWD
       CI   R1,PABE
       JNE  PUT
       LI   R0,PAB
       BL   @DSRLNK
       JMP  LEAVE               there is no such device
       LI   R0,PAB+1
       BL   @VRAD
       CLR  R0
       MOVB @VDPRD,R0
       ANDI R0,>E000
       JNE  LEAVE
       AB   @ONE,@DIGIT
       LI   R0,BUFFER
       BL   @VRAD
       MOV  *R8+,@GPLWS+2       its R1: where to
       MOV  *R8+,@GPLWS+4       its R2: how many
       CI   R8,PARTSE
       JEQ  LAST
       LI   R0,COPIED
       MOV  R0,@GPLWS+8
       LWPI GPLWS
       LI   R3,VDPRD
COPY   MOVB *R3,*R1+
       MOVB *R3,*R1+
       DECT R2
       JNE  COPY
       B    *R4
COPYE
COPIED LWPI RWS
       LIMI 2
       LIMI 0
       JMP  NEXT
LEAVE  LWPI GPLWS
       MOV  @BACK,R11
       B    *R11
* The last part: nothing of what is here stays
LAST
{CONSOLE}       LI   R0,COPY
       LI   R1,COPIES
LAST1  MOV  *R0+,*R1+
       CI   R0,COPYE
       JNE  LAST1
       LWPI GPLWS
       LI   R3,VDPRD
       LI   R4,BEGIN
       B    @COPIES
PARTS  DATA {{parts}}
PARTSE
RWS    BSS  32
RSTACK BSS  16
BACK   DATA 0
ONE    BYTE 1,0
PABD   BYTE 5,0
       DATA BUFFER,0,0
       BYTE 0,PABE-PABN
PABN   TEXT 'DSK1.{{stem}}-'
DIGIT  BYTE '0'
PABE   EQU  $
       EVEN
"""


Draw = Callable[[int], tuple[Sequence[str], bytes]]
"""Draws what is shown while the program loads: takes the bytes of code at the top of memory;
returns lines of statements, without numbers, and code for the memory below that.
"""


def basic_files(program: Loaded, stem: str, title: str, draw: Draw | None = None) -> list[DiskFile]:
    """`LOAD` and the parts of a program, which are called `STEM-0`, `STEM-1`, and so on.

    `title` is shown in capitals, unless `draw` draws something else. Raises TIError where `LOAD`
    becomes too long.
    """
    load = _Load(stem[:LONGEST_STEM], title.upper(), program, draw or _shown(title))
    parts: list[Piece] = []
    top = LONG_TOP + 1
    # The loader has a table of the parts, whose number depends on its size.
    while parts != (parts := _parts(program.pieces, top)):
        made = load.made(parts)
        top = LONG_TOP + 1 - made.image.body
    return [
        DiskFile.program(AUTOSTART, made.to_program_bytes()),
        *(
            DiskFile.program(load.part_name(number), part.data + bytes(-len(part.data) % SECTOR))
            for number, part in enumerate(parts)
        ),
    ]


def _shown(title: str) -> Draw:
    message = quoted(f"LOADING {title.upper()}"[:PRINT_WIDTH])
    return lambda _above: ((f"CALL CLEAR::DISPLAY AT(12,1):{message}",), b"")


def _parts(pieces: Sequence[Piece], top: int) -> list[Piece]:
    """The parts in the order in which they are loaded: the last has all that lies above `top`.

    Raises TIError if that is more than video memory has room for.
    """
    *below, last = sorted(pieces, key=lambda each: each.address)
    begin = max(last.address, min(top & ~1, last.end - PART))
    if last.end - begin > LARGEST:
        raise TIError(
            f"what is shown while the program loads takes {LONG_TOP + 1 - top} bytes",
            remedy="show less",
        )
    cut = begin - last.address
    before = [*below, Piece(last.address, last.data[:cut])]
    return [*divided(before, PART), *divided([Piece(begin, last.data[cut:])], LARGEST)]


@dataclass(frozen=True, slots=True)
class _Load:
    """The program `LOAD`."""

    stem: str
    title: str
    program: Loaded
    draw: Draw

    def part_name(self, number: int) -> str:
        """The name of a part's file."""
        return f"{self.stem}-{chr(ord('0') + number)}"

    def made(self, parts: Sequence[Piece]) -> Program:
        """The program, with all code at the top of memory."""
        code = self._loader(parts)
        drawn, code_below = self.draw(len(code))
        lines = [f"ON BREAK NEXT::{CLEAN}", *drawn]
        last = DEFAULT_START + len(lines) + 2
        lines.insert(1, f"ON ERROR {last + 1}::CALL INIT::ON ERROR STOP")
        lines += [
            f'{entering({ENTRY: place_of(len(code))})}::CALL LINK("{ENTRY}")',
            f"{CLEAN}::PRINT {quoted(f'CANNOT LOAD {self._names(len(parts))}')}::END",
            f"PRINT {quoted(f'{self.title} {NEEDS}')}:",
        ]
        listing = "".join(f"{number} {line}\n" for number, line in enumerate(lines, DEFAULT_START))
        return with_code(Program.from_listing(listing, AUTOSTART), code_below + code)

    def _names(self, count: int) -> str:
        return f"{self.part_name(0)} TO {self.part_name(count - 1)[-2:]}"

    def _loader(self, parts: Sequence[Piece]) -> bytes:
        """The loader's bytes, for the top of memory."""
        table = ",".join(f"{part.address},{len(part.data)}" for part in parts)
        room = max(len(part.data) for part in parts) + STRINGS
        text = _LOADER.format(parts=table, stem=self.stem.replace("'", "''"), room=room)
        chosen = needed({"DSRLNK", "VWAD"})
        memory = "".join(
            f"{name:<6} BSS  {size}\n" for each in chosen for name, size in each.memory
        )
        text += (
            f"BEGIN  EQU  >{self.program.entry:04X}\n{memory}{runtime_source(chosen)}       END\n"
        )
        assembled = assemble(text, "loader")
        # The first assembly gives the size, which gives the address for the second one.
        size = len(even(0, assembled.image().data).data)
        return even(0, assembled.image(place_of(size)).data).data
