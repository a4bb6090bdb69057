"""What the sound chip sounds like: 16-bit samples from its registers.

A front end that plays sound asks for as many samples as it needs whenever the registers may have
changed. Source: the TMS9919/SN76489 data sheet: square waves of 111,861 Hz / period, noise from a
15-bit shift register.
"""

from __future__ import annotations

from array import array

from ti99tools.hardware.machine.soundchip import SILENT, Registers

TONE_CLOCK = 3_579_545 / 32
"""The frequency of a tone of period 1."""

AMPLITUDE = 6000
"""The amplitude of one voice at full volume; four of them stay below 32,767."""

# 2 dB a step: an amplitude falls by 10 to the power of 1/10.
_LEVELS = [int(AMPLITUDE * 10 ** (-step / 10)) for step in range(SILENT)] + [0]
_NOISE_PERIODS = (16, 32, 64)
_WHITE = 4
_SEED = 0x4000


class Synthesizer:
    """Keeps the phases of the voices between calls, so that sound goes on without clicks."""

    def __init__(self, rate: int = 22_050) -> None:
        """`rate` is in samples a second."""
        self.rate = rate
        self._phases = [0.0] * 4
        self._shift = _SEED

    def render(self, registers: Registers, samples: int) -> array[int]:
        """The next `samples` samples, signed 16-bit, one channel."""
        mix = [0] * samples
        for voice in range(3):
            level = _LEVELS[registers.attenuations[voice]]
            if level:
                self._add_tone(mix, voice, _frequency(registers.periods[voice]), level)
        level = _LEVELS[registers.attenuations[3]]
        if level:
            self._add_noise(mix, registers, level)
        return array("h", mix)

    def _add_tone(self, mix: list[int], voice: int, frequency: float, level: int) -> None:
        """Add a square wave; frequencies above half the sample rate are left out."""
        step = frequency / self.rate
        # Above half the sample rate a square wave would fold back into audible tones.
        if step >= 0.5:
            return
        phase = self._phases[voice]
        for i in range(len(mix)):
            phase += step
            if phase >= 1:
                phase -= 1
            mix[i] += level if phase < 0.5 else -level
        self._phases[voice] = phase

    def _add_noise(self, mix: list[int], registers: Registers, level: int) -> None:
        """Add noise: the lowest bit of a register that is shifted at the chosen rate."""
        which = registers.noise & 3
        period = registers.periods[2] if which == 3 else _NOISE_PERIODS[which]
        white = registers.noise & _WHITE
        step = _frequency(period) / self.rate
        phase, shift = self._phases[3], self._shift
        for i in range(len(mix)):
            phase += step
            while phase >= 1:
                phase -= 1
                # White noise feeds back two bits, periodic noise one.
                feedback = (shift ^ shift >> 1) & 1 if white else shift & 1
                shift = shift >> 1 | feedback << 14
            mix[i] += level if shift & 1 else -level
        self._phases[3], self._shift = phase, shift


def _frequency(period: int) -> float:
    return TONE_CLOCK / (period or 1024)
