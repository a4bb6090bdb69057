"""The faults fit the sources, probes note who comes by, and a seeded fault is found."""

import ast
import json
from pathlib import Path

import pytest

from tests.mutants import by_hand, drawing, drawn
from tests.mutants.__main__ import main
from tests.mutants.fault import ROOT, Fault
from tests.mutants.playing import play
from tests.mutants.reach import probed, reach
from tests.mutants.workshop import Workshop

FAULTS = (*by_hand.BY_HAND, *drawn.DRAWN)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_has_one_place_and_leaves_a_module(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text("utf-8")
    wrong = fault.wrong(text)
    assert wrong != text
    ast.parse(wrong)
    file, old = fault.place
    assert (ROOT / file).read_text("utf-8").count(old) == 1


def test_sixty_faults_over_all_wings() -> None:
    assert len(by_hand.BY_HAND) == len(drawn.DRAWN) == 30
    assert len({fault.name for fault in FAULTS}) == 60
    wings = [fault.file.split("/")[1] for fault in by_hand.BY_HAND]
    folders = {path.parent.name for path in (ROOT / "ti99tools").glob("*/__init__.py")}
    assert {wing for wing in folders if wings.count(wing) < 2} == set()


def test_a_place_that_is_gone_is_told() -> None:
    fault = Fault("gone", "a.py", "x = 1", "x = 2")
    with pytest.raises(ValueError, match=r"gone: the text is 0 times in a\.py"):
        fault.wrong("y = 1\n")
    with pytest.raises(ValueError, match="2 times"):
        fault.wrong("x = 1\nx = 1\n")


SMALL = '''def f(a):
    """A docstring."""
    if a > 1:
        return 1
    elif a == 0:
        print(a)
    return (
        a
        + 2
    )
'''


def test_drawing_knows_operators_constants_comparisons_and_statements() -> None:
    every = frozenset(range(1, 20))
    found = {(c.kind, c.line, c.new.strip()) for c in drawing.changes(SMALL, every)}
    assert found == {
        ("comparison", 3, ">="),
        ("constant", 3, "2"),
        ("constant", 4, "2"),
        ("comparison", 5, "!="),
        ("constant", 5, "1"),
        ("statement", 6, "pass"),
        ("constant", 9, "3"),
    }
    assert {c.line for c in drawing.changes(SMALL, frozenset({4}))} == {4}


def test_drawing_again_gives_the_same() -> None:
    lines = {"tests/mutants/fault.py": frozenset(range(1, 60))}
    first, second = (drawing.draw(3, lines, 1) for _ in range(2))
    assert first == second
    assert first[0].wrong((ROOT / first[0].file).read_text("utf-8"))


def test_probes_stand_before_whole_statements() -> None:
    text = probed(SMALL, [(7, "elif a == 0:"), (8, "        + 2"), (9, "        print(a)\n")])
    lines = text.splitlines()
    ast.parse(text)
    assert lines[2] == "    __import__('tests.mutants.probe', fromlist=['hit']).hit(7)"
    assert lines[3] == "    if a > 1:"
    assert lines[6].endswith(".hit(9)")
    assert lines[7] == "        print(a)"
    assert lines[8].endswith(".hit(8)")


@pytest.mark.slow
def test_a_fault_is_found_by_a_test_that_comes_to_it(tmp_path: Path) -> None:
    fault = next(each for each in FAULTS if each.name == "an option's limit allowed")
    shop = Workshop(tmp_path)
    known = reach([fault], shop, ["tests/cli/test_wrong_usages.py"])[fault.name]
    assert known
    found = play(fault, known, shop, 60)
    assert found.test in known
    harmless = Fault("no fault", fault.file, fault.old, fault.old + "  # the same")
    assert play(harmless, known, shop, 60).test == ""


@pytest.mark.slow
def test_every_fault_is_found(tmp_path: Path) -> None:
    assert main(["--json", str(tmp_path / "found.json")]) == 0
    assert len(json.loads((tmp_path / "found.json").read_text("utf-8"))) == len(FAULTS)
