"""Games against their rules, in the page: `verify` with its report, spread over several workers.

A browser's Python has no processes. So the page deals out the seeds of the matches itself: each
worker plays some and hands back what it found, and one of them puts all of it together.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import cache
from typing import Any

from ti99tools.games.finding import find_game
from ti99tools.report.data import headline, verdict_data
from ti99tools.report.html import About, page
from ti99tools.tasks.covering import named, texts
from ti99tools.tasks.verifying import witness_failures
from ti99tools.verify.campaign import OURS, SEEDS_APART, Campaign, Subject, play_some
from ti99tools.verify.result import MatchResult
from ti99tools.verify.subject import subject_of


@cache
def _subject(game: str) -> Subject:
    return subject_of(find_game(game))


def seeds_of(matches: int, seed: int) -> list[int]:
    """The seeds of a campaign's matches."""
    return [seed * SEEDS_APART + number for number in range(matches)]


def play_seeds(game: str, seeds: Sequence[int], coverage: bool) -> bytes:
    """Play the matches of these seeds; what was found, for `Proof.take`. Raises TIError."""
    return pickle.dumps(play_some(_subject(game), OURS, list(seeds), coverage))


class _Played(Executor):
    """Hands out results that are there already."""

    def __init__(self, results: dict[int, MatchResult]) -> None:
        self._results = results

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The results of the seeds that `play_some` would play now."""
        _subject, _host, seeds, _count = args
        future: Future[Any] = Future()
        future.set_result([(seed, self._results[seed]) for seed in seeds])
        return future


class Proof:
    """The results of one campaign, gathered and told."""

    def __init__(self) -> None:
        self._results: dict[int, MatchResult] = {}

    def take(self, played: bytes) -> None:
        """Take what a worker of this page has found."""
        self._results |= dict(pickle.loads(played))

    def told(
        self, game: str, matches: int, seed: int, coverage: bool, seconds: float
    ) -> dict[str, Any]:
        """The report's data, its page (`html`) and its headline, when all results are there.

        Failures are made small. `seconds` is how long the workers took. Raises TIError.
        """
        subject = _subject(game)
        campaign = Campaign(subject, matches=matches, seed=seed, count=coverage)
        verdict = campaign.run(_Played(self._results))
        verdict.wall_seconds = seconds
        witness_failures(verdict, subject)
        counted = None if verdict.coverage is None else named(verdict.coverage)
        sources = {} if counted is None else texts(counted)
        html = page([replace(verdict, coverage=counted)], About(texts=sources))
        return {**verdict_data(verdict), "headline": headline(verdict), "html": html}
