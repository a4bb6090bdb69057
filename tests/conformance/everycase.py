"""All recorded cases, for tests that look at every one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ti99tools.games.conformance.cases import Case, load


@cache
def every_case() -> list[Case]:
    """The cases of this folder, read once: that takes as long as a hundred quick tests."""
    return load([Path(__file__).parent])
