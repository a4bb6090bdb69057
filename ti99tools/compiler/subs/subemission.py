"""What the generators of a SUB's code share."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.compiler.subs.subplaces import SubPlaces
from ti99tools.compiler.subs.subwriter import SubWriter


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
