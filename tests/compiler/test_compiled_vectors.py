"""The numbers recorded from the original ROMs, computed by compiled programs.

numbers/ is held against the recordings by tests/conformance; here a compiled program must give its
result in every bit. The program reads arguments and the result from DATA and counts what differs,
so that the compiler cannot compute anything beforehand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.compiler.bothforms import as_cartridge, full_rows
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import forms
from ti99tools.games.conformance.vectors import ARITH, FUNC, POW, Operation

VECTORS = Path(__file__).parent.parent / "conformance" / "vectors"
OPERATIONS: dict[str, tuple[tuple[str, Operation], ...]] = {
    "arith": ARITH,
    "func": FUNC,
    "pow": POW,
}
BATCH, FEW = 150, 24
"""Vectors of a program, of which the DATA must fit the memory; those of the short test."""


def literal(number: Any) -> str:
    """A number as a program's text, with all its digits."""
    digits, power = forms.decimal_digits(number)
    negative = forms.to_bytes(number)[0] & 0x80
    return f"{'-' if negative else ''}{digits[0]}.{digits[1:] or '0'}E{power}"


def vectors(stem: str) -> list[list[Any]]:
    """Both arguments of each line of a file."""
    lines = (VECTORS / f"{stem}.jsonl").read_text().splitlines()
    return [
        [forms.from_bytes(bytes.fromhex(text)) for text in json.loads(line)[:2]] for line in lines
    ]


def data_of(operation: Operation, pairs: Sequence[Sequence[Any]]) -> Iterator[str]:
    """DATA of a batch: arguments and result; what raises or overflows is left out."""
    for a, b in pairs:
        try:
            result = operation(a, b)
        except XBError:
            continue
        if not getattr(result, "overflow", False):
            yield ",".join(map(literal, (a, b, result)))


def program(name: str, rows: Sequence[str]) -> str:
    """A listing that prints how many results it has read, how many differ, and the first one."""
    data = "\n".join(f"{200 + i} DATA {row}" for i, row in enumerate(rows))
    return (
        f"100 FOR I=1 TO {len(rows)}::READ A,B,R\n"
        f"110 IF ({name.upper()})=R THEN 130\n"
        "120 N=N+1::IF N=1 THEN F=I\n"
        "130 NEXT I::PRINT I-1;N;F::END\n"
        f"{data}\n"
    )


def batches(stem: str, name: str, operation: Operation, size: int = BATCH) -> Iterator[str]:
    """Programs for all vectors of a file and one of its operations, `size` vectors each."""
    pairs = vectors(stem)
    for at in range(0, len(pairs), size):
        yield program(name, list(data_of(operation, pairs[at : at + size])))


def computed(listing: str, words: bool) -> list[int]:
    """What a compiled program prints: results, differences, the first one that differs."""
    return [int(number) for number in full_rows(as_cartridge(listing, words))[-3].split()]


NAMES = [(stem, name) for stem, operations in OPERATIONS.items() for name, _ in operations]


@pytest.mark.parametrize(("stem", "name"), NAMES)
def test_the_first_vectors(stem: str, name: str) -> None:
    listing = next(batches(stem, name, dict(OPERATIONS[stem])[name], FEW))
    count, differ, first = computed(listing, words=True)
    assert count > FEW // 2 and differ == 0, (
        f"{name}: {differ} of {count} differ, the first is {first}"
    )


def test_a_wrong_result_is_found() -> None:
    rows = list(data_of(dict(ARITH)["a*b"], vectors("arith")[:9]))
    a, b, _ = rows[4].split(",")
    rows[4] = f"{a},{b},1"
    assert computed(program("a*b", rows), words=True) == [9, 1, 5]


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), NAMES)
def test_all_vectors(stem: str, name: str) -> None:
    operation = dict(OPERATIONS[stem])[name]
    for number, listing in enumerate(batches(stem, name, operation)):
        for words in (True, False):
            count, differ, first = computed(listing, words)
            assert differ == 0, f"{name}, batch {number}: {differ} of {count}, the first is {first}"
