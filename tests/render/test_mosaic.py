"""The screen in a wide terminal: letters stay letters, drawings can be told."""

from tests.shipped import shipped
from ti99tools.computer.console.session import Console
from ti99tools.hardware.render.textpicture import WIDTH, TextCell, mosaic
from ti99tools.language.program.program import Program

BRAILLE = 0x2800
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

DRAWN = """
100 CALL CLEAR
110 CALL SCREEN(2)
120 CALL COLOR(1,16,2,5,16,2,13,16,2)
130 CALL CHAR(65,"7C82BAA2BA827C",128,"FF818181818181FF",129,"0000001818")
140 DISPLAY AT(1,1):"ABC";CHR$(128);CHR$(129);CHR$(30)
150 CALL SPRITE(#1,66,9,1,25)
160 GOTO 160
"""


def mosaic_of(program: str) -> list[list[TextCell]]:
    console = Console()
    console.load(Program.from_listing(program))
    console.run(1)
    return mosaic(console.machine.vdp)


def text(cells: list[TextCell]) -> str:
    return "".join(cell.character for cell in cells)


def test_letters_and_drawings() -> None:
    rows = mosaic_of(DRAWN)
    assert len(rows) == 24
    assert all(len(row) == WIDTH for row in rows)
    letters = text(rows[0][4:10])
    assert letters[0] == "A", "a font of its own"
    assert letters[4:] == "C "
    assert rows[0][4].foreground == 15
    assert rows[0][4].background == 1
    box = text(rows[0][10:12])
    assert all(BRAILLE < ord(character) < BRAILLE + 256 for character in box)


def test_a_sprite_over_a_letter_hides_it() -> None:
    cells = mosaic_of(DRAWN)[0][6:8]
    assert text(cells) != "B "
    assert 8 in {cell.foreground for cell in cells}


def dots(rows: list[list[TextCell]], row: int, column: int) -> set[tuple[int, int]]:
    """The dots of two by two cells of the screen, by row and column from 0 to 7."""
    found = set()
    for down in range(2):
        for right, cell in enumerate(rows[row + down][2 * column : 2 * column + 4]):
            code = 0 if cell.character == " " else ord(cell.character) - BRAILLE
            found |= {
                (4 * down + y, 2 * right + x)
                for y, bits in enumerate(BITS)
                for x, bit in enumerate(bits)
                if code & bit
            }
    return found


def heaps(found: set[tuple[int, int]]) -> int:
    """How many groups of dots that touch there are, without those at the edge."""
    count = 0
    rest = set(found)
    while rest:
        group, todo = set(), [rest.pop()]
        while todo:
            y, x = todo.pop()
            group.add((y, x))
            near = {(y + a, x + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} & rest
            rest -= near
            todo += near
        count += all(0 < y < 7 and 0 < x < 7 for y, x in group)
    return count


def test_dice_rack_can_be_read() -> None:
    console = Console({"DSK1": shipped("dicerack").image}, max_seconds=1e6)
    console.boot()
    for question, keys in (("5 END", "1"), ("SEED?", "33\n"), ("SHIFT ,", "")):
        assert console.run_until(question)
        console.type(keys)
    # Its letters are bold, some of them seven dots wide.
    assert "SHIFT ,. GATE A-T" in "".join(map(text, mosaic(console.machine.vdp)))[::2]
    console.wait(60)
    values = set()
    for _ in range(25):
        upper_left = ord(console.screen.rows[0][28])
        value = (upper_left - 92) // 4
        if 1 <= value <= 6:
            values.add(value)
            assert heaps(dots(mosaic(console.machine.vdp), 0, 28)) == value
        console.type(" ")
        console.wait(240)
    assert values == {1, 2, 3, 4, 5, 6}
