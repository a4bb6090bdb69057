"""What `verify` does: choose games, judge logs from elsewhere, replay failures, save scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.hostio import read_text, write_atomically
from ti99tools.games.finding import all_games, find_game
from ti99tools.games.manifest import Manifest
from ti99tools.hosts.disklog import read_logs
from ti99tools.verify.campaign import Campaign, Subject
from ti99tools.verify.compare import judge
from ti99tools.verify.loading import by_log_name
from ti99tools.verify.result import Failure, LogVerdict, Verdict
from ti99tools.verify.scenario import from_script
from ti99tools.verify.subject import subject_of


def subjects(names: Sequence[str], host: str) -> Iterator[Subject | Verdict]:
    """Games by name or folder, built for verification; without names all games.

    Of all games, those that cannot be verified are verdicts that say why. Raises TIError when one
    that is named is unknown or broken.
    """
    if names:
        yield from (subject_of(find_game(name)) for name in names)
        return
    manifests, problems = all_games()
    for manifest in manifests:
        if not manifest.model:
            yield Verdict(manifest.game, "", host, not_run="there is no model of its rules")
        else:
            yield _subject_or_why(manifest, host)
    for name, error in problems.items():
        yield Verdict(name, "", host, not_run=str(error), broken=True)


def _subject_or_why(manifest: Manifest, host: str) -> Subject | Verdict:
    try:
        return subject_of(manifest)
    except TIError as error:
        return Verdict(manifest.game, "", host, not_run=str(error), broken=True)


def judge_logs(path: Path, games: Sequence[str] = ()) -> list[LogVerdict]:
    """Judge all play logs on a disk image, or in a text file, by the models of these games.

    Without names any game that the logs name will do. Raises TIError when there is no log, or no
    model for one.
    """
    manifests = [find_game(name) for name in games] or all_games()[0]
    return [
        LogVerdict(name, log, judge(log, by_log_name(log.game, manifests).model))
        for name, log in read_logs(path)
    ]


def replay(path: Path, host: str, games: Sequence[str] = ()) -> Verdict:
    """Play the match of a saved script again, of the game that is named, or else that the script
    names. Raises TIError when either is not there.
    """
    if len(games) > 1:
        raise TIError("a script is of one match", remedy="name one game")
    script = read_text(path)
    scenario = from_script(script, str(path))
    campaign = Campaign(subject_of(find_game(games[0] if games else scenario.game)), host)
    result = campaign.replay(scenario)
    verdict = campaign.verdict()
    verdict.add(result)
    if result.mismatch is not None:
        verdict.failures = [Failure(result.mismatch, scenario, script)]
    return verdict


def save_failures(verdict: Verdict, folder: Path) -> list[Path]:
    """Write the scripts that replay the failures; their paths. The folder is made if need be."""
    paths = []
    for number, failure in enumerate(verdict.failures, 1):
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / f"{verdict.game}-{number}.keys")
        write_atomically(paths[-1], failure.script)
    return paths


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """An executor on a Dask cluster: `dask:tcp://HOST:PORT`. Raises TIError."""
    kind, _, where = address.partition(":")
    if kind != "dask" or not where:
        raise TIError(f"unknown executor: {address}", remedy="write dask:tcp://HOST:PORT")
    try:
        client_class: Any = import_module("distributed").Client
    except ImportError as error:
        raise TIError(
            "Dask is not installed", remedy="install the extra `cluster`: ti99tools[cluster]"
        ) from error
    try:
        client = client_class(where, timeout=10)
    except (OSError, ValueError) as error:
        raise TIError(f"no Dask scheduler at {where}", remedy="start one there") from error
    try:
        yield client.get_executor()
    finally:
        client.close()
