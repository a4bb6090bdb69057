"""What devices say to the user: texts on the screen, keys that answer them, time that passes.

A device's side of it is a generator: it yields the keys that it waits for, of which it is sent the
one pressed, or cycles that pass. It can be left while it waits, and gone on with later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator

from ti99tools.machine.clock import Clock
from ti99tools.machine.keyboard import Keyboard
from ti99tools.machine.pab import IOFailure

Talk = Generator["frozenset[int] | int", int, None]
"""Yields keys or cycles, is sent the key; an IOFailure that comes out is the device's refusal."""


class Conversations:
    """Conversations that must come to their ends before the console goes on, in order."""

    def __init__(self, clock: Clock, keyboard: Keyboard) -> None:
        self._clock = clock
        self._keyboard = keyboard
        self._talks: deque[Talk] = deque()
        self._keys: frozenset[int] = frozenset()
        self._until = 0
        self._begun = False

    def __bool__(self) -> bool:
        """Tell whether there is one."""
        return bool(self._talks)

    def begin(self, talk: Talk) -> None:
        """A device has something to say, after the others that do."""
        self._talks.append(talk)

    def go_on(self) -> None:
        """Go on to the end of all of them.

        Raises Pause while a key is waited for or when a pause is due, and IOFailure when a device
        refuses: its conversation is over then.
        """
        while self._talks:
            talk = self._talks[0]
            try:
                self._hold(talk)
            except StopIteration:
                self._over()
            except IOFailure:
                self._over()
                raise

    def _over(self) -> None:
        self._talks.popleft()
        self._begun = False

    def _hold(self, talk: Talk) -> None:
        """Go on with one until StopIteration says that it is over."""
        if not self._begun:
            self._take(next(talk))
            self._begun = True
        while True:
            key = self._wait()
            self._take(talk.send(key))

    def _take(self, wanted: frozenset[int] | int) -> None:
        if isinstance(wanted, int):
            self._keys = frozenset()
            self._until = self._clock.cycles + wanted
        else:
            self._keys = wanted

    def _wait(self) -> int:
        """The key that was waited for; 0 when time has passed. Raises Pause."""
        if self._keys:
            while (key := self._keyboard.wait_key()) not in self._keys:
                pass
            return key
        clock = self._clock
        while clock.cycles < self._until:
            clock.advance_to(min(self._until, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                clock.service()
        return 0
