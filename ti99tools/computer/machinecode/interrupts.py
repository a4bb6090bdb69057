"""An interrupt of the console while machine code runs: sprites, a sound list, QUIT, frames, status.

Its cycles are measured. While BASIC runs, `machine` does all of this except the lists of machine
code.
"""

from __future__ import annotations

from ti99tools.base.codes import INTERRUPT_FLAGS
from ti99tools.base.cycles.console import (
    INTERRUPT,
    INTERRUPT_ACCEPTED,
    INTERRUPT_MOTION,
    INTERRUPT_OFF,
    INTERRUPT_SPRITE,
)
from ti99tools.computer.machinecode.addresses import LIST_IN_VIDEO, Quit
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.cpu_memory import (
    ALL_OFF,
    FRAME_COUNTER,
    HOOK,
    MOVING_SPRITES,
    NO_MOTION,
    NO_QUIT,
    NO_SOUND,
    SOUND_LIST,
    SOUND_TIMER,
    VIDEO_STATUS,
)
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import SPRITE_COUNT

_IN_VIDEO = 0x01
_TURN, _JUMP = 0xFF, 0x00
"""Counts of a block of a sound list that are none: the address of another list follows; after the
first it lies in the other memory, video memory or GROM.
"""
_MOST_LINKS = 16
"""Jumps of a sound list without a sound, after which it waits for the next interrupt."""


class Interrupts:
    """The routine that serves interrupts."""

    def __init__(self, machine: Machine, bus: Bus) -> None:
        self._machine = machine
        self._bus = bus
        self._timer = 0

    @property
    def hook(self) -> int:
        """The address of the hook, 0 for none."""
        return self._bus.word_at(HOOK) & 0xFFFE

    def begin(self) -> None:
        """Begin machine code, with the cells of the scratchpad up to date."""
        self._timer = self._bus.peek(SOUND_TIMER)

    def settle(self) -> None:
        """End machine code, and note for how long its sound list goes on."""
        self._look_at_timer()
        playing = self._machine.sound.playing
        self._machine.memory.list_timer = 0 if playing else self._bus.peek(SOUND_TIMER)

    def sounded(self) -> None:
        """Note that the console has begun a tone."""
        self._set_timer(min(self._machine.sound.frames_left, 0xFF))

    def _look_at_timer(self) -> None:
        """End a sound of BASIC if code has set the timer: it has a list of its own then."""
        if self._bus.peek(SOUND_TIMER) != self._timer:
            self._machine.sound.stop()

    def _set_timer(self, frames: int) -> None:
        self._timer = frames
        self._bus.load_byte(SOUND_TIMER, frames)

    def serve(self) -> int:
        """Serve one interrupt without the hook; returns its cycles."""
        bus, machine = self._bus, self._machine
        flags = bus.peek(INTERRUPT_FLAGS)
        cycles = INTERRUPT_OFF
        if not flags & ALL_OFF:
            cycles = INTERRUPT
            if not flags & NO_MOTION:
                cycles += self._move()
            if not flags & NO_SOUND:
                self._sound()
            if not flags & NO_QUIT and machine.keyboard.quit_pressed():
                raise Quit
        bus.load_byte(VIDEO_STATUS, machine.memory.video_status())
        bus.load_byte(FRAME_COUNTER, (bus.peek(FRAME_COUNTER) + 1) & 0xFF)
        return cycles - INTERRUPT_ACCEPTED

    def _move(self) -> int:
        sprites = self._machine.sprites
        count = min(self._bus.peek(MOVING_SPRITES), SPRITE_COUNT)
        sprites.moving = count
        sprites.step()
        return INTERRUPT_MOTION + INTERRUPT_SPRITE * count if count else 0

    def _sound(self) -> None:
        chip = self._machine.sound
        self._look_at_timer()
        if chip.playing:
            chip.step()
            self._set_timer(min(chip.frames_left, 0xFF))
        else:
            self.play()

    def play(self) -> None:
        """Play a frame of a sound list of machine code: blocks of bytes, each with its length."""
        bus = self._bus
        timer = bus.peek(SOUND_TIMER)
        if not timer:
            return
        timer -= 1
        if not timer:
            timer = self._block()
        self._set_timer(timer)

    def _block(self) -> int:
        """Send the next block; returns its frames."""
        bus, ram = self._bus, self._machine.vdp.ram
        at = bus.word_at(SOUND_LIST)
        for _ in range(_MOST_LINKS):
            if not bus.peek(LIST_IN_VIDEO) & _IN_VIDEO:
                return 0
            count = ram[at & 0x3FFF]
            if count not in (_TURN, _JUMP):
                break
            at = ram[(at + 1) & 0x3FFF] << 8 | ram[(at + 2) & 0x3FFF]
            if count == _TURN:
                bus.load_byte(LIST_IN_VIDEO, bus.peek(LIST_IN_VIDEO) ^ _IN_VIDEO)
        else:
            return 1
        for n in range(count):
            self._machine.sound.write(ram[(at + 1 + n) & 0x3FFF])
        bus.load(SOUND_LIST, ((at + 2 + count) & 0xFFFF).to_bytes(2, "big"))
        return ram[(at + 1 + count) & 0x3FFF]
