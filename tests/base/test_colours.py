"""The colours as the names of the manual order them: the light ones are lighter."""

from itertools import pairwise

import pytest

from ti99tools.base.codes import RGB


def lightness(colour: int) -> float:
    """Of a colour of Extended BASIC, 1 to 16, as people see it."""
    red, green, blue = RGB[colour - 1]
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize(
    "family",
    [(13, 3, 4), (5, 6), (7, 9, 10), (11, 12), (2, 15, 16)],
    ids=["greens", "blues", "reds", "yellows", "grays"],
)
def test_dark_medium_and_light(family: tuple[int, ...]) -> None:
    assert all(lightness(dark) < lightness(light) for dark, light in pairwise(family))
