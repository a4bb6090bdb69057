"""Sprites: the attribute list, the motion table and the machine's own motion arithmetic.

The console's interrupt routine moves sprites sixty times a second. Here the tables are brought up
to date on access: every method syncs first, and `sync` runs the interrupts that have passed since
the last one.

Positions are the video processor's: y 0–255 counts from one line above the screen (CALL SPRITE's
row less 2), x 0–255 is the column less 1. Sprite numbers here are 0–27.
"""

from __future__ import annotations

from ti99tools.base.cycles.console import SPRITE_SERVED, SPRITES_SERVED
from ti99tools.hardware.machine.clock import FRAME, Clock, ScheduledEvent
from ti99tools.hardware.machine.spritedots import (
    END_OF_LIST,
    HIDDEN_Y,
    AttributeHistory,
    any_overlap,
    fifth_sprite,
    in_picture,
    line_after,
)
from ti99tools.hardware.machine.vdp import INITIAL_REGISTERS, MOTION, SPRITE_COUNT, SPRITES, VDP

# Rows C1h to DFh are skipped: D0h there would end the sprite list.
_SKIP_FROM, _SKIP_TO = 0xC100, 0xE000


class Sprites:
    """The 28 sprites that Extended BASIC knows."""

    __slots__ = (
        "_beam",
        "_clock",
        "_frame",
        "_frozen",
        "_held",
        "_late",
        "_moving",
        "_ram",
        "_registers",
        "_status_read",
        "_tick",
        "_unserved",
        "_vdp",
    )

    def __init__(self, vdp: VDP, clock: Clock) -> None:
        self._vdp = vdp
        self._ram = vdp.ram
        self._registers = vdp.registers
        self._clock = clock
        self._frame = clock.frame
        self._moving = 0
        self._frozen = False
        self._held = False
        self._tick: ScheduledEvent | None = None
        self._unserved = 0
        self._late = -FRAME
        self._beam = AttributeHistory()
        self._status_read = -FRAME
        self._hide_all()

    @property
    def moving(self) -> int:
        """The number of entries of the motion table that the interrupt routine serves (CPU address
        837Ah).
        """
        return self._moving

    @moving.setter
    def moving(self, count: int) -> None:
        self.sync()
        # Machine code sets it with each interrupt.
        if count != self._moving:
            self._moving = count
            self._clock.watch(self)
            self._watch_frames()

    def freeze(self, frozen: bool) -> None:
        """Set whether the interrupt routine leaves the sprites alone (CPU address 83C2h)."""
        self.sync()
        self._frozen = frozen

    def hold(self) -> None:
        """Stop interrupts: from now on each is a call of `step`."""
        self.sync()
        self._held = True

    def let_go(self) -> None:
        """Undo `hold`: sprites move on from where they stand."""
        self.sync()
        self._held = False
        self._watch_frames()

    def step(self) -> None:
        """Serve one interrupt while `hold` is in effect."""
        if not self._frozen:
            self._move(1)

    @property
    def attributes(self) -> bytes:
        """The attribute list, four bytes a sprite: y, x, pattern, colour."""
        self.sync()
        return self._attribute_list()

    @property
    def motion(self) -> bytes:
        """The motion table, four bytes a sprite: velocities of y and x, their fractions."""
        self.sync()
        return bytes(self._ram[MOTION : MOTION + 4 * SPRITE_COUNT])

    def reset(self) -> None:
        """No sprites: all hidden, all velocities and fractions zero."""
        self.sync()
        self._changing()
        self._hide_all()

    def _hide_all(self) -> None:
        self._frame = self._clock.frame
        self._moving = 0
        self._clock.watch(self, False)
        hidden = bytes((HIDDEN_Y, 0, 0, 0)) * SPRITE_COUNT
        self._ram[SPRITES : SPRITES + 4 * SPRITE_COUNT] = hidden
        self._ram[SPRITES + 4 * SPRITE_COUNT] = END_OF_LIST
        self._ram[MOTION : MOTION + 4 * SPRITE_COUNT] = bytes(4 * SPRITE_COUNT)

    def position(self, number: int) -> tuple[int, int]:
        """y and x of a sprite now."""
        self.sync()
        at = SPRITES + 4 * number
        return self._ram[at], self._ram[at + 1]

    def row_and_column(self, number: int) -> tuple[int, int]:
        """Row and column of a sprite now, 1–256, as CALL POSITION gives them; 0, 0 if it is not
        defined.
        """
        y, x = self.position(number)
        # y is one less than the line, and a row counts from 1: together 2, modulo 256.
        return (0, 0) if (y, x) == (HIDDEN_Y, 0) else ((y + 1 & 0xFF) + 1, x + 1)

    def place(self, number: int, y: int, x: int) -> None:
        """Put a sprite somewhere; its fractions stay."""
        self.sync()
        self._changing()
        self._clock.watch(self)
        at = SPRITES + 4 * number
        self._ram[at] = y & 0xFF
        self._ram[at + 1] = x & 0xFF

    def set_pattern(self, number: int, pattern: int) -> None:
        """Give a sprite another pattern (character code + 60h)."""
        self._changing()
        self._ram[SPRITES + 4 * number + 2] = pattern & 0xFF

    def set_color(self, number: int, color: int) -> None:
        """Give a sprite another VDP colour (0–15)."""
        self._ram[SPRITES + 4 * number + 3] = color & 0xFF

    def set_velocity(self, number: int, vy: int, vx: int) -> None:
        """Set a sprite in motion: −128 to 127 sixteenths of a pixel a frame, down and right."""
        self.sync()
        at = MOTION + 4 * number
        self._ram[at] = vy & 0xFF
        self._ram[at + 1] = vx & 0xFF
        self._moving = max(self._moving, number + 1)
        self._clock.watch(self)
        self._watch_frames()

    def hide(self, number: int) -> None:
        """Delete a sprite: out of sight and standing still; pattern and colour stay."""
        self.sync()
        self._changing()
        at = SPRITES + 4 * number
        self._ram[at] = HIDDEN_Y
        self._ram[at + 1] = 0
        at = MOTION + 4 * number
        self._ram[at] = self._ram[at + 1] = 0
        # The routine counts up to the highest number in motion, not the sprites that really move.
        if number + 1 == self._moving:
            self._moving = number

    def magnify(self, factor: int) -> None:
        """1: 8×8 pixels, 2: each doubled, 3: 16×16 of four characters, 4: these doubled."""
        self._vdp.set_mode(INITIAL_REGISTERS[1] + factor - 1)

    def read_status(self) -> None:
        """Note that the video processor's status is read, which clears its coincidence flag."""
        self._status_read = self._clock.cycles

    def serve_late(self, cycle: int) -> None:
        """Note that an interrupt waits and will be served at a cycle: the status is read then."""
        self._late = cycle

    def coincided(self) -> bool:
        """Tell whether two sprites shared a dot, as the last interrupt has read it.

        That is a dot of the last drawn frame. If the status was read during that frame, by a late
        interrupt or otherwise, only the lines after the read count; a late interrupt itself reads
        what a whole frame has left.
        """
        self.sync()
        end = self._clock.interrupt(self._clock.frame)
        now = self._attribute_list()
        met = self._beam.drawn(now, end)
        # Mostly there are none, or one.
        if in_picture(met) < 2:
            return False
        late = self._late
        first = (
            0 if end < late <= self._clock.cycles else line_after(max(self._status_read, late), end)
        )
        if met == now:
            return any_overlap(self._vdp, first)
        # The overlap test reads video RAM, so the list that the beam met is put there for a moment.
        self._ram[SPRITES : SPRITES + len(met)] = met
        try:
            return any_overlap(self._vdp, first)
        finally:
            self._ram[SPRITES : SPRITES + len(now)] = now

    def fifth(self) -> int:
        """Bits 40h and 1Fh of the video processor's status: the fifth sprite of a line, if any."""
        self.sync()
        number = fifth_sprite(self._vdp)
        return 0x1F if number is None else 0x40 | number

    def _changing(self) -> None:
        """Note that the attribute list is about to change."""
        self._beam.changing(self._clock.cycles, self._attribute_list())

    def _attribute_list(self) -> bytes:
        return bytes(self._ram[SPRITES : SPRITES + 4 * SPRITE_COUNT])

    def sync(self) -> None:
        """Run the motion of all frames since the last call."""
        self._clock.catch_up()
        frame = self._clock.frame
        frames = frame - self._frame
        if frames <= 0:
            return
        self._frame = frame
        if not self._frozen and not self._held:
            self._move(frames)

    def interrupts_lost(self, interrupts: int) -> None:
        """Skip the next interrupts: the sprites stand still meanwhile."""
        self.sync()
        self._frame += interrupts
        self._unserved += interrupts

    def _watch_frames(self) -> None:
        """Make each interrupt take its time while sprites are in motion."""
        # With `hold` the caller counts the time.
        idle = self._held and not self._unserved
        if self._moving and not idle and self._tick is None:
            self._tick = self._clock.schedule(self._clock.next_interrupt, self._serve)

    def _serve(self) -> None:
        """Take the time of an interrupt."""
        self._tick = None
        if self._unserved:
            self._unserved -= 1
        elif self._moving and not self._frozen and not self._held:
            self._clock.take(SPRITES_SERVED + SPRITE_SERVED * min(self._moving, SPRITE_COUNT))
        self._watch_frames()

    def _move(self, frames: int) -> None:
        """Run the motion of some frames."""
        ram = self._ram
        for number in range(min(self._moving, SPRITE_COUNT)):
            at = MOTION + 4 * number
            vy, vx = ram[at], ram[at + 1]
            # Even at rest the routine moves a sprite out of the skipped rows.
            if vy or _SKIP_FROM <= ram[SPRITES + 4 * number] << 8 < _SKIP_TO:
                self._move_y(number, signed(vy), frames)
            if vx:
                self._move_x(number, signed(vx), frames)

    def _move_x(self, number: int, velocity: int, frames: int) -> None:
        """Columns wrap at 256: position × 16 + fraction, plus the velocity for each frame.

        Worked example: column 60 (x = 59) at −20 for 5 frames: 59·16 − 100 = 844 = 52·16 + 12.
        """
        ram = self._ram
        place, rest = SPRITES + 4 * number + 1, MOTION + 4 * number + 3
        total = (ram[place] << 4 | ram[rest] & 0x0F) + velocity * frames
        ram[place] = total >> 4 & 0xFF
        ram[rest] = total & 0x0F

    def _move_y(self, number: int, velocity: int, frames: int) -> None:
        """Rows move likewise, but C1h to DFh are skipped: D0h would end the sprite list."""
        ram = self._ram
        place, rest = SPRITES + 4 * number, MOTION + 4 * number + 2
        step = velocity << 4
        total = ram[place] << 8 | (ram[rest] & 0x0F) << 4
        # The skip is as long as the skipped range, in the direction of the motion.
        jump = 0x2000 if velocity > 0 else -0x2000
        for _ in range(frames):
            total = total + step & 0xFFFF
            if _SKIP_FROM <= total < _SKIP_TO:
                total = total + jump & 0xFFFF
        ram[place] = total >> 8
        ram[rest] = total >> 4 & 0x0F


def signed(byte: int) -> int:
    """A velocity as the number that CALL MOTION takes."""
    return byte - 256 if byte > 127 else byte
