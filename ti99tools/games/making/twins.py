"""Machine code in place of SUBs: assembled, and laid out at the top of the program's memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, SourceError, Where
from ti99tools.base.inputs import resolved
from ti99tools.hardware.assembler.assembling import Assembled, assemble, assemble_file
from ti99tools.language.dialect.declarations import Twin
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.program.editor import entering, place_of
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

if TYPE_CHECKING:
    from ti99tools.compiler.subs.sublinking import LinkedSubs

INIT = "CALL INIT"

FEW = 2
"""The most names entered by CALL LOAD, at 49 ms each; a routine in machine code enters more, in
65 ms for all of them.
"""
ENTER = "*NAMES"
"""That routine's own name in LINK's table, until it has entered the others."""
ENTERING = """
       DEF  ENTER
ENTER  EQU  $
{clear}       LI   R0,TABLE
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
CLEARING = """\
       LI   R0,{begin}
       LI   R1,{words}
CLEAR  CLR  *R0+
       DEC  R1
       JNE  CLEAR
"""
"""RUN begins with all variables of compiled SUBs at 0; CON does not come here."""
TAKING = """\
       LI   R0,{end}
       MOV  R0,@>2002
"""
"""Object code that CALL LOAD reads comes after the memory of compiled SUBs."""


@dataclass
class Twins:
    """The machine code of a game's twins; `code` is known once the listing has been made."""

    folder: Path
    above: int = 0
    """Bytes of other code above that of the twins, at the top of memory."""
    code: bytes = b""
    names: dict[str, int] = field(default_factory=dict)
    """Each twin's address, and that of `ENTER` if it is used."""
    sizes: dict[str, int] = field(default_factory=dict)
    """The bytes of each SUB that is compiled, without what they share."""
    call_cycles: dict[str, int] = field(default_factory=dict)
    """What a CALL of each takes besides what the SUB does."""
    error_cell: int = 0
    """Where a compiled SUB that fails leaves an address; 0 without such SUBs."""
    statements: list[tuple[int, Place | None]] = field(default_factory=list)
    """Address where the code of a statement of theirs begins → the statement, in order."""
    compiled_bytes: int = 0
    """The bytes of all of them in the program, with the runtime and what low memory has no room for
    of their variables and strings.
    """
    low_bytes: int = 0
    """The bytes of low memory that they take for variables and strings."""

    def entered(self, twins: Sequence[Twin]) -> str:
        """Assemble the twins; returns the program's first statements. Raises SourceError."""
        by_file: dict[str, Assembled] = {}
        own = [twin for twin in twins if not twin.file]
        written = {file: self._assembled(twin) for file, twin in _by_file(twins).items()}
        subs = None
        if own:
            subs, where = _compiled(own, list(written.values()), len(twins))
        if subs is not None:
            self.sizes, self.compiled_bytes = subs.sizes, subs.size
            self.call_cycles = subs.call_cycles
            self.low_bytes = subs.memory.low_bytes
        for twin in twins:
            if twin.file not in by_file:
                code = subs.assembled if subs and not twin.file else written[twin.file]
                by_file[twin.file] = code
            if twin.file:
                _check_defined(twin, by_file[twin.file])
        sizes = {file: len(code.block()) for file, code in by_file.items()}
        many = len(twins) > FEW or subs is not None
        empty = dict.fromkeys((twin.name for twin in twins), 0)
        extra = len(_entering(empty, 0, subs)) if many else 0
        # The routine lies below the twins, which end at the top of the program or at other code.
        place = first = place_of(self.above + sum(sizes.values()) + extra)
        self.code, self.names = bytes(extra), {}
        memory = 0
        place += extra
        for file, code in by_file.items():
            self.code += code.block(place)
            for twin in twins:
                if twin.file == file:
                    label = subs.entries[twin.name] if subs and not file else twin.name
                    self.names[twin.name] = code.address_of(label, place)
            if subs is not None and not file:
                memory = subs.assembled.address_of("RAMBEG", place)
                self.error_cell = subs.assembled.address_of("ERRADR", place)
                self.statements = [
                    (at, None if spot is None else where(*spot))
                    for at, spot in subs.statements(place)
                ]
            place += sizes[file]
        if not many:
            return f"{INIT}::{entering(self.names)}"
        # Now all addresses are known: assemble the routine into the bytes kept for it.
        self.code = _entering(self.names, first, subs, memory) + self.code[extra:]
        self.names[ENTER] = first
        return f'{INIT}::{entering({ENTER: first})}::CALL LINK("{ENTER}")'

    def failed_at(self, address: int) -> Place | None:
        """The statement of a compiled SUB that has left an address in `error_cell`."""
        before = [place for at, place in self.statements if at < address]
        return before[-1] if before else None

    def _assembled(self, twin: Twin) -> Assembled:
        path = resolved(self.folder / twin.file)
        if not path.is_relative_to(self.folder.resolve()):
            problem, remedy = f"{twin.file} is outside the game's folder", "move it into it"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        if not path.exists():
            problem, remedy = f"{twin.file} does not exist", "write it, or correct its name"
            raise SourceError(problem, remedy=remedy, place=twin.place)
        return assemble_file(path, library_folder())


def _by_file(twins: Iterable[Twin]) -> dict[str, Twin]:
    """Each file of twins with the first that names it, where a mistake is reported."""
    files: dict[str, Twin] = {}
    for twin in twins:
        if twin.file:
            files.setdefault(twin.file, twin)
    return files


def _compiled(
    twins: Sequence[Twin], others: Sequence[Assembled], count: int
) -> tuple[LinkedSubs, Where]:
    """The machine code of the SUBs that are compiled, among others; where their statements were
    written. Raises SourceError.
    """
    from ti99tools.compiler.subs.sublinking import compile_subs
    from ti99tools.compiler.subs.submemory import room_below

    assert twins[0].basic is not None
    source = Source.of_generated(twins[0].basic())
    addresses = (
        value.number for code in others for value in code.symbols.values() if not value.bases
    )
    room = room_below(addresses, count, max(twin.heap for twin in twins))
    names = [twin.name for twin in twins]
    return compile_subs(Program.of(source), names, source.where, room), source.where


def _check_defined(twin: Twin, code: Assembled) -> None:
    """Raise SourceError when a twin's file does not define its name."""
    if twin.name not in code.definitions:
        problem, remedy = f"{twin.file} does not define {twin.name}", f"write DEF {twin.name}"
        raise SourceError(problem, remedy=remedy, place=twin.place)


def _entering(
    names: dict[str, int], place: int, subs: LinkedSubs | None = None, memory: int = 0
) -> bytes:
    """The routine that enters names into LINK's table, assembled for the address `place`.

    `memory` is where the variables of the compiled SUBs are, which it clears.
    """
    rows = [f"       TEXT '{name:6}'\n       DATA {address}" for name, address in names.items()]
    clear = ""
    if subs is not None:
        words = subs.memory.lasting // 2
        clear = CLEARING.format(begin=memory, words=words) if words else ""
        if subs.memory.low_end:
            clear += TAKING.format(end=subs.memory.low_end)
    assembled = assemble(ENTERING.format(rows="\n".join(rows), clear=clear), "names")
    return assembled.image(place).data
