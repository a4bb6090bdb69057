"""Ranges of expressions: lint and the compiler find the same, and what they find holds in a run."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.compiler.compiling import compile_program
from ti99tools.language.analysis.intervals import Interval
from ti99tools.language.syntax import statements as st


def whole(low: int, high: int) -> Interval:
    return Interval(low, high)


def about(low: int, high: int) -> Interval:
    return Interval(low, high, whole=False)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("B", whole(1, 10)),
        ("-B", whole(-10, -1)),
        ("B-3", whole(-2, 7)),
        ("B*B", whole(1, 100)),
        ("B/2", about(0, 6)),
        ("ABS(B-8)", whole(0, 7)),
        ("SGN(B)", whole(-1, 1)),
        ("MAX(B,4)", whole(4, 10)),
        ("MIN(B,4)", whole(1, 4)),
        ("RND", about(0, 1)),
        ("SIN(B)", about(-1, 1)),
        ('LEN("AB")', whole(0, 255)),
        ("B>3", whole(-1, 0)),
        ('"A">"B"', whole(-1, 0)),
        ("NOT B", whole(-11, -2)),
        ("B AND 6", whole(0, 6)),
        ("B OR 6", whole(0, 15)),
        ("B*9999 AND 7", whole(0, 7)),
    ],
)
def test_lint_and_the_compiler_find_the_same_range(expression: str, found: Interval) -> None:
    program = Program.from_listing(f"100 FOR B=1 TO 10\n110 A={expression}\n120 NEXT B")
    nodes = program.analysis.flow.nodes
    [(at, statement)] = [
        (at, node.statement) for at, node in enumerate(nodes) if isinstance(node.statement, st.Let)
    ]
    assert statement.value is not None
    assert program.analysis.ranges.of(at, statement.value) == found
    stored = compile_program(program).ranges.all["A"]
    assert (stored.low, stored.high, stored.whole) == (
        min(found.low, 0),
        max(found.high, 0),
        found.whole,
    )


def test_a_comparison_of_texts_beside_another_narrows_it() -> None:
    listing = '100 FOR B=1 TO 10\n110 IF "A"<"B" AND B<5 THEN C=B\n120 NEXT B'
    program = Program.from_listing(listing)
    assert compile_program(program).ranges.all["C"] == whole(0, 4)
    console = Console()
    console.load(program)
    console.run()
    assert console.variables["C"] == 4
