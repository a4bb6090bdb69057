"""The built-in subprograms by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ti99tools.interp.subprograms.args import Args
from ti99tools.interp.subprograms.surroundings import Surroundings

Subprogram = Callable[[Surroundings, Args], None]

F = TypeVar("F", bound="Subprogram")

SUBPROGRAMS: dict[str, Subprogram] = {}
"""Name as written after CALL → what does it."""


def subprogram(name: str) -> Callable[[F], F]:
    """Register a function as the built-in subprogram `name`."""

    def register(function: F) -> F:
        SUBPROGRAMS[name] = function
        return function

    return register
