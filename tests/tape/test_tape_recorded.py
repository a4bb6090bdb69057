"""Tapes that the original ROMs wrote: ours have the same bits, and theirs are read."""

import json
from pathlib import Path

import pytest

from ti99tools import Program
from ti99tools.media.tape.biphase import BITS_PER_SECOND, bits_of
from ti99tools.media.tape.recovery import BLOCK, COPY, State, unit, units

TAPES = json.loads((Path(__file__).parent / "recorded.json").read_text(encoding="utf-8"))["tapes"]
RECORDS = {
    "two records INTERNAL FIXED 64": [b"\3ABC\x08\x40\5\0\0\0\0\0\0", b"\6SECOND"],
    "one record DISPLAY FIXED 128": [b"ABC 5 ".ljust(128)],
    "one record DISPLAY FIXED 192": [(b"XY" * 90).ljust(192)],
    "default record length": [b"A".ljust(64)],
}


def bits(tape: dict[str, object]) -> str:
    """All bits of a recorded tape; the last one may be missing."""
    data = bytes.fromhex(str(tape["bytes"]))
    leader = tape["leader_bits"]
    assert isinstance(leader, int)
    return "0" * leader + "".join(map(str, bits_of(data)))


def test_the_speed_is_that_of_the_timer() -> None:
    assert round(BITS_PER_SECOND) == 1379


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape["title"])
def test_what_is_on_it_is_read(tape: dict[str, object]) -> None:
    found = list(units([bits(tape)]))
    assert all(block.state is State.GOOD for each in found for block in each.blocks)
    title = str(tape["title"])
    if title not in RECORDS:
        source = tape["source"]
        assert isinstance(source, list)
        image = Program.from_listing("\n".join(source) + "\n").to_program_bytes()
        assert [each.data[: len(image)] for each in found] == [image]
        return
    filled = [record.ljust(-(-len(record) // BLOCK) * BLOCK, b"\0") for record in RECORDS[title]]
    assert [each.data for each in found] == filled


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape["title"])
def test_ours_have_the_same_bits(tape: dict[str, object]) -> None:
    recorded = bits(tape)
    ours = "".join("".join(map(str, bits_of(unit(each.data)))) for each in units([recorded]))
    # The last bit of a recorded tape may be missing, and then the last byte is.
    end = min(len(recorded), len(ours)) - 1
    assert abs(len(recorded) - len(ours)) <= 8
    assert ours[:end] == recorded[:end]


def test_a_unit_has_each_block_twice() -> None:
    made = unit(bytes(range(100)))
    assert len(made) == 768 + 3 + 2 * 2 * COPY
    assert made[768:771] == b"\xff\2\2"
    first, second = made[771 : 771 + COPY], made[771 + COPY : 771 + 2 * COPY]
    assert first == second == bytes(8) + b"\xff" + bytes(range(64)) + bytes((2016 & 255,))
