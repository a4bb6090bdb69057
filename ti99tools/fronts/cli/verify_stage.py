"""The stage `shipped` of `verify`: disks as they are handed out, played as people play."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.options import print_json

if TYPE_CHECKING:
    from ti99tools.games.verify.result import Verdict
    from ti99tools.games.verify.shipped.flaws import StageVerdict


def run_stage(
    games: tuple[str, ...],
    count: int,
    seed: int,
    host: str,
    save: Path,
    jobs: int,
    as_json: bool,
) -> int:
    """Play the stage and report; returns the exit code."""
    from ti99tools.app import shipped
    from ti99tools.fronts.cli.progress import progress

    to_play = shipped.shipment(games, host)
    verdicts = [*to_play.idle]
    replays: dict[str, list[str]] = {}
    for series in to_play.series(host, count, seed):
        with progress(series.game.game, count) as advance:
            verdict = replace(series, jobs=jobs).run(advance)
        verdicts.append(verdict)
        verdict.cut_off = worded(verdict.cut_off)
        folders = [each.folder for each in (series.game, *series.others)]
        paths = shipped.save(verdict, folders, save)
        replays[verdict.game] = [
            f"ti99tools verify --replay {shlex.quote(str(path))}" for path in paths
        ]
        if verdict.cut_off:
            break
    _report_stage(verdicts, replays, as_json)
    return exit_code(verdicts)


def is_stage(script: Path) -> bool:
    """Tell whether the stage has saved a match in a file."""
    from ti99tools.app.shipped import is_saved

    return is_saved(script)


def replay_stage(script: Path, host: str, as_json: bool) -> int:
    """Replay a match that the stage has saved; returns the exit code."""
    from ti99tools.app.shipped import replay

    verdict = replay(script, host)
    _report_stage([verdict], {}, as_json)
    return exit_code([verdict])


def _report_stage(
    verdicts: Sequence[StageVerdict], replays: dict[str, list[str]], as_json: bool
) -> None:
    if as_json:
        from ti99tools.games.report.data import stage_data

        print_json([stage_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    from ti99tools.games.report.text import print_stage

    print_stage(verdicts, Console(), replays)


def exit_code(verdicts: Sequence[StageVerdict | Verdict]) -> int:
    """130 when the user has interrupted it, else 1 when something differs or is broken, else 2 when
    it broke off, or a host could not play, else 0.
    """
    from ti99tools.base.interrupts import EXIT_CODE
    from ti99tools.games.verify.result import INTERRUPTED

    if any(verdict.cut_off == INTERRUPTED for verdict in verdicts):
        return EXIT_CODE
    if any(verdict.failed or verdict.broken for verdict in verdicts):
        return 1
    if any(verdict.cut_off for verdict in verdicts):
        return 2
    return 2 if any(verdict.not_run or not verdict.matches for verdict in verdicts) else 0
