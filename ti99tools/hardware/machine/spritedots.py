"""Which dots of which sprites the video processor shows, and which the beam has drawn.

The TMS9918A looks at sprites 0 to 31 in order until a y of D0h, shows at most four on a line, and
reports a coincidence when two shown sprites share a dot, whatever their colours. Source: the
TMS9918A data manual.

Its coincidence flag, which the interrupt routine reads at the end of a frame, describes the sprites
as the beam met them. A sprite that was moved after the beam had passed its row appears in its new
place a frame later. Source: the recorded answers of CALL COINC(ALL, …).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, islice

from ti99tools.base.record import Record
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.vdp import VDP

HIDDEN_Y = 0xC0
"""The y of a sprite that is not defined: just below the visible lines."""

_BLANK_LINES, _ALL_LINES = 70, 262
"""Lines between the interrupt and the first line of the picture; lines of a frame (NTSC)."""
_KEPT = 2 * FRAME
_MOST = 256
"""Changes are remembered for two frames, in which the picture is drawn; so many at most."""


def line_after(cycle: int, end: int) -> int:
    """The first line of the picture, from 0, that is drawn after a cycle in the frame ending at
    cycle `end`; 0 if the cycle lies before that frame.
    """
    since = cycle - (end - FRAME)
    return max(0, -(-since * _ALL_LINES // FRAME) - _BLANK_LINES)


class AttributeHistory:
    """Remembers the attribute list before each of its recent changes."""

    def __init__(self) -> None:
        self._before: deque[tuple[int, bytes]] = deque(maxlen=_MOST)

    def changing(self, cycle: int, attributes: bytes) -> None:
        """Note that the list is about to change, at a cycle."""
        before = self._before
        while before and before[0][0] < cycle - _KEPT:
            before.popleft()
        before.append((cycle, attributes))

    def drawn(self, attributes: bytes, end: int) -> bytes:
        """The attribute list as the beam met it in the frame that ended at cycle `end`.

        `attributes` is the present list.
        """
        if not self._before or self._before[-1][0] <= end - FRAME:
            return attributes
        start = end - FRAME
        first = self._at(start, attributes)
        met = bytearray(attributes)
        since = [before for changed, before in self._before if changed > start]
        for at in _changed(since, attributes):
            # A sprite that appears during the frame is met at its new row: it had none before.
            line = _BLANK_LINES + (attributes if first[at] == HIDDEN_Y else first)[at]
            there = self._at(start + line * FRAME // _ALL_LINES, attributes)
            met[at : at + 4] = there[at : at + 4]
        return bytes(met)

    def _at(self, cycle: int, now: bytes) -> bytes:
        """The list at a cycle."""
        return next((before for changed, before in self._before if changed > cycle), now)


def _changed(before: Iterable[bytes], now: bytes) -> Iterator[int]:
    """Where the entries begin that differ between attribute lists."""
    present = int.from_bytes(now, "little")
    different = 0
    for attributes in before:
        different |= int.from_bytes(attributes, "little") ^ present
    at = 0
    while different:
        if different & _ENTRY:
            yield at
        different >>= 32
        at += 4


_ENTRY = 0xFFFFFFFF

LINES, DOTS = 192, 256
END_OF_LIST = 0xD0
"""The y of an entry after which no sprite is drawn."""
MAX_ON_LINE = 4
"""Sprites that the video processor draws on one line; others are not seen there."""

KEPT = 256
"""Attribute lists whose lines are cached: a picture is looked at many times."""
_LARGE, _DOUBLE = 2, 1
# Bit 80h of the colour byte moves a sprite 32 dots to the left, so that it can enter the screen.
_EARLY_CLOCK = 0x80
_EARLY_SHIFT = 32
_TABLE_LENGTH = 32
# y of E1h to FFh is above the top of the screen.
_OFF_TOP = 0xE0
_END = bytes((END_OF_LIST,))
_BELOW = bytes(range(LINES - 1, _OFF_TOP + 1))
"""Each y of a sprite that lies below the picture."""


class SpriteLine(Record):
    """One sprite's part of one line: `dots` has 256 bits, the leftmost dot the highest."""

    number: int
    color: int
    dots: int


def sprites_on_line(vdp: VDP, line: int) -> list[SpriteLine]:
    """The sprites shown on a line 0–191, the foremost first, at most four."""
    numbers_and_rows = _shown(_visible(_attributes(vdp)), _size(vdp.registers[1]), line)
    return [_line_of(vdp, number, row) for number, row in numbers_and_rows]


def _shown(visible: Iterable[tuple[int, int]], size: int, line: int) -> list[tuple[int, int]]:
    """The sprites shown on a line, the foremost first: number, and which of its rows lies there."""
    rows = ((number, line - top) for number, top in visible if top <= line < top + size)
    return list(islice(rows, MAX_ON_LINE))


def lines_with_sprites(vdp: VDP) -> list[int]:
    """The lines 0–191 that a sprite lies on, from the top."""
    lines: set[int] = set()
    size = _size(vdp.registers[1])
    for _, top in _visible(_attributes(vdp)):
        lines.update(range(max(top, 0), min(top + size, LINES)))
    return sorted(lines)


