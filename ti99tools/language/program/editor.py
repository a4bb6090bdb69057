"""Lines in and out of a program, RES, and machine code put into its memory.

The program side of the console's editor: lines are added, replaced and deleted; RES renumbers.
There is no screen and no keyboard: what is typed arrives as text. Each refusal is an EntryError
with the console's message.

RES gives the lines new numbers and changes every reference to them. Lines stay where they are in
memory. A reference to a missing line becomes 32767. Source: the recorded RES cases.

Machine code lies above the lines; its last byte is at >FFE7. No pointer of the program refers to
it: the program's first line enters the code's names into LINK's table by CALL LOAD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import ProgramError
from ti99tools.language.listing.listing import Line, scan
from ti99tools.language.listing.tokenize import (
    EDITOR_LINE_BYTES,
    MAX_LINE_NUMBER,
    EntryError,
    as_typed,
    refuse,
    split_number,
    tokenize_line,
)
from ti99tools.language.program.memory_image import LONG_TOP, MAX_BODY, ProgramImage
from ti99tools.language.program.program import Program


def place_of(size: int) -> int:
    """The address of machine code of `size` bytes; an even size gives an even address."""
    return LONG_TOP + 1 - size


def with_code(program: Program, code: bytes) -> Program:
    """The program with code above its lines. Raises ProgramError when memory is too small."""
    image = program.image
    table = tuple((number, back + len(code)) for number, back in image.table)
    both = ProgramImage(table, image.memory + code)
    if both.body > MAX_BODY:
        raise ProgramError(
            f"program and machine code have {both.body} bytes, memory holds {MAX_BODY}",
            remedy="shorten one of them",
        )
    return Program(both, protected=program.protected)


def code_size(program: Program) -> int:
    """Bytes above the highest line of a program: its machine code, or what an editor left there."""
    sizes = [
        back - len(line.tokens) - 1
        for line, (_, back) in zip(program.lines, program.image.table, strict=True)
    ]
    return max(0, min(sizes, default=0))


def without_code(program: Program) -> tuple[Program, bytes]:
    """A program without its machine code, and the code (empty if there is none)."""
    size = code_size(program)
    if not size:
        return program, b""
    memory = program.image.memory
    table = tuple((number, back - size) for number, back in program.image.table)
    image = ProgramImage(table, memory[:-size])
    return Program(image, protected=program.protected), memory[-size:]


def entering(names: dict[str, int]) -> str:
    """The statements that enter names and their addresses into LINK's table, after CALL INIT."""
    # LINK's table grows down from >4000, eight bytes an entry: six of the name, two of the address.
    place = 0x4000 - 8 * len(names)
    words = [f'8196,{place >> 8},{place & 255},""']
    statements = []
    for name, address in names.items():
        row = name.encode("latin-1").ljust(6) + address.to_bytes(2, "big")
        words.append(f"{place},{','.join(map(str, row))}")
        statements.append(f"CALL LOAD({','.join(words)})")
        place += 8
        words = []
    return "::".join(statements)


DEFAULT_START, DEFAULT_STEP = 100, 10
MISSING = 32767
"""What RES makes of a reference to a missing line."""

_WORD = re.compile(r" *(?:RESEQUENCE|RES)\b", re.IGNORECASE)
_COMMAND = re.compile(r" *(?:RESEQUENCE|RES)\b *(?:([0-9]+) *)?(?:, *([0-9]+) *)?$", re.IGNORECASE)


def parse_resequence(text: str) -> tuple[int, int] | None:
    """Start and step of a RES command (`RES`, `RES 500`, `RES ,5`, `RES 500,5`).

    None for another line. Raises EntryError: SYNTAX ERROR for other operands, BAD LINE NUMBER for
    numbers outside 1–32767.
    """
    match = _COMMAND.match(text)
    if match is None:
        word = _WORD.match(text)
        if word is None:
            return None
        raise refuse(xb.SYNTAX_ERROR, word.end(), "RES takes a first number and a step")
    start, step = match.groups()
    return (
        _bounded(start, match.start(1), DEFAULT_START),
        _bounded(step, match.start(2), DEFAULT_STEP),
    )


def _bounded(digits: str | None, index: int, default: int) -> int:
    if digits is None:
        return default
    # Six digits are already too many for a line number; more would only cost time.
    number = int(digits[:6])
    if not 1 <= number <= MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, index)
    return number


def resequence(
    image: ProgramImage, start: int = DEFAULT_START, step: int = DEFAULT_STEP
) -> ProgramImage:
    """The image with lines numbered `start`, `start + step`, …; layout and dead bytes are kept.

    Raises EntryError (BAD LINE NUMBER) when a number would exceed 32767.
    """
    if start + step * (len(image.table) - 1) > MAX_LINE_NUMBER:
        raise refuse(xb.BAD_LINE_NUMBER, 0, "use a smaller start or step")
    new = {old: start + step * i for i, (old, _) in enumerate(image.table)}
    memory = bytearray(image.memory)
    for line, (_, back) in zip(image.lines(), image.table, strict=True):
        base = len(memory) - back
        for element in scan(line.tokens):
            if element.token == t.LINE_NUMBER and len(element.data) == 2:
                at = base + element.start + 1
                memory[at : at + 2] = new.get(element.line_number, MISSING).to_bytes(2, "big")
    return ProgramImage(tuple((new[old], back) for old, back in image.table), bytes(memory))


class Editor:
    """A program being edited; starts empty or with `program`."""

    def __init__(self, program: Program | None = None) -> None:
        self._image = program.image if program else ProgramImage((), b"")
        self._protected = program.protected if program else False

    @property
    def program(self) -> Program | None:
        """The program as it stands, None while it has no line."""
        return Program(self._image, protected=self._protected) if self._image.table else None

    def enter(self, text: str) -> None:
        """Type a line: a numbered line or RES.

        A numbered line replaces the one of that number, a bare number deletes it. Raises EntryError
        when the console refuses; the program is then unchanged.
        """
        try:
            self._enter(as_typed(text))
        except EntryError as error:
            from ti99tools.language.remedies.statements import advised

            raise advised(error) from None

    def _enter(self, text: str) -> None:
        if split_number(text)[0] is None and (numbers := parse_resequence(text)):
            self.resequence(*numbers)
            return
        number, tokens = tokenize_line(text, limit=EDITOR_LINE_BYTES, typed=True)
        self.put(Line(number, tokens))

    def put(self, line: Line) -> None:
        """Store a line; without tokens delete it. Raises EntryError (MEMORY FULL) without room."""
        self._check_open()
        image = self._image.with_line(line) if line.tokens else self._image.without(line.number)
        if image.body > MAX_BODY:
            raise refuse(xb.MEMORY_FULL, 0, "delete lines or shorten them")
        self._image = image

    def merge(self, lines: Iterable[Line]) -> None:
        """Put the lines of a MERGE file into the program, in the order of the file."""
        for line in lines:
            self.put(line)

    def resequence(self, start: int, step: int) -> None:
        """RES start,step. Raises EntryError where nothing can be numbered."""
        self._check_open()
        if not self._image.table:
            raise refuse(xb.NO_PROGRAM_PRESENT, 0, "enter a line first")
        self._image = resequence(self._image, start, step)

    def _check_open(self) -> None:
        if self._protected:
            raise refuse(xb.PROTECTION_VIOLATION, 0, "a protected program cannot be changed")
