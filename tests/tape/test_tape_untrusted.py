"""WAV files from anywhere: whatever is in them is read or refused, in bounded time."""

import io
import random
import struct
import wave

import pytest

from ti99tools.base.errors import TIError
from ti99tools.media.tape import wav
from ti99tools.media.tape.cassette import Cassette
from ti99tools.media.tape.recovery import unit

SHORT = bytes(700)
"""Zero bytes that a leader can lack and still be one: less sound to hear."""


def sound(raw: bytes, channels: int = 1, width: int = 1, rate: int = 44_100) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(raw)
    return buffer.getvalue()


@pytest.mark.parametrize("seed", range(60))
def test_a_spoiled_file_is_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(wav.sound([unit(rng.randbytes(64)).removeprefix(SHORT)]))
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(data) if seed % 3 else 64)
        data[at] = rng.randrange(256)
    if seed % 4 == 0:
        del data[rng.randrange(len(data)) :]
    try:
        tape = Cassette(bytes(data))
        assert len(tape.units) <= 2
        tape.record(b"MORE")
        assert len(tape.sound()) > 100_000
    except TIError:
        pass


@pytest.mark.parametrize("seed", range(8))
def test_noise_holds_nothing_of_any_size(seed: int) -> None:
    rng = random.Random(seed)
    channels, width = rng.choice(((1, 1), (2, 2), (1, 3), (7, 1), (2, 4)))
    raw = rng.randbytes(200_000 // channels // width * channels * width)
    rate = rng.choice((8_000, 22_050, 96_000))
    assert len(Cassette(sound(raw, channels, width, rate)).units) <= 2


def test_a_sound_that_is_too_long_is_refused() -> None:
    with pytest.raises(TIError, match="130 minutes of sound; cut it into pieces"):
        wav.read(sound(bytes(8_000 * 60 * 130), rate=8_000))


def test_a_header_that_promises_more_than_there_is() -> None:
    data = bytearray(wav.sound([unit(b"A")]))
    for at in (4, data.index(b"data") + 4):
        data[at : at + 4] = struct.pack("<I", 0xFFFFFFF0)
    assert Cassette(bytes(data)).units == [b"A".ljust(64, b"\0")]


@pytest.mark.parametrize("size", [0, 98, 0x7FFFFFFF])
def test_a_size_that_was_never_right_hides_nothing(size: int) -> None:
    data = bytearray(wav.sound([unit(b"A").removeprefix(SHORT)]))
    data[4:8] = struct.pack("<I", size)
    assert Cassette(bytes(data)).units == [b"A".ljust(64, b"\0")]


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 32_000, 48_000, 96_000])
def test_every_usual_rate_is_heard(rate: int) -> None:
    silence = sound(bytes((128,)) * rate, rate=rate)
    tape = Cassette(silence)
    data = random.Random(rate).randbytes(320)
    tape.record(data)
    assert Cassette(tape.sound()).units == [data]
