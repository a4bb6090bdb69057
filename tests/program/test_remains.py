"""What is left of a PROGRAM file some bytes of which are lost."""

import random

import pytest

from ti99tools import Program
from ti99tools.language.program.remains import remains

LINES = [f'{number} PRINT "LINE {number}"' for number in (300, 100, 200, 150, 250)]
PROGRAM = Program.from_listing("\n".join(sorted(LINES, key=lambda line: int(line[:3]))))
DATA = PROGRAM.to_program_bytes()
_HEAD = 8


def listed(lost: range, data: bytes = DATA) -> list[int] | None:
    """The numbers of the lines that are left."""
    left = remains(bytes(0 if at in lost else byte for at, byte in enumerate(data)), lost)
    if left is None:
        return None
    assert left.lost == len(LINES) - len(left.image.table)
    program = Program(left.image)
    whole = {line.number: line for line in PROGRAM.lines}
    assert all(whole[line.number] == line for line in program.lines)
    return [line.number for line in program.lines]


def test_nothing_lost_leaves_all() -> None:
    assert listed(range(0)) == [100, 150, 200, 250, 300]


@pytest.mark.parametrize(
    ("lost", "left"),
    [
        # The table has the highest line first; line 100 was entered first, and lies at the end.
        (range(8, 12), [100, 150, 200, 250]),
        (range(11, 17), [100, 150]),
        (range(len(DATA) - 1, len(DATA)), [150, 200, 250, 300]),
        (range(len(DATA) - 3, len(DATA) + 60), [150, 200, 250, 300]),
        (range(28, len(DATA)), None),
        (range(8, 28), None),
        (range(1), None),
        (range(7, 8), None),
    ],
)
def test_lines_are_left_whose_bytes_all_are(lost: range, left: list[int] | None) -> None:
    assert listed(lost) == left


def test_a_short_file_and_a_protected_one() -> None:
    assert remains(DATA[:7], range(0)) is None
    assert remains(DATA[:30], range(30, 60)) is None
    protected = Program(PROGRAM.image, protected=True).to_program_bytes()
    left = remains(protected, range(8, 12))
    assert left is not None
    assert left.protected


@pytest.mark.parametrize("seed", range(30))
def test_any_bytes_leave_lines_or_nothing(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(DATA)
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(8 if seed % 2 else 0, len(data))] = rng.randrange(256)
    left = remains(bytes(data), range(0))
    numbers = [] if left is None else [line.number for line in left.image.lines()]
    assert numbers == sorted(set(numbers))
