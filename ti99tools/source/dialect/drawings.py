"""`#art` and `#text` blocks as lines of code, and texts that would show drawings for characters.

A drawing over a printable character changes every text that has the character. For texts in
quotes that is often meant (a letter stands for the drawing); in `#text` pages it is a mistake
unless they say DRAWN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ti99tools.base.errors import Place, SourceError
from ti99tools.source import art, text
from ti99tools.source.dialect.constants import Constants
from ti99tools.source.dialect.lexer import Kind, Lexeme, SourceLine, source_line

_DATA_COLUMNS = 130
"""Leaves room for a line number within the editor's 140 characters."""
_HIGHEST_PAGE = 24
_TWO_COLORS = re.compile(r"[^,]+,[^,]+")
_SHOWN = 8
"""Characters that a message names at most."""


@dataclass
class Drawings:
    """What a source draws and writes in pages; `constants` takes drawings that have a name."""

    constants: Constants
    _drawn: dict[str, int] = field(default_factory=dict)
    """Character → the code with which the drawing over it begins."""
    _pages: list[tuple[str, Place, frozenset[str]]] = field(default_factory=list)
    """Label, place and characters of each text."""
    _colored: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Color set → its two colors as they are written, and the drawing that gave them."""

    def art(self, head: Sequence[Lexeme], dots: art.Dots, place: Place) -> Iterator[SourceLine]:
        """`#art head` with a drawing as CALL CHARs; nothing for one that becomes a constant.

        Raises SourceError for a head that cannot be read, and for what does not fit it.
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
        characters = art.patterns(dots, by_columns=by_columns)
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
        for code, digits in art.char_calls(first, characters):
            yield source_line(f'CALL CHAR({code},"{digits}")', place)
        if colors:
            yield source_line(self._call_color(first, len(characters), colors), place)

    def _call_color(self, first: int, count: int, colors: Sequence[Lexeme]) -> str:
        """CALL COLOR for the sets of some characters. Raises SourceError for two ways in a set."""
        given = "".join(lexeme.text for lexeme in colors[1:])
        if not _TWO_COLORS.fullmatch(given):
            raise SourceError(
                "COLOR requires two colors",
                remedy="write COLOR foreground,background: 1 to 16, or names of <colors.xb>",
                place=colors[0].place,
            )
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
        """The code of the first of some characters. Raises SourceError when they do not fit."""
        folded = self.constants.fold([word])
        if len(folded) != 1 or not re.fullmatch("[0-9]{1,5}", folded[0].text):
            raise SourceError(
                f"{word.text} is not a character code",
                remedy="use 32 to 143 or a constant",
                place=word.place,
            )
        first = int(folded[0].text)
        if not 32 <= first <= 144 - count:
            raise SourceError(
                f"characters {first} to {first + count - 1} cannot be defined",
                remedy="CALL CHAR takes 32 to 143",
                place=word.place,
            )
        if by_columns and first % art.SPRITE_CHARACTERS:
            raise SourceError(
                f"a sprite of four characters cannot begin with {first}",
                remedy="use a multiple of 4",
                place=word.place,
            )
        return first

    def text(
        self, head: Sequence[Lexeme], rows: Sequence[tuple[str, Place]], place: Place
    ) -> Iterator[SourceLine]:
        """`#text head` with its rows as DATA.

        Raises SourceError for a head that cannot be read, and for what does not fit it.
        """
        if not head or head[0].kind is not Kind.NAME or head[0].text.endswith("$"):
            raise SourceError("#text requires a label", remedy="write #text NAME", place=place)
        words = list(head[1:])
        meant = bool(words) and words[-1].is_word("DRAWN")
        if meant:
            words.pop()
        height = text.DEFAULT_ROWS
        if words:
            if len(words) != 3 or not words[0].is_word("ROWS") or not words[2].text.isdigit():
                raise SourceError(
                    "#text NAME takes ROWS = n and DRAWN only",
                    remedy="write ROWS = 20",
                    place=place,
                )
            height = min(max(int(words[2].text[:4]), 1), _HIGHEST_PAGE)
        pages = text.wrap_pages(rows, height=height)
        if not pages:
            raise SourceError("#text without text", remedy="write some", place=place)
        if not meant:
            shown = frozenset("".join(line for page in pages for line in page)) - {" "}
            self._pages.append((head[0].text, place, shown))
        prefix = f"{head[0].text}: "
        for statement in text.data_statements(text.data_items(pages), _DATA_COLUMNS):
            yield source_line(prefix + statement, place)
            prefix = ""

    def collisions(self) -> Iterator[SourceError]:
        """A mistake for each text with characters that are drawn over, once all is read."""
        for label, place, shown in self._pages:
            over = sorted(shown & self._drawn.keys())
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
    """The words after #art before COLOR, and those from it on."""
    at = next((at for at, word in enumerate(head) if at and word.is_word("COLOR")), len(head))
    return list(head[:at]), list(head[at:])
