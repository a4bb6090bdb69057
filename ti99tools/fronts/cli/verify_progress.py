"""Games played for `verify`, one after another: what is told meanwhile, and what Ctrl-C leaves.

The first match of a game that differs is told at once. What takes long after that, shrinking, is
told when it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.group import worded
from ti99tools.games.verify.campaign import Campaign, CampaignObserver
from ti99tools.games.verify.result import INTERRUPTED, MatchResult, Verdict
from ti99tools.games.verify.shrinking import Patience
from ti99tools.games.verify.subject import Subject

if TYPE_CHECKING:
    from ti99tools.fronts.cli.progress import Advance


class CampaignReporter(CampaignObserver):
    """What happens in a campaign, told above its progress."""

    def __init__(self, game: str, advance: Advance) -> None:
        self._game, self._say = game, advance.say

    def differs(self, result: MatchResult, number: int) -> None:
        """Tell the first difference; the verdict tells the others."""
        if number == 1 and result.mismatch is not None:
            first = f"{self._game}, seed {result.scenario.setup.seed}: differs from the rules"
            self._say("\n".join([first, *result.mismatch.lines()]))

    def shrinking(self, number: int, count: int, keys: int) -> None:
        """Tell what takes its time now."""
        self._say(f"shortening failure {number} of {count}: {keys} keys")


def play_games(
    subjects: Iterable[Subject | Verdict],
    campaign_of: Callable[[Subject], Campaign],
    executor: str | None,
    patience: Patience,
) -> list[Verdict]:
    """Play games and examine their failures, until one is cut off.

    Ctrl-C ends this with the verdicts so far; without any it is raised.
    """
    verdicts: list[Verdict] = []
    try:
        for each in subjects:
            if isinstance(each, Verdict):
                verdicts.append(each)
            else:
                _play(campaign_of(each), executor, patience, verdicts)
            verdicts[-1].not_run = worded(verdicts[-1].not_run)
            verdicts[-1].cut_off = worded(verdicts[-1].cut_off)
            if verdicts[-1].cut_off:
                break
    except KeyboardInterrupt:
        if not verdicts:
            raise
        verdicts[-1].cut_off = INTERRUPTED
    return verdicts


def _play(
    campaign: Campaign, executor: str | None, patience: Patience, verdicts: list[Verdict]
) -> None:
    """Play one game and add its verdict."""
    from ti99tools.app.verify import dask_executor, remark_on_new, witness_failures
    from ti99tools.fronts.cli.progress import progress

    game = campaign.subject.game
    with progress(game, campaign.matches) as advance:
        teller = CampaignReporter(game, advance)
        if executor is None:
            verdict = campaign.run(None, advance, advance.machine, teller, patience)
        else:
            with dask_executor(executor) as pool:
                verdict = campaign.run(pool, advance, advance.machine, teller, patience)
    verdicts.append(verdict)
    if not verdict.cut_off:
        witness_failures(verdict, campaign.subject)
    if verdict.failures:
        remark = remark_on_new(campaign.subject.adapter(), verdict.failures)
        if remark:
            click.echo(f"{game}: {remark}", err=True)
