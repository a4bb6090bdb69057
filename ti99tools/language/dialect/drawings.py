"""Drawings and text pages: `#art`, `#text` and PNG as patterns and lines of code.

A character is 8 × 8 dots, written as 16 hexadecimal digits: one byte a row, the leftmost dot the
highest bit. The row `X......X` is 81. CALL CHAR takes up to four characters, 64 digits, at a time
and pads a short pattern with zeros.

Text pages are paragraphs wrapped to the 28 columns of PRINT and DISPLAY AT, stored as DATA: for
each page the number of its lines and then the lines; a 0 ends the text. A pager is five statements
of Extended BASIC (see docs/dialect.md).

A drawing over a printable character changes every text that has the character. For texts in
quotes that is often meant (a letter stands for the drawing); in `#text` pages it is a mistake
unless they say DRAWN.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from ti99tools.base.basic import CELL, PRINT_WIDTH
from ti99tools.base.errors import Place, SourceError
from ti99tools.base.inputs import read_input
from ti99tools.language.dialect.constants import Constants
from ti99tools.language.dialect.lexer import Kind, Lexeme, SourceLine, source_line

Dots = list[list[bool]]
"""Rows of dots, True where a dot is set."""

ON = "X#@*"
OFF = ". -"
CHARACTERS_PER_CALL = 4
SPRITE_CHARACTERS = 4
"""Characters of a double-size sprite; its first code is a multiple of this."""


def dots_from_text(rows: Sequence[tuple[str, Place]]) -> Dots:
    """The dots of a drawing of X, #, @ or * on `.` or `-`; spaces, tabs and `|` are skipped.

    Raises SourceError when a row has a stray character, the rows differ in width, or width or
    height is not a multiple of 8.
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
    """The dots of a picture: set where it is opaque and dark. Raises SourceError."""
    try:
        from PIL import Image

        content = read_input(path)
    except OSError as error:
        problem = f"cannot read {path.name}: {error.strerror}"
        raise SourceError(problem, remedy="check the name", place=place) from None
    except ModuleNotFoundError:  # the web page has no Pillow
        remedy = "draw it in rows of X and ."
        raise SourceError("no pictures can be read here", remedy=remedy, place=place) from None
    try:
        # Pillow would start other programs for some of the other formats.
        with Image.open(BytesIO(content), formats=["PNG"]) as opened:
            _check_dots(*opened.size, place)
            picture = opened.convert("LA")
    except SourceError:
        raise
    except Exception:  # damaged pictures make Pillow raise many kinds
        raise SourceError(
            f"{path.name} cannot be read as a picture", remedy="give a PNG file", place=place
        ) from None
    width, height = picture.size
    data = picture.tobytes()
    dots = []
    for y in range(height):
        row = data[2 * width * y : 2 * width * (y + 1)]
        # Each dot is a pair of brightness and opacity.
        dots.append([row[2 * x] < 128 <= row[2 * x + 1] for x in range(width)])
    _check_size(dots, place)
    return dots


def _check_size(dots: Dots, place: Place) -> None:
    _check_dots(len(dots[0]) if dots else 0, len(dots), place)


_MOST_DOTS = 1 << 16
"""Dots of a drawing: four times those of all characters."""


def _check_dots(width: int, height: int, place: Place) -> None:
    if width * height > _MOST_DOTS:
        raise SourceError(
            f"the drawing has {width} by {height} dots",
            remedy=f"use at most {_MOST_DOTS:,}",
            place=place,
        )
    if not height or not width or height % CELL or width % CELL:
        raise SourceError(
            f"the drawing has {width} by {height} dots",
            remedy="make both multiples of 8, the size of a character",
            place=place,
        )


