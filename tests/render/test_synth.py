"""Samples from the sound chip's registers."""

from itertools import pairwise

import pytest

from ti99tools.hardware.machine.soundchip import AMPLITUDE, Registers, Synthesizer


def rises(samples: list[int]) -> int:
    return sum(a < 0 <= b for a, b in pairwise(samples))


@pytest.mark.parametrize(("period", "hertz"), [(254, 440), (1017, 110), (0, 109), (107, 1045)])
def test_pitch(period: int, hertz: int) -> None:
    samples = Synthesizer(22050).render(Registers([period, 0, 0], 0, [0, 15, 15, 15]), 22050)
    assert abs(rises(list(samples)) - hertz) <= 1


def test_volume_falls_by_2_db_a_step() -> None:
    peaks = []
    for attenuation in range(16):
        registers = Registers([254, 0, 0], 0, [attenuation, 15, 15, 15])
        peaks.append(max(Synthesizer().render(registers, 500)))
    assert peaks[0] == AMPLITUDE
    assert peaks[15] == 0
    assert peaks[10] == pytest.approx(AMPLITUDE / 10, abs=1)


def test_four_loud_voices_do_not_overflow() -> None:
    samples = Synthesizer().render(Registers([254, 254, 254], 4, [0, 0, 0, 0]), 2000)
    assert max(samples) == 4 * AMPLITUDE


def test_sound_goes_on_between_calls() -> None:
    registers = Registers([254, 0, 0], 5, [0, 15, 15, 3])
    whole = Synthesizer().render(registers, 600)
    parts = Synthesizer()
    assert parts.render(registers, 250) + parts.render(registers, 350) == whole


def test_noise_kinds() -> None:
    white = Synthesizer().render(Registers([0, 0, 0], 5, [15, 15, 15, 0]), 22050)
    periodic = Synthesizer().render(Registers([0, 0, 0], 1, [15, 15, 15, 0]), 22050)
    third = Synthesizer().render(Registers([0, 0, 110], 3, [15, 15, 15, 0]), 22050)
    assert rises(list(white)) > 600
    assert abs(rises(list(periodic)) - 111861 / 32 / 15) <= 2
    assert abs(rises(list(third)) - 111861 / 110 / 15) <= 2
