"""Letters that programs draw: bold, shifted, shadowed or altered ones are told; drawings stay."""

import re
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.vdp import standard_pattern
from ti99tools.hardware.render.letters import letter_of
from ti99tools.hardware.render.textpicture import has_drawings, mosaic, text
from ti99tools.language.program.program import Program

ROOT = Path(__file__).resolve().parents[2]
ROWS = range(8)


def moved(pattern: bytes, right: int, down: int) -> bytes:
    """A pattern some dots to the right and down (negative: left and up)."""
    rows = [row >> right if right >= 0 else row << -right & 0xFF for row in pattern]
    return bytes(rows[y - down] if 0 <= y - down < 8 else 0 for y in ROWS)


def both(one: bytes, other: bytes) -> bytes:
    return bytes(a | b for a, b in zip(one, other, strict=True))


CHANGES = {
    "bold to the right": lambda pattern: both(pattern, moved(pattern, 1, 0)),
    "bold to the left": lambda pattern: both(pattern, moved(pattern, -1, 0)),
    "high": lambda pattern: both(pattern, moved(pattern, 0, 1)),
    "with a shadow": lambda pattern: both(pattern, moved(pattern, 1, 1)),
    "a dot to the right": lambda pattern: moved(pattern, 1, 0),
    "a dot up": lambda pattern: moved(pattern, 0, -1),
    "two dots more": lambda pattern: both(pattern, b"\0\1\0\0\0\0\0\x80"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_capitals_are_letters(change: str) -> None:
    letters = {}
    for letter in ascii_uppercase + digits:
        pattern = CHANGES[change](standard_pattern(ord(letter)))
        letters[letter] = letter_of(int.from_bytes(pattern, "big"), ord(letter))
    assert {letter: glyph for letter, glyph in letters.items() if glyph != letter} == {}


def drawn(file: str) -> dict[int, int]:
    """What a source of the library draws: patterns by code."""
    found = {}
    for code, shapes in re.findall(r'CALL CHAR\((\d+),"(\w+)"\)', (ROOT / file).read_text()):
        for number in range(-(-len(shapes) // 16)):
            shape = shapes[16 * number : 16 * number + 16].ljust(16, "0")
            found[int(code) + number] = int(shape, 16)
    return found


@pytest.mark.parametrize(
    ("file", "letters"),
    [
        ("xbasic/lib/bold.xb", ascii_uppercase + digits),
        ("xbasic/lib/sixdot.xb", ascii_uppercase + digits),
        ("xbasic/lib/lower.xb", ascii_lowercase),
    ],
)
def test_alphabets_of_the_library(file: str, letters: str) -> None:
    shapes = drawn(file)
    assert {chr(code): letter_of(bits, code) for code, bits in shapes.items()} == {
        letter: letter for letter in letters
    }


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("a", "07 1F 3C 70 60 E0 C0 C0"),  # a ring's quarter
        ("d", "00 00 00 00 00 00 FF FF"),  # lines of a board
        ("e", "03 03 03 03 03 03 03 03"),
        ("f", "03 07 0E 1C 38 70 E0 C0"),
        ("w", "E6 CE 8C 1C 78 F0 C0 00"),
        ("o", "FE FE FE FE FE FE FE 00"),  # a block
        (";", "18 18 18 18 18 18 18 18"),
        ("(", "18 18 18 18 18 18 18 18"),
        ("\x88", "00 38 7C 7C 7C 38 00 00"),  # a disc
        ("\x80", "18 18 18 18 18 18 18 18"),
        ("\x80", "00 00 00 18 18 00 00 00"),
    ],
)
def test_drawings_are_no_letters(code: str, rows: str) -> None:
    assert letter_of(int(rows.replace(" ", ""), 16), ord(code)) is None


def test_a_letter_under_another_code_is_told_only_where_it_is_that_letter() -> None:
    bold_two, disc = 0x003C66061C30607E, 0x00183C7E7E3C1800
    assert letter_of(bold_two, 0x85) == "2"
    assert letter_of(disc, 0x85) is None
    assert letter_of(0x0018181818001800, ord("[")) == "!"
    assert letter_of(0x0000000000181800, ord(".")) == "."


FONT = """
100 CALL CLEAR
110 CALL CHAR(77,"0063777F6B636363",33,"0018181818001800")
120 DISPLAY AT(1,1):"GAME!"
130 GOTO 130
"""


def test_a_screen_of_redefined_letters_is_text() -> None:
    console = Console()
    console.load(Program.from_listing(FONT))
    console.run(1)
    vdp = console.machine.vdp
    assert not has_drawings(vdp)
    assert text(vdp).splitlines()[0].strip() == "GAME!"
    assert "".join(cell.character for cell in mosaic(vdp)[0]).strip() == "G A M E !"
