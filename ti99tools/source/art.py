"""Character art: drawings in text or PNG to the hexadecimal patterns of CALL CHAR.

A character is 8 × 8 dots, 16 hexadecimal digits, a byte a row, the leftmost dot the highest bit:
the row `X......X` is 81. CALL CHAR takes up to four characters, 64 digits, at a time and fills a
short pattern with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ti99tools.base.errors import Place, SourceError

Dots = list[list[bool]]
"""Rows of dots, True where a dot is set."""

ON = "X#@*"
OFF = ". -"
_SIZE = 8
CHARACTERS_PER_CALL = 4
SPRITE_CHARACTERS = 4
"""Characters of a double-size sprite; its first code is a multiple of this."""


def dots_from_text(rows: Sequence[tuple[str, Place]]) -> Dots:
    """The dots of a drawing of X, # , @ or * on `.` or `-`; blanks between characters are skipped.

    Raises SourceError when a row has a stray character, the rows differ in width, or width or
    height is no multiple of 8.
    """
    dots: Dots = []
    for text, place in rows:
        row = []
        for index, char in enumerate(text):
            if char in " \t|":
                continue
            if char not in ON + OFF:
                at = Place(place.file, place.line, (place.column or 1) + index)
                raise SourceError(f"{char} in a drawing", remedy="draw with X and .", place=at)
            row.append(char in ON)
        if dots and len(row) != len(dots[0]):
            raise SourceError(
                f"this row has {len(row)} dots, the first has {len(dots[0])}",
                remedy="make all rows equally wide",
                place=place,
            )
        dots.append(row)
    where = rows[0][1] if rows else Place()
    _check_size(dots, where)
    return dots


def dots_from_png(path: Path, place: Place) -> Dots:
    """The dots of a picture: dark where it is opaque. Raises SourceError."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as opened:
            picture = opened.convert("LA")
    except (OSError, UnidentifiedImageError, ValueError):
        raise SourceError(
            f"{path.name} cannot be read as a picture", remedy="give a PNG file", place=place
        ) from None
    width, height = picture.size
    data = picture.tobytes()
    dots = []
    for y in range(height):
        row = data[2 * width * y : 2 * width * (y + 1)]
        dots.append([row[2 * x] < 128 <= row[2 * x + 1] for x in range(width)])
    _check_size(dots, place)
    return dots


def _check_size(dots: Dots, place: Place) -> None:
    height, width = len(dots), len(dots[0]) if dots else 0
    if not height or not width or height % _SIZE or width % _SIZE:
        raise SourceError(
            f"the drawing has {width} by {height} dots",
            remedy="make both multiples of 8, the size of a character",
            place=place,
        )


def patterns(dots: Dots, *, by_columns: bool = False) -> list[str]:
    """The characters of a drawing, 16 digits each.

    Left to right, top to bottom; `by_columns` goes down each column first, in blocks of 2 × 2, as
    double-size sprites have it (upper left, lower left, upper right, lower right).
    """
    high, wide = len(dots) // _SIZE, len(dots[0]) // _SIZE
    cells = [(y, x) for y in range(high) for x in range(wide)]
    if by_columns:
        cells.sort(key=lambda cell: (cell[0] // 2, cell[1], cell[0]))
    return [_pattern(dots, y * _SIZE, x * _SIZE) for y, x in cells]


def _pattern(dots: Dots, top: int, left: int) -> str:
    """Worked example: the rows `X......X` eight times give 8181818181818181."""
    digits = ""
    for row in dots[top : top + _SIZE]:
        byte = 0
        for dot in row[left : left + _SIZE]:
            byte = byte << 1 | dot
        digits += f"{byte:02X}"
    return digits


def char_calls(first: int, characters: Sequence[str]) -> list[tuple[int, str]]:
    """Arguments of CALL CHAR: character code and digits, four characters at a time.

    Trailing zeros are left out, the machine puts them back.
    """
    calls = []
    for index in range(0, len(characters), CHARACTERS_PER_CALL):
        group = list(characters[index : index + CHARACTERS_PER_CALL])
        # Zeros are filled up only to the end of the last character touched.
        digits = "".join(group[:-1]) + (group[-1].rstrip("0") or "0")
        calls.append((first + index, digits))
    return calls
