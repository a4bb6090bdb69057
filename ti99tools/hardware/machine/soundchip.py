"""The sound chip (TMS9919): as the console's interrupt routine feeds it, and what it sounds like.

A sound is a list of blocks: bytes for the chip and how many frames to wait before the next block.
The routine sends a block when the previous one has run out, so that a sound goes on by itself while
the program runs. The frames of the first block count from the next interrupt. The blocks sent here
are byte for byte those of the recorded cases.

Bytes for the chip: 1cct dddd is a command for register cct (t = 0: the low four bits of a tone's
period, t = 1: an attenuation), 0xdddddd the upper six bits of the period named last.
Worked example: 440 Hz is period 254 = 0FEh, sent as 8Eh 0Fh to the first voice (cc = 0).

A front end that plays sound asks for as many samples as it needs whenever the registers may have
changed. Source: the TMS9919/SN76489 data sheet: square waves of 111,861 Hz / period, noise from a
15-bit shift register.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ti99tools.hardware.machine.clock import FRAME, Clock

Block = tuple[bytes, int]
"""Bytes for the chip and the frames until the next block."""

SILENT = 15
"""Attenuation that switches a voice off; below it, 2 dB a step."""

END_OF_TONE = bytes((0x9F, 0xBF, 0xDF, 0xFF))
"""All voices off."""

_TONE_FRAMES = 10
_TAIL: Block = (bytes((0x9F,)), 0)
_BEEP: tuple[Block, ...] = ((bytes((0xBF, 0xDF, 0xFF, 0x80, 0x05, 0x92)), _TONE_FRAMES), _TAIL)
_HONK: tuple[Block, ...] = ((bytes((0xBF, 0xDF, 0xFF, 0x80, 0x20, 0x90)), _TONE_FRAMES), _TAIL)
"""Tones of 1,398 and 218 Hz, the second louder, with the other voices off."""

_FRAMES_PER_SECOND = 60

_KEPT = 256
"""Sounds whose bytes are cached."""

RECORDED = 1 << 18
"""Fewest of the bytes sent last that are kept: some 17,000 sounds."""


@dataclass(slots=True)
class Registers:
    """The state of the chip: ten-bit periods, the noise control and four attenuations.

    A period p sounds at 111,861 / p Hz (0 counts as 1024); attenuation 15 is silence. Noise
    control: bit 2 white (else periodic), bits 0–1 the rate, 3 meaning that of the third voice.
    """

    periods: list[int] = field(default_factory=lambda: [0, 0, 0])
    noise: int = 0
    attenuations: list[int] = field(default_factory=lambda: [SILENT] * 4)
    latched: int = 0

    def write(self, byte: int) -> None:
        """Take one byte as the chip does."""
        if byte & 0x80:
            self.latched = byte >> 4 & 7
            if self.latched & 1:
                self.attenuations[self.latched >> 1] = byte & 0x0F
            elif self.latched == 6:
                self.noise = byte & 7
            else:
                voice = self.latched >> 1
                self.periods[voice] = self.periods[voice] & 0x3F0 | byte & 0x0F
        # A second byte after an attenuation or the noise control has nothing to complete.
        elif not self.latched & 1 and self.latched != 6:
            voice = self.latched >> 1
            self.periods[voice] = self.periods[voice] & 0x0F | (byte & 0x3F) << 4


class SoundChip:
    """Plays sounds along the clock and keeps the bytes sent."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._written = bytearray()
        self._registers = Registers()
        self._blocks: list[Block] = []
        self._next_block_at = 0
        self._frozen = False
        self._held = False
        self._still_since: int | None = None

    @property
    def written(self) -> bytearray:
        """The bytes sent to the chip so far, without the oldest of very many (see `RECORDED`);
        clear it to count from now on.
        """
        self.sync()
        return self._written

    @property
    def registers(self) -> Registers:
        """The chip's registers now."""
        self.sync()
        return self._registers

    @property
    def playing(self) -> bool:
        """Tell whether a sound is still in progress."""
        self.sync()
        return bool(self._blocks)

    def freeze(self, frozen: bool) -> None:
        """Set whether the interrupt routine leaves sounds alone (CPU address 83C2h)."""
        self._stand_still(frozen, self._held)

    def hold(self) -> None:
        """Stop interrupts: from now on each is a call of `step`."""
        self._stand_still(self._frozen, True)

    def let_go(self) -> None:
        """Undo `hold`: sound goes on where it stood."""
        self._stand_still(self._frozen, False)

    def step(self) -> None:
        """Serve one interrupt while `hold` is in effect."""
        self.sync()
        if self._blocks and not self._frozen:
            self._next_block_at -= FRAME
            while self._blocks and self._clock.interrupt(self._clock.frame) >= self._next_block_at:
                self._send(self._blocks.pop(0))

    def _stand_still(self, frozen: bool, held: bool) -> None:
        self.sync()
        self._frozen, self._held = frozen, held
        self._still_since = self._clock.frame if frozen or held else None

    @property
    def frames_left(self) -> int:
        """Frames until the sound in progress reaches its next bytes; 0 without one."""
        self.sync()
        if not self._blocks:
            return 0
        # Rounded up: a sound that ends within this frame still has one to go.
        return max(1, -(-(self._next_block_at - self._clock.cycles) // FRAME))

    @property
    def quiet_at(self) -> int:
        """The cycle at which the sound in progress ends, or the last one ended."""
        self.sync()
        frames = sum(frames for _, frames in self._blocks[:-1])
        return self._next_block_at + frames * FRAME

    def sync(self) -> None:
        """Send the blocks that are due by now."""
        if self._still_since is not None:
            frame = self._clock.frame
            self._next_block_at += (frame - self._still_since) * FRAME
            self._still_since = frame
            return
        while self._blocks and self._clock.cycles >= self._next_block_at:
            self._send(self._blocks.pop(0))
            if not self._blocks:
                self._clock.watch(self, False)

    def wait(self) -> None:
        """Let the time pass until the sound in progress has ended."""
        self.sync()
        while self._blocks:
            self._clock.advance_to(self._next_block_at)
            self.sync()

    def forget(self, before: int) -> bool:
        """Forget the end of the sound in progress, as of `before` cycles ago: it sounds on.

        Returns whether it would have lasted for more than a frame from now.
        """
        clock = self._clock
        # What was due before that moment is still sent.
        clock.cycles -= before
        self.sync()
        clock.cycles += before
        lasting = bool(self._blocks) and self._next_block_at - clock.cycles > FRAME
        self._blocks.clear()
        return lasting

    def write(self, byte: int) -> None:
        """Send one byte to the chip, as CALL LOAD and machine code do."""
        self.sync()
        self._send_bytes(bytes((byte,)))

    def stop(self) -> None:
        """End the sound in progress; what sounds goes on sounding."""
        self.sync()
        self._blocks.clear()

    def play(
        self,
        milliseconds: int,
        tones: Sequence[tuple[int, int]],
        noise: tuple[int, int] | None = None,
    ) -> None:
        """Play up to three tones (period, attenuation) and a noise (control 0–7, attenuation).

        The length is 1 to 4250 ms. Every voice is written, unused ones with period 0 and silenced.
        Replaces a sound in progress; call `wait` first to let it end.
        """
        frames = milliseconds * _FRAMES_PER_SECOND // 1000
        self._start(((_voices(tuple(tones), noise), max(1, frames)), (END_OF_TONE, 0)))

    def beep(self) -> None:
        """The tone of a prompt and of DISPLAY BEEP; replaces a sound in progress."""
        self._start(_BEEP)

    def honk(self) -> None:
        """The low tone of errors and warnings; replaces a sound in progress."""
        self._start(_HONK)

    def interrupts_lost(self, interrupts: int) -> None:
        """Skip the next interrupts: a sound in progress lasts longer."""
        self.sync()
        if self._blocks:
            self._next_block_at += interrupts * FRAME

    def _start(self, blocks: Sequence[Block]) -> None:
        self.sync()
        self._blocks = list(blocks[1:])
        self._clock.watch(self)
        # The routine counts the first block's frames from its next interrupt.
        self._next_block_at = self._clock.next_interrupt
        self._send(blocks[0])

    def _send(self, block: Block) -> None:
        data, frames = block
        self._send_bytes(data)
        self._next_block_at += frames * FRAME

    def _send_bytes(self, data: bytes) -> None:
        self._written += data
        # Twice the kept number, so that the buffer is cut only now and then.
        if len(self._written) > 2 * RECORDED:
            del self._written[:-RECORDED]
        for byte in data:
            self._registers.write(byte)


@lru_cache(maxsize=_KEPT)
def _voices(tones: tuple[tuple[int, int], ...], noise: tuple[int, int] | None) -> bytes:
    """The bytes that set all voices."""
    voices = [*tones, *[(0, SILENT)] * (3 - len(tones))]
    # Period 0 and silence for unused voices, as recorded.
    block = bytearray()
    for voice, (period, _) in enumerate(voices):
        block += bytes((0x80 | voice << 5 | period & 0x0F, period >> 4 & 0x3F))
    block += bytes(0x90 | voice << 5 | level for voice, (_, level) in enumerate(voices))
    block += b"\xff\xff" if noise is None else bytes((0xE0 | noise[0], 0xF0 | noise[1]))
    return bytes(block)


TONE_CLOCK = 3_579_545 / 32
"""The frequency of a tone of period 1."""

AMPLITUDE = 6000
"""The amplitude of one voice at full volume; four of them stay below 32,767."""

# 2 dB a step: an amplitude falls by 10 to the power of 1/10.
_LEVELS = [int(AMPLITUDE * 10 ** (-step / 10)) for step in range(SILENT)] + [0]
_NOISE_PERIODS = (16, 32, 64)
"""Periods of the three rates of noise, of the same clock as those of tones."""
_WHITE = 4
_SEED = 0x4000
"""The register that makes noise has 15 bits, and begins with one set."""


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
