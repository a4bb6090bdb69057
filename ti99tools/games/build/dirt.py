"""A disk whose program leaves the machine in a state that no other program should mind.

RUN of a program keeps what the one before has drawn, defined, set in motion and poked (recorded:
the random-states cases; `computer.console.contents` has the table). This one uses all of that,
waits for a key, and runs DSK1.LOAD, whatever disk is in the drive by then.
"""

from __future__ import annotations

from functools import cache

from ti99tools.games.build.artefacts import program_file
from ti99tools.games.build.manifest import AUTOSTART
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

READY = "PRESS A KEY"
"""What it shows when the disk can be changed."""

LISTING = f"""\
100 OPTION BASE 1::DIM A(40)::CALL INIT::CALL CLEAR
110 FOR I=9460 TO 10450 STEP 10::CALL LOAD(I,170,85,2,0,170,85,1,3,255,96)::NEXT I
120 CALL LOAD(16376,82,85,68,69,32,32,36,244)::CALL LOAD(8194,41,0,63,248)
130 FOR I=-24000 TO -17000 STEP 500::CALL LOAD(I,255,0,165,90)::NEXT I
140 FOR I=32 TO 140 STEP 4::CALL CHAR(I,"{"AA55FF00C3A51881" * 4}")::NEXT I
150 FOR I=0 TO 14::CALL COLOR(I,I+2,16-I)::NEXT I
160 CALL HCHAR(1,1,42,768)::CALL MAGNIFY(4)::CALL SCREEN(14)
170 FOR I=1 TO 28::CALL SPRITE(#I,28+4*I,1+I/2,6*I,8*I,I-14,15-I)::NEXT I
180 ON WARNING NEXT::ON ERROR 210::ON BREAK NEXT::RANDOMIZE 7
190 DISPLAY AT(24,1):"{READY}"::CALL SOUND(-4250,220,28)
200 CALL KEY(5,K,S)::IF S<1 THEN 200 ELSE RUN "DSK1.LOAD"
210 PRINT "NO DSK1.LOAD"::STOP
"""
"""The cells after INIT's routines are filled as if a routine had been loaded, name table too."""


@cache
def empty_disk() -> bytes:
    """A disk without files, as a sector image."""
    return DiskImage.new("SSSD", "EMPTY").to_bytes()


@cache
def dirty_disk() -> bytes:
    """The disk, as a sector image."""
    image = DiskImage.new("SSSD", "DIRT")
    image.add(program_file(Program.from_listing(LISTING, AUTOSTART), AUTOSTART))
    return image.to_bytes()
