"""The cassette recorders: device service routines of CS1 and CS2, which talk to the user.

CS1 plays and records, CS2 only records. The order of the prompts is recorded; the time that the
motor gets (half a second), the pauses before recording (5 and 10 seconds) and what R, C and E do
after an error in a SAVE are from published descriptions of the console's routines.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base import codes
from ti99tools.hardware.machine.clock import FRAME, Clock
from ti99tools.hardware.machine.pab import (
    CLOSE,
    DEVICE_ERROR,
    ILLEGAL_OPERATION,
    LOAD,
    OPEN,
    REWIND,
    SAVE,
    Conversations,
    DeviceFile,
    IOFailure,
    Mode,
    OpenRequest,
    Talk,
)
from ti99tools.hardware.machine.screen import BLANK, COLUMNS, ROWS, Screen
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.media.tape.cassette import Cassette
from ti99tools.media.tape.recovery import BLOCK, COPY, HEAD, LEADER

BIT = 2 * 17 * 64
"""Cycles of a bit."""
MOTOR = 30 * FRAME
"""Cycles that the motor gets whenever it is switched on or off."""
BEFORE_RECORDS, BEFORE_PROGRAM = 300 * FRAME, 600 * FRAME
"""Cycles that the tape runs before the first record, and before a program."""
NO_DATA = 1_612 * FRAME
"""Cycles until a tape without a signal is given up: 27 seconds (fitted to recorded `OLD CS1`)."""

_MARGIN = 2
_WIDTH = 25
_YES, _NO, _CHECK = ord("Y"), ord("N"), ord("C")
_AGAIN, _LEAVE = ord("R"), ord("E")
_LETTERS = frozenset((_CHECK, _AGAIN, _LEAVE))
"""Keys that leave every prompt but CHECK TAPE, which only shows them."""


class _Elsewhere(Exception):
    """Raised for a key other than ENTER, with what it asks for."""

    def __init__(self, key: int) -> None:
        super().__init__(key)
        self.key = key


class Recorder:
    """A recorder at the console, `CS1` or `CS2`, with a cassette or without one."""

    def __init__(
        self,
        name: str,
        cassette: Cassette | None,
        clock: Clock,
        screen: Screen,
        sound: SoundChip,
        conversations: Conversations,
    ) -> None:
        self.name = name
        self.cassette = cassette or Cassette()
        self._clock = clock
        self._screen = screen
        self._sound = sound
        self._entered = False
        """Set when ENTER has answered, until something is shown."""
        self._conversations = conversations

    @property
    def plays(self) -> bool:
        """Tell whether it can play."""
        return self.name == "CS1"

    # -- operations -----------------------------------------------------------------------

    def open(self, request: OpenRequest) -> DeviceFile:
        """Open a file of records, and begin with the prompts.

        Records of more than 192 bytes can be opened too (recorded: FIXED 193 prompts like any
        other). What the machine then writes is unknown; here it is one more block.
        """
        writes = request.mode is Mode.OUTPUT
        if request.variable or request.relative or not (writes or request.mode is Mode.INPUT):
            raise IOFailure(ILLEGAL_OPERATION)
        if not (writes or self.plays):
            raise IOFailure(ILLEGAL_OPERATION)
        # The tape holds whole blocks: FIXED 100 takes two of 64 bytes.
        blocks = -(-request.record_length // BLOCK) or 1
        file = RecordFile(self, writes, BLOCK * blocks)
        self.begin(lambda: self._open(writes), OPEN)
        return file

    def delete(self) -> None:
        """What DELETE does: as CLOSE."""
        self.close()

    def close(self) -> None:
        """Begin with the prompt for STOP."""
        self.begin(self._stop, CLOSE)

    def rewind(self, writes: bool) -> None:
        """Begin RESTORE, which asks the same as OPEN."""
        self.begin(lambda: self._open(writes), REWIND)

    def load(self) -> bytearray:
        """Begin to load; the result holds the program's bytes once the conversation is over."""
        if not self.plays:
            raise IOFailure(ILLEGAL_OPERATION)
        data = bytearray()
        self.begin(lambda: self._load(data), LOAD, data)
        return data

    def save(self, data: bytes) -> None:
        """Begin to save a program."""
        self.begin(lambda: self._save(data), SAVE, data)

    def begin(
        self,
        work: Callable[[], Talk],
        operation: int,
        memory: bytes | bytearray | None = None,
    ) -> None:
        """Begin a conversation; `memory` is what C compares the tape with."""
        self._conversations.begin(self._talk(work, operation, memory))

    # -- records --------------------------------------------------------------------------

    def read(self, length: int) -> bytes:
        """The next record. Without a good one of this length the prompt for STOP begins."""
        self._clock.advance(MOTOR)
        data, present = self._next()
        if present and data is not None and len(data) == length:
            self._clock.advance(_playing(length) + MOTOR)
            return data
        # A block of another length, or a damaged one, is noticed only after its time.
        self._clock.advance(_playing(length) if present else NO_DATA)
        self.close()
        raise IOFailure(DEVICE_ERROR)

    def write(self, data: bytes) -> None:
        """Record one record, and take the time that the tape runs for it."""
        self.cassette.record(data)
        self._clock.advance(MOTOR + _recording(len(data)) + MOTOR)

    def _next(self) -> tuple[bytes | None, bool]:
        return self.cassette.play()

    # -- conversations --------------------------------------------------------------------

    def _talk(
        self, work: Callable[[], Talk], operation: int, memory: bytes | bytearray | None
    ) -> Talk:
        step = work
        while True:
            try:
                yield from step()
            except _Elsewhere as wish:
                if wish.key == _CHECK:
                    step = work if memory is None else lambda: self._check(operation, memory)
                else:
                    step = work if wish.key == _AGAIN else lambda: self._leave(operation)
            else:
                return

    def _open(self, writes: bool) -> Talk:
        yield from self._wound(writes)
        yield MOTOR
        yield BEFORE_RECORDS
        yield MOTOR
        yield from self._exit()

    def _wound(self, writes: bool) -> Talk:
        """Have the tape rewound, and a key of the recorder pressed."""
        yield MOTOR
        yield from self._ask("* REWIND CASSETTE TAPE")
        self.cassette.rewind()
        yield MOTOR
        yield from self._ask("* PRESS CASSETTE RECORD" if writes else "* PRESS CASSETTE PLAY")

    def _load(self, program: bytearray) -> Talk:
        yield from self._wound(False)
        self._say("* READING")
        yield MOTOR
        data, present = self._next()
        if data is None:
            yield from self._trouble(LOAD, present)
        else:
            yield _playing(len(data))
            program[:] = data
            self._say("* DATA OK")
            yield from self._stop()

    def _save(self, data: bytes) -> Talk:
        yield from self._wound(True)
        yield MOTOR
        self._say("* RECORDING")
        yield BEFORE_PROGRAM
        self.cassette.record(data)
        yield _recording(len(data))
        yield MOTOR
        yield from self._ask("* PRESS CASSETTE STOP")
        # CS2 cannot play, so it does not offer to check the tape.
        if not self.plays:
            yield from self._exit()
            return
        self._say("* CHECK TAPE (Y OR N)?")
        key = 0
        while key not in (_YES, _NO):
            key = yield _LETTERS | {_YES, _NO}
            self._screen.put(ROWS - 1, _MARGIN + _WIDTH, key)
        if key == _NO:
            yield from self._exit()
        else:
            yield from self._check(SAVE, data)

    def _check(self, operation: int, memory: bytes | bytearray) -> Talk:
        yield from self._wound(False)
        self._say("* CHECKING")
        yield MOTOR
        data, present = self._next()
        # The tape holds whole blocks, so it may be longer than the program.
        if data is None or data[: len(memory)] != memory or not memory:
            yield from self._trouble(operation, present)
        else:
            yield _playing(len(data))
            self._say("* DATA OK")
            yield from self._stop()

    def _trouble(self, operation: int, present: bool) -> Talk:
        """Show that nothing was read, or that it is damaged or different, and ask what to do."""
        yield NO_DATA if not present else _playing(BLOCK)
        yield MOTOR
        self._say(
            "* ERROR IN DATA DETECTED" if present else "* ERROR - NO DATA FOUND",
            f"{'  PRESS R TO RECORD' if operation == SAVE else '  PRESS R TO READ':<{_WIDTH}}"
            f"{self.name}",
            "  PRESS C TO CHECK",
            "  PRESS E TO EXIT",
        )
        self._sound.honk()
        yield from self._answered()
        raise _Elsewhere(_AGAIN)

    def _leave(self, operation: int) -> Talk:
        """E was pressed: the operation fails.

        After a LOAD that failed Extended BASIC opens the name as a file of VARIABLE records, which
        no recorder has: that refusal is shown, one row further down (recorded).
        """
        yield from self._stop()
        if operation == LOAD:
            self._scroll()
            raise IOFailure(ILLEGAL_OPERATION, OPEN)
        raise IOFailure(DEVICE_ERROR, operation)

    def _stop(self) -> Talk:
        yield MOTOR
        yield from self._ask("* PRESS CASSETTE STOP")
        yield from self._exit()

    def _exit(self) -> Talk:
        yield MOTOR
        self._scroll()

    # -- screen and keys ------------------------------------------------------------------

    def _ask(self, text: str) -> Talk:
        """Ask for an action at the recorder, and wait for ENTER."""
        self._say(f"{text:<{_WIDTH}}{self.name}", "  THEN PRESS ENTER")
        yield from self._answered()

    def _answered(self) -> Talk:
        key = yield _LETTERS | {codes.ENTER}
        if key != codes.ENTER:
            raise _Elsewhere(key)
        self._entered = True

    def _say(self, *rows: str) -> None:
        """Show rows after an empty one, and beep: twice after ENTER (random4-minimal-cs1-enter)."""
        self._scroll()
        for row in rows:
            self._scroll()
            self._screen.write(ROWS - 1, _MARGIN, row.encode("ascii"))
        if self._entered:
            self._sound.beep()
            self._entered = False
        self._sound.beep()

    def _scroll(self) -> None:
        """Scroll; the row has no edge characters."""
        self._screen.scroll()
        self._screen.write(ROWS - 1, 0, bytes((BLANK,)) * COLUMNS)


class RecordFile:
    """A file of records on a cassette: each record is a unit of its own, for which the motor is
    switched on and off.
    """

    fixed = True

    def __init__(self, recorder: Recorder, writes: bool, record_length: int) -> None:
        self.record_length = record_length
        self._recorder = recorder
        self._writes = writes

    def read(self, _record: int) -> bytes:
        """The next record of the tape, whatever its number."""
        return self._recorder.read(self.record_length)

    def write(self, data: bytes, _record: int) -> None:
        """Record one record; tapes have no record numbers."""
        self._recorder.write(data)

    def rewind(self) -> None:
        """Begin with the prompts of OPEN."""
        self._recorder.rewind(self._writes)

    def status(self, _record: int) -> int:
        """0: the end of a tape is not known."""
        return 0

    def close(self) -> None:
        """Begin with the prompt for STOP."""
        self._recorder.close()


def _recording(size: int) -> int:
    """Cycles for a unit of `size` bytes."""
    blocks = -(-size // BLOCK)
    return 8 * BIT * (LEADER + HEAD + 2 * COPY * blocks)


def _playing(size: int) -> int:
    """Cycles until a unit has been read: the first copy of the last block is enough."""
    return _recording(size) - 8 * BIT * COPY