def any_overlap(vdp: VDP, first: int = 0) -> bool:
    """Tell whether two sprites share a dot anywhere on the screen, from a line on."""
    for line, sprites in _shared_lines(_attributes(vdp), vdp.registers[1]):
        if line < first:
            continue
        seen = 0
        for number, row in sprites:
            dots = _dots_of(vdp, number, row)
            if seen & dots:
                return True
            seen |= dots
    return False


def fifth_sprite(vdp: VDP) -> int | None:
    """The number of the first sprite that is not shown because four others are on its line."""
    if in_picture(_attributes(vdp)) <= MAX_ON_LINE:
        return None
    return _fifth(_attributes(vdp), vdp.registers[1])


@lru_cache(maxsize=KEPT)
def _fifth(attributes: bytes, mode: int) -> int | None:
    visible = [(number, top) for number, top in _visible(attributes) if top < LINES]
    if len(visible) <= MAX_ON_LINE:
        return None
    size = _size(mode)
    for line in range(LINES):
        here = [number for number, top in visible if top <= line < top + size]
        if len(here) > MAX_ON_LINE:
            return here[MAX_ON_LINE]
    return None


@lru_cache(maxsize=KEPT)
def _shared_lines(attributes: bytes, mode: int) -> tuple[tuple[int, list[tuple[int, int]]], ...]:
    """The lines on which the squares of two sprites overlap, and the sprites shown there.

    Cached because each call of machine code asks for it, mostly with sprites at rest.
    """
    size = _size(mode)
    visible = list(_visible(attributes))
    places = _places(attributes, mode)
    corners = [(top, left) for _, top, left, _ in places if -size < top < LINES]
    lines: set[int] = set()
    for (top, left), (other_top, other_left) in combinations(corners, 2):
        if abs(top - other_top) < size and abs(left - other_left) < size:
            first, last = max(top, other_top), min(top, other_top) + size
            lines.update(range(max(first, 0), min(last, LINES)))
    return tuple((line, _shown(visible, size, line)) for line in sorted(lines))


def in_picture(attributes: bytes | bytearray) -> int:
    """The number of sprites of a list that are not below the picture; quicker than `_visible`."""
    return len(attributes[::4].partition(_END)[0].translate(None, _BELOW))


def sprite_places(vdp: VDP) -> list[tuple[int, int, int, int]]:
    """The sprites up to the end of the list, the foremost first.

    Each as VDP colour, top line (may be negative), left dot, first pattern.
    """
    return _places(_attributes(vdp), vdp.registers[1])


def _places(attributes: bytes, mode: int) -> list[tuple[int, int, int, int]]:
    places = []
    for number, top in _visible(attributes):
        _, x, pattern, attribute = attributes[4 * number : 4 * number + 4]
        left = x - _EARLY_SHIFT if attribute & _EARLY_CLOCK else x
        if mode & _LARGE:
            # Large sprites take four patterns, from a multiple of four on.
            pattern &= 0xFC
        places.append((attribute & 0x0F, top, left, pattern))
    return places


def _attributes(vdp: VDP) -> bytes:
    at = _list_at(vdp)
    return bytes(vdp.ram[at : at + 4 * _TABLE_LENGTH])


def _list_at(vdp: VDP) -> int:
    """Where the sprites are listed: with Extended BASIC at >0300."""
    return (vdp.registers[5] & 0x7F) << 7


def _visible(attributes: bytes) -> Iterator[tuple[int, int]]:
    """Sprites up to the end of the list: number, top line (may be negative)."""
    for number in range(_TABLE_LENGTH):
        y = attributes[4 * number]
        if y == END_OF_LIST:
            return
        # The chip draws a sprite one line below its y.
        yield number, (y - 256 if y > _OFF_TOP else y) + 1


def _size(mode: int) -> int:
    """The height of sprites in lines."""
    return (16 if mode & _LARGE else 8) << (mode & _DOUBLE)


def _line_of(vdp: VDP, number: int, row: int) -> SpriteLine:
    color = vdp.ram[_list_at(vdp) + 4 * number + 3] & 0x0F
    return SpriteLine(number, color, _dots_of(vdp, number, row))


def _dots_of(vdp: VDP, number: int, row: int) -> int:
    """The dots of a row of a sprite; see `SpriteLine`."""
    at = _list_at(vdp) + 4 * number
    patterns = (vdp.registers[6] & 7) << 11
    _, x, pattern, attribute = vdp.ram[at : at + 4]
    mode = vdp.registers[1]
    if mode & _DOUBLE:
        row //= 2
    if mode & _LARGE:
        start = patterns + 8 * (pattern & 0xFC) + row
        # The right half of a large sprite lies 16 bytes after the left one.
        bits, width = vdp.ram[start] << 8 | vdp.ram[start + 16], 16
    else:
        bits, width = vdp.ram[patterns + 8 * pattern + row], 8
    if mode & _DOUBLE:
        bits, width = _doubled(bits), 2 * width
    if attribute & _EARLY_CLOCK:
        x -= _EARLY_SHIFT
    shift = DOTS - x - width
    return (bits << shift if shift >= 0 else bits >> -shift) & (1 << DOTS) - 1


@cache
def _doubled(bits: int) -> int:
    """Each bit twice: 10b becomes 1100b."""
    return sum(3 << 2 * place for place in range(16) if bits >> place & 1)
