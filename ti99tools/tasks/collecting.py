"""Coverage of programs that tests run: sources made known, consoles looked at, all added up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ti99tools.base.hits import Hits, total
from ti99tools.console.session import Console
from ti99tools.coverage.counted import Coverage
from ti99tools.coverage.jsonform import from_data, to_data
from ti99tools.coverage.plan import Plan
from ti99tools.program.image import Line
from ti99tools.tasks.covering import named, plan_for
from ti99tools.tasks.targets import find_target


class Collector:
    """Adds up what consoles have counted of sources."""

    def __init__(self) -> None:
        self._plans: dict[tuple[Line, ...], Plan] = {}
        self._hits: dict[tuple[Line, ...], Hits] = {}
        self._others = Coverage()

    def know_target(self, name: str | Path) -> None:
        """Count the statements of a source file, or of a game given by folder or name.

        Raises TIError.
        """
        plan = plan_for(find_target(str(name)))
        self._plans[plan.lines] = plan

    def look_at(self, console: Console) -> None:
        """Add what a console has counted since it was switched on."""
        for lines, hits in console.hits.items():
            self._hits[lines] = total((self._hits.get(lines, {}), hits))

    def add(self, data: dict[str, Any]) -> None:
        """Add what another process has collected."""
        self._others |= from_data(data)

    @property
    def coverage(self) -> Coverage:
        """All counts, sources that never ran among them."""
        found = Coverage()
        for lines, plan in self._plans.items():
            found |= plan.coverage(self._hits.get(lines, {}))
        return self._others | named(found)

    @property
    def data(self) -> dict[str, Any]:
        """All counts for `add` in another process."""
        return to_data(self.coverage)
