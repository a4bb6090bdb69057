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
from hashlib import sha256
from pathlib import Path
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
    path = folder() / sha256(repr(sorted(about.items())).encode("utf-8", "replace")).hexdigest()
    try:
        found: Observed = pickle.loads(path.read_bytes())
    except FileNotFoundError:
        found = _play(case)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}-{os.getpid()}")
        new.write_bytes(pickle.dumps(found))
        new.replace(path)
    return found


@contextmanager
def keeping_results() -> Iterator[None]:
    """Keep what the cases that are played in the body come to."""
    with patch.object(playback, "play", played):
        yield
