"""Twins of SUBs in machine code: assembled, laid out at the top of the program's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.assembler.assembling import Assembled, assemble_file
from ti99tools.base.errors import SourceError
from ti99tools.program.embedding import entering, place_of
from ti99tools.source.dialect.twins import Twin


@dataclass
class Twins:
    """The machine code of a game's twins; `code` is known when the listing has been made."""

    folder: Path
    code: bytes = b""
    names: dict[str, int] = field(default_factory=dict)
    """Each twin's address."""

    def entered(self, twins: Sequence[Twin]) -> str:
        """Assemble the twins; the statements with which the program begins. Raises SourceError."""
        made = {twin.file: self._assembled(twin) for twin in twins}
        sizes = {file: len(code.image().data) for file, code in made.items()}
        place = place_of(sum(sizes.values()))
        self.code, self.names = b"", {}
        for file, code in made.items():
            self.code += code.image(place).data
            for twin in twins:
                if twin.file == file:
                    self.names[twin.name] = code.address_of(twin.name, place)
            place += sizes[file]
        return f"CALL INIT::{entering(self.names)}"

    def _assembled(self, twin: Twin) -> Assembled:
        path = (self.folder / twin.file).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            problem, remedy = f"{twin.file} is outside the game's folder", "move it into it"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        code = assemble_file(path)
        if twin.name not in code.definitions:
            problem, remedy = f"{twin.file} does not define {twin.name}", f"write DEF {twin.name}"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        return code
