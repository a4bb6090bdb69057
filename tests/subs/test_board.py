"""Dimraw's BOARD, compiled: the same as in BASIC, and how far from code by hand."""

from pathlib import Path

import pytest

from tests.subs.boards import DIMRAW, compiled, men
from tests.subs.subforms import link_cycles
from ti99tools.app.twin_proof import Harness
from ti99tools.games.making.twins import Twins
from ti99tools.hardware.assembler.assembling import assemble_file
from ti99tools.language.dialect import generate

BEFORE = 'DIM B(19)\nOP,P,RA,RB,F,T,N,J=0\nH$=""'
CALL = "CALL BOARD(OP,P,RA,RB,B(),F,T,N,J,H$)"
WANTED = ("OP", "P", "RA", "RB", "F", "T", "N", "J", "H$", *(f"B({point})" for point in range(20)))
BYTES, CYCLES, GAIN = 3, 2, 30
"""Aims: the most bytes and cycles beside code by hand, the least gain over Extended BASIC."""


def source(folder: Path) -> Path:
    """The SUB in a file of its own."""
    path = folder / "board.xb"
    path.write_text(compiled((DIMRAW / "board.xb").read_text()))
    return path


def test_it_does_what_it_does_in_basic(tmp_path: Path) -> None:
    path = source(tmp_path)
    basic, native = (Harness(path, BEFORE, CALL, native=form) for form in (False, True))
    for case in men(5, 4):
        assert basic.run(case, WANTED) == native.run(case, WANTED), case


@pytest.mark.slow
def test_it_does_what_it_does_in_basic_in_many_positions(tmp_path: Path) -> None:
    path = source(tmp_path)
    basic, native = (Harness(path, BEFORE, CALL, native=form) for form in (False, True))
    for case in men(6, 300):
        assert basic.run(case, WANTED) == native.run(case, WANTED), case


def test_bytes_and_cycles_beside_code_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = source(tmp_path)
    spent = link_cycles(monkeypatch)
    twins = Twins(tmp_path)
    generate(f"{BEFORE}\n{CALL}\nEND\n{path.read_text()}", root=tmp_path, native=twins.entered)
    assert len(twins.code) <= BYTES * len(assemble_file(DIMRAW / "board.a99").image().data)
    cycles = []
    for place in (path, DIMRAW / "board.xb"):
        harness = Harness(place, BEFORE, CALL, native=True)
        spent.clear()
        for case in men(7, 12):
            harness.run(case, ("H$",))
        cycles.append(sum(spent))
    assert cycles[0] <= CYCLES * cycles[1]
