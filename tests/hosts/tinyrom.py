"""A console ROM of our own, small enough to read, that treats keys as the real machine does.

With it emulators boot without anybody's ROMs, so that command line, driver, keys, screens and
time-outs of a host can be tested for real. It acts as a program of Extended BASIC of five lines:

    90 with FRESH: CALL KEY(3,KB,S), a single look before the question: a key that is down is old
    100 CALL KEY(3,K,S)
    110 CALL JOYST(1,X,Y)
    120 shows K if S is 1, or with BY_CODE if K differs from the K before
    130 CALL SOUND: waits for the sound before, and scans the keyboard meanwhile

The line that runs stands at 832Eh. 83C8h–83CAh hold the last codes of any scan, of the left and of
the right half, FFh for none; a key is new where its scan's own cell differs. Between scans 8375h is
0, as Extended BASIC leaves it. So a key that a scan of line 110 or 130 finds is lost in line 100.

With CURSOR a cursor blinks in row 24, as for INPUT and at the prompt; keys are shown after it.

Each key taken is shown as the character 30h + 8 · column + row, then F, S or C for FCTN, SHIFT or
CTRL held with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ti99tools.games.hosts import roms, ti99sim
from ti99tools.games.hosts.line_tables import LineTable
from ti99tools.games.hosts.matrix import places_of
from ti99tools.hardware.assembler.assembling import assemble

OFFSET = 0x60
TEXT = "TI99TOOLS TEST "
NUMBERS = (130, 120, 110, 100, 90)
"""The lines of the program in the order of its table."""
TABLE = LineTable(NUMBERS, frozenset({NUMBERS.index(100), NUMBERS.index(90)}))
CELL = 0x8340
"""A word that is not 0 in line 100, as a program without Extended BASIC may tell that it waits."""
MODIFIERS = {4: "F", 5: "S", 6: "C"}
"""Rows of the first column."""

SOURCE = """
VDPA   EQU  >8C02
VDPD   EQU  >8C00
LINE   EQU  >832E
G      EQU  >83C8
       AORG 0
       DATA >8300,START
       AORG >24
START  LI   R15,VDPA
       CLR  R1
       MOVB R1,*R15
       LI   R1,>4000
       MOVB R1,*R15            write to the screen from its start on
       LI   R14,VDPD
       LI   R2,TEXT
SHOW   MOVB *R2+,R1
       JEQ  SHOWN
       AI   R1,>6000           as Extended BASIC stores characters
       MOVB R1,*R14
       JMP  SHOW
SHOWN  LI   R1,WRITES
       JEQ  UNTOLD
       LI   R10,UNTOLD
       B    @SECTOR
UNTOLD LI   R1,PROBE
       JEQ  PROBED
       B    @PROBES
PROBED LI   R8,LATE            the drive takes its time
       JEQ  LOADED
LOADS  BL   @PAUSE
       DEC  R8
       JNE  LOADS
LOADED LI   R1,>9F00           a sound of the console's own
       MOVB R1,@>8400
       LI   R1,TABLE
       MOV  R1,@>8330
       LI   R1,TABLE+19
       MOV  R1,@>8332
       LI   R1,RUNS
       MOVB R1,@>8344          a program runs, or not
       CLR  @BLINK
       SETO R1
       MOV  R1,@G
       MOV  R1,@G+2
       CLR  @CELL
       SETO R9                 K of the round before
       LI   R1,BRIEF
       JEQ  SOUND
       LI   R1,TABLE+14        a program that is over at once
       MOV  R1,@LINE
       MOVB @>9800,R1
       CLR  @LINE
       LI   R1,>9100
       MOVB R1,@>8400
OVER   JMP  OVER
* 130 CALL SOUND: many scans of the whole keyboard
SOUND  LI   R8,SOUNDS
       LI   R1,TABLE+2
       MOV  R1,@LINE
