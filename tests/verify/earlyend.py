"""Matches of spoilt games that end at the first line of their log that the rules do not give."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from ti99tools.computer.interp.io.openfile import OpenFile
from ti99tools.games.models.playlog import MAGIC, PlayLog
from ti99tools.games.verify.adapter import BLANK_SEED, WARM_UP
from ti99tools.games.verify.scenario import Scenario


class LogDiffers(Exception):
    """A line of the log is not that of the rules."""


@contextmanager
def ends_where_the_log_differs(scenario: Scenario, log: PlayLog) -> Iterator[None]:
    """Break off the match of a scenario in the body, where its log is no longer `log`.

    `play` makes a mismatch of it. A match with another before it, or with a seed of the game's own
    choice, goes on to its end: its log is not known before.
    """
    if {BLANK_SEED, WARM_UP} & scenario.setup.options.keys():
        yield
        return
    expected = [line.encode() for line in log.lines()]
    written: list[bytes] = []
    write = OpenFile.write_record

    def watched(file: OpenFile, data: bytes) -> None:
        write(file, data)
        # What comes after the log's end belongs to other files: the best results.
        if (written or data.startswith(MAGIC.encode())) and len(written) < len(expected):
            written.append(data.rstrip())
            if written != expected[: len(written)]:
                raise LogDiffers(f"line {len(written)}: {data!r}")

    with patch.object(OpenFile, "write_record", watched):
        yield
