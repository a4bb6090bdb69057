"""`verify --stage shipped`: the shipped disks played as people play."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import print_json

if TYPE_CHECKING:
    from ti99tools.games.verify.shipped.verdict import StageVerdict

RULES, SHIPPED = "rules", "shipped"
F = TypeVar("F", bound=Callable[..., Any])


def stage_option(function: F) -> F:
    """The option `--stage`."""
    option = click.option(
        "--stage",
        type=click.Choice([RULES, SHIPPED]),
        default=RULES,
        show_default=True,
        help="rules: every event as the rules say. shipped: the disks as they are handed out, "
        "played as people play, look and answer as from a clean start.",
    )
    return option(function)


def run_stage(
    games: tuple[str, ...],
    count: int,
    seed: int,
    host: str,
    folder: Path,
    jobs: int,
    as_json: bool,
    others: Sequence[object],
) -> int:
    """Play the stage and report; returns the exit code. `others` are options that it lacks."""
    from ti99tools.app.stage import save, shipment
    from ti99tools.fronts.cli.progress import progress

    if any(others):
        raise TIError(
            "--stage shipped takes --games, --seed, --host, --save, --jobs and --json",
            remedy="leave out the other options",
        )
    found = shipment(games, host)
    verdicts = [*found.idle]
    replays: dict[str, list[str]] = {}
    for series in found.series(host, count, seed):
        with progress(series.game.game, count) as advance:
            verdict = replace(series, jobs=jobs).run(advance)
        verdicts.append(verdict)
        paths = save(verdict, [each.folder for each in (series.game, *series.others)], folder)
        replays[verdict.game] = [
            f"ti99tools verify --replay {shlex.quote(str(path))}" for path in paths
        ]
    _report(verdicts, replays, as_json)
    return _code(verdicts)


def is_stage(script: Path) -> bool:
    """Tell whether the stage has saved a match in a file."""
    from ti99tools.app.stage import is_saved

    return is_saved(script)


def replay_stage(script: Path, host: str, as_json: bool) -> int:
    """Replay a match that the stage has saved; returns the exit code."""
    from ti99tools.app.stage import replay

    verdict = replay(script, host)
    _report([verdict], {}, as_json)
    return _code([verdict])


def _report(verdicts: Sequence[StageVerdict], replays: dict[str, list[str]], as_json: bool) -> None:
    from ti99tools.games.report.stage import print_stage, stage_data

    if as_json:
        print_json([stage_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    print_stage(verdicts, Console(), replays)


def _code(verdicts: Sequence[StageVerdict]) -> int:
    """1 when something differs or is broken, else 2 when a host could not play, else 0."""
    if any(verdict.failed or verdict.broken for verdict in verdicts):
        return 1
    return 2 if any(verdict.not_run for verdict in verdicts) else 0
