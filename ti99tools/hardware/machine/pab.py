"""What a program asks of a device, how the device answers, and what it says to the user.

The names follow the Peripheral Access Block (PAB) of the TI-99/4A's device service routines.

A device talks to the user with texts on the screen, keys that answer them, and time that passes.
Its side of the conversation is a generator: it yields the keys that it waits for and is sent the
one pressed, or it yields cycles that pass. A conversation can be left while it waits, and resumed
later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from enum import Enum
from typing import Protocol

from ti99tools.base.record import Record
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.keyboard import Keyboard

OPEN, CLOSE, READ, WRITE, REWIND, LOAD, SAVE, DELETE, SCRATCH, STATUS = range(10)
"""Operations of a PAB; as the first digit of an I/O code Extended BASIC shows them."""
(
    BAD_DEVICE,
    WRITE_PROTECTED,
    BAD_ATTRIBUTE,
    ILLEGAL_OPERATION,
    OUT_OF_SPACE,
    PAST_END,
    DEVICE_ERROR,
    FILE_ERROR,
) = range(8)
"""Errors of a device, in the PAB's flag byte; the second digit of an I/O code.

`BAD_ATTRIBUTE` is a file that is not there, too. `FILE_ERROR` comes before all others where a file
is not open.
"""
RELATIVE, INTERNAL, VARIABLE = 0x01, 0x08, 0x10
"""Bits of a PAB's flags; the two after the first are the mode."""


class Mode(Enum):
    """The four ways to open a file (PAB flag bits 1–2)."""

    UPDATE = 0
    OUTPUT = 1
    INPUT = 2
    APPEND = 3


class OpenRequest(Record):
    """The attributes of an OPEN.

    `record_length` 0 means that none was given: the file's own, or 80 for a new one. `initial` is
    the number of records that RELATIVE n or SEQUENTIAL n reserves in a new file of fixed records.
    """

    mode: Mode = Mode.UPDATE
    internal: bool = False
    variable: bool = True
    relative: bool = False
    record_length: int = 0
    initial: int = 0


class IOFailure(Exception):
    """A device service routine's refusal; `code` is one of the errors `BAD_DEVICE` … `FILE_ERROR`.

    `operation` is the PAB's, where the device knows it better than its caller.
    """

    def __init__(self, code: int, operation: int = 0) -> None:
        self.code = code
        self.operation = operation
        super().__init__(f"I/O error {code}")


class DeviceFile(Protocol):
    """An open file at the device: whole records in and out.

    `record_length` is in bytes; `fixed` tells whether `record` numbers count. Every method may
    raise `IOFailure`; after a failure the device has closed a data file.
    """

    record_length: int
    fixed: bool

    def read(self, record: int) -> bytes:
        """The next record; of a fixed file, the one with that number, from 0."""
        ...

    def write(self, data: bytes, record: int) -> None:
        """Write a record of at most `record_length` bytes; in a fixed file, exactly that many."""
        ...

    def rewind(self) -> None:
        """Go back to the first record."""
        ...

    def status(self, record: int) -> int:
        """0: more to read, 1: at the end, -1: at the end and the medium is full."""
        ...

    def close(self) -> None:
        """Put what was written on the medium; the file cannot be used afterwards."""
        ...


class Devices(Protocol):
    """The devices of a console by name, as `OPEN #1:"DSK1.NAME"` gives them."""

    def open(self, name: str, request: OpenRequest) -> DeviceFile:
        """Open a file. Raises `IOFailure`."""
        ...

    def delete(self, name: str) -> None:
        """Delete a file, if it exists. Raises `IOFailure`."""
        ...


Talk = Generator["frozenset[int] | int", int, None]
"""Yields keys or cycles, and is sent the key; a refusal of the device is an IOFailure."""


class Conversations:
    """Conversations that must end before the console goes on, in order."""

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
        """Queue what a device has to say, after the others."""
        self._talks.append(talk)

    def go_on(self) -> None:
        """Bring all conversations to their end.

        Raises Pause while a key is waited for or when a pause is due, and IOFailure when a device
        refuses; its conversation is over then.
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
        """Continue a conversation; StopIteration tells that it is over."""
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
            # Other keys do nothing, as at the machine's prompts.
            while (key := self._keyboard.wait_key()) not in self._keys:
                pass
            return key
        clock = self._clock
        while clock.cycles < self._until:
            clock.advance_to(min(self._until, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                clock.service()
        return 0
