"""Matches that `verify` plays itself: a campaign, or one match again; their reports.

The first match of a game that differs is told at once. What takes long after that, shrinking, is
told when it begins. Ctrl-C leaves what is done.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.options import print_json
from ti99tools.fronts.cli.run_report import Wanted, keep_coverage, write_coverage
from ti99tools.fronts.cli.verify_stage import exit_code, is_stage, replay_stage
from ti99tools.games.hosts.host import OURS
from ti99tools.games.verify.campaign import Campaign, CampaignObserver
from ti99tools.games.verify.result import INTERRUPTED, XB, MatchResult, Verdict
from ti99tools.games.verify.shrinking import Patience
from ti99tools.games.verify.subject import Subject

if TYPE_CHECKING:
    from ti99tools.fronts.cli.progress import Advance
    from ti99tools.games.verify.result import Verdict


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


MANY = 1000
"""Matches of each game in a long proof."""


def play(
    games: tuple[str, ...],
    count: int,
    seed: int,
    form: str,
    host: str,
    executor: str | None,
    budget: float | None,
    resume: Path | None,
    html: Path | None,
    coverage: Wanted,
    save: Path,
    shrink: int,
    jobs: int,
    replace: bool,
    as_json: bool,
) -> int:
    """Play the matches of games, shorten and save what fails, and report; the exit code.

    Raises TIError for --resume without a single game.
    """
    from ti99tools.app.verify import save_failures, subjects
    from ti99tools.fronts.cli.verify_matches import play_games
    from ti99tools.games.verify.campaign import Campaign
    from ti99tools.games.verify.shrinking import Patience

    _keep(html, coverage, replace)
    _check_form(form, coverage)
    if resume is not None and len(games) != 1:
        raise TIError("--resume keeps the matches of one game", remedy="name one GAME")
    if not (games or as_json):
        announce(count)
    counted = bool(coverage or html) and form == XB
    verdicts = play_games(
        subjects(games, host, form),
        lambda subject: Campaign(subject, host, count, seed, jobs, budget, resume, counted),
        executor,
        Patience(shrink),
    )
    scripts = {}
    for verdict in verdicts:
        scripts[verdict.game] = [str(path) for path in save_failures(verdict, save)]
        for path in scripts[verdict.game]:
            click.echo(f"wrote {path}", err=True)
    _report(verdicts, _replays(verdicts, scripts, games), html, coverage, as_json)
    if any(verdict.failed or verdict.broken or verdict.cut_off for verdict in verdicts):
        return exit_code(verdicts)
    return 2 if host != OURS and any(verdict.not_run for verdict in verdicts) else 0


def replay(
    script: Path,
    games: tuple[str, ...],
    form: str,
    host: str,
    html: Path | None,
    coverage: Wanted,
    replace: bool,
    as_json: bool,
) -> int:
    """Play a saved match again, of either stage, and report; the exit code."""
    from ti99tools.app import verify

    _keep(html, coverage, replace)
    if is_stage(script):
        _check_stage(form)
        return replay_stage(script, host, as_json)
    _check_form(form, coverage)
    verdict = verify.replay(script, host, games, look=True, form=form)
    replays = _replays([verdict], {verdict.game: [str(script)]}, games)
    _report([verdict], replays, html, coverage, as_json)
    return int(verdict.failed > 0)


def _check_form(form: str, coverage: Wanted) -> None:
    """Raise TIError for statements that are to be counted where a compiled game is played."""
    if form != XB and coverage:
        raise TIError(
            "statements are counted in Extended BASIC only",
            remedy="leave out --coverage or --form",
        )


def _check_stage(form: str) -> None:
    """Raise TIError where a match of the stage `shipped` is to be played in a compiled form."""
    if form != XB:
        raise TIError("the stage shipped plays Extended BASIC", remedy="leave out --form")


def _keep(html: Path | None, coverage: Wanted, replace: bool) -> None:
    """Raise TIError where an output would replace something else."""
    from ti99tools.app.source import OutputKind, keep_others

    keep_coverage(coverage, replace)
    keep_others(html, kind=OutputKind.PAGE, replace=replace)


def announce(count: int) -> None:
    """Say what will be played, before anything that takes time."""
    from ti99tools.games.report.data import counted

    long = "" if count >= MANY else f"; a long proof: ti99tools verify --games {MANY}"
    click.echo(f"playing {counted(count)} of each game{long}", err=True)


def _replays(
    verdicts: list[Verdict], scripts: dict[str, list[str]], games: tuple[str, ...]
) -> dict[str, list[str]]:
    """The commands that replay the failures of each game, with its folder if one was named."""
    folders = {}
    for game, verdict in zip(games, verdicts, strict=False):
        if game != verdict.game:
            folders[verdict.game] = f" {shlex.quote(game)}"
    hosts = {v.game: f" --host {v.host}" for v in verdicts if v.host != OURS}
    forms = {v.game: f" --form {v.form}" for v in verdicts if v.form != XB}
    return {
        game: [
            f"ti99tools verify{folders.get(game, '')} --replay {shlex.quote(path)}"
            f"{forms.get(game, '')}{hosts.get(game, '')}"
            for path in paths
        ]
        for game, paths in scripts.items()
    }


def _report(
    verdicts: list[Verdict],
    replays: dict[str, list[str]],
    html: Path | None,
    coverage: Wanted,
    as_json: bool,
) -> None:
    """Output verdicts in all forms; `replays` are commands for the failures of each game."""
    from ti99tools.app.cover import of_verdicts

    if html is not None:
        _write_page(html, verdicts, replays)
    _print(verdicts, replays, as_json)
    if html is None and not as_json and any(verdict.failures for verdict in verdicts):
        click.echo("\n--html FILE shows the screens and statements of matches that differ")
    if coverage:
        write_coverage(of_verdicts(verdicts), coverage, aside=as_json)


def _write_page(html: Path, verdicts: list[Verdict], replays: dict[str, list[str]]) -> None:
    from ti99tools.app.cover import named, texts
    from ti99tools.base.hostio import write_atomically
    from ti99tools.games.report.html import About, page

    for verdict in verdicts:
        verdict.coverage = None if verdict.coverage is None else named(verdict.coverage)
    sources: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.coverage is not None:
            sources |= texts(verdict.coverage)
    write_atomically(html, page(verdicts, About(texts=sources, replays=replays)))


def _print(verdicts: list[Verdict], replays: dict[str, list[str]], as_json: bool) -> None:
    if as_json:
        from ti99tools.games.report.data import verdict_data

        print_json([verdict_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    from ti99tools.games.report.text import print_verdicts

    print_verdicts(verdicts, Console(), replays)
