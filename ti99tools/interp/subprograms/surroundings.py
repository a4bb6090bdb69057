"""What built-in subprograms see of the running console."""

from __future__ import annotations

from typing import Protocol

from ti99tools.base.xberrors import XBError
from ti99tools.interp.io.printer import PrintRow
from ti99tools.interp.io.sounds import Sounds
from ti99tools.machine.machine import Machine


class Handled(Protocol):
    """An error that a handler works on, and the number of its line."""

    @property
    def error(self) -> XBError: ...

    @property
    def line(self) -> int: ...


class Surroundings(Protocol):
    """The machine, the row that PRINT is in the middle of, the sounds to play, and the error being
    handled.
    """

    @property
    def machine(self) -> Machine: ...

    @property
    def pending(self) -> PrintRow: ...

    @property
    def sounds(self) -> Sounds: ...

    @property
    def error(self) -> Handled | None: ...
