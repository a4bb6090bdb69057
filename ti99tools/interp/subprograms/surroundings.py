"""What built-in subprograms see of the running console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ti99tools.base.xberrors import XBError
from ti99tools.interp.io.printer import PrintRow
from ti99tools.interp.io.sounds import Sounds
from ti99tools.machine.machine import Machine
from ti99tools.machinecode.machinecode import MachineCode


class Handled(Protocol):
    """An error that a handler works on, and the number of its line."""

    @property
    def error(self) -> XBError: ...

    @property
    def line(self) -> int: ...


class Surroundings(Protocol):
    """The machine, the row that PRINT is in the middle of, the sounds to play, machine code, and
    the error being handled; `program_poked` is called when the program may have been changed.
    """

    @property
    def machine(self) -> Machine: ...

    @property
    def pending(self) -> PrintRow: ...

    @property
    def sounds(self) -> Sounds: ...

    @property
    def code(self) -> MachineCode: ...

    @property
    def program_poked(self) -> Callable[[], None]: ...

    @property
    def error(self) -> Handled | None: ...
