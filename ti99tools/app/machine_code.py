"""Assembly language as files that a console loads: object code, a memory image, or a program.

A program with routines in machine code is one file that loads and runs as it is. The code lies
above the program's lines, where SAVE includes it. Lines added before the first one do CALL INIT and
enter the routines' names, so that CALL LINK finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ti99tools.base import tokens as tk
from ti99tools.base.errors import Place, ProgramError, TIError
from ti99tools.computer.machinecode.addresses import ENTRY, FREE_AFTER_INIT, NAMES_END
from ti99tools.hardware.assembler.assembling import Assembled, assemble_file
from ti99tools.hardware.assembler.tagged import RECORD
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.program.editor import code_size, entering, place_of, with_code
from ti99tools.language.program.program import Program
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.records import pack_fixed, store
from ti99tools.media.disk.tifile import DiskFile, check_name

BASIC = (".xb", ".bas", ".b99")
"""Extensions of Extended BASIC sources, which are not assembled."""
CodeForm = Literal["object", "image"]


def assembled(source: Path, relaxed: bool = False) -> Assembled:
    """Assemble a file (`relaxed`: see `assemble`); COPY reads files of its folder.

    Raises TIError.
    """
    if source.suffix.lower() in BASIC:
        problem = f"{source}: by its name a program of Extended BASIC, no assembly language"
        raise TIError(problem, remedy="give a source of instructions")
    code = assemble_file(source, library_folder(), relaxed)
    if not (code.words or code.definitions):
        remedy = "write an instruction, data or a DEF"
        raise TIError("there is no code in it", remedy=remedy, place=Place(str(source)))
    return code


def notes(code: Assembled) -> list[str]:
    """A note for each mistake that is accepted, and for what Extended BASIC makes of ERR."""
    from ti99tools.language.lint import code_errors

    return [*code.notes, *code_errors.notes(row.line for row in code.rows)]


def loader_notes(code: Assembled) -> list[str]:
    """A note for each thing in the object code that CALL LOAD of Extended BASIC v110 refuses."""
    notes = [
        f"REF {name}: CALL LOAD of Extended BASIC refuses it; use {name} EQU and its address"
        for name in code.references
    ]
    taken = (code.length + 1 & ~1) + ENTRY * len(code.definitions)
    if taken >= NAMES_END - FREE_AFTER_INIT:
        notes.append(
            f"{taken} bytes with the names: CALL LOAD of Extended BASIC has no room for them in "
            "low memory; put code into high memory with AORG"
        )
    return notes


def bare(code: Assembled, form: CodeForm, base: int) -> bytes:
    """The file without a container: DIS/FIX 80 records as on a disk, or memory. Raises TIError."""
    if form == "image":
        return code.image(base).data
    return pack_fixed(tuple(code.object_code.records()), RECORD)


def tifiles(code: Assembled, form: CodeForm, base: int, name: str) -> bytes:
    """The file with a TIFILES header. Raises DiskError for a name that is not allowed."""
    check_name(name)
    if form == "image":
        file = DiskFile.program(name, code.image(base).data)
    else:
        file = DiskFile.display_fix(name, code.object_code.records(), RECORD)
    return build_tifiles(store(file))


def figures(code: Assembled, base: int) -> dict[str, object]:
    """Addresses and symbols as JSON values; relocatable code at `base`."""
    places = [
        spot.address + (base if spot.segment.value == "relocatable" else 0) for spot in code.words
    ]
    return {
        "words": len(code.words),
        "first": min(places, default=None),
        "last": max(places, default=None),
        "relocatable_bytes": code.length,
        "symbols": {name: code.address_of(name, base) for name in sorted(code.symbols)},
        "definitions": list(code.definitions),
        "references": list(code.references),
    }


def summary(code: Assembled, form: CodeForm, base: int) -> str:
    """A short summary of the output."""
    if form == "image":
        image = code.image(base)
        return f"{len(image.data)} bytes from >{image.address:04X}"
    names = ", ".join(code.definitions) or "no DEF"
    return f"object code, {2 * len(code.words)} bytes, {names}"


LONGEST = 200
"""The most bytes of tokens in one of these lines, so that it can still be edited."""
BRANCH = "::"
_INIT = b"\xc8\x04INIT"


@dataclass(frozen=True, slots=True)
class Embedded:
    """The program, its routines with their addresses, and the lines that enter them."""

    program: Program
    names: dict[str, int]
    lines: tuple[int, ...]
    size: int

    @property
    def summary(self) -> str:
        """A short summary of the code added."""
        lines = " ".join(map(str, self.lines))
        names = ", ".join(self.names)
        return f"{self.size} bytes of machine code with {names}; line {lines} enters the names"


def embedded(program: Program, source: Path) -> Embedded:
    """Assemble a source and put its code into a program. Raises TIError.

    Relocatable code is assembled for its address; each DEF is a name for CALL LINK.
    """
    code = assembled(source)
    _check(program, code, source)
    place = place_of(len(code.block()))
    block = code.block(place)
    names = {name: code.address_of(name, place) for name in code.definitions}
    first = _entering(program, names)
    both = Program.from_lines((*first, *program.lines), protected=program.protected)
    numbers = tuple(line.number for line in first)
    return Embedded(with_code(both, block), names, numbers, len(block))


def _check(program: Program, code: Assembled, source: Path) -> None:
    """Raise ProgramError for code that cannot be put into a program."""
    problem = remedy = ""
    if code_size(program):
        problem, remedy = "the program has machine code inside", "start from its listing"
    elif not code.definitions:
        problem = f"{source}: no DEF, so that CALL LINK would find nothing"
        remedy = "add DEF and the label where a routine begins"
    if problem:
        raise ProgramError(problem, remedy=remedy)


def initializes(program: Program) -> list[int]:
    """The lines that do CALL INIT, which clears LINK's table of names."""
    return [line.number for line in program.lines if bytes((tk.CALL,)) + _INIT in line.tokens]


def _entering(program: Program, names: dict[str, int]) -> tuple[Line, ...]:
    """The lines that enter names, numbered to end just before the program's first line."""
    texts = ["CALL INIT"]
    for statement in entering(names).split(BRANCH):
        longer = texts[-1] + BRANCH + statement
        if len(_tokens(longer)) > LONGEST:
            texts.append(statement)
        else:
            texts[-1] = longer
    number = program.lines[0].number - len(texts)
    if number < 1:
        raise ProgramError(
            f"no line number is free before line {program.lines[0].number}",
            remedy="renumber the program (RES) so that it begins at 100",
        )
    return tuple(Line(at, _tokens(text)) for at, text in enumerate(texts, number))


def _tokens(statements: str) -> bytes:
    return tokenize_line(f"1 {statements}", limit=10_000)[1]