WAITS  DEC  R8
       JLT  LOOK
       BL   @BUSY
       CLR  R13
       BL   @SCAN
       JMP  WAITS
* 90 CALL KEY(3,KB,S)
LOOK   LI   R1,FRESH
       JEQ  KEY
       LI   R1,TABLE+18
       MOV  R1,@LINE
       BL   @BUSY
       CLR  R13
       BL   @SCAN
       MOV  R3,R9
* 100 CALL KEY(3,K,S)
KEY    LI   R1,CURSOR
       JEQ  STEADY
       INC  @BLINK
       MOV  @BLINK,R1
       ANDI R1,>000F
       JNE  STEADY
       MOV  @BLINK,R1
       LI   R2,>7E00           the cursor
       ANDI R1,>0010
       JEQ  LIT
       LI   R2,>8000           a blank
LIT    LI   R1,>E200
       MOVB R1,*R15
       LI   R1,>4200
       MOVB R1,*R15
       MOVB R2,*R14
STEADY LI   R1,TABLE+14
       MOV  R1,@LINE
       SETO @CELL              a compiled program tells so that it waits for a key
       BL   @BUSY
       CLR  R13
       LI   R1,SCANS
       JEQ  NEVER
       BL   @SCAN
NEVER  CLR  @CELL
       MOV  R3,R10             the code, FFh none
       MOV  R2,R7              S
       MOV  R5,R6              modifiers
* 110 CALL JOYST(1,X,Y): a scan of the left half
JOYST  LI   R1,TABLE+10
       MOV  R1,@LINE
       BL   @BUSY
       LI   R13,1
       LI   R1,STICKS
       JEQ  TEST
       BL   @SCAN
* 120 shows K
TEST   LI   R1,TABLE+6
       MOV  R1,@LINE
       BL   @BUSY
       LI   R1,BYCODE
       JNE  DIFFER
       CI   R7,1
       JNE  KEY
       JMP  TAKEN
DIFFER C    R10,R9
       JEQ  KEY
       MOV  R10,R9
       CI   R10,>FF
       JEQ  KEY
TAKEN  MOV  R10,R1
       AI   R1,>90             60h more than the character 30h
       SWPB R1
       MOVB R1,*R14
       LI   R2,MARKS
NEXTM  MOV  *R2+,R1
       JEQ  SOUND
       MOV  *R2+,R4
       COC  R1,R6
       JNE  NEXTM
       MOVB R4,*R14
       JMP  NEXTM
* Time passes
BUSY   LI   R12,WORK
BUSY1  DEC  R12
       JNE  BUSY1
       B    *R11
* Scan half R13 (0: both): R3 the code, R2 the status, R5 the modifiers. Columns from the last on.
SCAN   SETO R3
       ANDI R3,>FF
       CLR  R2
       CLR  R5
       LI   R4,5
COLUMN LI   R12,>24
       MOV  R4,R1
       SWPB R1
       LDCR R1,3
       LI   R12,6
       CLR  R1
       STCR R1,8
       SRL  R1,8
       INV  R1
       ANDI R1,>FF             1 is a key that is down
       MOV  R4,R4
       JNE  HALF
       MOV  R1,R5
       ANDI R5,>70             FCTN, SHIFT, CTRL
       ANDI R1,>8F
       MOV  R13,R13
       JEQ  FIND
       CLR  R1
       JMP  FIND
HALF   MOV  R13,R13
       JEQ  FIND
       ANDI R1,>F0             the left half
FIND   MOV  R1,R1
       JEQ  NOTHIS
       CI   R3,>FF
       JNE  NOTHIS
       MOV  R4,R3
       SLA  R3,3
BIT    SRL  R1,1
       JOC  NOTHIS
       INC  R3
       JMP  BIT
