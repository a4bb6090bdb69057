"""The sound of a run: what the chip was told, in little memory."""

import tracemalloc
import wave
from pathlib import Path

import pytest

from ti99tools.app import run_output
from ti99tools.app.run_output import RATE, SoundRecording, sound, write
from ti99tools.base.errors import TIError
from ti99tools.hardware.machine.soundchip import SILENT, Registers, Synthesizer


def tone(period: int) -> Registers:
    return Registers([period, 0, 0], 0, [0, SILENT, SILENT, SILENT])


def test_frames_become_the_samples_of_their_registers(tmp_path: Path) -> None:
    heard = SoundRecording()
    for period in (254, 254, 300):
        heard.add(tone(period))
    write(heard, tmp_path / "a.wav")
    # Writing is no end: what is heard later follows.
    heard.add(tone(300))
    write(heard, tmp_path / "b.wav")
    synthesizer = Synthesizer(RATE)
    ends = [n * 50_064 * RATE // 3_000_000 for n in range(5)]
    parts = [
        synthesizer.render(tone(254), ends[2]),
        synthesizer.render(tone(300), ends[4] - ends[2]),
    ]
    whole = b"".join(part.tobytes() for part in parts)
    for name, frames in (("a", 3), ("b", 4)):
        with wave.open(str(tmp_path / f"{name}.wav")) as file:
            assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
            assert file.getnframes() == ends[frames]
            assert file.readframes(ends[frames]) == whole[: 2 * ends[frames]]


def test_memory_does_not_grow_with_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_output, "_IN_MEMORY", 1000)
    heard = SoundRecording()
    silent, other = Registers(), Registers(noise=1)
    tracemalloc.start()
    for count in range(1500):
        heard.add((silent, other)[count % 2])
    for _ in range(1000):
        heard.add(silent)
    size = sum(len(piece) for piece in sound(heard))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 1_800_000
    assert peak < 400_000


def test_more_than_a_wav_file_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_output, "LONGEST", 1000)
    heard = SoundRecording()
    for _ in range(3):
        heard.add(Registers())
    with pytest.raises(TIError, match="longer than the 0 hours"):
        write(heard, tmp_path / "a.wav")
    assert not list(tmp_path.iterdir())
