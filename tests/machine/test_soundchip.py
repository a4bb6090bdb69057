"""The sound chip's bytes and their times."""

from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.soundchip import RECORDED, SoundChip

BEEP = "bfdfff800592"
HONK = "bfdfff802090"


def chip() -> tuple[Clock, SoundChip]:
    clock = Clock()
    return clock, SoundChip(clock)


def test_a_tone_ends_by_itself() -> None:
    clock, sound = chip()
    sound.play(200, [(254, 1)])
    assert sound.written.hex() == "8e0fa000c00091bfdfffff"
    assert sound.registers.periods == [254, 0, 0]
    assert sound.registers.attenuations == [1, 15, 15, 15]
    clock.advance(13 * FRAME - 1)
    assert sound.playing
    clock.advance(1)
    assert not sound.playing
    assert sound.written.hex().endswith("9fbfdfff")
    assert sound.registers.attenuations == [15] * 4


def test_noise() -> None:
    _, sound = chip()
    sound.play(100, [(426, 1), (339, 2), (285, 3)], (4, 4))
    assert sound.written.hex() == "8a1aa315cd1191b2d3e4f4"
    assert sound.registers.noise == 4
    assert sound.registers.attenuations == [1, 2, 3, 4]


def test_a_new_sound_replaces_the_old_without_its_end() -> None:
    clock, sound = chip()
    sound.play(4000, [(254, 2)])
    clock.advance(5 * FRAME)
    sound.honk()
    clock.advance(400 * FRAME)
    assert sound.written.hex() == "8e0fa000c00092bfdfffff" + HONK + "9f"


def test_beeps_closer_than_ten_frames_lose_their_end() -> None:
    clock, sound = chip()
    for _ in range(3):
        sound.beep()
        clock.advance(8 * FRAME)
    clock.advance(8 * FRAME)
    assert sound.written.hex() == BEEP * 3 + "9f"
    clock.advance(8 * FRAME)
    sound.beep()
    clock.advance(11 * FRAME)
    assert sound.written.hex() == BEEP * 3 + "9f" + BEEP + "9f"


def test_wait() -> None:
    clock, sound = chip()
    sound.wait()
    assert clock.cycles == 0
    sound.play(1000, [(254, 2)])
    sound.wait()
    assert clock.cycles == 61 * FRAME
    sound.play(1, [(254, 2)])
    sound.wait()
    assert clock.cycles == 63 * FRAME


def test_a_very_long_session_forgets_what_it_sent_first() -> None:
    clock = Clock()
    sound = SoundChip(clock)
    for _ in range(2 * RECORDED // 8):
        sound.play(100, ((254, 2),))
    sound.play(100, ((255, 3),))
    assert RECORDED <= len(sound.written) <= 2 * RECORDED
    assert sound.written.hex().endswith("8f0fa000c00093bfdfffff")


def test_interrupts_lost_make_a_tone_longer() -> None:
    clock, sound = chip()
    sound.honk()
    clock.advance(5 * FRAME)
    sound.interrupts_lost(2)
    clock.advance(7 * FRAME)
    assert sound.playing
    clock.advance(FRAME)
    assert not sound.playing


def test_a_forgotten_sound_has_no_end() -> None:
    clock, sound = chip()
    sound.play(50, [(254, 1)])
    started = sound.written.hex()
    clock.advance(5 * FRAME)
    sound.forget(3 * FRAME)
    clock.advance(10 * FRAME)
    assert sound.written.hex() == started
    assert not sound.playing


def test_what_has_ended_before_is_not_forgotten() -> None:
    clock, sound = chip()
    sound.play(50, [(254, 1)])
    clock.advance(5 * FRAME)
    sound.forget(FRAME // 2)
    assert sound.written.hex().endswith("9fbfdfff")


def test_work_in_one_go_loses_all_interrupts_but_one() -> None:
    machine = Machine()
    machine.sound.honk()
    machine.interrupts.work(5 * FRAME)
    assert machine.clock.cycles == 5 * FRAME
    machine.clock.advance(9 * FRAME)
    assert machine.sound.playing, "eleven interrupts without a loss would have ended it"
    machine.clock.advance(FRAME)
    assert not machine.sound.playing