NOTHIS DEC  R4
       JGT  COLUMN
       JEQ  COLUMN
       MOV  R3,R1
       SWPB R1
       MOVB R1,@>8375          the code, as long as the statement lasts
       CI   R3,>FF
       JEQ  NOKEY
       CB   R1,@G(R13)
       JEQ  OLD
       MOVB R1,@G(R13)
       MOVB R1,@G
       LI   R2,1
       MOV  R13,R13
       JNE  DONE
       MOV  R3,R13             a scan of both halves tells the half, too
       ANDI R13,4
       SRL  R13,2
       AI   R13,-2
       ABS  R13                rows 4 to 7 are left: 1, the others 2
       MOVB R1,@G(R13)
       JMP  DONE
OLD    SETO R2
       JMP  DONE
NOKEY  MOVB R1,@G(R13)
       MOVB R1,@G
       MOV  R13,R13
       JNE  DONE
       MOVB R1,@G+1
       MOVB R1,@G+2
DONE   CLR  R1
       MOVB R1,@>8375          Extended BASIC leaves 0 there
       B    *R11
* Writes sector 5 of track 0 in the first drive with one byte; the controller's bus is inverted
SECTOR LI   R12,>1100
       SBO  0
       SBZ  1
       SBO  1                  the motor
       SBO  3                  the head
       SBZ  7                  the first side
       SBO  4                  drive 1 of three
       SBZ  5
       SBZ  6
       BL   @PAUSE
       LI   R1,>F500           restore, head loaded
       MOVB R1,@>5FF8
       BL   @PAUSE
       SETO R1
       MOVB R1,@>5FFA
       LI   R1,>FA00
       MOVB R1,@>5FFC
       LI   R1,>5700           write a sector
       MOVB R1,@>5FF8
       LI   R1,WRITTEN
       LI   R2,256
       LI   R3,40              microseconds, some
SETTLE DEC  R3
       JNE  SETTLE
       MOVB @>5FF0,R3          busy, or protected
       ANDI R3,>0100
       JNE  REFUSE
       SBO  2                  the processor waits for the controller
NEXTB  MOVB R1,@>5FFE
       DEC  R2
       JNE  NEXTB
       SBZ  2
REFUSE BL   @PAUSE
       SBZ  0
       B    *R10
PAUSE  SETO R3                 half a second
PAUSE1 DEC  R3
       JNE  PAUSE1
       B    *R11
* What the memory holds: a sum of 16 bytes each
PROBES LI   R8,>0010           GROMs, 2000h apart
GROMS  MOV  R8,R1
       MOVB R1,@>9C02
       SWPB R1
       MOVB R1,@>9C02
       BL   @WAIT
       LI   R4,16
       CLR  R3
GSUM   MOVB @>9800,R1
       BL   @WAIT
       BL   @ADD
       DEC  R4
       JNE  GSUM
       BL   @HEX
       AI   R8,>2000
       CI   R8,>E010
       JNE  GROMS
       LI   R8,BANKS           ROM of the cartridge, in both banks
NBANK  MOV  *R8+,R1
       JEQ  CARD
       CLR  *R1                a write chooses the bank
       MOV  *R8+,R2
       BL   @SUM
       JMP  NBANK
CARD   LI   R12,>1100          ROM of the disk controller
       SBO  0
       LI   R2,>4010
       BL   @SUM
       LI   R2,>5010
       BL   @SUM
       SBZ  0
       LI   R8,RAM             the expansion
       LI   R5,>1234
WRITE  MOV  *R8+,R1
       JEQ  WRITTN
       MOV  R5,*R1
       INC  R5
       JMP  WRITE
WRITTN LI   R8,RAM
READ   MOV  *R8+,R1
       JEQ  PROBEX
       MOV  *R1,R3
       BL   @HEX
       JMP  READ
PROBEX B    @PROBED
WAIT   NOP
       B    *R11
SUM    MOV  R11,R9
       LI   R4,16
       CLR  R3
SUM1   MOVB *R2+,R1
       BL   @ADD
       DEC  R4
       JNE  SUM1
       MOV  R9,R11
       JMP  HEX
