"""What an editor can ask to see piece by piece: references to variables, arrays and their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.console.evaluating import shown

Rows = Sequence[tuple[str, Any]]
"""Names and values."""


class Shelf:
    """Hands out references, which are good until the program goes on."""

    def __init__(self) -> None:
        self._rows: list[Callable[[], Rows]] = []

    def clear(self) -> None:
        """All references are void."""
        self._rows.clear()

    def put(self, rows: Callable[[], Rows]) -> int:
        """A reference to rows that are made when they are asked for."""
        self._rows.append(rows)
        return len(self._rows)

    def rows(self, reference: int, base: int) -> list[dict[str, Any]]:
        """What is at a reference, as the protocol describes variables. Raises TIError."""
        if not 1 <= reference <= len(self._rows):
            raise TIError("the program has gone on since that was shown", remedy="ask anew")
        return [self.described(name, value, base) for name, value in self._rows[reference - 1]()]

    def described(self, name: str, value: Any, base: int, key: str = "value") -> dict[str, Any]:
        """A value with its text under `key`; an array with a reference to its elements."""
        told: dict[str, Any] = {"name": name, "variablesReference": 0}
        told["type"] = "string" if isinstance(value, str) else "number"
        if not isinstance(value, list):
            return {**told, key: shown(value), "evaluateName": name}
        elements = [
            (f"{name.removesuffix(')')}{_comma(name)}{index})", one)
            for index, one in enumerate(value, base)
        ]
        told["type"] = "array"
        told["indexedVariables"] = len(elements)
        told["variablesReference"] = self.put(lambda: elements)
        return {**told, key: f"{len(elements)} elements"}


def _comma(name: str) -> str:
    return "" if name.endswith("()") else ","
