"""What `board` does: the positions of a match as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.games.finding import find_game
from ti99tools.hosts.disklog import read_logs
from ti99tools.models.model import Setup
from ti99tools.trace.events import Event
from ti99tools.trace.playlog import PlayLog
from ti99tools.verify.adapter import Adapter
from ti99tools.verify.loading import adapter_of


@dataclass(frozen=True)
class Position:
    """A position: its number, 0 at the start; the event that led to it, if any; the board."""

    number: int
    event: Event | None
    board: str


def positions(game: str, path: Path | None = None, match: int = 1) -> list[Position]:
    """The positions of a match, from the start on, one for each event that changes the board.

    `path` is a disk image, a TIFILES file or a text with play logs, `match` which of those of this
    game is meant, from 1; without `path` there is the start alone. Raises TIError for a game
    without a board, and where there is no such log.
    """
    adapter = adapter_of(find_game(game))
    events, setup = ((), Setup(0, ())) if path is None else _match(adapter, path, match)
    found = list(_positions(adapter, events, setup))
    if not found[0].board:
        raise TIError(
            f"{adapter.name} has no board as text", remedy="write the method board of its adapter"
        )
    return found


def board_of(adapter: Adapter, log: PlayLog, events: int) -> str:
    """The board after so many events of a log; empty where that cannot be told."""
    try:
        setup = adapter.model.setup_of(log.seed, log.events)
        return adapter.board(log.events[: max(0, events)], setup)
    except (ValueError, LookupError):
        return ""


def _match(adapter: Adapter, path: Path, match: int) -> tuple[Sequence[Event], Setup]:
    logs = [found.log for found in read_logs(path) if found.log is not None]
    logs = [log for log in logs if log.game == adapter.model.game]
    if not 1 <= match <= len(logs):
        raise TIError(
            f"{path}: there is no match {match} of {adapter.name} here; logs: {len(logs)}"
        )
    log = logs[match - 1]
    try:
        return log.events, adapter.model.setup_of(log.seed, log.events)
    except (ValueError, LookupError) as error:
        raise TIError(f"{path}: {error}") from error


def _positions(adapter: Adapter, events: Sequence[Event], setup: Setup) -> Iterator[Position]:
    yield Position(0, None, before := adapter.board((), setup))
    number = 0
    for index, event in enumerate(events, 1):
        try:
            board = adapter.board(events[:index], setup)
        except (ValueError, LookupError) as error:
            raise TIError(f"event {index} of the log, {event}, cannot be read") from error
        if board != before:
            number += 1
            before = board
            yield Position(number, event, board)
