"""The fast start: a game as a memory image, which machine code in `LOAD` puts in place.

A program in the long form takes 11 seconds to load; the drive's LOAD opcode reads the same bytes in
one or two. `LOAD` has a loader hidden at the top of its memory. The loader calls the drive as any
program may (it searches the cards for DSK1 and uses a PAB in VDP memory), puts the image into high
memory and sets the pointers to the line number table. Then it makes the console's end-of-program
code run the game: RUN pre-scans it as after RUN "DSK1.NAME". The line that calls the loader and the
loader itself stay where they are, because the image ends below them. The game's own machine code
lies above them, in both programs.

If a part cannot be loaded, `LOAD` is still intact: it says so and runs the plain program file.
Without the 32K expansion it reports that.

Assumptions about the machine, each documented or recorded:

- LINK starts code with workspace >83E0 and interrupts off, and continues with the statement after
  it when the code branches to the old value of R11. Of >83E0 only R13 to R15 must be kept.
- In VDP memory, >0000 to >07FF and the colour table belong to the screen. The stack grows up
  from >0958; `LOAD` needs a few of its 49 entries. Names and strings of `LOAD` grow down from the
  address in >8370, which is >37D7 with three files; they need some 100 bytes of at least 256.
  Between them the loader has its PAB and its buffer. After CALL FILES with more than three files,
  >8370 is lower; then the loader gives up.
- A card begins with >AA at >4000; the word at >4008 points to its list of devices. Its DSR requires
  >8354, >8356, >83D0, >83D2 and R1 to be set, may use >83E0 and the scratch pad, returns to the
  second word after the call if it did the job, and puts the error in the upper bits of the PAB's
  second byte. Opcode 5 accepts a file of whole sectors whose size is exactly the room given.
- The program lies below >FFE8, its line number table below it; >8330 and >8332 hold the table's
  first and last addresses, >8386 the end of free memory below it. `LOAD` and the game end at the
  same address, so that the running line and the loader are not overwritten.
- After its last line a running program continues at the GROM address in >8326. The loader puts
  >649B there, the address of RUN in v110 (programs do so with CALL LOAD(-31962,100,155)). In any
  other version `LOAD` runs the plain program.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base.basic import AUTOSTART, LONGEST_STEM, NEEDS, quoted
from ti99tools.games.making.artefacts import FIRST_LINE
from ti99tools.games.making.manifest import Manifest
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.program.editor import entering, place_of, with_code, without_code
from ti99tools.language.program.memory_image import LONG_TOP
from ti99tools.language.program.program import Program
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.tifile import DiskFile

PART = 11008
"""Size in bytes of the buffer in VDP memory, >0B00 to >35FF. Above it lie the names of `LOAD`,
below it the PAB and the stack.
"""
VERSION = 110
"""The version of Extended BASIC required: others may have RUN at another address."""
LAST_PART = 512
"""The least size of the last part in bytes. It overwrites the lines of `LOAD`, which must still be
intact if that part cannot be loaded.
"""
PICTURE = 2048
"""Bytes of VDP memory that the picture takes: screen, sprites, patterns."""
SPRITE_BITS = 3
"""The bits of VDP register 1 that CALL MAGNIFY sets."""
ENTRY = "FAST"
SLOW = "NO FAST START: LOADING..."
"""The message while the plain program loads instead."""

SOURCE = """
VMBW   EQU  >2024
VSBR   EQU  >2028
VWTR   EQU  >2030
GPLWS  EQU  >83E0
PAB    EQU  >0AE0
BUFFER EQU  >0B00
LEAST  EQU  >3700
FAST   MOV  R11,@BACK
       LWPI WS
       MOV  @>8370,R0      the highest free address: lower after CALL FILES
       CI   R0,LEAST
       JL   LEAVE
       LI   R0,>01A0       nothing shows until its colors are there, too
       BLWP @VWTR
       BL   @PART          the picture, at the start of video memory
       LI   R0,>0800
       LI   R1,COLORS
       LI   R2,32
       BLWP @VMBW
       LI   R0,>0700+SCREEN
       BLWP @VWTR
       LI   R0,>01E0+SIZED the size of sprites; and none is in motion
       BLWP @VWTR
       SWPB R0
       MOVB R0,@>83D4
       SB   @>837A,@>837A
       LI   R0,BUFFER
       MOV  R0,@PABD+2
       LI   R0,PARTSZ
       MOV  R0,@PABD+6
       LI   R8,FIRST