def patterns(dots: Dots, *, by_columns: bool = False) -> list[str]:
    """The characters of a drawing, 16 digits each.

    Left to right, top to bottom; with `by_columns` down each column first, in blocks of 2 × 2, as
    double-size sprites need them (upper left, lower left, upper right, lower right).
    """
    high, wide = len(dots) // CELL, len(dots[0]) // CELL
    cells = [(y, x) for y in range(high) for x in range(wide)]
    if by_columns:
        cells.sort(key=lambda cell: (cell[0] // 2, cell[1], cell[0]))
    return [_pattern(dots, y * CELL, x * CELL) for y, x in cells]


def _pattern(dots: Dots, top: int, left: int) -> str:
    """Worked example: the rows `X......X` eight times give 8181818181818181."""
    digits = ""
    for row in dots[top : top + CELL]:
        byte = 0
        for dot in row[left : left + CELL]:
            byte = byte << 1 | dot
        digits += f"{byte:02X}"
    return digits


def char_calls(first: int, characters: Sequence[str]) -> list[tuple[int, str]]:
    """Arguments of CALL CHAR: character code and digits, four characters at a time.

    Trailing zeros are omitted; the machine restores them.
    """
    calls = []
    for index in range(0, len(characters), CHARACTERS_PER_CALL):
        group = list(characters[index : index + CHARACTERS_PER_CALL])
        # The machine pads only up to the end of the last character that the digits reach.
        digits = "".join(group[:-1]) + (group[-1].rstrip("0") or "0")
        calls.append((first + index, digits))
    return calls


DEFAULT_ROWS = 20

Page = list[str]


def wrap_pages(rows: Sequence[tuple[str, Place]], *, height: int) -> list[Page]:
    """The pages of a text: lines as wide as the screen, pages of at most `height` lines.

    Lines of a paragraph are joined and wrapped; an empty line separates paragraphs; a line that
    begins with a space or `|` stays as it is, `^` centres it; `---` begins a new page. Raises
    SourceError for a fixed line or a word that is too wide.
    """
    pages: list[Page] = [[]]
    paragraph: list[tuple[str, Place]] = []

    def flush() -> None:
        if paragraph:
            _extend(pages, _wrapped(paragraph), height)
            paragraph.clear()

    for text, place in rows:
        line = text.rstrip()
        if line.startswith("---"):
            flush()
            pages.append([])
        elif not line:
            flush()
            if pages[-1] and len(pages[-1]) < height:
                pages[-1].append("")
        elif line[0] in " |^":
            flush()
            _extend(pages, [_fixed(line, place)], height)
        else:
            paragraph.append((line, place))
    flush()
    return [trimmed for page in pages if (trimmed := _without_blank_ends(page))]


def _extend(pages: list[Page], lines: list[str], height: int) -> None:
    """Add a paragraph; it moves to the next page as a whole if it fits a page but not this one."""
    if len(pages[-1]) + len(lines) > height and len(lines) <= height:
        pages.append([])
    for line in lines:
        if len(pages[-1]) >= height:
            pages.append([])
        pages[-1].append(line)


def _without_blank_ends(page: Page) -> Page:
    lines = list(page)
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def _wrapped(paragraph: Sequence[tuple[str, Place]]) -> list[str]:
    for text, place in paragraph:
        for word in text.split():
            if len(word) > PRINT_WIDTH:
                raise SourceError(
                    f"the word {word} is wider than {PRINT_WIDTH} columns",
                    remedy="split it",
                    place=place,
                )
    joined = " ".join(text for text, _ in paragraph)
    return textwrap.wrap(joined, PRINT_WIDTH, break_long_words=False, break_on_hyphens=False)


def _fixed(line: str, place: Place) -> str:
    text = line[1:].strip().center(PRINT_WIDTH).rstrip() if line[0] == "^" else line
    if line[0] == "|":
        text = line[1:]
    if len(text) > PRINT_WIDTH:
        raise SourceError(
            f"the line has {len(text)} characters, a row {PRINT_WIDTH}",
            remedy="shorten it",
            place=place,
        )
    return text


def data_items(pages: Sequence[Page]) -> list[str]:
    """The items of the DATA statements, as written there."""
    items: list[str] = []
    for page in pages:
        items.append(str(len(page)))
        items.extend('"' + line.replace('"', '""') + '"' for line in page)
    return [*items, "0"]


def data_statements(items: Sequence[str], limit: int) -> list[str]:
    """DATA statements with the items in order, each at most `limit` characters long."""
    statements: list[str] = []
    for item in items:
        if statements and len(statements[-1]) + 1 + len(item) <= limit:
            statements[-1] += "," + item
        else:
            statements.append("DATA " + item)
    return statements


_DATA_COLUMNS = 130
"""Leaves room for a line number within the editor's 140 characters."""
_HIGHEST_PAGE = 24
_TWO_COLORS = re.compile(r"[^,]+,[^,]+")
_SHOWN = 8
"""How many characters a message names at most."""


@dataclass
class Drawings:
    """The drawings and text pages of a source; `constants` takes drawings that have a name."""

    constants: Constants
    _drawn: dict[str, int] = field(default_factory=dict)
    """Character → first code of the drawing over it."""
    _pages: list[tuple[str, Place, frozenset[str]]] = field(default_factory=list)
    """Label, place and characters of each text."""
    _colored: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Colour set → its two colours as written, and the drawing that set them."""

    def art(self, head: Sequence[Lexeme], dots: Dots, place: Place) -> Iterator[SourceLine]:
        """`#art head` with a drawing, as CALL CHARs; nothing if the drawing becomes a constant.

        Raises SourceError for a head that cannot be read or does not fit the drawing.
        """
        words, colors = _parted(head)
        by_columns = bool(words) and words[-1].is_word("SPRITE")
        if by_columns:
            words.pop()
        if len(words) != 1:
            raise SourceError(
                "#art requires a character code or a constant's name",
                remedy="write #art 128 or #art BALL$",
                place=place,
            )
        characters = patterns(dots, by_columns=by_columns)
        named = words[0].kind is Kind.NAME and words[0].text.endswith("$")
        if colors and (named or by_columns):
            raise SourceError(
                f"#art {words[0].text}{' SPRITE' * by_columns} takes no COLOR",
                remedy="CALL SPRITE colors a sprite" if by_columns else "write CALL COLOR",
                place=colors[0].place,
            )
        if named:
            self.constants.define_text(words[0], "".join(characters))
            return
        first = self._first_code(words[0], len(characters), by_columns)
        for code in range(first, first + len(characters)):
            self._drawn[chr(code)] = first
        for code, digits in char_calls(first, characters):
            yield source_line(f'CALL CHAR({code},"{digits}")', place)
        if colors:
            yield source_line(self._call_color(first, len(characters), colors), place)

    def _call_color(self, first: int, count: int, colors: Sequence[Lexeme]) -> str:
        """CALL COLOR for the sets of `count` characters from code `first` on.

        Raises SourceError unless there are two colours, the same as those given to a set before.
        """
        given = "".join(lexeme.text for lexeme in colors[1:])
        if not _TWO_COLORS.fullmatch(given):
            raise SourceError(
                "COLOR requires two colors",
                remedy="write COLOR foreground,background: 1 to 16, or names of <colors.xb>",
                place=colors[0].place,
            )
        # Set 1 begins with code 32; a set has eight codes.
        sets = range((first - 24) // 8, (first + count - 25) // 8 + 1)
        for each in sets:
            other, code = self._colored.setdefault(each, (given, first))
            if other != given:
                lowest = 8 * each + 24
                raise SourceError(
                    f"#art {code} colors the characters {lowest} to {lowest + 7} in another way",
                    remedy="draw one of them in another set: eight codes have one color",
                    place=colors[0].place,
                )
        return f"CALL COLOR({','.join(f'{each},{given}' for each in sets)})"

    def _first_code(self, word: Lexeme, count: int, by_columns: bool) -> int:
        """The code of the first of several characters. Raises SourceError when they do not fit."""
        folded = self.constants.fold([word])
        if len(folded) != 1 or not re.fullmatch("[0-9]{1,5}", folded[0].text):
            raise SourceError(
                f"{word.text} is not a character code",
                remedy="use 32 to 143 or a constant",
                place=word.place,
            )
        first = int(folded[0].text)
        # Extended BASIC defines the codes 32 to 143.
        if not 32 <= first <= 144 - count:
            raise SourceError(
                f"characters {first} to {first + count - 1} cannot be defined",
                remedy="CALL CHAR takes 32 to 143",
                place=word.place,
            )
        if by_columns and first % SPRITE_CHARACTERS:
            raise SourceError(
                f"a sprite of four characters cannot begin with {first}",
                remedy="use a multiple of 4",
                place=word.place,
            )
        return first

    def text(
        self, head: Sequence[Lexeme], rows: Sequence[tuple[str, Place]], place: Place
    ) -> Iterator[SourceLine]:
        """`#text head` with its rows, as DATA.

        Raises SourceError for a head that cannot be read or does not fit the text.
        """
        if not head or head[0].kind is not Kind.NAME or head[0].text.endswith("$"):
            raise SourceError("#text requires a label", remedy="write #text NAME", place=place)
        words = list(head[1:])
        meant = bool(words) and words[-1].is_word("DRAWN")
        if meant:
            words.pop()
        height = DEFAULT_ROWS
        if words:
            if len(words) != 3 or not words[0].is_word("ROWS") or not words[2].text.isdecimal():
                raise SourceError(
                    "#text NAME takes ROWS = n and DRAWN only",
                    remedy="write ROWS = 20",
                    place=place,
                )
            height = min(max(int(words[2].text[:4]), 1), _HIGHEST_PAGE)
        pages = wrap_pages(rows, height=height)
        if not pages:
            raise SourceError("#text without text", remedy="write some", place=place)
        if not meant:
            characters = frozenset("".join(line for page in pages for line in page)) - {" "}
            self._pages.append((head[0].text, place, characters))
        prefix = f"{head[0].text}: "
        for statement in data_statements(data_items(pages), _DATA_COLUMNS):
            yield source_line(prefix + statement, place)
            prefix = ""

    def collisions(self) -> Iterator[SourceError]:
        """One mistake for each text with characters that drawings replace.

        Call it when the whole source has been read.
        """
        for label, place, characters in self._pages:
            over = sorted(characters & self._drawn.keys())
            if over:
                first = self._drawn[over[0]]
                names = ", ".join(over[:_SHOWN]) + ", …" * (len(over) > _SHOWN)
                small = all("a" <= each <= "z" for each in over)
                capitals = "write it in capitals, " if small else ""
                yield SourceError(
                    f"the text {label} has {names}, which #art {first} draws over",
                    remedy=f"{capitals}draw from 128 on, "
                    f"or write #text {label} DRAWN if that is meant",
                    place=place,
                )


def _parted(head: Sequence[Lexeme]) -> tuple[list[Lexeme], list[Lexeme]]:
    """The words after #art before COLOR, and the words from COLOR on."""
    at = next((at for at, word in enumerate(head) if at and word.is_word("COLOR")), len(head))
    return list(head[:at]), list(head[at:])
