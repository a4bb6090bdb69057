"""Predicted costs against every loop recorded on the real machine (conformance/timing-dev.json).

The loops are unrolled by hand here (which branch an IF takes is known), so that the static costs
are judged alone, without a running console.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ti99tools.base import tokens as tk
from ti99tools.interp.compile.costs import COSTS, LIKELY, MEASURED
from ti99tools.interp.compile.emit import families
from ti99tools.interp.compile.emit.registry import FAMILIES
from ti99tools.interp.compile.lines import Listing
from ti99tools.interp.compile.timing import Timing, text_length
from ti99tools.machine.clock import FRAME
from ti99tools.machine.machine import SCROLL_CYCLES
from ti99tools.source.prescan import Prescan, Scan
from ti99tools.source.prescan.symbols import Scope
from ti99tools.source.syntax import nodes as nd
from ti99tools.source.syntax import statements as st
from ti99tools.source.tokenize import tokenize_line

assert families
LOOPS: list[Any] = json.loads(
    (Path(__file__).parents[1] / "conformance" / "timing-dev.json").read_text()
)
AROUND = 300_000
"""Cycles from BEGIN! to the loop and from its end to END!: about one printed row."""
TRUE = ("IF A<99 THEN B=2", "IF A<9 AND B<9 THEN C=3")
WAITS = {"sound-100": 7 * FRAME, "sound-1000": 61 * FRAME}
"""A tone's length and a frame: the next CALL SOUND waits for its end."""
LEFT_OUT = {"let-paren": "its value grows until each round shows an overflow warning"}


class Rounds:
    """One round of a loop: the statements that run, with the scope they run in."""

    def __init__(self, loop: Any) -> None:
        self.body: str = loop["body"][0] if loop["body"] else ""
        self.listing = Listing([tokenize_line(line) for line in loop["source"]])
        self.scan: Scan = Prescan(self.listing).program()

    def timing(self, scope: Scope) -> Timing:
        functions = [n for n, s in scope.symbols.items() if s.function is not None]
        return Timing(scope.symbols, self.listing.numbers, functions)

    def cost(self) -> int:
        timings = {
            name: self.timing(s) for name, s in (("", self.scan.main), *self.scan.subs.items())
        }
        return sum(timings[scope].statement(node) + rows(node) for node, scope in self.round())

    def round(self) -> Iterator[tuple[st.Statement, str]]:
        yield from self.line(520)
        if self.body:
            yield from self.line(530)

    def line(self, number: int, scope: str = "") -> Iterator[tuple[st.Statement, str]]:
        for node in self.listing.statements(self.listing.index[number]):
            yield from self.statement(node, scope)

    def statement(self, node: st.Statement, scope: str) -> Iterator[tuple[st.Statement, str]]:
        yield node, scope
        match node:
            case st.If(then=then, otherwise=otherwise):
                branch = then if self.body in TRUE else otherwise
                for inner in branch if isinstance(branch, tuple) else ():
                    yield from self.statement(inner, scope)
            case st.Gosub(line=line):
                yield from self.line(line)
            case st.OnGo(gosub=True, lines=lines):
                yield from self.line(lines[0])
            case st.Goto(line=800):
                yield from self.line(800)
            case st.For():
                for _ in range(9):
                    yield st.Next(at=1, end=1, variable="J"), scope
            case st.Call(name=name) if name in self.scan.subs:
                numbers = self.listing.numbers
                first = numbers.index(1000 if name == "MYSUB" else 1100)
                for number in numbers[first + 1 : first + 3]:
                    yield from self.line(number, name)


def rows(node: st.Statement) -> int:
    """What PRINT takes for the row that it scrolls in at its end."""
    if not isinstance(node, st.Print) or (node.items and isinstance(node.items[-1], st.Separator)):
        return 0
    return SCROLL_CYCLES


def ratio(loop: Any) -> float:
    """Predicted over measured time of a whole loop; the first round waits for nothing."""
    once = Rounds(loop).cost()
    others = max(once, WAITS.get(loop["name"], 0))
    predicted: float = AROUND + once + others * (loop["n"] - 1)
    return predicted / float(loop["cycles"])


JUDGED = [loop for loop in LOOPS if loop["name"] not in LEFT_OUT]


@pytest.mark.parametrize("loop", JUDGED, ids=lambda loop: loop["name"])
def test_a_loop_takes_the_recorded_time(loop: Any) -> None:
    assert 0.88 < ratio(loop) < 1.12


def test_all_loops_together() -> None:
    off = sorted(abs(ratio(loop) - 1) for loop in JUDGED)
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
    for text in (f"{word} A", f"{word} #1:A", f"A={word}(B)", f"A$={word}(B)", f"A=B {word} C",
                 f"CALL {word}(1)"):  # fmt: skip
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
