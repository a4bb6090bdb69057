"""Tapes as sound: reads WAV files of any common form, writes plain ones."""

from __future__ import annotations

import io
import struct
import sys
import wave
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from ti99tools.base.decoding import foreign
from ti99tools.base.errors import TIError
from ti99tools.media.tape.biphase import BITS_PER_SECOND, bits_of, changes
from ti99tools.media.tape.recovery import SILENCE

MOST_SECONDS = 2 * 60 * 60
"""The longest sound that is read: more than both sides of the longest cassette."""
RATE = 44_100
"""Samples per second that are written: 8 bits, mono."""
_LOUD = 96
"""How far written samples are from silence, of at most 127."""
_HEADER = 8
"""Bytes of `RIFF` and the size after it, which does not count them."""
_SIGNED = bytes(byte ^ 0x80 for byte in range(256))


def sound(units: Iterable[bytes]) -> bytes:
    """A WAV file of the bytes of units, with silence between them."""
    samples = _silence(RATE) + _samples(units, RATE)
    return _written(1, 1, RATE, bytes(samples))


def appended(sound: bytes, units: Iterable[bytes]) -> bytes:
    """A WAV file with the bytes of units after its own sound, in its own form.

    Raises TIError if `sound` is not a WAV file that can be read.
    """
    channels, width, rate, raw = _opened(sound)
    frames = [_frame(level, channels, width) for level in range(256)]
    added = b"".join(frames[level] for level in _samples(units, rate))
    return _written(channels, width, rate, raw + added)


def _frame(sample: int, channels: int, width: int) -> bytes:
    """An 8-bit sample for all channels in another width."""
    # 8-bit WAV samples are unsigned with silence at 128; wider ones are signed, little-endian.
    one = bytes((sample,)) if width == 1 else bytes(width - 1) + bytes((sample ^ 0x80,))
    return one * channels


def _written(channels: int, width: int, rate: int, raw: bytes) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(raw)
    return out.getvalue()


def _samples(units: Iterable[bytes], rate: int) -> bytearray:
    """8-bit samples of units, each followed by silence."""
    samples = bytearray()
    for data in units:
        samples += _square(data, rate)
        samples += _silence(rate)
    return samples


def _silence(rate: int) -> bytes:
    return bytes((128,)) * round(SILENCE * rate)


def _square(data: bytes, rate: int) -> bytearray:
    samples = bytearray()
    length = rate / BITS_PER_SECOND
    level = _LOUD
    for time in changes(bits_of(data)):
        end = round(time * length)
        samples += bytes((128 + level,)) * (end - len(samples))
        level = -level
    # The last border shows only if the level goes on after it.
    samples += bytes((128 + level,)) * round(length)
    return samples


@dataclass(frozen=True, slots=True)
class Recording:
    """One channel: signed 16-bit samples, and how many make a second."""

    samples: array[int]
    rate: int

    @property
    def bit(self) -> float:
        """Samples per bit at the right speed."""
        return self.rate / BITS_PER_SECOND

    @property
    def seconds(self) -> float:
        """Its length in seconds."""
        return len(self.samples) / self.rate


def read(data: bytes) -> Recording:
    """The loudest channel of a WAV file of 8 to 32 bits. Raises TIError for anything else."""
    channels, width, rate, raw = _opened(data)
    tracks = [_track(raw, channels, width, number) for number in range(channels)]
    return Recording(max(tracks, key=_loudness), rate)


def _opened(data: bytes) -> tuple[int, int, int, bytes]:
    """Channels, bytes per sample, samples per second, and all whole frames of a WAV file."""
    other = foreign(data)
    if other is not None and not data.startswith(b"RIFF"):
        raise TIError(f"it is {other.what}, not a WAV file", remedy=other.remedy)
    try:
        with wave.open(io.BytesIO(_sized(data)), "rb") as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            # A header may claim more frames than the file has bytes.
            raw = file.readframes(min(file.getnframes(), len(data)))
    except (wave.Error, EOFError, struct.error, RuntimeError, ValueError) as error:
        raise _unreadable(str(error) or "it ends too early") from None
    # Below 8000 a second a bit has fewer than six samples.
    if not (channels and 8000 <= rate <= 384_000 and width in (1, 2, 3, 4)):
        raise _unreadable(f"{channels} channels of {8 * width} bits, {rate} samples a second")
    frames = len(raw) // (channels * width)
    if frames > MOST_SECONDS * rate:
        raise TIError(f"{frames / rate / 60:.0f} minutes of sound", remedy="cut it into pieces")
    return channels, width, rate, raw[: frames * channels * width]


def _sized(data: bytes) -> bytes:
    """A WAV file whose header counts all of its bytes.

    Programs that turn TI files into sound write a size that was never right, and so does whatever
    writes into a pipe. What is to be read is told by the chunks.
    """
    if len(data) < _HEADER:
        return data
    return data[:4] + struct.pack("<I", min(len(data) - _HEADER, 0xFFFFFFFF)) + data[_HEADER:]


def _unreadable(why: str) -> TIError:
    return TIError(
        f"no sound that can be read: {why}",
        remedy="save it as WAV, uncompressed (PCM), mono or stereo, 11,025 Hz or more",
    )


def _track(raw: bytes, channels: int, width: int, number: int) -> array[int]:
    """One channel with 16 bits a sample."""
    size = channels * width
    top = raw[number * width + width - 1 :: size]
    paired = bytearray(2 * len(top))
    if width == 1:
        paired[1::2] = top.translate(_SIGNED)
    else:
        # The upper 16 bits of a wider sample are enough.
        paired[0::2] = raw[number * width + width - 2 :: size][: len(top)]
        paired[1::2] = top
    samples = array("h", bytes(paired))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def _loudness(samples: array[int]) -> int:
    # Ten thousand samples tell the louder of two channels.
    step = max(len(samples) // 10_000, 1)
    return sum(abs(sample) for sample in samples[::step])
