"""Coverage as JSON, to be read by other tools and added up over processes.

    {"form": "ti99tools coverage 1",
     "totals": {"statements": 3, "reached": 2, "ways": 2, "taken": 1},
     "files": [{"file": "game.xb", "totals": {…},
                "statements": [{"line": 4, "column": 3, "hits": 7, "yes": 7, "no": 0}, …]}],
     "missed": ["game.xb:4:3: the condition always held", "game.xb:6:3: never ran"]}

Lines and columns count from 1. `yes` and `no` are there for an IF: how often its condition held and
did not.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.coverage.counted import At, Count, Coverage
from ti99tools.coverage.missed import missed_lines

FORM = "ti99tools coverage 1"


def to_data(coverage: Coverage) -> dict[str, Any]:
    """JSON values."""
    return {
        "form": FORM,
        "totals": asdict(coverage.totals()),
        "files": [
            {
                "file": name,
                "totals": asdict(coverage.totals(name)),
                "statements": [_statement(at, count) for at, count in sorted(counts.items())],
            }
            for name, counts in sorted(coverage.files.items())
        ],
        "missed": missed_lines(coverage),
    }


def _statement(at: At, count: Count) -> dict[str, int]:
    return {"line": at[0], "column": at[1], "hits": count.ran, **count.ways}


def from_data(data: dict[str, Any]) -> Coverage:
    """The inverse of `to_data`. Raises TIError for anything else."""
    if data.get("form") != FORM:
        raise TIError("not coverage of Extended BASIC", remedy=f'its form must be "{FORM}"')
    return Coverage(
        {
            file["file"]: {
                (row["line"], row["column"]): Count(row["hits"], row.get("yes"), row.get("no"))
                for row in file["statements"]
            }
            for file in data["files"]
        }
    )
