"""Programs of Extended BASIC with machine code from our own assembler."""

from __future__ import annotations

from ti99tools.computer.console.session import Console
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

EQUATES = """
NUMASG EQU >2008
NUMREF EQU >200C
STRASG EQU >2010
STRREF EQU >2014
XMLLNK EQU >2018
KSCAN  EQU >201C
VSBW   EQU >2020
VMBW   EQU >2024
VSBR   EQU >2028
VMBR   EQU >202C
VWTR   EQU >2030
ERR    EQU >2034
"""


def console_with(
    source: str, listing: str, expansion: bool = True, code_seconds: float = 120
) -> Console:
    """A console with an assembled OBJ on its disk and a program in memory."""
    image = DiskImage.new()
    records = assemble(EQUATES + source).object_code.records()
    image.add(DiskFile.display_fix("OBJ", records))
    console = Console(
        disks={"DSK1": image}, max_seconds=60, expansion=expansion, code_seconds=code_seconds
    )
    console.load(Program.from_listing(listing))
    return console


def full_rows(console: Console) -> list[str]:
    """What the screen shows, row by row, without blank rows."""
    return [row.strip() for row in console.screen.text.splitlines() if row.strip()]
