"""Statement class → the function that writes its Python lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ti99tools.source.syntax.statements import Statement

F = TypeVar("F", bound=Callable[..., None])


class Family:
    """How one kind of statement is emitted: its handler and number of blocks."""

    __slots__ = ("handler", "phases")

    def __init__(self, handler: Callable[..., None], phases: int) -> None:
        self.handler = handler
        self.phases = phases


FAMILIES: dict[type[Statement], Family] = {}


def emits(kind: type[Statement], phases: int = 1) -> Callable[[F], F]:
    """Register a function as the emitter of a kind of statement."""

    def register(function: F) -> F:
        FAMILIES[kind] = Family(function, phases)
        return function

    return register
