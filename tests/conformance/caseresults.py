"""What recorded cases came to when they were played: kept for the tests of a run that need it too.

A case is played once as it was recorded, wherever it is needed first: for the comparison with the
recording, or to be compared with another form of its program. `TI99TOOLS_PLAYED` names a folder
that several runs share: `.ci/run` has two at a time.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Any
from unittest.mock import patch

from ti99tools.games.conformance import playback
from ti99tools.games.conformance.comparing import Observed
from ti99tools.hardware.machine.machine import Connected

SHARED = "TI99TOOLS_PLAYED"
"""The environment variable that names a shared folder."""
Play = Callable[..., Observed]
_play: Play = playback.play


def folder() -> Path:
    """The folder of this run, beside its cache, or the one that it shares."""
    if named := os.environ.get(SHARED):
        return Path(named)
    return Path(os.environ["TI99TOOLS_CACHE"]).parent / "played"


def played(case: Mapping[str, Any], connected: Connected | None = None) -> Observed:
    """What a case comes to, from an earlier test of this run if it was played there.

    A case is known by all that it says, but for what the original machine came to.
    """
    if connected is not None:
        return _play(case, connected)
    about = {key: value for key, value in case.items() if key != "expect"}
    about["script"] = case.get("script") or []
    key = sha256(repr(sorted(about.items())).encode("utf-8", "replace")).digest()
    kept = _kept_in(folder())
    data = kept.find(key)
    if data is not None:
        earlier: Observed = pickle.loads(data)
        return earlier
    found = _play(case)
    kept.add(key, pickle.dumps(found))
    return found


_HEAD = Struct("<32sI")
"""What an entry begins with: its key, and the bytes of data that follow."""


class Kept:
    """The entries in a folder: each process appends to a file of its own, and reads all of them.

    To make a file for each of thousands of cases took a tenth of the time that playing them takes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[bytes, tuple[Path, int, int]] = {}
        self._ends: dict[Path, int] = {}
        """File → how far its entries are known."""

    def find(self, key: bytes) -> bytes | None:
        """The data of a key; None if it is in no file."""
        if key not in self._places:
            self._look()
        place = self._places.get(key)
        if place is None:
            return None
        path, start, size = place
        with path.open("rb") as file:
            file.seek(start)
            return file.read(size)

    def add(self, key: bytes, data: bytes) -> None:
        """Append an entry."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / str(os.getpid())).open("ab", buffering=0) as file:
            file.write(_HEAD.pack(key, len(data)) + data)

    def _look(self) -> None:
        """Find the entries that have been added; of one that is being written, the rest later."""
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            at, size = self._ends.get(path, 0), path.stat().st_size
            if at == size:
                continue
            with path.open("rb") as file:
                while at + _HEAD.size <= size:
                    file.seek(at)
                    key, length = _HEAD.unpack(file.read(_HEAD.size))
                    end = at + _HEAD.size + length
                    if end > size:
                        break
                    self._places[key] = path, end - length, length
                    at = end
            self._ends[path] = at


_kept_in = cache(Kept)


@contextmanager
def keeping_results() -> Iterator[None]:
    """Keep what the cases that are played in the body come to."""
    with patch.object(playback, "play", played):
        yield
