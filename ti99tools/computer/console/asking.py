"""When a program that looks for a key waits for one, and when it asks for one.

`Question` is the rule by which the keys of a script are given, on all hosts: docs/keyscripts.md
tells it, `questions` applies it to our console, hosts/ti99sim/question.hpp and hosts/mame/drive.lua
to emulators. A program asks when it comes back to a look for a key, and nothing has happened since:
a single look before a question is there to let go of a key that came too early, and a pause that a
key may end goes on by itself. A game in motion looks again and again although things happen.

`waits_for_key` is slower and surer, for somebody who looks at the screen. CALL KEY returns at once.
So a program counts as waiting when its screen and sound stay the same while it goes on scanning. A
pause that a key can end looks like that, too: at a new place (a statement and its return addresses)
the machine must stay unchanged for `LONG`, at a place where a program has waited before for
`SHORT`.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping, Sequence
from enum import Enum
from itertools import takewhile
from typing import NamedTuple, TypeVar

from ti99tools.base.record import Record
from ti99tools.computer.numbers.rnd import AT as RND_AT
from ti99tools.computer.numbers.rnd import END as RND_END
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.hardware.machine.vdp import COLORS, MOTION, SPRITE_COUNT, SPRITES

LOOK = 6
"""Frames between looks at the machine."""
LONG, SHORT = 1200, 90
"""Frames without a change: at a new place, and where the program has waited before."""
OFTEN = 4
"""Fewest looks for a key per second of a program that waits for one."""
NEARLY = 0.7
"""Fewest looks per second at a known place, as a share of the rate when it waited there before."""

QUIET = 3
"""Rounds of a loop, from one look to the next, in which nothing happens: the program asks."""
LIVELY = 8
"""Rounds of a loop in which things happen: it is a game in motion, which asks all the time."""
BRISK, STEADY = FRAME * 15, FRAME * 60
"""The most cycles between two looks of a game in motion, and of a loop at all."""

HOST_WORD = 0x8348
"""The line of the statement that waits for a key, as compiled programs report it; 0: none does."""

P = TypeVar("P")
_END = COLORS + 32
"""The end of the colour table, the last of what makes the screen."""


class WaitKind(Enum):
    """What the machine waits for."""

    KEY = "a key"
    """CALL KEY: the program looks for one again and again, and nothing else happens."""
    LINE = "a line"
    """INPUT or ACCEPT: a key can be pressed at once."""
    PROMPT = "a command"
    """No program runs."""
    NOTHING = "nothing"
    """The time was over before it waited for anything."""


def shown_memory(ram: bytes | bytearray) -> bytes:
    """The video memory that makes the screen, without the places of sprites in motion.

    Nor has it RND's X, which comes and goes with each LINK.
    """
    first, rest = ram[:RND_AT], ram[RND_END:MOTION]
    if not any(ram[MOTION : MOTION + 4 * SPRITE_COUNT]):
        return bytes(first + rest + ram[MOTION:_END])
    memory = bytearray(first + rest + ram[MOTION + 4 * SPRITE_COUNT : _END])
    # A moving sprite changes its row and column all the time; only its pattern and colour count.
    for at in range(0, 4 * SPRITE_COUNT, 4):
        if ram[MOTION + at] or ram[MOTION + at + 1]:
            memory[SPRITES + at : SPRITES + at + 2] = b"\0\0"
    return bytes(memory)


def waits_for_key(
    looks: Sequence[tuple[int, P]], changed: int, now: int, known: MutableMapping[P, float]
) -> bool:
    """Tell whether a program has looked for keys long enough since the last change.

    `looks`: cycle and place of each, in order. `known`: the places where programs have waited, and
    how many looks per second they made there; a new one is added.
    """
    still = now - changed
    if still < SHORT * FRAME or not looks:
        return False
    place = looks[-1][1]
    usual = known.get(place)
    if usual is None and still < LONG * FRAME:
        return False
    since = takewhile(lambda look: look[0] > changed, reversed(looks))
    rate = sum(at == place for _, at in since) / (still / CPU_HZ)
    if usual is not None and rate >= NEARLY * usual:
        return True
    # Sprites that another program has left slow a known place down: LONG applies there, too.
    if still < LONG * FRAME or rate < OFTEN:
        return False
    known.setdefault(place, rate)
    return True


def asked_at(looks: Sequence[tuple[int, P]], changed: int) -> P | None:
    """The place where a waiting program asks for its key; None when it has not looked for one.

    A program may look at several places in turn, e.g. keyboard and joystick. The one where it
    looked first is given, because the last one depends on when the key before was pressed.
    """
    loop = {place for _, place in takewhile(lambda look: look[0] > changed, reversed(looks))}
    return next((place for _, place in looks if place in loop), looks[-1][1] if looks else None)


Loops = tuple[tuple[object, object], ...]
"""The counted loops (FOR) that are running: the loop itself, and how far it is."""


Span = tuple[int, int]
"""An address in memory, and the number of bytes from there on."""


MOST_OWED = 0x7800
"""The most time that a compiled program waits for to be as slow as Extended BASIC, see pace.a99."""


class Deciding(NamedTuple):
    """Where a compiled program keeps what tells a question from a pause.

    `readers` is the code that looks for keys of the program; other looks are those of a sound that
    waits, or of a joystick. `values` are variables that decisions depend on, `loops` those of FOR.
    The code in `patient` looks once more as long as the word at `owed` is from 1 to `MOST_OWED`.
    """

    readers: tuple[Span, ...]
    values: tuple[Span, ...] = ()
    loops: tuple[Span, ...] = ()
    patient: Span = (0, 0)
    owed: int = 0


class Look(Record):
    """A look for a key: its place (the statement, and where its subroutines return to), its cycle,
    and the state of things: what is seen and heard, running FORs, values that decisions depend on.
    `half`: only at one half of the keyboard, where the joystick's button is found, too.
    """

    place: Hashable
    cycle: int
    sight: object
    loops: Loops = ()
    counted: Hashable = None
    half: bool = False


class _Rounds:
    """The rounds of a loop that comes back to the same look."""

    __slots__ = ("before", "changes", "counted", "lively", "quiet", "since")

    def __init__(self, look: Look) -> None:
        self.before = look
        self.since = look.cycle
        self.counted = {look.counted}
        """What was counted in the looks since something happened."""
        self.quiet = self.lively = self.changes = 0

    def go_round(self, look: Look) -> None:
        """Note the next look at the same place."""
        before, self.before = self.before, look
        apart = look.cycle - before.cycle
        same = look.sight == before.sight
        onward = _onward(before.loops, look.loops)
        if apart > STEADY:
            self.since = look.cycle
        if onward or apart > BRISK:
            self.lively = self.changes = 0
        else:
            self.lively += 1
            self.changes += not same
        if not same or onward:
            self.counted.clear()
        # What comes back goes round for ever: a loop that looks at two things in turn, too.
        self.quiet = self.quiet + 1 if look.counted in self.counted else 0
        self.counted.add(look.counted)

    @property
    def asks(self) -> bool:
        """Tell whether they are those of a question or of a game in motion, not of a pause."""
        return self.quiet >= QUIET or (self.lively >= LIVELY and self.changes > 0)


def _onward(before: Loops, now: Loops) -> bool:
    """Tell whether a counted loop has gone on: it will come to its end without a key."""
    return any(
        a is b and far != farther for (a, far), (b, farther) in zip(before, now, strict=False)
    )


class Question:
    """The looks since the last key, and whether the program asks for the next one.

    A loop that looks like a pause and has not ended after `LONG` frames asks all the same, and from
    then on like any other. In a loop that looks at the whole keyboard, a look at a half does not
    ask: it is for a joystick's button, and a key that it finds is no longer new to the other look.
    """

    def __init__(self) -> None:
        self._whole = -1
        """The cycle of the last look at the whole keyboard."""
        self._rounds: dict[Hashable, _Rounds] = {}
        self._endless: set[Hashable] = set()

    def forget(self) -> None:
        """A key was given: what was looked at before it does not count for the next one."""
        self._rounds.clear()

    def asks(self, look: Look) -> bool:
        """Note a look that finds no key; tell whether the program asks for one there."""
        if not look.half:
            self._whole = look.cycle
        rounds = self._rounds.get(look.place)
        if rounds is None:
            self._rounds[look.place] = _Rounds(look)
            return False
        before = rounds.before.cycle
        rounds.go_round(look)
        if look.half and self._whole >= before:
            return False
        if rounds.asks:
            return True
        if look.cycle - rounds.since >= LONG * FRAME:
            self._endless.add(look.place)
        return look.place in self._endless
