"""Random programs: compiled with words and with cells they show what Extended BASIC shows."""

import pytest

from tests.compiler.bothforms import as_cartridge, in_basic
from tests.compiler.randomprograms import Maker

FEW, MANY = range(4), range(1000, 2000)


def agree(seed: int) -> None:
    listing = Maker(seed).program()
    expected = in_basic(listing).rows
    for words in (True, False):
        rows = tuple(row.replace("\x1e", " ") for row in as_cartridge(listing, words).screen.rows)
        assert rows == expected, f"seed {seed}, words: {words}\n{listing}"


@pytest.mark.parametrize("seed", FEW)
def test_random_programs(seed: int) -> None:
    agree(seed)


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in MANY:
        agree(seed)
