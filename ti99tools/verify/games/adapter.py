"""What an adapter tells about a game, and the table of adapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Protocol, cast

from ti99tools.base.errors import TIError
from ti99tools.hosts.host import Files
from ti99tools.models.model import Ask, Model, Setup
from ti99tools.trace.events import Event
from ti99tools.trace.keyscript import Press, Step, Type

GAMES = ("d5000", "dicerack")
"""Games that have a model: a module here and one in models/."""

WARM_UP = "warm-up"
"""Option of a setup: a match with this seed is played before, in the same session."""
BLANK_SEED = "blank seed"
"""Option of a setup: the game is left to choose the seed, and tells it in its log."""

TROUBLE, NO_DRIVE = "disk trouble", "no drive"
"""Option of a setup: the play log goes to a drive that is not there, or the disk has only so many
free sectors. The log may stop early or be missing; the match goes on all the same."""
WRONG_LOG = "DSK2.LOG"
"""Where the play log goes with `NO_DRIVE`."""

OwnPlayer = Callable[[Model, Ask, Random], int]
"""A player who knows the rules of one game: the key to press in this state of its model."""


class Adapter(Protocol):
    """Between a game's scenarios and its screens."""

    name: str
    """As its folder in xbasic/ is called."""
    model: type[Model]
    log_file: str
    """The play log's name on DSK1."""
    pace: int
    """Frames between keys on a machine that cannot tell when it has taken one.

    An adapter may also have `looks`, `players` and `files`: see the functions below.
    """

    def setup(self, random: Random) -> Setup:
        """Any setup that the game offers; see `WARM_UP` and `BLANK_SEED` for common options."""
        ...

    def opening(self, setup: Setup) -> Sequence[Step]:
        """From the title screen to the match's first key, the play log switched on."""
        ...

    def again(self, setup: Setup) -> Sequence[Step]:
        """From the end of a match to the first key of the next one with the same players."""
        ...

    def closing(self) -> Sequence[Step]:
        """From the match's last key to the end of the program; snaps `end` on the way."""
        ...

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """The numbers on a screen of the match."""
        ...

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """The numbers that the screen must show after these events, while a key is waited for."""
        ...


def adapter(name: str) -> Adapter:
    """The adapter of a game. Raises TIError for a game without a model."""
    if name.lower() not in GAMES:
        raise TIError(f"no model of {name}", remedy=f"games with a model: {', '.join(GAMES)}")
    found = import_module(f"ti99tools.verify.games.{name.lower()}").ADAPTER
    return cast(Adapter, found)


def own_players(of: Adapter) -> Mapping[str, OwnPlayer]:
    """The players that a game's adapter brings along (`players`), by name; most bring none."""
    found: Mapping[str, OwnPlayer] = getattr(of, "players", {})
    return found


def looks_of(of: Adapter) -> int:
    """How often a match is interrupted to compare the screen (`looks`).

    0 where `implied` holds for the end of a match only.
    """
    return getattr(of, "looks", 0)


def files_of(of: Adapter, setup: Setup) -> Files:
    """Files that a setup wants on the disk, or off it, as a `Job` has them (`files`)."""
    if not hasattr(of, "files"):
        return {}
    found: Files = of.files(setup)
    return found


def room_of(setup: Setup) -> int | None:
    """How many free sectors the disk is to have; None: as many as it has."""
    room = setup.options.get(TROUBLE, "")
    return int(room) if room.isdigit() else None


def log_switch(key: str, setup: Setup) -> Sequence[Step]:
    """The title's key for the play log, and the file's name: the default, or a wrong one."""
    if setup.options.get(TROUBLE) == NO_DRIVE:
        return [Type(key), Press("ERASE"), Type(f"{WRONG_LOG}\n")]
    return [Type(f"{key}\n")]


def by_log_name(game: str) -> Adapter:
    """The adapter of the game that a log names. Raises TIError when there is none."""
    for name in GAMES:
        found = adapter(name)
        if found.model.game == game:
            return found
    raise TIError(f"no model of {game}", remedy=f"games with a model: {', '.join(GAMES)}")


def model_module(of: Adapter) -> ModuleType:
    """The module in which the model of a game is written."""
    return import_module(of.model.__module__)
