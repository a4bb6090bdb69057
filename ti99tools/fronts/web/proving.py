"""Games proven against their rules in the page: `verify`, spread over several workers.

A browser's Python has no processes. So the page itself distributes the seeds of the matches: each
worker plays some and returns its results, and one worker combines all of them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import cache
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

from ti99tools.app.cover import named, texts
from ti99tools.app.verify import witness_failures
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.fronts.web.page_run import screen_dots
from ti99tools.games.hosts.host import FINAL, OURS, Host, Job, Played, Video, host_named
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.report.data import headline, verdict_data
from ti99tools.games.report.html import About, page
from ti99tools.games.verify.campaign import MOST_SHRUNK, SEEDS_APART, Campaign, Found, play_some
from ti99tools.games.verify.result import INTERRUPTED, Failure, MatchResult
from ti99tools.games.verify.shrinking import Patience
from ti99tools.games.verify.subject import Subject, subject_of
from ti99tools.hardware.machine.vdp import Snapshot


def subject_in(folder: Path) -> Subject:
    """The game in a project's folder, built from its present files.

    Raises TIError for a game without a model.
    """
    if not (folder / MANIFEST).is_file():
        raise TIError(
            f"{folder.name} has no model of its rules",
            remedy="open a game that has one, or write one: see docs/games.md",
        )
    content = sha256()
    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        content.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return _subject(folder, content.hexdigest())


@cache
def _subject(folder: Path, _content: str) -> Subject:
    """A game to verify; with another digest of its files, its second argument, it is made anew."""
    return subject_of(find_game(folder))


def rules_of(folder: Path) -> str:
    """The shipped game whose Python files a folder has, all unchanged; empty if there is none."""
    own = _modules(folder)
    root = games_root()
    return next((name for name in game_names() if _modules(root / name) == own), "")


def _modules(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.py")}


def seeds_of(matches: int, seed: int) -> list[int]:
    """The seeds of a campaign's matches."""
    return [seed * SEEDS_APART + number for number in range(matches)]


MOST_PICTURES = 4
"""The most pictures of a match that are shown; each takes a hundredth of a second to draw."""


class Watched:
    """Our console as a host that keeps the screens of the last match."""

    name = OURS

    def __init__(self) -> None:
        self._host = host_named(OURS)
        self._moments: list[Video] = []

    def missing(self) -> str:
        """Empty: it can run everywhere."""
        return self._host.missing()

    def play(self, job: Job) -> Played:
        """As `Host.play`; keeps the screens."""
        played = self._host.play(job)
        ended = played.video.get(FINAL)  # the prompt, if the session left the game
        moments = [each for name, each in played.video.items() if name != FINAL]
        self._moments = moments or ([ended] if ended else [])
        return played

    def pictures(self) -> bytes:
        """Pictures of the last match, newest last, each in the form of `screen_dots`."""
        step = max(1, ceil(len(self._moments) / MOST_PICTURES))
        moments = self._moments[::-1][::step][::-1]
        return b"".join(screen_dots(Snapshot(each.ram, each.registers).vdp()) for each in moments)


def play_seeds(
    folder: Path, seeds: Sequence[int], coverage: bool, host: Host
) -> tuple[list[str], bytes]:
    """Play the matches of these seeds: how each differs from the rules, and all results.

    A match that follows them has an empty text.
    The results are bytes for `GatheredProof.take`. Raises TIError.
    """
    subject = subject_in(folder)
    results = play_some(subject, host, list(seeds), coverage)
    differences = [_difference(seed, result) for seed, result in results]
    return differences, pickle.dumps((subject.digest, results))


def _difference(seed: int, result: MatchResult) -> str:
    if result.mismatch is None:
        return ""
    return "\n".join([f"seed {seed}: differs from the rules", *result.mismatch.lines()])


