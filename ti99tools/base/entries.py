"""Tables of functions that enter themselves: one function for each operation, statement or node."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Function = TypeVar("Function", bound=Callable[..., object])


class Entries(dict[Key, Function]):
    """Functions by their keys. `@entries(*keys)` above a function enters it under these."""

    def __call__(self, *keys: Key) -> Callable[[Function], Function]:
        def enter(function: Function) -> Function:
            self.update(dict.fromkeys(keys, function))
            return function

        return enter
