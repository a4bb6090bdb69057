"""Matches already played, kept in a file, so that a long run can be resumed.

The first line names the disk, the host and the form; each further line is one match without a
mismatch. Matches that differed are not kept: they are played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ti99tools.base.counts import Hits
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_text
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario

FORM = "ti99tools verify 1"


class Journal:
    """The file of one campaign: `known` are its results by scenario seed.

    Raises TIError for a file that is not a journal, is damaged, or belongs to another disk or host.
    """

    def __init__(self, path: Path, disk: str, host: str) -> None:
        self.path = path
        self.known: dict[int, MatchResult] = {}
        head = {"form": FORM, "disk": disk, "host": host}
        if not path.exists():
            self._append([head])
            return
        for number, line in enumerate(read_text(path).splitlines(), 1):
            try:
                data = json.loads(line)
                if number > 1:
                    self.known[int(data["seed"])] = _result(data)
                elif data != head:
                    raise _other(path, data)
            except (ValueError, KeyError, TypeError) as error:
                raise TIError(
                    "not a line of a verification run",
                    remedy="name another file, or delete this one",
                    place=Place(str(path), number),
                ) from error

    def add(self, results: Iterable[tuple[int, MatchResult]]) -> None:
        """Keep the results that have no mismatch, by scenario seed."""
        self._append([_data(seed, result) for seed, result in results if result.mismatch is None])

    def _append(self, rows: list[dict[str, Any]]) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
        except OSError as error:
            raise TIError(
                f"cannot write: {error.strerror}",
                remedy="output folders must exist",
                place=Place(str(self.path)),
            ) from error


def _other(path: Path, head: object) -> TIError:
    return TIError(
        "a run of another disk or host" if isinstance(head, dict) else "not a verification run",
        remedy="name another file, or delete this one",
        place=Place(str(path), 1),
    )


def _data(seed: int, result: MatchResult) -> dict[str, Any]:
    return {
        "seed": seed,
        "scenario": result.scenario.to_json(),
        "events": result.events,
        "screens": result.screens,
        "seconds": result.seconds,
        "lines": sorted(result.lines),
        "branches": sorted(result.branches),
        "hits": None if result.hits is None else [[*spot, n] for spot, n in result.hits.items()],
    }


def _result(data: dict[str, Any]) -> MatchResult:
    scenario = Scenario.from_json(data["scenario"])
    return MatchResult(
        scenario=scenario,
        events=int(data["events"]),
        screens=int(data["screens"]),
        keys=len(scenario.keys),
        seconds=float(data["seconds"]),
        lines=frozenset(map(int, data["lines"])),
        branches=frozenset(map(str, data["branches"])),
        hits=_hits(data.get("hits")),
    )


def _hits(rows: list[list[Any]] | None) -> Hits | None:
    if rows is None:
        return None
    return {(int(number), int(at), str(what)): int(n) for number, at, what, n in rows}
