"""What declared structures cost, as multiples of plain `struct` in the same run.

Run with `pytest -m bench -s tests/bench/test_bench_structures.py`.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from timeit import repeat

import pytest

from ti99tools.language.program.program import Program
from ti99tools.media.disk import descriptors

pytestmark = pytest.mark.bench

DESCRIPTOR = struct.Struct(">10sHBBHBB2s4s4s228s")
ROUNDS, TIMES = 9, 100


def microseconds(work: Callable[[], object]) -> float:
    """The least processor time of one call."""
    best = min(repeat(work, repeat=ROUNDS, number=TIMES, timer=time.process_time))
    return best / TIMES * 1e6


def program(lines: int, mark: int) -> bytes:
    text = "".join(f'{100 + 10 * n} PRINT "{mark}";A+B*{n}\n' for n in range(lines))
    return Program.from_listing(text).to_program_bytes()


def cut(data: bytes) -> list[tuple[int, bytes]]:
    """The lines of a PROGRAM file, and nothing checked."""
    _, end, start, _top = struct.unpack(">4H", data[:8])
    found = []
    for number, address in struct.iter_unpack(">2H", data[8 : 9 + end - start]):
        at = 8 + address - start
        found.append((number, data[at : at + data[at - 1] - 1]))
    return found


def test_a_descriptor_that_was_read_before_costs_next_to_nothing() -> None:
    sectors = [bytes((n,)) * 256 for n in range(100)]
    bare = microseconds(lambda: DESCRIPTOR.unpack(sectors[0]))
    known = microseconds(lambda: descriptors.parse_fdr(sectors[0]))
    first = microseconds(lambda: descriptors.parse_fdr.__wrapped__(sectors[0]))
    print(f"\na descriptor: struct {bare:.2f} µs, cached {known:.2f}, by construct {first:.1f}")
    assert known < 3 * bare
    assert first < 250 * bare


@pytest.mark.parametrize(("lines", "limit"), [(1, 60), (300, 12)])
def test_a_program_is_read_within_a_multiple_of_cutting_it(lines: int, limit: float) -> None:
    files = [program(lines, mark) for mark in range(3)]  # more than are remembered
    assert [line.number for line in Program.from_bytes(files[0]).lines] == [
        number for number, _ in reversed(cut(files[0]))
    ]
    bare = microseconds(lambda: [cut(data) for data in files])
    ours = microseconds(lambda: [Program.from_bytes(data) for data in files])
    print(f"\n{lines} lines: {ours / 3:.0f} µs, {ours / bare:.1f} times cutting them")
    assert ours < limit * bare
