"""Built-in subprograms: their arguments, their table, what they see of the console, SOUND's wait.

`Arg` is one argument as written in the program, made once for each place in the program; `Args` is
a cursor over the arguments of one call. Nothing is evaluated before the subprogram asks for it, and
then in the order it asks, so that an error in a later argument comes after the effects of the
earlier ones, as on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from ti99tools.base.cycles.language import SOUND_AFTER_WAIT
from ti99tools.base.entries import Entries
from ti99tools.base.record import Record
from ti99tools.base.xberrors import (
    BAD_VALUE,
    IMPROPERLY_USED_NAME,
    STRING_NUMBER_MISMATCH,
    SYNTAX_ERROR,
    XBError,
    outside,
)
from ti99tools.computer.interp.io.openfiles import Files
from ti99tools.computer.interp.io.printer import PrintRow
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import Number, Value
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import SPRITE_COUNT


class Sound(Record):
    """A sound of up to three tones (period, attenuation) and a noise (control, attenuation).

    Its length is in milliseconds; a negative one does not wait. `later` are the cycles that its
    tones after the first took.
    """

    milliseconds: int
    tones: Sequence[tuple[int, int]]
    noise: tuple[int, int] | None
    later: int = 0


class Sounds:
    """Plays the sounds of a program; `attend` does what is due while one is waited for."""

    def __init__(self, machine: Machine, attend: Callable[[], None]) -> None:
        self._chip = machine.sound
        self._clock = machine.clock
        self._keyboard = machine.keyboard
        self._attend = attend
        self._next: Sound | None = None

    def begin(self, sound: Sound) -> None:
        """Take a sound; `finish` plays it."""
        self._next = sound

    def finish(self, since: int) -> None:
        """Play the sound taken last, after the one in progress if it waits for that.

        A negative length stops the one in progress as soon as the length has been evaluated, which
        was `since + SOUND_AFTER_WAIT` cycles ago. Raises Pause when one is due; call again to go
        on.
        """
        sound = self._next
        assert sound is not None, "no sound is to be played"
        if sound.milliseconds < 0:
            self._chip.forget(since + SOUND_AFTER_WAIT + sound.later)
        elif self._chip.playing:
            self._wait()
            self._clock.advance(SOUND_AFTER_WAIT)
        self._next = None
        self._chip.play(abs(sound.milliseconds), sound.tones, sound.noise)

    def _wait(self) -> None:
        """Wait for the sound in progress.

        The machine scans the keyboard all the time; only what the last scan finds affects later
        ones, so one scan is made.
        """
        chip, clock = self._chip, self._clock
        while chip.playing:
            clock.advance_to(min(chip.quiet_at, max(clock.next_event, clock.cycles)))
            if clock.cycles >= clock.next_event:
                self._attend()
        self._keyboard.scan_aside(0)


Elements = list[Value]
"""The elements of an array, row by row."""

NUMBER, STRING, HASH, ALL, ARRAY = "number", "string", "hash", "all", "array"
_EXPRESSIONS = (NUMBER, STRING)


class Arg:
    """One argument: its kind, how to evaluate it, and how to store into it if it is a variable.

    Kinds: NUMBER and STRING expressions; HASH for `#` and a numeric expression (`get` returns the
    number after the sign); ALL for the word ALL; ARRAY for a whole array, whose elements `get`
    returns (`string`: they are strings; `base`: the number of the first). `set` is None unless it
    is a variable. An argument with wrong syntax has a `get` that raises the machine's error.
    """

    __slots__ = ("base", "get", "kind", "set", "string")

    def __init__(
        self,
        kind: str,
        get: Callable[[], Any],
        set: Callable[[Value], None] | None = None,
        string: bool = False,
        base: int = 0,
    ) -> None:
        self.kind = kind
        self.get = get
        self.set = set
        self.string = string
        self.base = base


class Args:
    """Takes the arguments of one call one after the other."""

    __slots__ = ("_args", "_at", "_clock", "_times")

    def __init__(
        self, args: Sequence[Arg], clock: Clock | None = None, times: Sequence[int] = ()
    ) -> None:
        """`times`: the cycles of each argument, which `clock` gets when it is taken; without them
        all have been charged before.
        """
        self._args = args
        self._at = 0
        self._clock = clock
        self._times = times

    @property
    def count(self) -> int:
        """Number of arguments written."""
        return len(self._args)

    def more(self) -> bool:
        """Tell whether an argument is left."""
        return self._at < len(self._args)

    def groups(self) -> Iterator[None]:
        """Once for each group that the caller takes: at least one, until none is left."""
        yield
        while self.more():
            yield

    def peek(self) -> Arg:
        """The next argument, not taken yet; SYNTAX ERROR if there is none."""
        if self._at >= len(self._args):
            raise XBError(SYNTAX_ERROR)
        return self._args[self._at]

    def take(self) -> Arg:
        """Take the next argument as it is."""
        arg = self.peek()
        self._at += 1
        return arg

    def is_string(self) -> bool:
        """Tell whether the next argument is a string expression."""
        return self.peek().kind == STRING

    def is_hash(self) -> bool:
        """Tell whether the next argument begins with `#`."""
        return self.peek().kind == HASH

    def is_all(self) -> bool:
        """Tell whether the next argument is the word ALL."""
        return self.peek().kind == ALL

    def number(self) -> Number:
        """Take a numeric expression's value.

        STRING-NUMBER MISMATCH for a string, SYNTAX ERROR for `#`, ALL or a missing argument.
        """
        value = self._value()
        if isinstance(value, str):
            raise XBError(STRING_NUMBER_MISMATCH)
        return value

    def integer(self, lo: int, hi: int) -> int:
        """Take a number, rounded (halves up); BAD VALUE outside `lo` to `hi`."""
        return _within(self._value(), lo, hi)

    def leading(self, lo: int, hi: int) -> int:
        """As `integer`, for an argument that must be followed by another.

        The machine requires the comma before it looks at the value: without a next argument it is a
        SYNTAX ERROR whatever the value.
        """
        value = self._value()
        self.peek()
        return _within(value, lo, hi)

    def leading_number(self) -> Number:
        """As `number`, for an argument that must be followed by another."""
        value = self._value()
        self.peek()
        if isinstance(value, str):
            raise XBError(STRING_NUMBER_MISMATCH)
        return value

    def _step(self) -> None:
        """Go to the next argument, and take the time of this one."""
        if self._clock is not None:
            self._clock.cycles += self._times[self._at]
        self._at += 1

    def _value(self) -> Value:
        at = self._at
        if at < len(self._args):
            arg = self._args[at]
            self._step()
            if arg.kind in _EXPRESSIONS:
                value: Value = arg.get()
                return value
        raise XBError(SYNTAX_ERROR)

    def string(self) -> str:
        """Take a string expression's value; STRING-NUMBER MISMATCH for a number."""
        value = self._value()
        if isinstance(value, str):
            return value
        raise XBError(STRING_NUMBER_MISMATCH)

    def sprite(self) -> int:
        """Take `#n`, rounded, 1–28; 0-based. SYNTAX ERROR without the sign, BAD VALUE outside."""
        return _within(self._hash_value(), 1, SPRITE_COUNT) - 1

    def leading_sprite(self) -> int:
        """As `sprite`, for an argument that must be followed by another."""
        value = self._hash_value()
        self.peek()
        return _within(value, 1, SPRITE_COUNT) - 1

    def _hash_value(self) -> Value:
        arg = self.peek()
        if arg.kind != HASH:
            raise XBError(SYNTAX_ERROR)
        self._step()
        value: Value = arg.get()
        return value

    def all(self) -> None:
        """Take the word ALL; SYNTAX ERROR for anything else."""
        if not self.is_all():
            raise XBError(SYNTAX_ERROR)
        self._at += 1

    def store_number(self, value: Number, string_error: int = IMPROPERLY_USED_NAME) -> None:
        """Store into a numeric variable and take it.

        SYNTAX ERROR if it is not a variable, `string_error` for a string variable, which differs
        between the machine's routines.
        """
        self._variable(NUMBER, string_error)(value)

    def check_number(self) -> Callable[[Value], None]:
        """Take a numeric variable now, to be stored into later; errors as `store_number`."""
        return self._variable(NUMBER, IMPROPERLY_USED_NAME)

    def store_string(self, value: str) -> None:
        """Store into a string variable and take it.

        SYNTAX ERROR if it is not a variable, STRING-NUMBER MISMATCH for a numeric variable.
        """
        self._variable(STRING, STRING_NUMBER_MISMATCH)(value)

    def end(self) -> None:
        """Require that no argument is left; SYNTAX ERROR otherwise."""
        if self._at < len(self._args):
            raise XBError(SYNTAX_ERROR)

    def _variable(self, kind: str, wrong_type: int) -> Callable[[Value], None]:
        arg = self.peek()
        self._step()
        if arg.set is None:
            raise XBError(SYNTAX_ERROR)
        if arg.kind != kind:
            raise XBError(wrong_type)
        return arg.set


