"""What a program and its names have taken of memory: who fills it gets MEMORY FULL."""

from __future__ import annotations

from collections.abc import Iterable

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.source.prescan import sizes
from ti99tools.source.prescan.symbols import Symbol


class Taken:
    """Bytes taken of both memories; not `limited`, more than there are."""

    def __init__(self, lines: Iterable[bytes] = (), *, limited: bool = True) -> None:
        self.video = 0
        self.values = 0
        self.program = sum(sizes.LINE_OVERHEAD + len(tokens) for tokens in lines)
        self.limited = limited

    def take(self, video: int, values: int = 0) -> None:
        """Reserve bytes; MEMORY FULL if they are not there."""
        self.video += video
        self.values += values
        if not self.limited:
            return
        if self.video > sizes.VIDEO_SPACE or self.program + self.values > sizes.HIGH_SPACE:
            raise XBError(xb.MEMORY_FULL)

    def symbol(self, symbol: Symbol, elements: int) -> None:
        """Enter a variable, array or function; `elements` is 0 for an array parameter."""
        size = sizes.ENTRY + len(symbol.name)
        if symbol.function is not None:
            numeric = symbol.argument is not None and not symbol.argument.endswith("$")
            self.take(size, sizes.NUMBER if numeric else 0)
            return
        size += sizes.PER_DIMENSION * symbol.dimensions
        if not symbol.is_string:
            self.take(size, sizes.NUMBER * elements)
        elif symbol.dimensions:
            self.take(size + sizes.POINTER * elements - sizes.POINTER)
        else:
            self.take(size)

    def subprogram(self, name: str, parameters: int) -> None:
        """Enter a SUB."""
        self.take(sizes.SUB_ENTRY + len(name) + sizes.PER_PARAMETER * parameters)

    def built_in(self, name: str) -> None:
        """Enter a built-in subprogram that is called."""
        self.take(sizes.ENTRY + len(name))
