"""Worn tapes: what noise, speed and dropouts leave is put together from both copies."""

import random
from array import array

import pytest

from tests.tape.soundfaults import Direct, Faults, direct, spoiled
from ti99tools.base.errors import TIError
from ti99tools.media.tape import hearing, wav
from ti99tools.media.tape.biphase import bits_of, changes, stretches
from ti99tools.media.tape.recovery import COPY, State, TapeUnit, unit, units

pytestmark = pytest.mark.long

DATA = random.Random(3).randbytes(640)
BLOCKS = 771 * 8
"""The bit at which the first block's leader begins."""
SHORT = bytes(700)
"""Zero bytes that a leader can lack and still be one: less sound to hear in a test."""
SOME = DATA[:320]


def tape(data: bytes) -> bytes:
    """A unit with a short leader, as sound."""
    return wav.sound([unit(data).removeprefix(SHORT)])


def heard(sound: bytes) -> list[TapeUnit]:
    return hearing.heard(wav.read(sound))


@pytest.mark.parametrize(
    "faults",
    [
        Faults(),
        Faults(upside_down=True),
        Faults(noise=0.15),
        Faults(gain=0.05, noise=0.004),
        Faults(hum=0.3),
        Faults(speed=1.25),
        Faults(speed=0.8),
        Faults(wow=0.05),
        Faults(dull=1200, noise=0.02),
        Faults(speed=1.07, wow=0.02, noise=0.05, hum=0.1, dull=3000),
    ],
    ids=str,
)
def test_a_tape_is_heard_through_its_faults(faults: Faults) -> None:
    units = heard(spoiled(tape(SOME), faults))
    assert [each.data for each in units] == [SOME]
    assert units[0].numbers(State.DAMAGED) == []


@pytest.mark.parametrize(
    "how",
    [
        Direct(),
        Direct(uneven=1.3),
        Direct(uneven=2.5, upside_down=True),
        Direct(constant=30e-6, uneven=2.0, rate=22_050),
        Direct(constant=150e-6, uneven=2.5, width=1),
        Direct(constant=150e-6, uneven=2.5, rate=96_000, offset=-0.25),
        Direct(constant=2e-3, uneven=2.5, offset=0.2),
    ],
    ids=str,
)
def test_short_pulses_of_unequal_height_are_heard(how: Direct) -> None:
    units = heard(direct(tape(DATA[:64]), how))
    assert [each.data for each in units] == [DATA[:64]]
    assert units[0].numbers(State.GOOD) == [1]


def test_a_tape_of_both_kinds_is_heard() -> None:
    one, other = (unit(part).removeprefix(SHORT) for part in (DATA[:64], DATA[64:128]))
    plain = wav.read(direct(wav.sound([one]), Direct(constant=1.0)))
    pulses = wav.read(direct(wav.sound([other]), Direct(uneven=2.0)))
    both = wav.Recording(plain.samples + pulses.samples, plain.rate)
    assert [each.data for each in hearing.heard(both)] == [DATA[:64], DATA[64:128]]


def test_the_same_sound_is_heard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[wav.Recording] = []

    def note(recording: wav.Recording) -> list[wav.Recording]:
        pieces.append(recording)
        return []

    monkeypatch.setattr(hearing, "_pieces", note)
    monkeypatch.setattr(hearing, "_HEARD", {})
    sounds = [wav.Recording(array("h", [each]), 8000) for each in range(hearing.MOST_HEARD + 1)]
    sounds.append(wav.Recording(array("h", [1]), 16_000))
    for sound in (*sounds[:3], *sounds[:2], *sounds):
        assert hearing.heard(sound) == []
        hearing.heard(sound).append(TapeUnit(()))  # what is kept is not what others get
    assert pieces == [*sounds[:3], *sounds[3:]]
    assert len(hearing._HEARD) == hearing.MOST_HEARD


@pytest.mark.parametrize("seed", range(6))
def test_dropouts_are_made_good_from_the_other_copy(seed: int) -> None:
    faults = Faults(dropouts=6, dropout=0.02)
    units = heard(spoiled(tape(DATA), faults, seed))
    assert len(units) == 1
    blocks = units[0].blocks
    assert any(block.state in (State.SECOND, State.MIXED, State.SUM) for block in blocks)
    for number, block in enumerate(blocks):
        right = DATA[64 * number : 64 * number + 64]
        assert block.data == right or block.state is State.DAMAGED


