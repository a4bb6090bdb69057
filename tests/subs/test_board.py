"""Dimraw's BOARD, compiled: the same as in BASIC, and how far from code by hand."""

from pathlib import Path

import pytest

from tests.subs.boards import DIMRAW, compiled, men
from tests.subs.subforms import link_cycles, noted_sizes
from ti99tools.app.twin_proof import Harness

BEFORE = 'DIM B(19)\nOP,P,RA,RB,F,T,N,J=0\nH$=""'
CALL = "CALL BOARD(OP,P,RA,RB,B(),F,T,N,J,H$)"
WANTED = ("OP", "P", "RA", "RB", "F", "T", "N", "J", "H$", *(f"B({point})" for point in range(20)))
BYTES, CYCLES = 3, 2
"""Aims: the most bytes and cycles beside code by hand."""


def source(folder: Path) -> Path:
    """The SUB in a file of its own."""
    path = folder / "board.xb"
    path.write_text(compiled((DIMRAW / "board.xb").read_text()))
    return path


@pytest.mark.slow
def test_it_does_what_it_does_in_basic_in_many_positions(tmp_path: Path) -> None:
    path = source(tmp_path)
    basic, native = (Harness(path, BEFORE, CALL, native=form) for form in (False, True))
    for case in men(6, 300):
        assert basic.run(case, WANTED) == native.run(case, WANTED), case


def test_it_does_the_same_in_few_bytes_and_cycles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = noted_sizes(monkeypatch)
    spent = link_cycles(monkeypatch)
    path, by_hand = source(tmp_path), DIMRAW / "board.xb"
    forms = [Harness(path, BEFORE, CALL, native=True), Harness(by_hand, BEFORE, CALL, native=True)]
    cycles = []
    for harness in forms:
        spent.clear()
        found = [harness.run(case, WANTED) for case in men(7, 4)]
        cycles.append((found, sum(spent)))
    assert cycles[0][0] == cycles[1][0], "by hand, and so in BASIC"
    assert sizes[0] <= BYTES * sizes[1]
    assert cycles[0][1] <= CYCLES * cycles[1][1]
