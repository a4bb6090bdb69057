"""Machine code that raises an I/O error without saying for which file.

BLWP @ERR with code >24 makes Extended BASIC look in the file's block in video memory, at the
address in >8304. Only its own statements for files keep a block's address there; after CALL SOUND
it is >C000, and to read there sets register 0 of the video processor: the picture is in bitmap mode
from then on. Source: recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ti99tools.base.codes import FILE_BLOCK
from ti99tools.base.errors import Place, SourceError, TIError
from ti99tools.base.hostio import read_text
from ti99tools.hardware.assembler.source_lines import AssemblyLine, Sources
from ti99tools.language.findings import Finding, Severity

ERR, IO_ERROR = 0x2034, 0x24
_CODE = "R0"
_LEAVES = frozenset(("B", "RT", "JMP"))
"""What ends a piece of code: whatever follows is reached from elsewhere."""
MESSAGE = (
    "ERR with code >24, I/O ERROR, reads the block of a file at the address in >8304: after CALL "
    "SOUND that changes the picture's mode"
)
REMEDY = 'put the address of a block there first, as COPY "<log.a99>" does'


def code_errors(path: Path, library: Path) -> Iterator[Finding]:
    """The findings for an assembly source, with all that it copies; none for a damaged one."""
    try:
        lines = list(Sources(path.parent, library).lines(read_text(path), str(path)))
    except TIError:
        return
    yield from findings_in(lines)


def findings_in(lines: Iterable[AssemblyLine]) -> Iterator[Finding]:
    """A warning for each BLWP @ERR with code >24 in a piece of code that has not set >8304."""
    lines = list(lines)
    known = {line.label: line.operands for line in lines if line.operation == "EQU"}
    raises = points = False
    for line in lines:
        operands = [_plain(operand, known) for operand in line.operands.split(",")]
        last = operands[-1]
        if line.operation == "BLWP" and last == ERR:
            if raises and not points:
                place = Place(line.file, line.number, line.column)
                yield Finding(Severity.WARNING, "io-error", place, MESSAGE, REMEDY)
        elif line.operation == "LI" and operands[0] == _CODE:
            raises = isinstance(last, int) and last >> 8 == IO_ERROR
        elif last == _CODE:
            raises = False
        elif last == FILE_BLOCK:
            points = True
        if line.operation in _LEAVES:
            raises = points = False


def _plain(operand: str, known: dict[str, str]) -> int | str:
    """The number that an operand is, or an address in it, as far as it is plain to see."""
    name = operand.removeprefix("@").upper()
    text = known.get(name, name)
    try:
        return int(text[1:], 16) if text.startswith(">") else int(text)
    except ValueError:
        return name


def notes(lines: Iterable[AssemblyLine]) -> list[str]:
    """The findings as `assemble` shows its notes."""
    return [
        str(SourceError(each.message, remedy=each.remedy, place=each.place))
        for each in findings_in(lines)
    ]