NEXT   AB   @ONE,@DIGIT
       BL   @PART
       LI   R2,PARTSZ
       C    @LEFT,R2
       JHE  COPY
       MOV  @LEFT,R2
COPY   MOV  R8,@GPLWS+2    its R1: where to
       MOV  R2,@GPLWS+4    its R2: how many
       A    R2,R8
       S    R2,@LEFT
       LWPI GPLWS          registers in fast memory
       LI   R0,BUFFER
       SWPB R0
       MOVB R0,@>8C02
       SWPB R0
       MOVB R0,@>8C02
       LI   R3,>8800
BYTES  MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       MOVB *R3,*R1+
       AI   R2,-8
       JNE  BYTES
       LWPI WS
       MOV  @LEFT,R2
       JNE  NEXT
       LI   R0,START
       MOV  R0,@>8330      start of the line number table
       LI   R1,TABEND
       MOV  R1,@>8332      its end
       INCT R0
       MOV  R0,@>832E      the line that runs is the last one
       LI   R0,START-1
       MOV  R0,@>8386      end of the free memory
       LI   R0,>649B
       MOV  R0,@>8326      the end of the program is RUN
LEAVE  LWPI GPLWS
       MOV  @BACK,R11
       B    *R11
* Loads a part of the image; leaves when that fails
PART   MOV  R11,R10
       LI   R0,PAB
       LI   R1,PABD
       LI   R2,PABE-PABD
       BLWP @VMBW
       BL   @DSR
       MOV  @FOUND,R3
       JEQ  FAIL
       LI   R0,PAB+1
       BLWP @VSBR
       SRL  R1,13          the error
       JNE  FAIL
       B    *R10
FAIL   LI   R0,>01E0
       BLWP @VWTR
       JMP  LEAVE
* Calls the routine of the card that has a DSK1
DSR    MOV  R11,@RET
       CLR  @FOUND
       LI   R0,PAB+14
       MOV  R0,@>8356
       LI   R0,4
       MOV  R0,@>8354
       LWPI GPLWS
       LI   R12,>1000
CARD   SBO  0
       CB   @>4000,@MARK
       JNE  OFF
       MOV  @>4008,R2
NAME   MOV  R2,R2
       JEQ  OFF
       MOV  R2,R3
       INCT R3
       MOV  *R3+,R9
       CB   *R3+,@FOUR
       JNE  OTHER
       LI   R4,DEVICE
       LI   R5,4
SAME   CB   *R3+,*R4+
       JNE  OTHER
       DEC  R5
       JNE  SAME
       MOV  R12,@>83D0
       MOV  R2,@>83D2
       LI   R1,1
       BL   *R9
       JMP  DENIED
       SBZ  0
       SETO @FOUND
       JMP  DONE
DENIED MOV  @>83D0,R12     the routine may have used all registers
       MOV  @>83D2,R2
OTHER  MOV  *R2,R2
       JMP  NAME
OFF    SBZ  0
       AI   R12,>0100
       CI   R12,>2000
       JL   CARD
DONE   LWPI WS
       MOV  @RET,R11
       B    *R11
BACK   DATA 0
RET    DATA 0
FOUND  DATA 0
LEFT   DATA SIZE
WS     BSS  32
MARK   BYTE >AA
FOUR   BYTE 4
ONE    BYTE 1,0
COLORS BYTE {colors}
PABD   BYTE 5,0
       DATA 0,0,PICTUR
       BYTE 0,PABE-PABN
PABN   TEXT 'DSK1.{stem}-'
DIGIT  BYTE '0'
PABE   EQU  $
DEVICE TEXT 'DSK1'
       END
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """The screen while the game loads: VDP memory from 0 on, colour table, register 7.

    `sprites` are the bits of VDP register 1 for their size and magnification.
    """

    memory: bytes
    colors: bytes
    backdrop: int
    sprites: int = 0


@dataclass(frozen=True, slots=True)
class FastStart:
    """`LOAD`, and the parts of the image, the picture's part first."""

    load: DiskFile
    parts: tuple[DiskFile, ...]


