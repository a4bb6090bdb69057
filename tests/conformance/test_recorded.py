"""Everything recorded from the original ROMs holds here, known failures aside.

A failure shows how the case differs. The same by hand:
`ti99tools conformance tests/conformance --id ID --diff`.
"""

import os
from pathlib import Path

import pytest

from tests.conformance.caseresults import keeping_results
from tests.conformance.everycase import every_case
from ti99tools.games.conformance import known, runner
from ti99tools.games.conformance import outcome as show
from ti99tools.games.conformance.cases import case_files, load, stem_of
from ti99tools.games.conformance.outcome import Summary

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
FILES = case_files(HERE)
LISTED = known.read(HERE / known.NAME)
JOBS = 1 if "PYTEST_XDIST_WORKER" in os.environ else os.cpu_count() or 1
"""Processes that check cases; a worker of pytest-xdist is one of many already."""


@pytest.mark.parametrize("file", FILES, ids=stem_of)
def test_recorded(file: Path) -> None:
    cases = load([file])
    names = {case.id for case in cases}
    mine = {name: why for name, why in LISTED.items() if name.partition(":")[0] in names}
    summary = Summary(mine)
    with keeping_results():
        for outcomes in runner.run(cases, JOBS):
            for outcome in outcomes:
                summary.add(outcome)
    lines = [
        line
        for outcome in summary.unexpected[:5]
        for line in show.failure(outcome, None, diff=True)
    ]
    assert not summary.unexpected, "\n".join(lines)
    assert not summary.risen, f"take off {known.NAME}: {summary.risen}"
    assert summary.passed > 0


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Of all recorded cases."""
    return {case.id for case in every_case()}


def test_known_failures_name_recorded_cases(names: set[str]) -> None:
    assert {name.partition(":")[0] for name in LISTED} <= names


def test_kinds_of_differences_on_hosts_are_of_recorded_cases(names: set[str]) -> None:
    for kind in known.read_kinds(HERE / known.NAME_FOR_HOSTS):
        assert len(kind.of(names)) >= kind.most > 0, kind
