"""A compiled program started from a disk: by Extended BASIC, and as option 5 starts files.

Option 5 is `loader`'s cartridge. Here it also leaves what programs may not rely on: >EE in all of
memory, another character set, registers and stacks used by another loader.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import EDITOR_ASSEMBLER, loaded, loader, option5_files
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

AnyForm = Console | CartridgeConsole
_BEFORE = """\
       LI   R0,>EEEE            nothing in memory is 0
       LI   R1,>2000
FILL1  MOV  R0,*R1+
       CI   R1,>4000
       JNE  FILL1
       LI   R1,>A000
FILL2  MOV  R0,*R1+
       MOV  R1,R1
       JNE  FILL2
       LI   R0,>0780            characters, colors and sprites that are not a program's
       BL   @VWAD
       LI   R2,>1000->0780
       LI   R1,>5A00
VIDEO  MOVB R1,@VDPWD
       DEC  R2
       JNE  VIDEO
"""
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
    return loader(name, left, _BEFORE)