ADD    SRL  R1,8               the bytes in turn, each place with its own weight
       SLA  R3,1
       JNC  ADD1
       INC  R3
ADD1   A    R1,R3
       B    *R11
HEX    LI   R4,4
HEX1   SRC  R3,12
       MOV  R3,R1
       ANDI R1,15
       AI   R1,>90             60h more than the character 0
       SWPB R1
       MOVB R1,*R14
       DEC  R4
       JNE  HEX1
       B    *R11
BANKS  DATA >6000,>6010,>6000,>7010,>6002,>6010,>6002,>7010,0
RAM    DATA >2000,>3FFE,>A000,>FFFE,0
TABLE  EQU  >E000
CELL   EQU  >8340
BLINK  EQU  >8350
TEXT   TEXT '{text}'
       BYTE 0
       EVEN
MARKS  DATA >10,>A600,>20,>B300,>40,>A300,0
       END
"""


@dataclass(frozen=True)
class Rom:
    """The ROM's settings: `work` between scans (8 µs each), scans of a sound, who scans, what is
    taken.
    """

    work: int = 0x200
    sounds: int = 0
    scans: bool = True
    sticks: bool = False
    fresh: bool = False
    probe: bool = False
    """It shows sums of all memories first."""
    writes: int = 0
    """It first fills sector 5 of the first drive with this byte, if that is not 0."""
    cursor: bool = False
    runs: bool = True
    """A program runs."""
    late: int = 0
    """Half seconds that pass between its text and the program's first line."""
    brief: bool = False
    """The program is over long before the end of a frame, and makes a sound afterwards."""
    by_code: bool = False
    """A key is new where its code differs from that of the round before; its status is ignored."""

    def image(self) -> bytes:
        """The 8 KB of the console's ROM."""
        return _image(self)

    def pieces(self) -> dict[str, bytes]:
        """MAME's pieces of the machine, with empty GROMs and disk controller."""
        image = self.image()
        return {
            "ti99_4a/994a_rom_hb.u610": image[0::2],
            "ti99_4a/994a_rom_lb.u611": image[1::2],
            **{f"ti99_4a/994a_grom{n}.u50{n}": bytes(6144) for n in range(3)},
            **{f"ti99_fdc/fdc_dsr.u{n}": bytes(4096) for n in (26, 27)},
        }

    def for_mame(self, folder: Path) -> dict[str, str]:
        """Write the ROM as MAME wants it below `folder`."""
        roms.RomSet(self.pieces()).lay_out(folder / "roms")
        return {}

    def for_ti99sim(self, folder: Path) -> dict[str, str]:
        """Write the ROM as ti99sim wants it."""
        path = folder / "console.ctg"
        path.write_bytes(ti99sim.console(self.image(), [bytes(6144)] * 3))
        return {"console": str(path)}


@cache
def _image(rom: Rom) -> bytes:
    numbers = {
        "WORK": rom.work,
        "SOUNDS": rom.sounds,
        "SCANS": int(rom.scans),
        "STICKS": int(rom.sticks),
        "BYCODE": int(rom.by_code),
        "FRESH": int(rom.fresh),
        "PROBE": int(rom.probe),
        "WRITES": int(bool(rom.writes)),
        "WRITTEN": (0xFF - rom.writes) << 8,
        "CURSOR": int(rom.cursor),
        "LATE": rom.late,
        "BRIEF": int(rom.brief),
        "RUNS": 0xFF00 * rom.runs,
    }
    head = "".join(f"{name:6} EQU  {value}\n" for name, value in numbers.items())
    found = assemble(head + SOURCE.replace("{text}", TEXT)).image()
    return found.data.ljust(8192, b"\0")


def sign_of(key: str) -> str:
    """What the ROM shows for a key that it has taken."""
    *modifiers, (column, row) = places_of(key)
    return chr(0x30 + 8 * column + row) + "".join(MODIFIERS[at] for _, at in modifiers)
