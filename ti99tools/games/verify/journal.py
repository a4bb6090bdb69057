"""The file of a verification that can be resumed.

Its first line names the form, the disk and the host; each further line is one match without a
mismatch. Matches that differed are not kept: they are played again. A run that is killed may leave
the beginning of a line, which is dropped. The file may be of any length: it is read line by line.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

from ti99tools.base.counts import Hits
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import take
from ti99tools.base.tables import json_value
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario

FORM = "ti99tools verify 1"
LONGEST = 4 << 20
"""The most bytes of a line. A match of our games takes less than a hundredth of that."""


class Journal:
    """The file of one campaign, which no other run can use until this one closes it.

    `known`: seed of a scenario → its result. Raises TIError for a file that is not a journal, is
    damaged, belongs to another disk or host, or is used by another run.
    """

    def __init__(self, path: Path, disk: str, host: str) -> None:
        self.path = path
        self.known: dict[int, MatchResult] = {}
        head = {"form": FORM, "disk": disk, "host": host}
        if path.exists() and not path.is_file():
            raise _other(path, None)
        try:
            # Without a buffer, what was added is in the file when a run is killed.
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise self._failed("write", error) from error
        try:
            if not take(self._file.fileno()):
                raise TIError(
                    "another run is writing this file",
                    remedy="wait until it has ended, or name another file",
                    place=Place(str(path)),
                )
            self._read(head)
        except BaseException:
            self.close()
            raise

    def _read(self, head: dict[str, Any]) -> None:
        try:
            with self.path.open("rb") as file:
                whole = self._read_lines(file, head)
        except OSError as error:
            raise self._failed("read", error) from error
        if whole < self._size():
            self._file.truncate(whole)
        self._end = whole
        if not whole:
            self._append([head])

    def _read_lines(self, file: BinaryIO, head: dict[str, Any]) -> int:
        """Read the lines; returns the bytes of those that are whole."""
        number = whole = 0
        while line := file.readline(LONGEST):
            number += 1
            if not line.endswith(b"\n") and self._is_begun(line, number, head):
                break
            self._take_line(line, number, head)
            whole += len(line)
        return whole

    def _is_begun(self, line: bytes, number: int, head: dict[str, Any]) -> bool:
        """Tell whether a last line without its end is what a killed run may have left."""
        return len(line) < LONGEST and (number > 1 or _row(head).startswith(line))

    def _take_line(self, line: bytes, number: int, head: dict[str, Any]) -> None:
        try:
            if not line.endswith(b"\n"):
                raise ValueError("it is too long, or has no end")
            data = json_value(line.decode("utf-8-sig"))
            if number > 1:
                self.known[int(data["seed"])] = _result(data)
            elif data != head:
                raise _other(self.path, data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TIError(
                "not a line of a verification run",
                remedy="name another file, or delete this one",
                place=Place(str(self.path), number),
            ) from error

    def add(self, results: Iterable[tuple[int, MatchResult]]) -> None:
        """Keep the results that have no mismatch, by scenario seed. Raises TIError."""
        self._append([_data(seed, result) for seed, result in results if result.mismatch is None])

    def _append(self, rows: list[dict[str, Any]]) -> None:
        """Write all rows, or none. Raises TIError."""
        data = b"".join(map(_row, rows))
        end = self._end + len(data)
        try:
            self._write(data)
        except BaseException as error:
            # Ctrl-C can come between two writes, and after the last.
            with suppress(OSError):
                if self._size() < end:
                    self._file.truncate(self._end)
                else:
                    self._end = end
            if isinstance(error, OSError):
                raise self._failed("write", error) from error
            raise
        self._end = end

    def _write(self, data: bytes) -> None:
        """Write all data: on a disk that fills up, one write may take only a part of them."""
        rest = memoryview(data)
        while rest:
            written = self._file.write(rest)
            if not written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            rest = rest[written:]

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _failed(self, what: str, error: OSError) -> TIError:
        return TIError(
            f"cannot {what}: {error.strerror}",
            remedy="output folders must exist, and have room",
            place=Place(str(self.path)),
        )

    def close(self) -> None:
        """Let other runs use the file."""
        try:
            self._file.close()
        except OSError:
            # What could not be written has been told.
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _other(path: Path, head: object) -> TIError:
    return TIError(
        "a run of another disk or host" if isinstance(head, dict) else "not a verification run",
        remedy="name another file, or delete this one",
        place=Place(str(path), 1),
    )


def _row(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"


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
