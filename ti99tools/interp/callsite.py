"""A CALL of a user's subprogram at one place of the program: how the arguments are passed."""

from __future__ import annotations

from dataclasses import dataclass
from types import CellType
from typing import Any

from ti99tools.interp.activation import Activation
from ti99tools.interp.symbols import Scope, Symbol


@dataclass(frozen=True, slots=True)
class Passed:
    """One argument: a variable or whole array passed by reference, or the source of a value."""

    symbol: Symbol | None
    source: str = ""


class CallSite:
    """Binds the parameters of a SUB; made once for each activation that holds the CALL.

    By reference the parameter is the caller's own cell. Values go into cells that belong to the
    call site, so that one activation of the SUB serves every call from here.
    """

    __slots__ = ("callee", "start", "sub", "values")

    def __init__(self, caller: Activation, sub: Scope, passed: tuple[Passed, ...]) -> None:
        self.sub = sub
        shape = tuple(
            p.symbol.sizes if p.symbol is not None and p.symbol.dimensions else None for p in passed
        )
        scope = sub.variant(shape) if any(shape) else sub
        self.values: list[CellType] = []
        bound: dict[str, CellType] = {}
        for parameter, one in zip(sub.parameters, passed, strict=True):
            symbol = scope.symbols[parameter.name]
            if one.symbol is not None:
                bound[symbol.python] = caller.variable(one.symbol)
            else:
                cell = CellType("" if symbol.is_string else 0)
                bound[symbol.python] = cell
                self.values.append(cell)
        self.callee = caller.call(scope, bound)
        self.start = scope.first_statement

    def bind(self, values: tuple[Any, ...]) -> None:
        """Put the values of a call into their cells."""
        for cell, value in zip(self.values, values, strict=True):
            cell.cell_contents = value
