"""Games against their rules, in the page: `verify` with its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ti99tools.games.finding import find_game
from ti99tools.report.data import headline, verdict_data
from ti99tools.report.html import About, page
from ti99tools.tasks.covering import named, texts
from ti99tools.tasks.verifying import witness_failures
from ti99tools.verify.campaign import Campaign
from ti99tools.verify.subject import subject_of


def prove(
    game: str, matches: int, seed: int, coverage: bool, tick: Callable[[int], object]
) -> dict[str, Any]:
    """Play matches and compare; `tick` is told how many more are done.

    The answer has the report's data, its page (`html`) and its headline. Raises TIError.
    """
    subject = subject_of(find_game(game))
    campaign = Campaign(subject, matches=matches, seed=seed, count=coverage)
    verdict = campaign.run(tick=tick)
    witness_failures(verdict, subject)
    shown = replace(verdict, coverage=None if verdict.coverage is None else named(verdict.coverage))
    sources = {} if shown.coverage is None else texts(shown.coverage)
    html = page([shown], About(texts=sources))
    return {**verdict_data(verdict), "headline": headline(verdict), "html": html}
