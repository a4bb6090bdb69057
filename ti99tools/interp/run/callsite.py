"""A CALL of a user's subprogram at one place of the program: how the arguments are passed."""

from __future__ import annotations

from dataclasses import dataclass
from types import CellType
from typing import Any

from ti99tools.interp.compile.names import cells_of, python_of
from ti99tools.interp.run.activation import Activation
from ti99tools.source.prescan.symbols import ELEMENT, Scope, Shape, Symbol


@dataclass(frozen=True, slots=True)
class Passed:
    """One argument: a variable, whole array or array element passed by reference, or a value.

    `source` is the source of the value, or of an element's position in the flat list of `symbol`.
    """

    symbol: Symbol | None
    source: str = ""

    @property
    def is_element(self) -> bool:
        """Whether an array element is passed, be it by way of a parameter that stands for one."""
        return self.symbol is not None and (bool(self.source) or self.symbol.element)

    @property
    def shape(self) -> Shape:
        """What the SUB has to know of the argument."""
        if self.is_element:
            return ELEMENT
        return self.symbol.sizes if self.symbol is not None else None


class CallSite:
    """Binds the parameters of a SUB; made once for each activation that holds the CALL.

    By reference the parameter is the caller's own cell. Values go into cells that belong to the
    call site, so that one activation of the SUB serves every call from here.
    """

    __slots__ = ("callee", "start", "sub", "values")

    def __init__(self, caller: Activation, sub: Scope, passed: tuple[Passed, ...]) -> None:
        self.sub = sub
        shape = tuple(one.shape for one in passed)
        scope = sub.variant(shape) if any(shape) else sub
        self.values: list[CellType] = []
        bound: dict[str, CellType] = {}
        for parameter, one in zip(sub.parameters, passed, strict=True):
            symbol = scope.symbols[parameter.name]
            if one.symbol is None:
                cell = CellType("" if symbol.is_string else 0)
                bound[python_of(symbol)] = cell
                self.values.append(cell)
            elif not one.is_element:
                bound[python_of(symbol)] = caller.variable(one.symbol)
            elif one.symbol.element:
                for ours, theirs in zip(cells_of(symbol), cells_of(one.symbol), strict=True):
                    bound[ours] = caller.bound[theirs]
            else:
                array, position = cells_of(symbol)
                bound[array] = caller.variable(one.symbol)
                bound[position] = CellType(0)
                self.values.append(bound[position])
        self.callee = caller.call(scope, bound)
        self.start = scope.first_statement

    def bind(self, values: tuple[Any, ...]) -> None:
        """Put the values of a call into their cells."""
        for cell, value in zip(self.values, values, strict=True):
            cell.cell_contents = value
