"""What the generators of a SUB's code share."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import Constants
from ti99tools.compiler.emit.writer import Writer
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.compiler.subs.submemory import SubPlaces


class SubWriter(Writer):
    """The code of a SUB as it is written; `suffix` ends its labels."""

    def __init__(self, suffix: str) -> None:
        super().__init__(suffix=suffix)
        self.section.constants = Constants(suffix)

    def failing(self, error: int) -> str:
        """Put code aside that ends the LINK with an error; return its label.

        A statement has its own, so that the place says which line fails.
        """
        key = self.spot, self.variant, self.inside, error
        if key not in self._failing:
            self._failing[key] = self.aside(lambda: self.op("BL", f"@{self.uses(f'X{error}')}"))
        return self._failing[key]


class SubEmission(Emission):
    """The code of a SUB while it is generated."""

    def __init__(self, code: ir.Code, kinds: SubKinds, places: SubPlaces, suffix: str) -> None:
        super().__init__(code, kinds, places)
        self.suffix = suffix
        self.near_checks = True
        self.out: SubWriter = SubWriter(suffix)
        self.lookups: dict[bytes, str] = {}

    def lookup(self, data: bytes) -> str:
        """The label of a table of bytes."""
        return self.lookups.setdefault(data, f"T{len(self.lookups)}{self.suffix}")

    def block_label(self, name: str) -> str:
        """A block's label; no two blocks of the program have the same."""
        return super().block_label(name) + self.suffix
