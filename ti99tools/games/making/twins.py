"""Machine code in place of SUBs: assembled, and laid out at the top of the program's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.base.errors import SourceError
from ti99tools.base.inputs import resolved
from ti99tools.hardware.assembler.assembling import Assembled, assemble, assemble_file
from ti99tools.language.dialect.declarations import Twin
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.program.editor import entering, place_of

INIT = "CALL INIT"

FEW = 2
"""The most names entered by CALL LOAD, at 49 ms each; a routine in machine code enters more, in
65 ms for all of them.
"""
ENTER = "*NAMES"
"""That routine's own name in LINK's table, until it has entered the others."""
ENTERING = """
       DEF  ENTER
ENTER  LI   R0,TABLE
       LI   R1,>4000-TABEND+TABLE
       MOV  R1,@>2004       the last free address
NAME   MOV  *R0+,*R1+
       CI   R1,>4000
       JNE  NAME
       B    *R11
TABLE  EQU  $
{rows}
TABEND EQU  $
       END
"""


@dataclass
class Twins:
    """The machine code of a game's twins; `code` is known once the listing has been made."""

    folder: Path
    above: int = 0
    """Bytes of other code above that of the twins, at the top of memory."""
    code: bytes = b""
    names: dict[str, int] = field(default_factory=dict)
    """Each twin's address, and that of `ENTER` if it is used."""

    def entered(self, twins: Sequence[Twin]) -> str:
        """Assemble the twins; returns the program's first statements. Raises SourceError."""
        by_file: dict[str, Assembled] = {}
        for twin in twins:
            if twin.file not in by_file:
                by_file[twin.file] = self._assembled(twin)
            _check_defined(twin, by_file[twin.file])
        sizes = {file: len(code.image().data) for file, code in by_file.items()}
        many = len(twins) > FEW
        extra = len(_entering(dict.fromkeys((twin.name for twin in twins), 0), 0)) if many else 0
        # The routine lies below the twins, which end at the top of the program or at other code.
        place = first = place_of(self.above + sum(sizes.values()) + extra)
        self.code, self.names = bytes(extra), {}
        place += extra
        for file, code in by_file.items():
            self.code += code.image(place).data
            for twin in twins:
                if twin.file == file:
                    self.names[twin.name] = code.address_of(twin.name, place)
            place += sizes[file]
        if not many:
            return f"{INIT}::{entering(self.names)}"
        # Now all addresses are known: assemble the routine into the bytes kept for it.
        self.code = _entering(self.names, first) + self.code[extra:]
        self.names[ENTER] = first
        return f'{INIT}::{entering({ENTER: first})}::CALL LINK("{ENTER}")'

    def _assembled(self, twin: Twin) -> Assembled:
        path = resolved(self.folder / twin.file)
        if not path.is_relative_to(self.folder.resolve()):
            problem, remedy = f"{twin.file} is outside the game's folder", "move it into it"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        return assemble_file(path, library_folder())


def _check_defined(twin: Twin, code: Assembled) -> None:
    """Raise SourceError when a twin's file does not define its name."""
    if twin.name not in code.definitions:
        problem, remedy = f"{twin.file} does not define {twin.name}", f"write DEF {twin.name}"
        raise SourceError(problem, remedy=remedy, place=twin.place)


def _entering(names: dict[str, int], place: int) -> bytes:
    """The routine that enters names into LINK's table, assembled for the address `place`."""
    rows = [f"       TEXT '{name:6}'\n       DATA {address}" for name, address in names.items()]
    assembled = assemble(ENTERING.format(rows="\n".join(rows)), "names")
    return assembled.image(place).data
