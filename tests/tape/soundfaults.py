"""What tapes suffer: noise, hum, another speed, wow, dull heads, dropouts."""

from __future__ import annotations

import io
import math
import random
import wave
from array import array
from dataclasses import dataclass


@dataclass(frozen=True)
class Faults:
    """How a recording is spoiled; 1 is full level."""

    noise: float = 0.0
    gain: float = 1.0
    speed: float = 1.0
    wow: float = 0.0
    """Part by which the speed goes up and down 1.7 times a second."""
    dull: float = 0.0
    """Hertz above which the level falls; 0: nowhere."""
    hum: float = 0.0
    dropouts: int = 0
    dropout: float = 0.01
    """Seconds of each."""
    upside_down: bool = False


def spoiled(sound: bytes, faults: Faults, seed: int = 1, channels: int = 1) -> bytes:
    """A WAV file of 8 bits as one of 16 bits with faults; silence on channels besides the last."""
    rng = random.Random(seed)
    with wave.open(io.BytesIO(sound)) as file:
        rate = file.getframerate()
        plain = [(byte - 128) / 128 for byte in file.readframes(file.getnframes())]
    samples = _moved(plain, faults, rate)
    if faults.dull:
        level, part = 0.0, 1 - math.exp(-2 * math.pi * faults.dull / rate)
        for index, sample in enumerate(samples):
            level += (sample - level) * part
            samples[index] = level
    for _ in range(faults.dropouts):
        start = rng.randrange(len(samples))
        for index in range(start, min(start + int(faults.dropout * rate), len(samples))):
            samples[index] *= 0.02
    gain = -faults.gain if faults.upside_down else faults.gain
    values = [sample * gain for sample in samples]
    if faults.noise:
        values = [value + faults.noise * rng.gauss(0, 1) for value in values]
    if faults.hum:
        step = 2 * math.pi * 50 / rate
        values = [value + faults.hum * math.sin(step * at) for at, value in enumerate(values)]
    if faults.noise or faults.hum or faults.gain > 1:
        values = [-1.0 if value < -1 else 1.0 if value > 1 else value for value in values]
    frames = array("h", [0]) * (len(values) * channels)
    frames[channels - 1 :: channels] = array("h", [int(value * 32767) for value in values])
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(frames.tobytes())
    return buffer.getvalue()


def _moved(samples: list[float], faults: Faults, rate: int) -> list[float]:
    """The samples at another speed, with wow."""
    if faults.speed == 1 and not faults.wow:
        return samples[:-1]
    result: list[float] = []
    at = 0.0
    while at < len(samples) - 1:
        index = int(at)
        part = at - index
        result.append(samples[index] * (1 - part) + samples[index + 1] * part)
        at += faults.speed * (1 + faults.wow * math.sin(2 * math.pi * 1.7 * len(result) / rate))
    return result


@dataclass(frozen=True)
class Direct:
    """How a console's output sounds that was recorded without a recorder between."""

    constant: float = 70e-6
    """Seconds in which a pulse falls to a third."""
    uneven: float = 1.0
    """How many times as high negative pulses are as positive ones."""
    rate: int = 44_100
    width: int = 2
    """Bytes of a sample."""
    offset: float = 0.0
    """The rest level; 1 is full level."""
    upside_down: bool = False


def direct(sound: bytes, how: Direct) -> bytes:
    """A WAV file of 8 bits as a recording that has only its edges, as short pulses."""
    with wave.open(io.BytesIO(sound)) as file:
        rate = file.getframerate()
        plain = [(byte - 128) / 128 for byte in file.readframes(file.getnframes())]
    keep = how.constant / (how.constant + 1 / rate)
    level, before = 0.0, plain[0]
    pulses = []
    for sample in plain:
        level = keep * (level + sample - before)
        before = sample
        pulses.append(level if level > 0 else level * how.uneven)
    pulses = _moved(pulses, Faults(speed=rate / how.rate), rate)
    scale = (-0.7 if how.upside_down else 0.7) / max(map(abs, pulses))
    values = [each * scale + how.offset for each in pulses]
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(how.width)
        file.setframerate(how.rate)
        if how.width == 1:
            file.writeframes(bytes(round(128 + 127 * value) for value in values))
        else:
            file.writeframes(array("h", (round(32767 * value) for value in values)).tobytes())
    return buffer.getvalue()
