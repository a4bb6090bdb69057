"""Assembly language as the files that a console loads: object code, or a memory image."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ti99tools.assembler.assembling import Assembled, assemble_file
from ti99tools.assembler.tagged import RECORD
from ti99tools.base.errors import DiskError, TIError
from ti99tools.disk.records import pack_fixed, store
from ti99tools.disk.tifile import NAME_RULE, DiskFile, is_legal_name
from ti99tools.disk.tifiles import build_tifiles

BASIC = (".xb", ".bas", ".b99")
"""Extensions of sources that are of another language."""
CodeForm = Literal["object", "image"]


def assembled(source: Path) -> Assembled:
    """Assemble a file; COPY reads from its folder. Raises TIError."""
    if source.suffix.lower() in BASIC:
        problem = f"{source}: by its name a program of Extended BASIC, no assembly language"
        raise TIError(problem, remedy="give a source of instructions")
    return assemble_file(source)


def loader_notes(code: Assembled) -> list[str]:
    """What CALL LOAD of Extended BASIC v110 will not take of the object code."""
    return [
        f"REF {name}: CALL LOAD of Extended BASIC refuses it; use {name} EQU and its address"
        for name in code.references
    ]


def bare(code: Assembled, form: CodeForm, base: int) -> bytes:
    """The file without a container: DIS/FIX 80 records as on a disk, or memory. Raises TIError."""
    if form == "image":
        return code.image(base).data
    return pack_fixed(tuple(code.object_code.records()), RECORD)


def tifiles(code: Assembled, form: CodeForm, base: int, name: str) -> bytes:
    """The file with a TIFILES header. Raises DiskError for a name that is not allowed."""
    if not is_legal_name(name):
        raise DiskError(f"file name {name!r} is invalid", remedy=NAME_RULE)
    if form == "image":
        file = DiskFile.program(name, code.image(base).data)
    else:
        file = DiskFile.display_fix(name, code.object_code.records(), RECORD)
    return build_tifiles(store(file))


def figures(code: Assembled, base: int) -> dict[str, object]:
    """Addresses and symbols as JSON values; relocatable code at `base`."""
    places = [spot.address + (base if spot.segment.value == "relocatable" else 0)
              for spot in code.words]  # fmt: skip
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
    """What was made, in a few words."""
    if form == "image":
        image = code.image(base)
        return f"{len(image.data)} bytes from >{image.address:04X}"
    names = ", ".join(code.definitions) or "no DEF"
    return f"object code, {2 * len(code.words)} bytes, {names}"
