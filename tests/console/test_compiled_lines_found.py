"""Whether a compiled program with a table of its lines is in memory."""

import pytest

from ti99tools.computer.console.compiledbanks import (
    BANKED_MARK,
    MARK,
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


def bank(number: int, mark: int = MARK) -> bytes:
    """A bank with the table of one line, 100 at the place >7000."""
    data = bytearray(b"\xff" * 0x2000)
    for place, words in ((WORDS, (mark, selector(number), AT)), (AT, (0x7000, 100))):
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
        (BANKED_MARK, [], False),
        (BANKED_MARK, [bank(0, 0), bank(0)], False),
        (BANKED_MARK, [bank(0, 0), bank(1)], True),
    ],
)
def test_it_is_there_where_a_table_is(mark: int, banks: list[bytes], there: bool) -> None:
    bus = Bus()
    for at, word in ((TABLE, mark), (TABLE + 2, 0xB000), (0xB000, 0xFFFF)):
        bus.load_word(at, word)
    assert has_lines(bus, banks) is there
    assert bool(line_table(bus, banks)) is there
