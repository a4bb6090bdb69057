"""Messages of compiled programs name the SUBs and lines that lead to an error, in all forms."""

from typing import Any

import pytest

from tests.compiler.bothforms import can_be_held, check
from tests.compiler.randomcallers import CallerMaker
from tests.compiler.randomprograms import piece
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import ALL_SHORT

FORMS: tuple[dict[str, Any], ...] = (
    {"forms": (True,)},
    {"forms": (False,)},
    {"forms": (True,), "short": ALL_SHORT},
    {"forms": (True,), "rooms": Rooms(0, 60)},
    {"forms": (False,), "rooms": Rooms(0, 300)},
)


def held(seed: int) -> bool:
    """Hold a program in a form that the seed chooses; False if it cannot be."""
    listing = CallerMaker(seed).program()
    if not can_be_held(listing):
        return False
    check(listing, **FORMS[seed % len(FORMS)])
    return True


def test_random_callers() -> None:
    assert sum(map(held, range(5))) > 3


@pytest.mark.slow
def test_many_random_callers(seed: int) -> None:
    assert sum(map(held, piece(seed))) > 800, "so many of them are taken, and end"
