"""Matches a second: one process, two, a Dask cluster with two workers; and what counting costs.

All three must find the same: verdict, branches of the model, statements of the source. Figures are
of this computer; what is compared is measured in one run. Run with
`pytest -m bench -s tests/bench/test_bench_matches.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from importlib import import_module

import pytest

from ti99tools.app.verify import dask_executor
from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.result import Verdict
from ti99tools.games.verify.subject import Subject, subject_of

pytestmark = pytest.mark.bench

MATCHES = 120
DEAREST = 1.25
"""Counting the source's statements may take so many times what a campaign takes without."""


@pytest.fixture(scope="module")
def subject() -> Subject:
    return subject_of(find_game("d5000"))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is missing")
    assert distributed is import_module("distributed")
    local = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
    )
    with local, dask_executor(f"dask:{local.scheduler_address}") as executor:
        yield executor


def timed(campaign: Campaign, executor: Executor | None = None) -> tuple[Verdict, float]:
    start = time.perf_counter()
    verdict = campaign.run(executor)
    return verdict, time.perf_counter() - start


def findings_of(verdict: Verdict) -> tuple[object, ...]:
    """What does not depend on where the matches were played."""
    counts = verdict.matches, verdict.failed, verdict.events, verdict.keys
    return *counts, verdict.program, verdict.model, verdict.coverage


def test_all_executors_find_the_same(subject: Subject, cluster: Executor) -> None:
    campaign = Campaign(subject, matches=MATCHES, count=True)
    for executor in (None, cluster):
        timed(replace(campaign, matches=8), executor)  # loads and compiles
    results = {
        "one core": timed(campaign),
        "two cores": timed(replace(campaign, jobs=2)),
        "Dask, two workers": timed(campaign, cluster),
    }
    print(f"\n{'':20} matches/s  program lines  model branches  statements  ways of IFs")
    for name, (verdict, seconds) in results.items():
        assert verdict.coverage is not None
        totals = verdict.coverage.totals()
        print(
            f"{name:20} {MATCHES / seconds:9.1f}  {len(verdict.program.reached):13}"
            f"  {len(verdict.model.reached):14}  {totals.reached:10}  {totals.taken:11}"
        )
    one, two, dask = (findings_of(verdict) for verdict, _ in results.values())
    assert one == two == dask


def worked(campaign: Campaign) -> float:
    """Processor seconds of a campaign in this process: others on the computer do not matter."""
    start = time.process_time()
    campaign.run()
    return time.process_time() - start


def test_counting_costs_little(subject: Subject) -> None:
    plain = Campaign(subject, matches=40)
    counted = replace(plain, count=True)
    worked(counted)
    rounds = [(worked(plain), worked(counted)) for _ in range(3)]
    without, within = (min(column) for column in zip(*rounds, strict=True))
    print(f"\ncounting statements: {within / without:.2f} times the time without")
    assert within <= DEAREST * without
