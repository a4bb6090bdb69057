"""Machine code in a program: bytes at the top of memory, which SAVE and OLD carry along.

Lines and line number table lie below; the code's last byte is at >FFE7. No pointer of the program
refers to it: a first line enters its names into LINK's table by CALL LOAD.
"""

from __future__ import annotations

from ti99tools.base.errors import ProgramError
from ti99tools.language.program.image import LONG_TOP, MAX_BODY, Image
from ti99tools.language.program.program import Program


def place_of(size: int) -> int:
    """The address of code of so many bytes; an even size gives an even address."""
    return LONG_TOP + 1 - size


def with_code(program: Program, code: bytes) -> Program:
    """The program with code above its lines. Raises ProgramError when memory is too small."""
    image = program.image
    table = tuple((number, back + len(code)) for number, back in image.table)
    both = Image(table, image.memory + code)
    if both.body > MAX_BODY:
        raise ProgramError(
            f"program and machine code have {both.body} bytes, memory holds {MAX_BODY}",
            remedy="shorten one of them",
        )
    return Program(both, protected=program.protected)


def code_size(program: Program) -> int:
    """Bytes above the highest line of a program: its machine code, or remains left by an editor."""
    sizes = [
        back - len(line.tokens) - 1
        for line, (_, back) in zip(program.lines, program.image.table, strict=True)
    ]
    return max(0, min(sizes, default=0))


def without_code(program: Program) -> tuple[Program, bytes]:
    """A program without its machine code, and that."""
    size = code_size(program)
    if not size:
        return program, b""
    memory = program.image.memory
    table = tuple((number, back - size) for number, back in program.image.table)
    image = Image(table, memory[:-size])
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
