"""Calls of built-in subprograms with arguments made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.openfiles import Files
from ti99tools.computer.interp.io.printer import PrintRow
from ti99tools.computer.interp.io.screenio import ScreenIO
from ti99tools.computer.interp.subprograms import SUBPROGRAMS
from ti99tools.computer.interp.subprograms.args import ALL, HASH, NUMBER, STRING, Arg, Args, Sounds
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Value
from ti99tools.hardware.machine.machine import Machine


@dataclass
class Var:
    """A variable; `name` ends in $ for a string."""

    name: str = "X"
    value: Value = 0
    history: list[Value] = field(default_factory=list)

    def set(self, value: Value) -> None:
        self.value = value
        self.history.append(value)


@dataclass(frozen=True)
class Sprite:
    """The argument #n."""

    number: object


EVERY = object()
"""The argument ALL."""


class Console:
    """A machine and the subprograms on it."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.pending = PrintRow()
        self.sounds = Sounds(self.machine, self.machine.clock.service)
        screen = ScreenIO(self.machine, self.pending, lambda _code, _pushed="": None, lambda: None)
        self.files = Files(self.machine.devices, self.machine.conversations, screen.printer)
        self.error = None
        self.code = MachineCode(self.machine)
        self.program_poked: Callable[[], None] = lambda: None
        self.note_leftovers: Callable[[], None] = lambda: None

    def call(self, name: str, *arguments: object) -> int | None:
        """CALL name(arguments): the error's code, None if there was none."""
        try:
            SUBPROGRAMS[name](self, Args([_arg(a) for a in arguments]))
        except XBError as error:
            return error.code
        if name == "SOUND":
            self.sounds.finish(0)
        return None


def _value(argument: object) -> Value:
    if isinstance(argument, float):
        return parse_number(repr(argument).upper())
    assert isinstance(argument, (int, str))
    return argument


def _arg(argument: object) -> Arg:
    if argument is EVERY:
        return Arg(ALL, lambda: 0)
    if isinstance(argument, Sprite):
        return Arg(HASH, lambda: _value(argument.number))
    if isinstance(argument, Var):
        kind = STRING if argument.name.endswith("$") else NUMBER
        return Arg(kind, lambda: argument.value, argument.set)
    value = _value(argument)
    return Arg(STRING if isinstance(value, str) else NUMBER, lambda: value)