def fast_start(manifest: Manifest, program: Program, picture: Picture) -> FastStart:
    """The files that start a program from its image. Raises ProgramError, SourceError."""
    stem = manifest.program[:LONGEST_STEM]
    loader = _FastLoader(stem, picture)
    lines, own = without_code(program)
    # The loader's size does not depend on the values, so measure it with zeros.
    size = len(loader.code(0, 0, 0, 0, len(own)))
    # The game ends below what `LOAD` keeps: the line that calls the loader, the loader, the code.
    remainder = _link_line(manifest) + bytes(size) + own
    below = with_code(lines, remainder)
    start = LONG_TOP + 1 - below.image.body
    table_end = LONG_TOP - len(below.image.memory)
    body = below.image.below(LONG_TOP)[: below.image.body - len(remainder)]
    # Parts are whole sectors: for a partly filled last one a drive would require more room.
    # Padding goes in front, since the image must end just below the line that calls the loader.
    padding = -len(body) % SECTOR
    image = bytes(padding) + body
    code = loader.code(start - padding, len(image), start, table_end, len(own)) + own
    load = with_code(_load(manifest, place_of(len(code))), code)
    step = part_size(len(image))
    # Part 0 is the picture; the loader increments the digit for the parts of the image.
    parts = [picture.memory, *(image[at : at + step] for at in range(0, len(image), step))]
    return FastStart(
        DiskFile.program(AUTOSTART, load.to_program_bytes()),
        tuple(DiskFile.program(f"{stem}-{n}", part) for n, part in enumerate(parts)),
    )


def part_size(size: int) -> int:
    """The size of the parts of an image of `size` bytes; the last one may be shorter."""
    return PART - LAST_PART if size > PART and 0 < size % PART < LAST_PART else PART


@dataclass(frozen=True, slots=True)
class _FastLoader:
    """The loader in machine code, to lie at the top of memory."""

    stem: str
    picture: Picture

    def code(self, first: int, size: int, start: int, table_end: int, above: int) -> bytes:
        """Its bytes, for an image of `size` bytes from `first` on, and `above` bytes above it."""
        values = {
            "FIRST": first,
            "SIZE": size,
            "START": start,
            "TABEND": table_end,
            "SCREEN": self.picture.backdrop,
            "SIZED": self.picture.sprites,
            "PICTUR": len(self.picture.memory),
            "PARTSZ": part_size(size),
        }
        head = "".join(f"{name} EQU {value}\n" for name, value in values.items())
        colors = ",".join(map(str, self.picture.colors))
        text = SOURCE.replace("{stem}", self.stem).replace("{colors}", colors)
        assembled = assemble(head + text, "loader")
        # The first assembly gives the size, which gives the address for the second one.
        return assembled.image(place_of(len(assembled.image().data) + above)).data


def _lines(manifest: Manifest, address: int) -> list[str]:
    """The numbered lines of `LOAD`; the third from the end calls the loader."""
    lines = [
        f"ON BREAK NEXT::ON ERROR {FIRST_LINE + 3}::CALL INIT::ON ERROR STOP"
        f"::{entering({ENTRY: address})}::CALL VERSION(V)::IF V<>{VERSION} THEN {FIRST_LINE + 2}",
        f'CALL LINK("{ENTRY}")',
        f"DISPLAY ERASE ALL AT(12,2):{quoted(SLOW)}::RUN {quoted(f'DSK1.{manifest.program}')}",
        f"PRINT {quoted(f'{manifest.title.upper()} {NEEDS}')}:",
    ]
    return [f"{number} {line}" for number, line in enumerate(lines, FIRST_LINE)]


def _load(manifest: Manifest, address: int) -> Program:
    """`LOAD`, with the line that calls the loader highest in memory."""
    lines = _lines(manifest, address)
    calling = lines.pop(-3)
    return Program.from_listing("".join(f"{line}\n" for line in (calling, *lines)), AUTOSTART)


def _link_line(manifest: Manifest) -> bytes:
    """The line that calls the loader, as it lies in memory."""
    _, tokens = tokenize_line(_lines(manifest, 0)[-3])
    return bytes((len(tokens) + 1,)) + tokens + b"\0"
