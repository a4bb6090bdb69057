"""D5000's settings file never changes what is logged: matches agree whatever stands in it."""

from random import Random

import pytest

from tests.shipped import shipped
from ti99tools.games.hosts.virtual import host
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import make
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

pytestmark = pytest.mark.long

D5000 = adapter("d5000")
ROLES = ("WRIT", "GRID", "DICE", "MESS", "SCOR", "CUTE", "NAME")
KEYS = (
    *(role + ground for role in ROLES for ground in ("FORE", "BACK")),
    *("MESSTIME", "ROLLDRAG", "ROLLDICE", ":T", "NONSENSE"),
)


def lines(random: Random) -> list[str]:
    """A settings file: some keys in any order and form, good and bad values."""
    found = []
    for key in random.sample(KEYS, random.randint(1, len(KEYS))):
        value = random.choice((str(random.randint(0, 17)), str(random.randint(0, 51)), "true", ""))
        form = random.choice(("{0}={1}", "{0} {1}", " {0}  =  {1} "))
        cased = random.choice((str.upper, str.lower, str.title))(key)
        found.append(cased if key == ":T" else form.format(cased, value))
    return found


SEEDS = (100, 106, 128, 129, 158, 164, 172, 175)
"""Short matches of one to three players of five kinds; in their files each key stands."""


@pytest.mark.parametrize("seed", SEEDS)
def test_any_settings_give_the_same_log(seed: int) -> None:
    image = DiskImage.from_bytes(shipped("d5000").image.to_bytes())
    records = [line.encode() for line in lines(Random(seed))]
    image.add(DiskFile.display_var("D5000INT", records), replace=True)
    scenario, log = make(D5000, seed)
    result = play(D5000, host(), image.to_bytes(), scenario)
    assert result.mismatch is None
    assert result.events == len(log.events)
    assert result.screens
