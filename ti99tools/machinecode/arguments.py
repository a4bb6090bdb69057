"""The arguments of CALL LINK, as the utilities read and assign them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ti99tools.base.xberrors import BAD_ARGUMENT, BAD_SUBSCRIPT, STRING_NUMBER_MISMATCH, XBError
from ti99tools.numbers.radix import Number

Value = Number | str

MOST = 16
NUMBER, STRING, NUMBER_VARIABLE, STRING_VARIABLE, NUMBER_ARRAY, STRING_ARRAY = range(6)
"""The kinds that code finds from >8300 on."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: what it was when LINK began, or the variable or array that it is."""

    kind: int
    value: Value = 0
    read: Callable[[], Value] | None = None
    assign: Callable[[Value], None] | None = None
    elements: list[Value] | None = None

    @property
    def is_string(self) -> bool:
        """Tell whether it is a string, or strings."""
        return bool(self.kind & 1)

    def get(self, element: int) -> Value:
        """Its value, of an array that of an element; BAD SUBSCRIPT for none."""
        if self.elements is not None:
            return self.elements[self._within(element)]
        return self.value if self.read is None else self.read()

    def set(self, element: int, value: Value) -> None:
        """Assign to it; BAD ARGUMENT for an expression, BAD SUBSCRIPT for no element."""
        if self.elements is not None:
            self.elements[self._within(element)] = value
        elif self.assign is not None:
            self.assign(value)
        else:
            raise XBError(BAD_ARGUMENT)

    def _within(self, element: int) -> int:
        assert self.elements is not None
        if element >= len(self.elements):
            raise XBError(BAD_SUBSCRIPT)
        return element


def chosen(arguments: list[Argument], number: int, string: bool) -> Argument:
    """The argument of a number from 1; BAD ARGUMENT for none, a mismatch for one of other kind."""
    if not 1 <= number <= len(arguments):
        raise XBError(BAD_ARGUMENT)
    argument = arguments[number - 1]
    if argument.is_string != string:
        raise XBError(STRING_NUMBER_MISMATCH)
    return argument
