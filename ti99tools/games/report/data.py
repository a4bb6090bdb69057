"""A verdict as plain data, for `--json` and for the pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ti99tools.games.verify.result import CARTRIDGE, Counted, Failure, LogVerdict, Mismatch, Verdict
from ti99tools.language.program.coverage import Coverage

if TYPE_CHECKING:
    from ti99tools.games.verify.shipped.flaws import StageMatch, StageVerdict


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON values."""
    return {
        "game": verdict.game,
        "version": verdict.version,
        "host": verdict.host,
        "form": verdict.form,
        f"{'cartridge' if verdict.form == CARTRIDGE else 'disk'}_sha256": verdict.disk,
        "seed": verdict.seed,
        "verified": verdict.ok,
        "not_run": verdict.not_run or None,
        "cut_off": verdict.cut_off or None,
        "matches": verdict.matches,
        "mismatches": verdict.failed,
        "events": verdict.events,
        "keys": verdict.keys,
        "screens": verdict.screens,
        "machine_seconds": round(verdict.machine_seconds, 1),
        "wall_seconds": round(verdict.wall_seconds, 1),
        "keys_taken": verdict.keys_taken or None,
        "keys_spared": verdict.spared if verdict.keys_taken else None,
        "policies": verdict.policies,
        "program_lines": _counted(verdict.program),
        "model_branches": _counted(verdict.model),
        "statements": _statements(verdict.coverage),
        "failures": [_failure(failure) for failure in verdict.failures],
    }


def _counted(counted: Counted) -> dict[str, Any]:
    return {
        "reached": len(counted.reached & counted.total),
        "total": len(counted.total),
        "missed": counted.missed,
    }


def _statements(coverage: Coverage | None) -> dict[str, int] | None:
    """How many statements of the source were reached; None if they were not counted."""
    return None if coverage is None else asdict(coverage.totals())


def _failure(failure: Failure) -> dict[str, Any]:
    mismatch = failure.mismatch
    return {
        "where": mismatch.where,
        **_mismatch(mismatch),
        "keys": len(failure.scenario.keys),
        "keys_found": failure.keys or None,
        "trials": failure.trials,
        "script": failure.script,
    }


def stage_data(verdict: StageVerdict) -> dict[str, Any]:
    """A verdict of the stage `shipped` as JSON values."""
    return {
        "game": verdict.game,
        "version": verdict.version,
        "host": verdict.host,
        "seed": verdict.seed,
        "right": verdict.ok,
        "not_run": verdict.not_run or None,
        "cut_off": verdict.cut_off or None,
        "matches": verdict.matches,
        "differ": verdict.failed,
        "left_out": dict(sorted(verdict.left_out.items())),
        **asdict(verdict.counts),
        "situations": dict(sorted(verdict.situations.items())),
        "machine_seconds": round(verdict.machine_seconds, 1),
        "wall_seconds": round(verdict.wall_seconds, 1),
        "failures": [_stage_failure(match) for match in verdict.failures],
    }


def _stage_failure(match: StageMatch) -> dict[str, Any]:
    return {
        "match": match.seed,
        "situation": match.situation.to_data(),
        "flaws": [
            {"kind": str(flaw.kind), "key": flaw.number + 1, "told": list(flaw.details)}
            for flaw in match.flaws
        ],
    }


def log_data(verdict: LogVerdict) -> dict[str, Any]:
    """The verdict on one log as JSON values."""
    mismatch, log = verdict.mismatch, verdict.log
    return {
        "file": verdict.file,
        "kind": verdict.kind.value,
        "machine": verdict.machine or None,
        "game": log.game if log else None,
        "version": log.version if log else None,
        "seed": log.seed if log else None,
        "events": len(log.events) if log else None,
        "complete": log is not None and log.complete,
        "follows_the_rules": mismatch is None and not verdict.problem,
        "problem": verdict.problem or None,
        "mismatch": mismatch and _mismatch(mismatch),
    }


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    return {
        "log_line": mismatch.index + 3 if mismatch.where == "log" else None,
        "rules": mismatch.expected,
        "game": mismatch.got,
        "before": list(mismatch.context),
        "board": mismatch.board or None,
    }


def percent(counted: Counted) -> str:
    """`97 %`, rounded down; `–` when nothing was counted."""
    return f"{int(100 * counted.share)} %" if counted.total else "–"


def spoken_time(seconds: float) -> str:
    """`3 h 12 min`, `4 min 10 s` or `12 s`."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def counted(matches: int) -> str:
    """A number of matches in words."""
    return "1 match" if matches == 1 else f"{matches} matches"


def shortened(failure: Failure) -> str:
    """How many keys a failure has, and how many its match had; empty for one that is replayed."""
    keys, trials = len(failure.scenario.keys), failure.trials
    if not failure.keys:
        return ""
    if not trials:
        return f"{keys} keys, not shortened"
    played = "1 trial" if trials == 1 else f"{trials} trials"
    if keys > failure.keys:
        return f"{keys} keys, which lead to its end; {failure.keys} when it failed, {played}"
    return f"{keys} keys, shortened from {failure.keys} in {played}"


def headline(verdict: Verdict) -> str:
    """One line: what was proven, or why nothing was."""
    if verdict.not_run:
        return f"{'broken' if verdict.broken else 'not run'}: {verdict.not_run}"
    before = f"cut off ({verdict.cut_off}): " if verdict.cut_off else ""
    if verdict.failed:
        return f"{before}{verdict.failed} of {verdict.matches} matches differ from the rules"
    if not verdict.matches:
        return f"{before}no match was over"
    played = f"{counted(verdict.matches)}, {verdict.events} events"
    return f"{before}{played}: every one as the rules say"
