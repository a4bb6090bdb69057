"""What was not reached, as lines that editors can follow: `file:line:column: never ran`."""

from __future__ import annotations

from ti99tools.coverage.counted import Coverage

SAYS = {
    "statement": "never ran",
    "yes": "the condition never held",
    "no": "the condition always held",
}


def missed_lines(coverage: Coverage) -> list[str]:
    """One line for each statement that never ran, and each way of an IF never taken."""
    return [f"{place}: {SAYS[what]}" for place, what in coverage.missed()]


def summary(coverage: Coverage) -> list[str]:
    """A line for each file and one for all: statements and ways of IFs."""
    rows = [(name, coverage.totals(name)) for name in sorted(coverage.files)]
    rows.append(("all", coverage.totals()))
    wide = max(len(name) for name, _ in rows)
    return [
        f"{name:<{wide}}  {totals.reached:5} of {totals.statements:5} statements "
        f"{percent(totals.share):>5}  {totals.taken:5} of {totals.ways:5} ways of IFs"
        for name, totals in rows
    ]


def percent(share: float) -> str:
    """`97 %`, rounded down."""
    return f"{int(100 * share)} %"
