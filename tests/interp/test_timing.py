"""Predicted costs against every loop recorded from the original ROMs (conformance/timing-dev.json).

The loops are run, and the time of their lines is added up.
"""

from __future__ import annotations

import json
import statistics
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ti99tools import Console, Program
from ti99tools.base import tokens as tk
from ti99tools.base.cycles.language import COSTS, LIKELY, MEASURED
from ti99tools.computer.console.profiling import profiling
from ti99tools.computer.interp.compile.compiler import EMITTERS
from ti99tools.computer.interp.compile.emit.registry import FAMILIES
from ti99tools.computer.interp.compile.timing import Timing, text_length
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

assert EMITTERS
LOOPS: list[Any] = json.loads(
    (Path(__file__).parents[1] / "conformance" / "timing-dev.json").read_text()
)
AROUND = 300_000
"""Cycles from BEGIN! to the loop and from its end to END!: about one printed row."""
OUTSIDE = frozenset((500, 540, 550, 560, 570))
"""Lines of the recorded programs from BEGIN! to the loop and from END! on."""
FUNCTION = 130
"""The line of a DEF that a loop uses."""
LEFT_OUT = {"let-paren": "its value grows until each round shows an overflow warning"}


@cache
def ratio(name: str) -> float:
    """Time taken by our console over that measured."""
    loop = next(loop for loop in LOOPS if loop["name"] == name)
    console = Console()
    console.load(Program.from_listing("\n".join(loop["source"]) + "\n"))
    with profiling(console) as profile:
        assert console.run(seconds=60) == "ready"
    first = next(int(line.split()[0]) for line in loop["source"] if " FOR I=" in line)
    before = {n for n, _, _ in profile.by_line() if n < first and n != FUNCTION}
    outside = before | OUTSIDE
    taken = sum(cycles for n, cycles, _ in profile.by_line() if n not in outside)
    return (AROUND + taken) / float(loop["cycles"])


JUDGED = [loop for loop in LOOPS if loop["name"] not in LEFT_OUT]


@pytest.mark.parametrize("name", [loop["name"] for loop in JUDGED])
def test_a_loop_takes_the_recorded_time(name: str) -> None:
    assert 0.88 < ratio(name) < 1.12


def test_all_loops_together() -> None:
    off = sorted(abs(ratio(loop["name"]) - 1) for loop in JUDGED)
    assert statistics.median(off) < 0.01
    assert off[-1] < 0.05
    assert len(JUDGED) == len(LOOPS) - len(LEFT_OUT)


def test_older_names_and_farther_lines_take_longer() -> None:
    timing = Timing(["OLD", "NEW"], [10, 20, 30])
    old, new = (timing.statement(assignment(name)) for name in ("OLD", "NEW"))
    assert old > new
    assert timing.statement(st.Goto(at=1, end=1, line=10)) > timing.statement(
        st.Goto(at=1, end=1, line=30)
    )


def assignment(name: str) -> st.Let:
    return st.Let(at=1, end=1, targets=(nd.Variable(name),), value=nd.Number("1"))


@pytest.mark.parametrize("number", range(0x81, 0xFF))
def test_every_statement_and_function_has_a_cost(number: int) -> None:
    """Whatever the parser makes of a keyword's statement can be charged."""
    word = tk.KEYWORDS.get(number)
    if word is None:
        return
    timing = Timing()
    for text in (
        f"{word} A",
        f"{word} #1:A",
        f"A={word}(B)",
        f"A$={word}(B)",
        f"A=B {word} C",
        f"CALL {word}(1)",
    ):
        try:
            _, tokens = tokenize_line(f"10 {text}")
        except Exception:
            continue
        for node in Listing([(10, tokens)]).statements(0):
            assert timing.statement(node) >= 0


def test_every_statement_has_an_emitter() -> None:
    kinds = {k for k in vars(st).values() if isinstance(k, type) and issubclass(k, st.Statement)}
    assert kinds - {st.Statement} == FAMILIES.keys()


def test_the_table_has_no_key_twice() -> None:
    assert not LIKELY.keys() & MEASURED.keys()
    assert all(cost >= 0 for cost in COSTS.values())


def test_known_lengths_of_texts() -> None:
    assert text_length(nd.String("ABC")) == 3
    assert text_length(nd.Binary(tk.CONCAT, nd.String("AB"), nd.String("C"), True)) == 3
