"""Letters that a program has drawn for itself, told from drawings by their 8×8 patterns.

Bold, shadowed, shifted, wider and slightly altered letters count as letters. A pattern is compared
with three alphabets: the console's own, one with strokes of two dots, and small letters that are
real ones. What differs is measured in dots that lie farther than one dot from the other pattern
(`_far`), so a thicker stroke costs little and a stroke that is elsewhere much.

The limits lie between the letters and the drawings of the games in `xbasic/`: their alphabets
differ by at most 27 from those here; pieces of boards, dice and pictures, which they draw under the
codes of letters, by 95 and more. Of the console's capitals that are made bold or shadowed, shifted
by a dot or have two dots changed, all are told.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ti99tools.base.basic import CELL
from ti99tools.hardware.machine.vdp import FIRST, LAST, standard_pattern

ALL_DOTS = (1 << CELL * CELL) - 1
"""A pattern with all dots, as a number."""
_NOT_LEFT = ALL_DOTS // 255 * 0x7F
_NOT_RIGHT = ALL_DOTS // 255 * 0xFE
"""All dots but the leftmost of each row, and all but the rightmost."""
_BYTES = 2 * CELL
"""Hexadecimal digits of a pattern."""

_FAR_COST = 12
"""What a dot counts that is farther than one from the other pattern; any that differs counts 1."""
_OWN = 36
"""The most that a letter or digit under its own code may differ."""
_SURE = 16
"""Up to here the code decides, even where another letter is closer."""
_SIGN = 8
"""The most for punctuation, whose few dots drawings have as well."""
_SAME = 4
"""The most for a letter under another code."""
_FEW = 9
"""A pattern with fewer dots is not taken for a letter of another code."""
_KEPT = 4096
"""Patterns whose letters are cached; a program may draw any number of them."""

_BOLD = {
    "!": "0018181818001800",
    "'(": "0018183000000000000C18303030180C",
    ")": "0030180C0C0C1830",
    ",-./": "00000000001818300000007E00000000000000000018180000060C1818306000",
    "0123": "003C666E7E76663C001838181818183C003C66061C30607E007C06063C06067C",
    "4567": "000C1C3C6C7E0C0C007E607C0606663C003C60607C66663C007E060C0C181818",
    "89:;": "003C66663C66663C003C66663E06063C00001818001818000000181800181830",
    "?": "003C660C18001800",
    "ABCD": "003C6666667E6666007C66667C66667C003E60606060603E007C66666666667C",
    "EFGH": "007E60607C60607E007E60607C606060003E60606E66663E006666667E666666",
    "IJKL": "003C18181818183C001E0C0C0C0C6C3800666C7870786C66006060606060607E",
    "MNOP": "0063777F6B636363006676767E6E6E66003C66666666663C007C66667C606060",
    "QRST": "003C6666667E6C3E007C66667C786C66003E60603C06067C007E181818181818",
    "UVWX": "006666666666663C00666666663C3C18006363636B7F77630066663C183C6666",
    "YZ": "0066663C18181818007E060C1830607E",
}
"""Strokes of two dots."""

_SMALL = {
    "abcd": "000038043C443C004040784444447800000038404040380004043C4444443C00",
    "efgh": "000038447C403800182078202020200000003C44443C04384040784444444400",
    "ijkl": "1000301010103800080018080808083040404850605048003010101010103800",
    "mnop": "0000685454545400000078444444440000003844444438000000784444784040",
    "qrst": "00003C44443C0404000058604040400000003C40380478002020782020201800",
    "uvwx": "0000444444443C00000044444428100000004454545428000000442810284400",
    "yz": "00004444443C043800007C0810207C00",
}
"""Small letters, where the console has small capitals."""


@lru_cache(maxsize=_KEPT)
def letter_of(bits: int, code: int) -> str | None:
    """The letter, digit or sign that a pattern (64 bits, the top left dot highest) shows.

    `code` is the character that the program has drawn, 0–255. None for a drawing.
    """
    if not bits:
        return None
    difference = _difference(bits, code)
    own = chr(code)
    if own.isascii() and own.isalnum():
        if difference <= _SURE:
            return own
        return _same(bits, _SAME) or (own if difference <= _OWN else None)
    if difference <= _SIGN and not _joined(bits):
        return _same(bits, min(_SAME, difference - 1)) or own
    return _same(bits, _SAME)


def _joined(bits: int) -> bool:
    """Tell whether a pattern reaches from edge to edge: a line that goes on in the next cell."""
    rows, columns = bits, bits
    for distance in (32, 16, 8):
        columns |= columns >> distance
    for distance in (4, 2, 1):
        rows |= rows >> distance
    return columns & 0xFF == 0xFF or rows & ALL_DOTS // 255 == ALL_DOTS // 255


def _difference(bits: int, code: int) -> int:
    """How far a pattern is from the shapes of its own code; large where there are none."""
    return min((_cost(bits, shape) for shape in _shapes().get(code, ())), default=_OWN + 1)


def _same(bits: int, limit: int) -> str | None:
    """The letter of any code that is this pattern but for `limit` dots beside its strokes."""
    if bits.bit_count() < _FEW or _joined(bits):
        return None
    nearest = min(
        (
            (cost, code)
            for code, shapes in _shapes().items()
            for shape in shapes
            if (bits ^ shape).bit_count() <= limit and (cost := _cost(bits, shape)) <= limit
        ),
        default=None,
    )
    return None if nearest is None else chr(nearest[1])


def _cost(bits: int, shape: int) -> int:
    far = _far(bits, shape) + _far(shape, bits)
    return _FAR_COST * far + (bits ^ shape).bit_count()


def _far(bits: int, other: int) -> int:
    """Dots that have no dot of the other pattern at their place, beside, above or below."""
    return (bits & ~_thickened(other)).bit_count()


@lru_cache(maxsize=_KEPT)
def _thickened(bits: int) -> int:
    return bits | _left(bits) | _right(bits) | bits << CELL & ALL_DOTS | bits >> CELL


def _left(bits: int) -> int:
    return (bits & _NOT_LEFT) << 1


def _right(bits: int) -> int:
    return (bits & _NOT_RIGHT) >> 1


@cache
def _shapes() -> dict[int, tuple[int, ...]]:
    """By code: its patterns in all alphabets, each at the places where a dot's shift puts it."""
    patterns = {
        code: {int.from_bytes(standard_pattern(code), "big")} for code in range(FIRST + 1, LAST + 1)
    }
    for characters, shapes in (*_BOLD.items(), *_SMALL.items()):
        for number, character in enumerate(characters):
            pattern = int(shapes[_BYTES * number : _BYTES * (number + 1)], 16)
            patterns[ord(character)].add(pattern)
    return {
        code: tuple({place for shape in shapes for place in _shifted(shape)})
        for code, shapes in patterns.items()
    }


def _shifted(shape: int) -> list[int]:
    """A pattern and its neighbours a dot away, as far as the cell holds all their dots."""
    aside = (shape, _left(shape), _right(shape))
    places = [place for row in aside for place in (row, row << CELL & ALL_DOTS, row >> CELL)]
    return [place for place in places if place.bit_count() == shape.bit_count()]
