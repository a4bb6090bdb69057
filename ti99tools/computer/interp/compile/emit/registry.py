"""Statement class → the function that writes its Python lines, and what the statement costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ti99tools.base.cycles.language import OTHER
from ti99tools.language.syntax.statements import Statement

F = TypeVar("F", bound=Callable[..., None])
C = TypeVar("C", bound=Callable[..., int])


@dataclass(slots=True)
class Family:
    """How one kind of statement is emitted: its handler, its number of blocks, and its cost.

    `cycles` is the cost of the statement itself, `parts` that of its parts.
    """

    handler: Callable[..., None]
    phases: int
    cycles: int
    parts: Callable[..., int] | None = None


FAMILIES: dict[type[Statement], Family] = {}


def emits(kind: type[Statement], phases: int = 1, cycles: int = OTHER) -> Callable[[F], F]:
    """Register a function as the emitter of a kind of statement.

    `cycles` is its cost by itself (CPU cycles, 3 MHz).
    """

    def register(function: F) -> F:
        FAMILIES[kind] = Family(function, phases, cycles)
        return function

    return register


def costs(kind: type[Statement]) -> Callable[[C], C]:
    """Register a function as the cost of the parts of a kind of statement, which has its emitter.

    It is called with a `Timing` and the statement and returns cycles.
    """

    def register(function: C) -> C:
        FAMILIES[kind].parts = function
        return function

    return register