def _within(value: Value, lo: int, hi: int) -> int:
    """A value rounded to an integer; STRING-NUMBER MISMATCH or BAD VALUE."""
    if type(value) is not int:
        if isinstance(value, str):
            raise XBError(STRING_NUMBER_MISMATCH)
        value = to_integer(value)
    if lo <= value <= hi:
        return value
    raise outside(BAD_VALUE, value, lo, hi)


class HandledError(Protocol):
    """An error that a handler works on, and the number of its line."""

    @property
    def error(self) -> XBError: ...

    @property
    def line(self) -> int: ...


class SubprogramContext(Protocol):
    """What subprograms see: the machine, the row that PRINT is in, the sounds to play, machine
    code, the error being handled, and the files that the program has opened.

    Call `program_poked` when the program may have been changed, and `note_leftovers` before a
    program can look at what statements leave in the scratchpad.
    """

    @property
    def machine(self) -> Machine: ...

    @property
    def pending(self) -> PrintRow: ...

    @property
    def sounds(self) -> Sounds: ...

    @property
    def code(self) -> MachineCode: ...

    def note_leftovers(self) -> None: ...

    @property
    def program_poked(self) -> Callable[[], None]: ...

    @property
    def error(self) -> HandledError | None: ...

    @property
    def files(self) -> Files: ...


Subprogram = Callable[[SubprogramContext, Args], None]

SUBPROGRAMS = Entries[str, Subprogram]()
"""Name as written after CALL → its function."""
