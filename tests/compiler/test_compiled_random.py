"""Random programs: compiled with words and with cells they leave what Extended BASIC leaves."""

import pytest

from tests.compiler.bothforms import check
from tests.compiler.randomlines import LineMaker
from tests.compiler.randomprograms import Maker, piece

FEW = range(4)


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
def test_many_random_lines_of_the_keyboard(seed: int) -> None:
    for own in piece(seed):
        check_lines(own)


@pytest.mark.slow
def test_many_random_programs(seed: int) -> None:
    for own in piece(seed):
        check(Maker(own).program())
