"""The emulators that the tests of this folder drive, each skipped where it is not installed."""

from __future__ import annotations

import pytest

from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.mame import Mame
from ti99tools.games.hosts.ti99sim import Ti99sim

EMULATORS: dict[str, type[Mame] | type[Ti99sim]] = {"mame": Mame, "ti99sim": Ti99sim}


# MAME takes its time: of each file's tests with it a third is played in each run.
IN_A_SAMPLE = {"mame": [pytest.mark.sampled(3, seconds=37, together="emulator")]}


@pytest.fixture(params=[pytest.param(n, marks=IN_A_SAMPLE.get(n, ())) for n in EMULATORS])
def emulator(request: pytest.FixtureRequest) -> Emulator:
    found = EMULATORS[request.param]()
    if not found.program:
        pytest.skip(found.install)
    return found
