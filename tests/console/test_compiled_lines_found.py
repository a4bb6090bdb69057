"""Whether a compiled program with a table of its lines is in memory."""

import pytest

from ti99tools.computer.console.compiledmemory import (
    BANKED_MARK,
    FIRST_TEXT,
    MARK,
    PLACES_MARK,
    SHORT_MARK,
    TABLE,
    WORDS,
    has_lines,
    line_table,
    selector,
)
from ti99tools.hardware.cpu.bus import CARTRIDGE, Bus

AT = CARTRIDGE[0] + 0x40
"""Where the banks below have their tables."""
OF = 0x3000
"""Selects the bank with the table of the code in high memory."""

PLACES = bytes.fromhex("000aa010c78a302893408016002000644f00600070ae0003e8bd0001fa7fff")
"""The lines 100, 110, 1000 and 990, with all that an entry may have."""


def bank(number: int, mark: int = MARK, of: int = OF) -> bytes:
    """A bank with the table of one line, 100 at the place >7000, of the program `OF`."""
    data = bytearray(b"\xff" * 0x2000)
    own = (mark, selector(number), AT, 0, 0, 0, of)
    for place, words in ((WORDS, own), (AT, (0x7000, 100))):
        for index, word in enumerate(words):
            at = place - CARTRIDGE[0] + 2 * index
            data[at : at + 2] = word.to_bytes(2, "big")
    return bytes(data)


@pytest.mark.parametrize(
    ("mark", "banks", "there"),
    [
        (0, [], False),
        (MARK, [], True),
        (SHORT_MARK, [], True),
        (PLACES_MARK, [], True),
        (BANKED_MARK, [], False),
        (BANKED_MARK, [bank(0, 0), bank(0)], False),
        (BANKED_MARK, [bank(0, 0), bank(1)], True),
        (BANKED_MARK, [bank(0, 0), bank(1, of=OF + 2)], False),
    ],
)
def test_it_is_there_where_a_table_is(mark: int, banks: list[bytes], there: bool) -> None:
    bus, video = Bus(), bytearray(0x4000)
    for at, word in ((TABLE, mark), (TABLE + 2, OF), (OF, 0xFFFF)):
        bus.load_word(at, word)
    if mark == SHORT_MARK:
        bus.load(OF, PLACES)
    video[FIRST_TEXT : FIRST_TEXT + len(PLACES)] = PLACES
    assert has_lines(bus, banks) is there
    assert bool(line_table(bus, video, banks)) is there


def test_places_of_byte_code_in_both_memories() -> None:
    bus, video = Bus(), bytes(FIRST_TEXT) + PLACES
    for at, word in ((TABLE, SHORT_MARK), (TABLE + 2, 0x3000)):
        bus.load_word(at, word)
    bus.load(0x3000, PLACES)
    lines = [(0xA010, 100), (0xA020, 110), (0xA070, 1000), (0xA076, 990), (0xA270, 0)]
    assert line_table(bus, bytes(0x4000)) == lines
    bus.load_word(TABLE, PLACES_MARK)
    assert line_table(bus, video) == lines