class _Played(Executor):
    """An executor whose results already exist."""

    def __init__(self, results: dict[int, MatchResult]) -> None:
        self._results = results

    def submit(self, _fn: Callable[..., Any], /, *args: Any, **_kwargs: Any) -> Future[Any]:
        """The existing results of the seeds in a call of `play_some`; none for one not played."""
        _subject, _host, seeds, _count = args
        future: Future[Any] = Future()
        played = [(seed, self._results[seed]) for seed in seeds if seed in self._results]
        future.set_result(played)
        return future


class GatheredProof:
    """The results of one campaign, gathered, shortened and reported."""

    def __init__(self) -> None:
        self._results: dict[int, MatchResult] = {}
        self._played: set[str] = set()
        """Digests of the disks that were played."""
        self._shortening: Shortening | None = None

    def take(self, played: bytes) -> None:
        """Add the results of a worker of this page."""
        digest, results = pickle.loads(played)
        self._played.add(digest)
        self._results |= dict(results)

    def shorten(self, folder: Path) -> dict[str, int] | None:
        """Make one trial to shorten a failure; how far that is, None at the end.

        A browser's Python cannot be interrupted: so the page decides after each trial whether there
        is another one. Raises TIError.
        """
        if self._shortening is None:
            bad = [each for each in self._results.values() if each.mismatch is not None]
            self._shortening = Shortening(Campaign(self._subject(folder)), bad)
        return self._shortening.step()

    def _subject(self, folder: Path) -> Subject:
        """The game that was played. Raises TIError when it has changed since then."""
        subject = subject_in(folder)
        if self._played != {subject.digest}:
            raise TIError("the program was changed while it was proven", remedy="prove it again")
        return subject

    def report(
        self, folder: Path, matches: int, seed: int, coverage: bool, seconds: float
    ) -> dict[str, Any]:
        """The report's data, its page (`html`) and its headline, of the results that are there.

        `rules` names the shipped game whose model was used. Failures are as short as `shorten` has
        made them. `seconds` is how long the workers took. Raises TIError, among others when the
        program has changed meanwhile.
        """
        subject = self._subject(folder)
        campaign = Campaign(subject, matches=matches, seed=seed, count=coverage)
        verdict = campaign.run(_Played(self._results), patience=Patience(trials=0))
        if len(self._results) < matches:
            verdict.cut_off = INTERRUPTED
        if self._shortening is not None:
            verdict.failures[:] = self._shortening.failures()
        verdict.wall_seconds = seconds
        witness_failures(verdict, subject)
        counted = None if verdict.coverage is None else named(verdict.coverage)
        sources = {} if counted is None else texts(counted)
        html = page([replace(verdict, coverage=counted)], About(texts=sources))
        more = {"rules": rules_of(folder), "headline": headline(verdict), "html": html}
        return {**verdict_data(verdict), **more}


class Shortening:
    """The failures that are the easiest to shorten and to read, made shorter trial by trial."""

    def __init__(self, campaign: Campaign, bad: Sequence[MatchResult]) -> None:
        self._patience = Patience()
        smallest = sorted(bad, key=lambda result: len(result.scenario.keys))[:MOST_SHRUNK]
        self._all = [Found(campaign, result, self._patience) for result in smallest]
        self._at = 0
        self._steps = self._run()

    def _run(self) -> Iterator[None]:
        for at, shortening in enumerate(self._all):
            self._at = at
            self._patience.share(len(self._all) - at)
            yield  # so that the page says what takes its time before it does
            yield from shortening.steps()

    def step(self) -> dict[str, int] | None:
        """Make a trial: the failure `number` of `count` has `keys` now; None when all are done."""
        if next(self._steps, self) is self:
            return None
        keys = len(self._all[self._at].scenario.keys)
        return {"number": self._at + 1, "count": len(self._all), "keys": keys}

    def failures(self) -> list[Failure]:
        """The failures as short as they are now."""
        return [shortening.failure() for shortening in self._all]
