"""What the code of a SUB is written to: as that of a program, but errors end the LINK."""

from __future__ import annotations

from ti99tools.compiler.emit.constants import Constants
from ti99tools.compiler.emit.writer import Writer


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
