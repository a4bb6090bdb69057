"""What a program with byte code has in video memory, and where it is before the program begins."""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.compiler.emit.assembly import byte_rows, bytes_of
from ti99tools.compiler.emit.sections import ShortCode
from ti99tools.compiler.short.packing import FIRST, LITERAL, pack
from ti99tools.compiler.tables import texts
from ti99tools.computer.console.compiledtexts import FIRST_TEXT
from ti99tools.hardware.assembler.assembling import assemble


@dataclass(frozen=True)
class VideoPart:
    """Sources: what is `there`, `size` bytes from the first byte for strings on, and its `packed`
    end, which the program unpacks there. What comes before that end, `copied` bytes, is copied as
    it is. After it are `ending` bytes of what ends a program.
    """

    there: str
    size: int
    packed: str
    copied: int
    ending: int

    def source(self, begins: int, beyond: int) -> str:
        """The part, and where it lies; see `HighMemory` for `beyond`."""
        # What lies before the strings is as much less for them.
        rows = (
            f"VIDBEG EQU  >{begins:04X}\nVIDEND EQU  >{begins + self.copied:04X}\n"
            f"BEYOND EQU  {max(1, beyond - self.size - self.ending)}\n"
            f"       AORG >{FIRST_TEXT:04X}\n"
        )
        return f"{rows}{self.there}ENDVDP\nHEAPLO EQU  ENDVDP+{self.ending}\n"


def video_part(short: ShortCode, items: str, ending: int) -> VideoPart:
    """What is in video memory: the table of places, and texts and items of DATA if they are."""
    others = texts(short.texts) + (items if short.data else "")
    # Here only the end must be at an even address.
    others = others.replace("       EVEN\n", "")
    if not short.packed:
        there = f"{short.places}{others}       EVEN\n"
        return VideoPart(there, bytes_of(there), "", bytes_of(there), ending)
    places = f"{short.places}       EVEN\n"
    there = f"{places}{others}       EVEN\n"
    packed = pack(assemble(f"       AORG >2000\n{others}       END\n").image().data)
    rows = [f"LITERL EQU  {LITERAL}", f"PAIR1  EQU  {FIRST}", "PAIRS"]
    rows += [f"       DATA {word}" for word in packed.words]
    rows += ["PACKED", *byte_rows(packed.data), "PKEND", "       EVEN", ""]
    return VideoPart(there, bytes_of(there), "\n".join(rows), bytes_of(places), ending)
