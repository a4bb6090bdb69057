"""Random programs: compiled with words and with cells they leave what Extended BASIC leaves."""

import pytest

from tests.compiler.bothforms import check
from tests.compiler.randomlines import LineMaker
from tests.compiler.randomprograms import Maker

FEW, MANY = range(4), range(1000, 2000)


@pytest.mark.parametrize("seed", FEW)
def test_random_programs(seed: int) -> None:
    check(Maker(seed).program())


@pytest.mark.parametrize("seed", range(2))
def test_random_lines_of_the_keyboard(seed: int) -> None:
    check_lines(seed)


def check_lines(seed: int) -> None:
    """Hold a program that takes lines: with words or with cells, by turns."""
    maker = LineMaker(seed)
    check(maker.program(), (seed % 2 == 0,), maker.keys())


@pytest.mark.slow
def test_many_random_lines_of_the_keyboard() -> None:
    for seed in MANY:
        check_lines(seed)


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in MANY:
        check(Maker(seed).program())
