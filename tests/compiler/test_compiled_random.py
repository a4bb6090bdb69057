"""Random programs: compiled with words and with cells they leave what Extended BASIC leaves."""

import pytest

from tests.compiler.bothforms import check
from tests.compiler.randomprograms import Maker

FEW, MANY = range(4), range(1000, 2000)


@pytest.mark.parametrize("seed", FEW)
def test_random_programs(seed: int) -> None:
    check(Maker(seed).program())


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in MANY:
        check(Maker(seed).program())
