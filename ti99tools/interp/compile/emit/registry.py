"""Statement class → the function that writes its Python lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ti99tools.source.syntax.statements import Statement

if TYPE_CHECKING:
    from ti99tools.interp.compile.emit.emitter import Emitter

F = TypeVar("F", bound=Callable[..., None])


class Family:
    """How one kind of statement is emitted: its handler and number of blocks."""

    __slots__ = ("handler", "phases")

    def __init__(self, handler: Callable[..., None], phases: int) -> None:
        self.handler = handler
        self.phases = phases

    def emit(self, emitter: Emitter, node: Any, phase: int) -> None:
        """Write the lines of one phase of a statement."""
        if self.phases == 1:
            self.handler(emitter, node)
        else:
            self.handler(emitter, node, phase)


FAMILIES: dict[type[Statement], Family] = {}


def emits(kind: type[Statement], phases: int = 1) -> Callable[[F], F]:
    """Register a function as the emitter of a kind of statement."""

    def register(function: F) -> F:
        FAMILIES[kind] = Family(function, phases)
        return function

    return register