@pytest.mark.parametrize("silence", [0.1, 0.25, 0.44])
@pytest.mark.parametrize(
    ("begin", "both"),
    [
        (2.0, 0.25),  # the other copy of the block begins after .2 seconds
        (2.2, 0.1),  # at the end of the first copy, before the other
        (3.1, 1.0),
    ],
)
def test_the_tape_goes_on_after_a_silence(begin: float, silence: float, both: float) -> None:
    """Nothing is lost but a block both copies of which a silence touches, at `both` seconds."""
    recording = wav.read(tape(SOME))
    first, last = (round(at * recording.rate) for at in (begin, begin + silence))
    recording.samples[first:last] = array("h", bytes(2 * (last - first)))
    (unit,) = hearing.heard(recording)
    lost = unit.numbers(State.DAMAGED)
    assert len(lost) == (silence >= both)
    for number, block in enumerate(unit.blocks):
        assert number + 1 in lost or block.data == SOME[64 * number : 64 * number + 64]


def test_the_loud_channel_is_taken() -> None:
    sound = spoiled(tape(SOME), Faults(), channels=2)
    assert [each.data for each in heard(sound)] == [SOME]


def test_several_units_in_order() -> None:
    parts = [DATA[:64], DATA[64:192], DATA[192:]]
    assert [each.data for each in heard(wav.sound(map(unit, parts)))] == parts


def bits(data: bytes) -> list[str]:
    return [str(bit) for bit in bits_of(unit(data))]


def test_a_byte_lost_in_both_copies_comes_from_the_checksum() -> None:
    tape = bits(DATA[:64])
    for copy in range(2):
        at = BLOCKS + 8 * (copy * COPY + 9 + 20)
        tape[at : at + 3] = "???"
    (found,) = units(["".join(tape)])
    assert (found.data, found.blocks[0].state) == (DATA[:64], State.SUM)


def test_different_bytes_lost_come_from_both_copies() -> None:
    tape = bits(DATA[:64])
    for copy, byte in ((0, 5), (1, 40)):
        at = BLOCKS + 8 * (copy * COPY + 9 + byte)
        tape[at : at + 16] = "?" * 16
    (found,) = units(["".join(tape)])
    assert (found.data, found.blocks[0].state) == (DATA[:64], State.MIXED)


def test_what_both_copies_lack_is_told() -> None:
    tape = bits(DATA[:128])
    for copy in range(2):
        at = BLOCKS + 8 * (copy * COPY + 9 + 5)
        tape[at : at + 160] = "?" * 160
    (found,) = units(["".join(tape)])
    assert [block.state for block in found.blocks] == [State.DAMAGED, State.GOOD]
    assert found.data[64:] == DATA[64:128]


def test_a_tape_that_ends_early_has_its_number_of_blocks() -> None:
    tape = "".join(bits(DATA))[: BLOCKS + 8 * 5 * COPY]
    (found,) = units([tape])
    assert len(found.blocks) == 10
    assert found.numbers(State.DAMAGED) == list(range(4, 11)) or found.data[:128] == DATA[:128]


@pytest.mark.parametrize("seed", range(40))
def test_noise_alone_gives_nothing_or_is_bounded(seed: int) -> None:
    rng = random.Random(seed)
    tape = "".join(rng.choices("01?", (4, 4, seed % 3), k=20_000))
    tape = "0" * 500 + "1" * 8 + tape[: rng.randrange(20_000)]
    for found in units([tape]):
        assert len(found.blocks) <= 255


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF\0\0\0\0WAVEfmt ", bytes(100)])
def test_what_is_no_wav_is_told(data: bytes) -> None:
    with pytest.raises(TIError, match="no sound that can be read"):
        wav.read(data)


def test_the_clock_follows_a_recorder_that_slows_down() -> None:
    """Within the tape a bit becomes longer by a third, a little at a time."""
    sent = [0] * 64 + [random.Random(5).getrandbits(1) for _ in range(3000)]
    slower = [time + time * time / (6 * len(sent)) for time in changes(sent)]
    assert [*stretches(slower, 1.0)] == ["".join(map(str, sent))]
