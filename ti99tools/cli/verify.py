"""`ti99tools verify`: games played against the reference models of their rules."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.cli.options import OutputFile, examples, jobs_option, json_option, print_json

if TYPE_CHECKING:
    from ti99tools.games.manifest import Manifest
    from ti99tools.verify.campaign import Campaign, Subject
    from ti99tools.verify.result import LogVerdict, Verdict

FAILURES = Path("verify-failures")
"""Folder for the scripts that replay failures."""


@click.command(
    epilog=examples(
        "ti99tools verify",
        "ti99tools verify d5000 --games 1000 --seed 7 --html d5000.html",
        "ti99tools verify --log mydisk.dsk",
        "ti99tools verify --replay verify-failures/d5000-1.keys",
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--games", "count", type=click.IntRange(min=1), default=200, show_default=True,
              metavar="N", help="Matches of each game.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
              help="Another seed makes other matches.")  # fmt: skip
@click.option("--host", type=click.Choice(["virtual", "mame"]), default="virtual",
              show_default=True, help="Where the games run.")  # fmt: skip
@click.option("--executor", metavar="dask:ADDRESS", help="Play on a Dask cluster instead.")
@click.option("--html", type=OutputFile(), help="Write a report as a web page.")
@click.option("--log", "log", type=click.Path(path_type=Path), metavar="FILE",
              help="Judge the play logs on a disk image instead.")  # fmt: skip
@click.option("--replay", type=click.Path(path_type=Path), metavar="FILE",
              help="Play one failed match again.")  # fmt: skip
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), default=FAILURES,
              metavar="DIR", show_default=True,
              help="Folder for scripts that replay failures.")  # fmt: skip
@jobs_option
@json_option
def command(
    games: tuple[str, ...],
    count: int,
    seed: int,
    host: str,
    executor: str | None,
    html: Path | None,
    log: Path | None,
    replay: Path | None,
    save: Path,
    jobs: int,
    as_json: bool,
) -> None:
    """Play GAMEs (default: all) and compare every event with the rules.

    Each match is played twice from the same seed and keys: by the game's program on the console,
    and by the reference model of its rules. Their play logs must agree line by line, and the
    numbers on the last screen with both. The exit code is 1 when something differs.
    """
    from ti99tools.games.finding import all_games, find_game
    from ti99tools.verify.campaign import Campaign
    from ti99tools.verify.result import Verdict

    if log is not None:
        sys.exit(_judge_logs(log, as_json))
    if replay is not None:
        sys.exit(_replay(replay, host, as_json))
    verdicts = []
    manifests, problems = ([find_game(name) for name in games], []) if games else all_games()
    for problem in problems:
        click.echo(f"warning: {problem}", err=True)
    for manifest in manifests:
        if not games and not manifest.model:
            missing = "there is no model of its rules"
            verdicts.append(Verdict(manifest.game, "", host, not_run=missing))
            continue
        campaign = Campaign(subject(manifest), host, count, seed, jobs)
        verdicts.append(_run(campaign, executor))
    for verdict in verdicts:
        _save_failures(verdict, save)
    if html is not None:
        from ti99tools.base.hostio import write_atomically
        from ti99tools.report.html import page

        write_atomically(html, page(verdicts))
    _print(verdicts, as_json)
    sys.exit(1 if any(verdict.failed for verdict in verdicts) else 0)


def subject(manifest: Manifest) -> Subject:
    """Build a game for verification."""
    import hashlib

    from ti99tools.base import tokens
    from ti99tools.games.artefacts import build_game
    from ti99tools.verify.campaign import Subject
    from ti99tools.verify.loading import adapter_of

    adapter_of(manifest)
    built = build_game(manifest)
    disk = built.image.to_bytes()
    silent = {tokens.REM, tokens.BANG, tokens.DATA, tokens.IMAGE, tokens.SUB}
    lines = {}
    for line in built.program.lines:
        if line.tokens[0] not in silent:
            place = built.generated.sourcemap.place(line.number)
            file = Path(place.file).name if place and place.file else ""
            lines[line.number] = (
                f"{line.number} ({file}:{place.line})" if place else f"{line.number}"
            )
    folder = str(manifest.folder.resolve())
    return Subject(manifest.game, disk, hashlib.sha256(disk).hexdigest(), lines, folder)


def _run(campaign: Campaign, executor: str | None) -> Verdict:
    from ti99tools.cli.progress import progress

    with progress(campaign.subject.game, campaign.matches) as advance:
        if executor is None:
            return campaign.run(tick=advance)
        with _dask(executor) as pool:
            return campaign.run(pool, advance)


def _dask(address: str) -> Executor:
    kind, _, where = address.partition(":")
    if kind != "dask" or not where:
        raise TIError(f"unknown executor: {address}", remedy="write dask:tcp://HOST:PORT")
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise TIError("Dask is not installed", remedy="pip install distributed") from error
    try:
        executor: Executor = distributed.Client(where, timeout=10).get_executor()
    except (OSError, ValueError) as error:
        raise TIError(f"no Dask scheduler at {where}", remedy="start one there") from error
    return executor


def _save_failures(verdict: Verdict, folder: Path) -> None:
    from ti99tools.base.hostio import write_atomically

    for number, failure in enumerate(verdict.failures, 1):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{verdict.game}-{number}.keys"
        write_atomically(path, failure.script)
        click.echo(f"wrote {path}", err=True)


def _print(verdicts: list[Verdict], as_json: bool) -> None:
    if as_json:
        from ti99tools.report.data import verdict_data

        print_json([verdict_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    from ti99tools.report.text import print_verdicts

    print_verdicts(verdicts, Console())


def _judge_logs(path: Path, as_json: bool) -> int:
    from ti99tools.hosts.disklog import read_logs
    from ti99tools.verify.compare import judge
    from ti99tools.verify.loading import by_log_name
    from ti99tools.verify.result import LogVerdict

    verdicts: list[LogVerdict] = [
        LogVerdict(name, log, judge(log, by_log_name(log.game).model))
        for name, log in read_logs(path)
    ]
    if as_json:
        from ti99tools.report.data import log_data

        print_json([log_data(verdict) for verdict in verdicts])
    else:
        from rich.console import Console

        from ti99tools.report.text import print_logs

        print_logs(verdicts, Console())
    return int(any(verdict.mismatch for verdict in verdicts))


def _replay(path: Path, host: str, as_json: bool) -> int:
    from ti99tools.base.hostio import read_text
    from ti99tools.games.finding import find_game
    from ti99tools.verify.campaign import Campaign
    from ti99tools.verify.result import Failure
    from ti99tools.verify.scenario import from_script

    script = read_text(path)
    scenario = from_script(script, str(path))
    campaign = Campaign(subject(find_game(scenario.game)), host, 1, 0, 1)
    result = campaign.replay(scenario)
    verdict = campaign.verdict()
    verdict.add(result)
    if result.mismatch is not None:
        verdict.failures = [Failure(result.mismatch, scenario, script)]
    _print([verdict], as_json)
    return int(verdict.failed > 0)
